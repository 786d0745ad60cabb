// SPDX-License-Identifier: ISC
// Where boxes lie.

// Narrower boxes are joined to strips, and thinner strips left out; px.
const NARROW = 1, THIN = 0.5;

// The boxes of what is seen when ZOOM fills WIDTH px, a list for each row, from
// left to right: frame; left and right, px from the edge of the graph; until, for
// a strip the end of its frames. Subtrees that are too narrow are never entered.
function layout(zoom, width) {
	const { name, depth, end, lead } = view, weights = view.width;
	const px = width / (zoom ? weights[zoom] : view.whole);
	const next = new Float64Array(view.rows + 2);
	const rows = [];
	rows[0] = [{ frame: 0, left: 0, right: width, until: 0 }];
	for (let a = zoom; a; a = view.parent[a])
		rows[depth[a]] = [{ frame: a, left: 0, right: width, until: 0 }];
	// where the children begin; the callers of a sandwich's root begin at the edge
	next[depth[zoom] + 1] = lead[zoom];
	for (let i = zoom + 1; i < end[zoom];) {
		const d = depth[i];
		if (i === view.callers)
			next[d] = 0;
		const x = next[d], right = x + weights[i];
		next[d] = right;
		if (name[i] === GAP || !weights[i]) {
			i = end[i];
			continue;
		}
		const row = rows[d] || (rows[d] = []);
		const box = { frame: i, left: x * px, right: right * px, until: 0, outline: "" };
		if (weights[i] * px < NARROW)
			box.until = end[i];
		addBox(row, box);
		next[d + 1] = x + lead[i];
		i = box.until || i + 1;
	}
	return rows;
}

// Adds a box to a row. A frame that begins where a strip ends is a sibling of the
// frames in it. A strip too thin to see gives way to what follows.
function addBox(row, box) {
	const before = row[row.length - 1];
	const strip = before && before.until ? before : null;
	if (strip && box.until && strip.until === box.frame) {
		strip.right = box.right;
		strip.until = box.until;
	} else if (strip && strip.right - strip.left < THIN) {
		row[row.length - 1] = box;
	} else {
		row.push(box);
	}
}

// The line of a row, which is counted from above, and the other way about.
function lineOf(d) {
	const callers = view.split && view.rows - view.split;
	if (!view.split)
		return state.icicle ? d : view.rows - 1 - d;
	return d < view.split ? callers + d : view.rows - 1 - d;
}

function rowAt(line) {
	const callers = view.split && view.rows - view.split;
	return callers && line >= callers ? line - callers :
		callers || !state.icicle ? view.rows - 1 - line : line;
}

const rowTop = (d) => state.top + lineOf(d) * meta.frameheight;

// Edges lie on whole pixels, with a gap of one between boxes that have room for it.
function edges(box) {
	const x = round(meta.pad[3] + box.left);
	const w = round(meta.pad[3] + box.right) - x;
	return { x, w: box.right - box.left < 2 ? w : w - 1 };
}

// The box at a point of the picture.
function boxAt(x, y) {
	if (isList())
		return listBoxAt(y);
	const row = state.rows[rowAt(floor((y - state.top) / meta.frameheight))];
	let low = 0, high = row ? row.length : 0;
	x -= meta.pad[3];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (row[middle].right <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return row && low < row.length && row[low].left <= x ? row[low] : null;
}
