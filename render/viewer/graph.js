// SPDX-License-Identifier: ISC
// Draws the boxes in the window.


// On large screens only the widest boxes have labels, so that the document stays small.
const LABELS = 1000;
// A box has a label if there is room for this many letters between spaces (px), or for its
// whole name.
const LEAST_LABEL = 6, INSET = 3;

const graph = make(svg, "g", { class: "fg-graph" });
const boxes = make(graph, "g", {});
const found = make(graph, "g", { fill: meta.searchcolor });
const others = make(graph, "path", { class: "fg-others", fill: "none", stroke: "#000" });
// the function of a sandwich
const pivot = make(graph, "rect", { class: "fg-pivot", fill: "none", stroke: "#000" });
const outline = make(graph, "rect", { class: "fg-hover", fill: "none", stroke: "#000" });
const labels = make(graph, "g", { fill: meta.textcolor });
// covers the edge of the graph
const edge = make(svg, "g", { class: "fg-edge" });
if (meta.stroke)
	for (const part of [boxes, found])
		set(part, { stroke: meta.stroke });

// Box K from Y on, HIGH px high and wider by FAR px on both sides, as path data.
function outlineOf(k, y, high, far) {
	const { left, right } = state.boxes, { x, w } = edges({ left: left[k], right: right[k] });
	const wide = w + 2 * far;
	return w ? `M${x - far} ${y}h${wide}v${high}h-${wide}z` : "";
}

// The outline of a whole box, cached.
const outlineIn = (k, d) => state.boxes.outlines[k] || (state.boxes.outlines[k] =
	outlineOf(k, rowTop(d), meta.frameheight - 1, 0));

// Calls WORK with the number and row of each box in the lines that are drawn, from the root on.
function eachNear(work) {
	const { first } = state.boxes, { from, to } = state.near;
	for (let d = 0; d < view.rows; d++) {
		const line = lineOf(d), end = line >= from && line < to ? first[d + 1] : 0;
		for (let k = first[d]; k < end; k++)
			work(k, d);
	}
}

function collectPaths() {
	const kinds = {}, depth = view.depth[state.zoom], { frame, until } = state.boxes;
	const add = (kind, fill, outline) => {
		const fills = kinds[kind] || (kinds[kind] = {});
		(fills[fill] || (fills[fill] = [])).push(outline);
	};
	eachNear((k, d) => {
		const outline = outlineIn(k, d);
		if (d < depth)
			add("fg-under", "#fff", outline);
		if (until[k])
			add("fg-strip", meta.stripcolor, outline);
		else
			add(d < depth ? "fg-faded" : isDimmed(frame[k]) ? "fg-dim" : "fg-box",
				colorOf(frame[k]), outline);
	});
	return kinds;
}

// From the lowest layer to the highest.
const KINDS = ["fg-under", "fg-faded", "fg-dim", "fg-box", "fg-strip"];

// Gives PARENT as many children as there are ITEMS, each drawn by RENDER. Surplus children are
// kept for later.
function renderList(parent, tag, items, render) {
	const spare = parent.fgSpare || (parent.fgSpare = []);
	while (parent.childNodes.length > items.length) {
		spare.push(parent.lastChild);
		parent.lastChild.remove();
	}
	items.forEach((item, i) => render(parent.childNodes[i] || (spare.length ?
		parent.appendChild(spare.pop()) : make(parent, tag)), item));
}

// Measuring is rarely needed: most names are too long for their box.
function isWithinRoom(i, room) {
	const name = bare(nameOf(i));
	return name.length < LEAST_LABEL && textWidth(name) <= room;
}

function collectLabels() {
	const list = [], { frame, until, left, right } = state.boxes;
	const least = LEAST_LABEL * letter, narrowest = 2 * letter + 2 * INSET;
	eachNear((k, d) => {
		if (until[k] || right[k] - left[k] < narrowest)
			return;
		const { x, w } = edges(boxNumber(k)), room = w - 2 * INSET;
		if (room >= least || isWithinRoom(frame[k], room))
			list.push({ frame: frame[k], x: x + INSET, room, d });
	});
	return list.length <= LABELS ? list :
		list.sort((a, b) => b.room - a.room).slice(0, LABELS);
}

// A search makes the labels of other boxes paler, too.
const classOfLabel = ({ frame, d }) => d < view.depth[state.zoom] ||
	(state.hits && !isHit(frame)) || isDimmed(frame) ? "fg-faded-text" : "";

function showLabel(text, label) {
	set(text, {
		x: label.x,
		// high enough for an underscore above the lower edge
		y: rowTop(label.d) + (meta.frameheight - 1) / 2 + 0.3 * em,
		class: classOfLabel(label),
	});
	const run = runText(label.frame);
	const name = label.frame || !view.sides || view.split ? bare(nameOf(label.frame)) :
		["before", "after"].map((word, c) => `${word}: ${human(view.total[c][0])}`)[
			sideAt(label.x - meta.pad[3])];
	write(text, fitName(name, label.room - textWidth(run)) + run);
}

// The picture's edges in the window, and the number of px per unit of the picture. Asking for
// them forces a layout, so they are kept until the current task ends or a change invalidates
// them.
let edgesInWindow = null;
const forgetBounds = () => edgesInWindow = null;

function bounds() {
	if (!edgesInWindow) {
		const { left, top, bottom, width } = svg.getBoundingClientRect();
		edgesInWindow = { left, top, bottom, width, scale: width / state.width || 1 };
		Promise.resolve().then(forgetBounds);
	}
	return edgesInWindow;
}

function scrollBy(y) {
	window.scrollBy(0, y);
	forgetBounds();
}

// The lines of boxes, counted from above, in the window or less than MARGIN px outside of it.
function linesInSight(margin) {
	const { top, scale } = bounds();
	const line = (y) => floor(((y - top) / scale - state.top) / meta.frameheight);
	return { from: max(line(-margin), 0),
		to: min(line(window.innerHeight + margin) + 1, state.lines) };
}

// Draws the rows less than MARGIN px outside of the window, or all of them for a printer.
function drawGraph(margin) {
	if (drawTable())
		return;
	state.near = state.printing ? { from: 0, to: state.lines } : linesInSight(margin);
	const paths = [], kinds = collectPaths();
	for (const kind of KINDS)
		for (const fill of Object.keys(kinds[kind] || {}))
			paths.push({ class: kind, fill, d: kinds[kind][fill].join("") });
	renderList(boxes, "path", paths, set);
	const legible = meta.frameheight >= 0.8 * em;
	state.labels = legible ? collectLabels() : [];
	renderList(labels, "text", state.labels, showLabel);
	show(pivot, view.split);
	if (view.split)
		set(pivot, { x: meta.pad[3] - 0.5, y: rowTop(0) - 0.5, width: inside(),
			height: meta.frameheight });
	drawThinner();
	drawHits();
	drawHover(null);
}

// Draws rows beyond the window while idle, so that they are there when the user scrolls.
let idle = 0;
const whenIdle = window.requestIdleCallback || setTimeout;

function drawMore() {
	const due = ++idle, lines = linesInSight(window.innerHeight / 2), { from, to } = state.near;
	if (!isTable() && !state.printing && (lines.from < from || lines.to > to))
		setTimeout(() => whenIdle(() => due === idle && !state.printing &&
			drawFarther()), 300);
}

// The pointer stays on its frame.
function drawFarther() {
	const { hover } = state, isOutlined = others.getAttribute("d");
	drawGraph(window.innerHeight / 2);
	drawHover(hover);
	if (isOutlined)
		drawOthers();
}

// Computes zooms and searches ahead of time without showing them, so that the browser has
// compiled the code and created label elements before the user needs them.
const TURNS = 12;

function rehearse() {
	const kept = { ...state }, spare = labels.fgSpare;
	if (isTable() || isChart() || state.hits || state.printing)
		return;
	for (let turn = 0, i = state.zoom; turn < TURNS && i >= 0; turn++, i = childOf(i, false)) {
		state.zoom = i;
		state.boxes = layout(i, inside());
		collectPaths();
		collectLabels().forEach((label, k) => showLabel(spare[k] ||
			(spare[k] = document.createElementNS(SVG, "text")), label));
		describe({ frame: i, until: 0 });
		fragment();
	}
	Object.assign(state, kept);
	for (const re of [/e/, /o/, /[at]/]) {
		state.hits = tryNames(re);
		findFrames();
	}
	Object.assign(state, kept);
	// for the first zoom
	drawMapBoxes();
}

// Draws the button that shows the omitted rows, at their end of the graph.
function drawThinner() {
	const count = group(String(state.thinner)), label = state.allRows ? "Hide thin rows" :
		count + " thinner rows", width = widthFor(label);
	show(thinButton, state.thinner);
	set(thinButton, { "aria-pressed": state.allRows, "aria-label": state.allRows ? label :
		`Show ${count} rows without a box of ${WIDE_ENOUGH} px` });
	write(thinButton.querySelector("text"), label);
	placeButton(thinButton, state.width - meta.pad[1] - width, state.icicle && !view.split ?
		state.top + state.lines * meta.frameheight - CONTROL : state.top, width);
}

// Draws the effect of a search: matching boxes, marks on strips with matches, and the labels of
// all other boxes. Browsers paint in tiles, and process every path that touches a tile
// completely, so each path covers only this many lines.
const BAND = 16;

function drawHits() {
	const { hits, boxes: { frame, until } } = state, h = meta.frameheight - 1;
	const depth = view.depth[state.zoom];
	const kinds = {};
	const add = (kind, d, outline) => {
		const key = kind + " " + (floor(lineOf(d) / BAND));
		(kinds[key] || (kinds[key] = [])).push(outline);
	};
	if (hits)
		eachNear((k, d) => {
			if (until[k] && countIn(frame[k], until[k]))
				add("fg-mark", d, outlineOf(k, rowTop(d) + h - 4, 4, 0));
			else if (!until[k] && isHit(frame[k]))
				add(d < depth ? "fg-faded" : "fg-hit", d, outlineIn(k, d));
		});
	renderList(found, "path", Object.keys(kinds), (path, kind) =>
		set(path, { class: kind.split(" ")[0], d: kinds[kind].join("") }));
	// a search makes all other boxes paler
	set(boxes, { class: hits ? "fg-pale" : "" });
	state.labels.forEach((label, i) =>
		set(labels.childNodes[i], { class: classOfLabel(label) }));
}


// Draws everything and, with NEEDSFOCUS, scrolls to the subject of the view.
function draw(needsFocus) {
	drawLegend();
	placeHeader();
	state.foot = state.printing ? 0 : 2 * FOOT_PAD + footLines() * lineHeight;
	set(footGround, { width: state.width, height: state.foot });
	layOut();
	redraw(needsFocus);
	keepInSight();
}

// A search makes the table lower, and a zoom the graph lower or higher: keeps the lower end
// where it is in the window.
function setHeight() {
	const before = state.height, isHanging = isTable() || state.icicle || view.split;
	state.height = state.top + 4 + state.foot +
		(isTable() ? tableHeight() : state.lines * meta.frameheight);
	const isMoved = before && before !== state.height && !isHanging && !state.printing;
	const { scrollX, scrollY } = isMoved ? window : {};
	set(svg, { height: state.height });
	if (!meta.fluid)
		set(svg, { viewBox: `0 0 ${state.width} ${state.height}` });
	if (isMoved)
		window.scrollTo(scrollX, scrollY + state.height - before);
	if (before !== state.height)
		forgetBounds();
}

function layOut() {
	refine();
	state.boxes = layout(state.zoom);
}

// Draws the effect of a zoom or a search. Scrolling afterwards would mean drawing twice.
function redraw(needsFocus) {
	setHeight();
	if (needsFocus)
		showFocus();
	drawGraph(meta.frameheight);
	drawMore();
	drawChosen();
	drawChart();
	drawMap();
	drawControls();
	drawMatched();
	if (isTable())
		keepInSight();
}

// Moves the header and the details into the visible part of the picture: large graphs are
// higher than the window.
function keepInSight() {
	const { top, bottom, scale } = bounds();
	const room = state.height - state.foot - state.barHeight;
	const above = min(max(-top / scale, 0), room);
	const below = min(max((bottom - window.innerHeight) / scale, 0), room);
	// with an open menu, the page can be scrolled to its end
	if (!menu)
		set(banner, { transform: `translate(0 ${above})`,
			class: above ? "fg-top fg-afloat" : "fg-top" });
	set(foot, { transform: `translate(0 ${state.height - state.foot - below})` });
	placeInput();
	const lines = linesInSight(0);
	set(tableHead, { transform: `translate(0 ${max(state.top, above + state.barHeight)})` });
	if (isTable() || lines.from < state.near.from || lines.to > state.near.to)
		drawGraph(window.innerHeight / 2);
}

// Scrolls just far enough to show the row of depth D between the header and the foot.
const showRow = (d) => showAt(isTable() ? 0 : rowTop(d));

// Scrolls to the subject of the view: the function of a sandwich, centred, or the zoomed frame.
function showFocus() {
	const { top, scale } = bounds();
	if (view.split && !state.zoom)
		scrollBy(top + (rowTop(0) + meta.frameheight / 2) * scale -
			window.innerHeight / 2);
	else
		showRow(view.depth[state.zoom]);
}

function showAt(offset) {
	const { top, scale } = bounds(), y = top + offset * scale;
	const first = (state.barHeight + (isTable() ? HEAD : 4)) * scale;
	const lowest = window.innerHeight - (state.foot + meta.frameheight + 4) * scale;
	if (y < first || y > lowest)
		scrollBy(y - (y < first ? first : max(lowest, first)));
}

function onResize() {
	const width = max(round(bounds().width), 100);
	if (width !== state.width && !state.printing) {
		state.width = width;
		forgetBounds();
		draw();
	}
}
