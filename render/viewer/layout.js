// SPDX-License-Identifier: ISC
// Positions of the boxes, and the choice of the rows to draw.

// Narrower boxes are joined to strips, and thinner strips left out; px.
const NARROW = 1, THIN = 0.5;
// If the window lacks room, rows at the ends whose widest box is narrower (px) are left out,
// unless there are only FEW_ROWS of them.
const WIDE_ENOUGH = 4, FEW_ROWS = 4;

// The boxes in the order of the walk: row; frame; left and right, px from the edge of the
// graph; until, the end of a strip's frames, else 0. The arrays grow and are reused by every
// layout. WIDEST is the widest box by row.
const draft = { n: 0, room: 0, row: [], frame: [], until: [], left: [], right: [], widest: [] };

function growDraft() {
	const room = draft.room = max(2 * draft.room, 8192);
	for (const key of ["row", "frame", "until", "left", "right"]) {
		const isPlace = ["left", "right"].includes(key);
		const longer = new (isPlace ? Float64Array : Uint32Array)(room);
		longer.set(draft[key]);
		draft[key] = longer;
	}
}

// Returns the new box's index + 1.
function addBox(row, frame, left, right, until) {
	if (draft.n === draft.room)
		growDraft();
	const k = draft.n++;
	draft.row[k] = row;
	return putBox(k, frame, left, right, until);
}

function putBox(k, frame, left, right, until) {
	const row = draft.row[k];
	if (right - left > draft.widest[row])
		draft.widest[row] = right - left;
	draft.frame[k] = frame;
	draft.left[k] = left;
	draft.right[k] = right;
	draft.until[k] = until;
	return k + 1;
}

// Between graphs side by side, px.
const BETWEEN_SIDES = 12;

// The width of one of the graphs side by side, or of the only one; the side that X is on, and
// its left edge, px from the edge of the graph.
const sideWidth = () => view.sides ? (inside() - BETWEEN_SIDES) / 2 : inside();
const sideAt = (x) => view.sides && x > sideWidth() ? 1 : 0;
const sideEdge = (side) => side * (sideWidth() + BETWEEN_SIDES);
const weightsAt = (x) => view.sides ? view.sides[sideAt(x)].width : view.width;
// The position of X in its side, as a share of its width.
const partAt = (x) => (x - sideEdge(sideAt(x))) / sideWidth();

// Drafts the boxes that are visible when the span of ZOOM fills WIDTH px.
function draftBoxes(zoom) {
	draft.n = 0;
	draft.widest = new Float64Array(view.rows + 1);
	(view.sides || [view]).forEach((side, k) =>
		draftSide(side, zoom, sideEdge(k), sideWidth()));
}

// Drafts the boxes of a side that begins at EDGE. Subtrees that are too narrow are never
// entered. A frame that begins where a strip ends is a sibling of the frames in it; a strip too
// thin to see is replaced by the next box.
function draftSide({ lead, width: weights }, zoom, edge, width) {
	const { name, depth, end, sides } = view;
	const [from, to] = state.span || [0, 1], whole = wholeOf(zoom);
	const px = width / (whole * (to - from)), before = from * whole;
	const next = new Float64Array(view.rows + 2), latest = newList(view.rows + 2);
	const full = edge + (sides ? min(max(weights[zoom] - before, 0) * px, width) : width);
	for (let a = zoom; a; a = view.parent[a])
		addBox(depth[a], a, edge, full, 0);
	addBox(0, 0, edge, full, 0);
	// where the children begin; the callers of a sandwich's root begin at the edge
	next[depth[zoom] + 1] = lead[zoom] - before;
	for (let i = zoom + 1; i < end[zoom];) {
		const d = depth[i];
		if (i === view.callers)
			next[d] = -before;
		const x = next[d], w = weights[i], left = edge + max(x * px, 0);
		const right = edge + min((x + w) * px, width);
		next[d] = x + w;
		if (name[i] === GAP || !w || left >= right) {
			i = end[i];
			continue;
		}
		const until = w * px < NARROW ? end[i] : 0, k = latest[d] - 1;
		const strip = k >= 0 ? draft.until[k] : 0;
		if (strip && until && strip === i)
			putBox(k, draft.frame[k], draft.left[k], right, until);
		else if (strip && draft.right[k] - draft.left[k] < THIN)
			putBox(k, i, left, right, until);
		else
			latest[d] = addBox(d, i, left, right, until);
		next[d + 1] = x + lead[i];
		i = until || i + 1;
	}
}

// The number of rows below (or above) the zoomed frame, drawn or not: of callees, or all if the
// view is not a sandwich, and of callers. A view caches them for the last zoomed frame.
function countRows(zoom) {
	const { depth, end, split, width, counted } = view, rows = [1, split];
	if (counted && counted.zoom === zoom && counted.width === width)
		return counted.rows;
	for (let i = zoom, side = 0; i < end[zoom]; i++)
		if (depth[i] >= rows[side = split && depth[i] >= split ? 1 : 0] && width[i] > 0)
			rows[side] = depth[i] + 1;
	rows[1] -= split;
	view.counted = { zoom, width, rows };
	return rows;
}

// The number of rows that fit in the window.
const roomForRows = () => max(floor((window.innerHeight / bounds().scale - state.top - 4 -
	state.foot) / meta.frameheight), 1);

// The number of rows up to the last with a box of LEAST px, of callees and of callers.
function rowsWith(least) {
	const { split, rows } = view, found = [1, 0];
	for (let d = 1; d < rows; d++)
		if (draft.widest[d] >= least)
			found[split && d >= split ? 1 : 0] = d + 1 - (d >= split ? split : 0);
	return found;
}

// Chooses the rows to draw: those with a wide enough box, and those between them and the root;
// others as far as the window has room.
function chooseRows(zoom) {
	const all = countRows(zoom), seen = rowsWith(WIDE_ENOUGH), drawn = rowsWith(THIN);
	const room = state.printing ? 0 : roomForRows();
	const thin = all[0] + all[1] - seen[0] - seen[1];
	const spare = max(room - seen[0] - seen[1], 0);
	const isAll = state.allRows || thin <= FEW_ROWS, limits = isAll ? all : drawn;
	const most = limits[0] + limits[1] - seen[0] - seen[1];
	let more = isAll ? most : min(spare, most);
	// rows drawn at the user's request can be left out again
	state.thinner = state.allRows && thin > FEW_ROWS ? thin : thin - more;
	for (const side of [0, 1]) {
		const taken = min(more, limits[side] - seen[side]);
		seen[side] += taken;
		more -= taken;
	}
	// the root stays in place while the zoomed graph is lower
	const lines = seen[0] + seen[1];
	if (!zoom && !state.printing)
		state.base = { view, lines };
	state.rows = seen[0];
	state.callers = seen[1];
	state.lines = state.base.view === view && !state.printing ?
		max(lines, min(state.base.lines, room)) : lines;
}

// Sorts the boxes by row and leaves out rows that are not drawn. Copies the frames' names
// beside them: looking up each one in a large view would take longer than all the rest.
function layout(zoom) {
	const { split, rows } = view;
	draftBoxes(zoom);
	chooseRows(zoom);
	const first = newList(rows + 2), at = newList(rows + 2), { n } = draft;
	const isDrawn = (d) => d < state.rows ||
		(split && d >= split && d < split + state.callers);
	for (let k = 0; k < n; k++)
		if (isDrawn(draft.row[k]))
			first[draft.row[k] + 1]++;
	for (let d = 0; d <= rows; d++)
		at[d + 1] = first[d + 1] += first[d];
	const count = first[rows + 1];
	const placed = { first, outlines: new Array(count),
		frame: newList(count), until: newList(count), name: newList(count),
		left: new Float64Array(count), right: new Float64Array(count) };
	for (let k = 0; k < n; k++)
		if (isDrawn(draft.row[k])) {
			const to = at[draft.row[k]]++;
			placed.frame[to] = draft.frame[k];
			placed.name[to] = view.name[draft.frame[k]];
			placed.until[to] = draft.until[k];
			placed.left[to] = draft.left[k];
			placed.right[to] = draft.right[k];
		}
	return placed;
}

// Box K of the layout.
function boxNumber(k) {
	const { frame, until, left, right } = state.boxes;
	return { k, frame: frame[k], until: until[k], left: left[k], right: right[k] };
}

// Rows by line, counted from above, and back; -1 for none.
function lineOf(d) {
	const { split } = view;
	if (!split)
		return state.icicle ? d : state.lines - 1 - d;
	return d < split ? state.callers + d : state.callers - 1 - (d - split);
}

function rowAt(line) {
	if (line < 0 || line >= state.lines)
		return -1;
	if (!view.split)
		return state.icicle ? line : state.lines - 1 - line;
	return line >= state.callers ? line - state.callers : view.split + state.callers - 1 - line;
}

const rowTop = (d) => state.top + lineOf(d) * meta.frameheight;

// Rounds edges to whole pixels, with a gap of one between boxes wide enough for it.
function edges({ left, right }) {
	const x = round(meta.pad[3] + left), w = round(meta.pad[3] + right) - x;
	return { x, w: right - left < 2 ? w : w - 1 };
}

// The first box of row D that ends behind X, px from the edge of the graph; -1 for none.
function firstBehind(d, x) {
	const { first, right } = state.boxes, end = d < 0 || d >= view.rows ? 0 : first[d + 1];
	let low = end ? first[d] : 0, high = end;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (right[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end ? low : -1;
}

// The box at a point of the picture; returns the same object while the pointer stays on it.
function boxAt(x, y) {
	if (isTable())
		return tableBoxAt(y);
	const row = rowAt(floor((y - state.top) / meta.frameheight));
	const k = firstBehind(row, x - meta.pad[3]), { left } = state.boxes;
	if (k < 0 || left[k] > x - meta.pad[3])
		return null;
	return state.hover && state.hover.k === k ? state.hover : boxNumber(k);
}

// The number of the box that shows frame I, side by side the one after; -1 for none.
function numberOf(i) {
	const { first } = state.boxes, d = view.depth[i], end = first[d + 1];
	const k = view.sides ? firstBehind(d, sideEdge(1)) : first[d], middle = k < 0 ? end : k;
	const after = numberIn(i, middle, end);
	return after < 0 ? numberIn(i, first[d], middle) : after;
}

function numberIn(i, low, high) {
	const { frame, until, left, right } = state.boxes, begin = low;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (frame[middle] <= i)
			low = middle + 1;
		else
			high = middle;
	}
	const k = low - 1;
	const isShown = k >= begin && i < (until[k] || frame[k] + 1);
	return isShown && right[k] - left[k] >= THIN ? k : -1;
}
