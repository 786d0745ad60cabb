// SPDX-License-Identifier: ISC
// Zooms into a part of a frame: the siblings in a strip, the frames that a drag crosses, or
// with Ctrl and the wheel the surroundings of the pointer.

const wholeOf = (i) => i ? view.width[i] : view.whole;
const spanOf = () => state.span || [0, 1];

function leftIn(i) {
	const { parent, end, width, lead, callers } = view, p = parent[i];
	const isTop = callers > 0 && !p && i >= callers;
	let x = isTop ? 0 : lead[p];
	for (let child = isTop ? callers : p + 1; child < i; child = end[child])
		x += width[child];
	return x;
}

// Shows the part of frame P between LEFT and RIGHT px of the graph.
function goToPart(p, left, right) {
	const { zoom } = state, [from, to] = spanOf();
	// side by side, frames begin at different positions
	if (!isWithin(p, zoom) || view.sides)
		p = zoom;
	let begin = 0;
	for (let i = p; i !== zoom; i = view.parent[i])
		begin += leftIn(i);
	const part = (px) => ((from + partAt(px) * (to - from)) * wholeOf(zoom) - begin) /
		wholeOf(p);
	go({ zoom: p, span: [part(left), part(right)] });
}

// The nearest common ancestor of A and B, or one of them.
function aroundBoth(a, b) {
	while (!isWithin(b, a))
		a = view.parent[a];
	return a;
}


const brush = make(graph, "rect", { class: "fg-brush", display: "none" });
// A drag starts when the pointer has moved this far, px.
const DRAG = 5;

function startDrag(event) {
	const point = pointOf(event);
	state.dragged = false;
	const isOurs = point && !event.button && event.pointerType !== "touch" && !isTable();
	state.drag = isOurs && !menu ? { ...point, isOn: false } : null;
}

// Returns whether the pointer drags; marks the crossed boxes.
function moveDrag(event) {
	const { drag } = state, { left, scale } = bounds(), x = (event.clientX - left) / scale;
	if (!drag || !(drag.isOn || abs(x - drag.x) > DRAG))
		return false;
	if (!drag.isOn)
		svg.setPointerCapture(event.pointerId);
	Object.assign(drag, { isOn: true, to: x });
	drawHover(null);
	show(brush, true);
	set(brush, { x: min(x, drag.x), width: abs(x - drag.x), y: state.top,
		height: state.height - state.top - state.foot });
	return true;
}

// The last box from FIRST on that begins before X.
function boxBefore(row, x, { k }) {
	const { first, left } = state.boxes;
	while (k >= 0 && k + 1 < first[row + 1] && left[k + 1] < x)
		k++;
	return boxNumber(k);
}

function cancelDrag() {
	state.drag = null;
	show(brush, false);
}

// Zooms into the crossed boxes, or into a part of one.
function endDrag() {
	const { drag } = state;
	cancelDrag();
	state.dragged = drag && drag.isOn;
	if (!state.dragged)
		return;
	const edge = sideEdge(sideAt(drag.x - meta.pad[3]));
	const [left, right] = [drag.x, drag.to].map((x) =>
		min(max(x - meta.pad[3], edge), edge + sideWidth())).sort((a, b) => a - b);
	const row = rowAt(floor((drag.y - state.top) / meta.frameheight));
	const first = boxNumber(firstBehind(row, left)), final = boxBefore(row, right, first);
	if (final.k > first.k)
		goToPart(aroundBoth(view.parent[first.frame], final.frame), first.left,
			final.right);
	else
		goToPart(first.left < right && !first.until ? first.frame : state.zoom, left,
			right);
}

// ---- Wheel and keys ----

// Turns of the wheel within this time of each other are one step for Back, in ms.
const GESTURE = 1000;

// Shows the range FROM to TO of the zoomed frame, or of its ancestors if it extends beyond.
function goToSpan(from, to) {
	let p = state.zoom;
	for (; p && to - from >= 1; p = view.parent[p]) {
		const whole = wholeOf(view.parent[p]), x = leftIn(p);
		[from, to] = [from, to].map((part) => (x + part * wholeOf(p)) / whole);
	}
	const shift = max(-from, 0) + min(1 - to, 0), now = performance.now();
	const isSame = now - state.turned < GESTURE;
	state.turned = now;
	go({ zoom: p, span: to - from >= 1 ? null : [from + shift, to + shift] }, isSame);
}

// Shows TIMES as much around X px of the graph.
function widen(times, x) {
	const [from, to] = spanOf(), at = from + partAt(x) * (to - from);
	goToSpan(at - (at - from) * times, at + (to - at) * times);
}

function pan(times) {
	const [from, to] = spanOf(), step = min(max(times * (to - from), -from), 1 - to);
	if (step)
		goToSpan(from + step, to + step);
}

// A pinch on a touch screen is left to the browser.
function onWheel(event) {
	const point = pointOf(event);
	if (!point || isTable() || state.touched || !event.ctrlKey)
		return;
	event.preventDefault();
	// px per pixel, line and page
	const turn = event.deltaY * [1, 16, 400][event.deltaMode] / 200;
	widen(pow(2, min(max(turn, -1), 1)), point.x - meta.pad[3]);
	hoverAt(point);
}

function widenHere(times) {
	const box = boxOf(drawnAround(chosen()));
	widen(times, (box.left + box.right) / 2);
}

const isGraph = () => !isTable();
commands.push(
	{ label: "Zoom in", keys: ["+"], isThere: isGraph, run: () => widenHere(0.5) },
	{ label: "Zoom out", keys: ["-"], isThere: () => state.span, run: () => widenHere(2) },
	{ keys: ["<"], isThere: () => state.span, run: () => pan(-0.5) },
	{ keys: [">"], isThere: () => state.span, run: () => pan(0.5) },
);
