// SPDX-License-Identifier: ISC
// The boxes: where they are, how they are drawn, and which of them are in the window.

// ---- Layout ----

// Narrower boxes are joined to strips, and thinner strips left out; px.
const NARROW = 1, THIN = 0.5;

// The boxes that are seen when ZOOM fills WIDTH px, a list for each row, from
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

// The line of a row, which is counted from above, and the row of a line.
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
	if (isTable())
		return tableBoxAt(y);
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

// ---- Drawing ----

// On large screens only the widest boxes have labels, so that the document stays small.
const LABELS = 1000;

const graph = make(svg, "g", { class: "fg-graph" });
const boxes = make(graph, "g", {});
// matches lie above a veil that makes all other boxes paler
const veil = make(graph, "rect", { class: "fg-veil", fill: "#fff", "fill-opacity": 0.5 });
const found = make(graph, "g", { fill: meta.searchcolor });
const others = make(graph, "path", { class: "fg-others", fill: "none", stroke: "#000" });
// the function of a sandwich
const pivot = make(graph, "rect", { class: "fg-pivot", fill: "none", stroke: "#000" });
const outline = make(graph, "rect", { class: "fg-hover", fill: "none", stroke: "#000" });
const labels = make(graph, "g", { fill: meta.textcolor });
if (meta.stroke)
	for (const part of [boxes, found])
		set(part, { stroke: meta.stroke });

function colorOf(i) {
	if (isComparing())
		return comparedColor(i);
	if (meta.diff)
		return changeColor(i);
	return i || view.split ? meta.colors[names.color[view.name[i]]] : meta.rootcolor;
}

function outlineOf(box, y, height) {
	const { x, w } = edges(box);
	return w ? `M${x} ${y}h${w}v${height}h-${w}z` : "";
}

// Path data by class and colour. The outline of a box stays as long as the layout does,
// and is kept with it.
function collectPaths(rows) {
	const kinds = {}, h = meta.frameheight - 1, depth = view.depth[state.zoom];
	const add = (kind, fill, outline) => {
		const fills = kinds[kind] || (kinds[kind] = {});
		(fills[fill] || (fills[fill] = [])).push(outline);
	};
	rows.forEach((row, d) => {
		const y = rowTop(d), kind = d < depth ? "fg-faded" : "fg-box";
		for (const box of row) {
			const i = box.frame;
			box.outline = box.outline || outlineOf(box, y, h);
			if (d < depth)
				add("fg-under", "#fff", box.outline);
			if (!box.until)
				add(kind, colorOf(i), box.outline);
			else
				add("fg-strip", meta.stripcolor, box.outline);
		}
	});
	return kinds;
}

// The order in which they lie on each other.
const KINDS = ["fg-under", "fg-faded", "fg-box", "fg-strip"];

// Makes the children of PARENT as many as ITEMS, each drawn by RENDER.
function renderList(parent, tag, items, render) {
	while (parent.childNodes.length > items.length)
		parent.lastChild.remove();
	items.forEach((item, i) => render(parent.childNodes[i] || make(parent, tag), item));
}

function collectLabels(rows) {
	const list = [];
	rows.forEach((row, d) => {
		for (const box of row) {
			if (box.until || box.right - box.left < 3 * letter)
				continue;
			const at = edges(box), columns = floor((at.w - 6) / letter);
			if (columns >= 3)
				list.push({ frame: box.frame, x: at.x + 3, columns, d });
		}
	});
	return list.length <= LABELS ? list :
		list.sort((a, b) => b.columns - a.columns).slice(0, LABELS);
}

function showLabel(text, label) {
	set(text, {
		x: label.x,
		// high enough for an underscore above the lower edge
		y: rowTop(label.d) + (meta.frameheight - 1) / 2 + 0.3 * em
	});
	write(text, fit(bare(nameOf(label.frame)), label.columns));
}

// The picture's edges in the window, and how many px a unit of the picture has.
function bounds() {
	const { left, top, bottom, width } = svg.getBoundingClientRect();
	return { left, top, bottom, width, scale: width / state.width || 1 };
}

// The range of lines of boxes, counted from above, that are in the window or less
// than MARGIN px outside of it.
function linesInSight(margin) {
	const { top, scale } = bounds();
	const line = (y) => floor(((y - top) / scale - state.top) / meta.frameheight);
	return { from: max(line(-margin), 0),
		to: min(line(window.innerHeight + margin) + 1, view.rows) };
}

// Draws the rows near the window, or all of them for a printer.
function drawGraph() {
	if (drawTable())
		return;
	const near = state.near = state.printing ? { from: 0, to: view.rows } :
		linesInSight(window.innerHeight / 2);
	const rows = state.nearRows = state.rows.map((row, d) =>
		lineOf(d) >= near.from && lineOf(d) < near.to ? row : []);
	const paths = [], kinds = collectPaths(rows);
	for (const kind of KINDS)
		for (const fill of Object.keys(kinds[kind] || {}))
			paths.push({ class: kind, fill, d: kinds[kind][fill].join("") });
	renderList(boxes, "path", paths, set);
	const legible = meta.frameheight >= 0.8 * em;
	state.labels = legible ? collectLabels(rows) : [];
	renderList(labels, "text", state.labels, showLabel);
	show(pivot, view.split);
	if (view.split)
		set(pivot, { x: meta.pad[3] - 0.5, y: rowTop(0) - 0.5, width: inside(),
			height: meta.frameheight });
	drawHits();
	drawHover(null);
}

// Draws what a search changes: the boxes that match, marks on the strips that have matches,
// and the labels on all others.
function drawHits() {
	const { hits } = state, h = meta.frameheight - 1, depth = view.depth[state.zoom];
	const kinds = { "fg-faded": [], "fg-hit": [], "fg-mark": [] };
	if (hits)
		state.nearRows.forEach((row, d) => {
			for (const box of row)
				if (box.until && countIn(box.frame, box.until))
					kinds["fg-mark"].push(outlineOf(box, rowTop(d) + h - 4, 4));
				else if (!box.until && isHit(box.frame))
					kinds[d < depth ? "fg-faded" : "fg-hit"].push(box.outline);
		});
	renderList(found, "path", Object.keys(kinds), (path, kind) =>
		set(path, { class: kind, d: kinds[kind].join("") }));
	show(veil, hits);
	set(veil, { width: state.width, y: state.top, height: view.rows * meta.frameheight });
	state.labels.forEach((label, i) => set(labels.childNodes[i], { class:
		label.d < depth || (hits && !isHit(label.frame)) ? "fg-faded-text" : "" }));
}

// ---- The window ----

function draw() {
	placeHeader();
	state.foot = state.printing ? 0 : 2 * FOOT_PAD + footLines() * lineHeight;
	set(footGround, { width: state.width, height: state.foot });
	layOut();
	redraw();
	keepInSight();
}

// A search makes the table lower.
function setHeight() {
	state.height = state.top + 4 + state.foot +
		(isTable() ? tableHeight() : view.rows * meta.frameheight);
	set(svg, { height: state.height });
	if (!meta.fluid)
		set(svg, { viewBox: `0 0 ${state.width} ${state.height}` });
}

function layOut() {
	refine();
	state.rows = layout(state.zoom, inside());
}

// Draws what a zoom or a search changes.
function redraw() {
	setHeight();
	drawGraph();
	drawChosen();
	drawChart();
	drawControls();
	drawMatched();
	if (isTable())
		keepInSight();
}

// Moves the header and the details into the part of the picture that is in the
// window: large graphs are higher than it.
function keepInSight() {
	const { top, bottom, scale } = bounds();
	const room = state.height - state.foot - state.barHeight;
	const above = min(max(-top / scale, 0), room);
	const below = min(max((bottom - window.innerHeight) / scale, 0), room);
	// under an open menu the page can be scrolled to its end
	if (!menu)
		set(banner, { transform: `translate(0 ${above})`,
			class: above ? "fg-top fg-afloat" : "fg-top" });
	set(foot, { transform: `translate(0 ${state.height - state.foot - below})` });
	placeInput();
	const lines = linesInSight(0);
	set(tableHead, { transform: `translate(0 ${max(state.top, above + state.barHeight)})` });
	if (isTable() || lines.from < state.near.from || lines.to > state.near.to)
		drawGraph();
}

// Scrolls just far enough to see the row of depth D between the bar and the foot.
const showRow = (d) => showAt(isTable() ? 0 : rowTop(d));

// Scrolls to what a view is about: the function of a sandwich, in the middle, or the zoomed frame.
function showFocus() {
	const { top, scale } = bounds();
	if (view.split && !state.zoom)
		window.scrollBy(0, top + (rowTop(0) + meta.frameheight / 2) * scale -
			window.innerHeight / 2);
	else
		showRow(view.depth[state.zoom]);
}

function showAt(offset) {
	const { top, scale } = bounds(), y = top + offset * scale;
	const first = (state.barHeight + (isTable() ? HEAD : 4)) * scale;
	const lowest = window.innerHeight - (state.foot + meta.frameheight + 4) * scale;
	if (y < first || y > lowest)
		window.scrollBy(0, y - (y < first ? first : max(lowest, first)));
}

function onResize() {
	const width = max(round(bounds().width), 100);
	if (width !== state.width && !state.printing) {
		state.width = width;
		draw();
	}
}
