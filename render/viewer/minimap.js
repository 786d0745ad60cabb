// SPDX-License-Identifier: ISC
// The minimap: the whole view in small, shown while only a part is visible. A click moves that
// part.

const map = make(foot, "g", { class: "fg-map", role: "img", display: "none",
	"aria-label": "The whole graph, with a frame around what is seen" });
const mapGround = make(map, "rect", { class: "fg-panel", "pointer-events": "all" });
const mapBoxes = make(map, "g", {});
const mapFrame = make(map, "path", { class: "fg-cursor", fill: "none" });
// Its width and its distance from the details, px.
const MAP = 160, MAP_GAP = 12;

let mapped = {};

const hasMap = () => (state.zoom > 0 || state.span !== null) && !isTable() && !isSlim() &&
	!view.sides && !state.printing;

// The width left beside it for the details.
const footRoom = () => inside() - (hasMap() ? MAP + MAP_GAP : 0);

// Draws the boxes of the whole view that are visible in HIGH px.
function drawMapped(high) {
	const { span, icicle } = state, fills = {};
	state.span = null;
	draftBoxes(0);
	state.span = span;
	const [callees, callers] = rowsWith(WIDE_ENOUGH), rows = callees + callers;
	const scale = MAP / inside(), { split } = view, h = (high / rows).toFixed(1);
	for (let k = 0; k < draft.n; k++) {
		const d = draft.row[k], w = (draft.right[k] - draft.left[k]) * scale;
		const at = split && d >= split ? callers - 1 - (d - split) :
			split || icicle ? callers + d : callees - 1 - d;
		if (w < 0.5 || at < 0 || at >= rows)
			continue;
		const fill = draft.until[k] ? meta.stripcolor : colorOf(draft.frame[k]);
		const x = (draft.left[k] * scale).toFixed(1), y = (at * high / rows).toFixed(1);
		(fills[fill] || (fills[fill] = [])).push(
			`M${x} ${y}h${w.toFixed(1)}v${h}h-${w.toFixed(1)}z`);
	}
	renderList(mapBoxes, "path", Object.keys(fills), (path, fill) =>
		set(path, { fill, d: fills[fill].join("") }));
}

// The position of the visible part in the whole view, as shares.
function seenPart() {
	let from = 0;
	for (let i = state.zoom; i; i = view.parent[i])
		from += leftIn(i);
	const whole = wholeOf(state.zoom);
	return spanOf().map((part) => (from + part * whole) / view.whole);
}

// Redraws the boxes if they changed; returns the height of the map in px.
function drawMapBoxes() {
	const high = state.foot - 2 * FOOT_PAD, { icicle, only } = state, { by } = coloring();
	const key = [high, inside(), icicle, only, by].join();
	const hits = by === "search" && state.hits;
	if (mapped.view !== view || mapped.key !== key || mapped.hits !== hits) {
		mapped = { view, key, hits };
		drawMapped(high);
	}
	return high;
}

function drawMap() {
	show(map, hasMap());
	if (!hasMap())
		return;
	const high = drawMapBoxes();
	const [from, to] = seenPart().map((part) => (MAP * part).toFixed(1));
	set(map, { transform: `translate(${state.width - meta.pad[1] - MAP} ${FOOT_PAD})` });
	set(mapGround, { width: MAP, height: high });
	set(mapFrame, { d: `M${from} 0H${to}V${high}H${from}z` });
}

// Moves the visible part, unchanged in size, to the click.
on(map, "click", (event) => {
	const { left, width } = mapGround.getBoundingClientRect(), [from, to] = seenPart();
	const half = (to - from) / 2, at = (event.clientX - left) / width;
	const middle = min(max(at, half), 1 - half);
	go({ zoom: 0, span: [middle - half, middle + half] });
});
