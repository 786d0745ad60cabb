// SPDX-License-Identifier: ISC
// Boxes and their names.

// Keeps the weight of the document down on large screens: the widest have labels.
const LABELS = 1000;

const graph = make(svg, "g", { class: "fg-graph" });
const boxes = make(graph, "g", {});
// what is found lies over all else, which a veil makes paler
const veil = make(graph, "rect", { class: "fg-veil", fill: "#fff", "fill-opacity": 0.5 });
const found = make(graph, "g", { fill: meta.searchcolor });
const others = make(graph, "path", { class: "fg-others", fill: "none", stroke: "#000" });
// what a sandwich is about
const pivot = make(graph, "rect", { class: "fg-pivot", fill: "none", stroke: "#000" });
const outline = make(graph, "rect", { class: "fg-hover", fill: "none", stroke: "#000" });
const labels = make(graph, "g", { fill: meta.textcolor });
if (meta.stroke)
	for (const part of [boxes, found])
		set(part, { stroke: meta.stroke });

function colorOf(i) {
	if (meta.diff)
		return changeColor(i);
	return i || view.split ? meta.colors[names.color[view.name[i]]] : meta.rootcolor;
}

function outlineOf(box, y, height) {
	const { x, w } = edges(box);
	return w ? `M${x} ${y}h${w}v${height}h-${w}z` : "";
}

// Path data by what it is filled with, a colour and a class. The outline of a box
// stays as long as the layout does, and is kept with it.
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

// Makes the children of PARENT as many as ITEMS, each shown by SHOW.
function pour(parent, tag, items, show) {
	while (parent.childNodes.length > items.length)
		parent.lastChild.remove();
	items.forEach((item, i) => show(parent.childNodes[i] || make(parent, tag), item));
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
		y: rowTop(label.d) + (meta.frameheight - 1) / 2 + 0.35 * em
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

// Draws what is near the window, or all of it for a printer.
function drawGraph() {
	if (drawList())
		return;
	const near = state.near = state.printing ? { from: 0, to: view.rows } :
		linesInSight(window.innerHeight / 2);
	const rows = state.nearRows = state.rows.map((row, d) =>
		lineOf(d) >= near.from && lineOf(d) < near.to ? row : []);
	const paths = [], kinds = collectPaths(rows);
	for (const kind of KINDS)
		for (const fill of Object.keys(kinds[kind] || {}))
			paths.push({ class: kind, fill, d: kinds[kind][fill].join("") });
	pour(boxes, "path", paths, set);
	const legible = meta.frameheight >= 0.8 * em;
	state.labels = legible ? collectLabels(rows) : [];
	pour(labels, "text", state.labels, showLabel);
	show(pivot, view.split);
	if (view.split)
		set(pivot, { x: meta.pad[3] - 0.5, y: rowTop(0) - 0.5, width: inside(),
			height: meta.frameheight });
	drawHits();
	drawHover(null);
}

// What a search changes: the boxes of what matches, marks on the strips it is in, and
// the words on all else.
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
	pour(found, "path", Object.keys(kinds), (path, kind) =>
		set(path, { class: kind, d: kinds[kind].join("") }));
	show(veil, hits);
	set(veil, { width: state.width, y: state.top, height: view.rows * meta.frameheight });
	state.labels.forEach((label, i) => set(labels.childNodes[i], { class:
		label.d < depth || (hits && !isHit(label.frame)) ? "fg-faded-text" : "" }));
}
