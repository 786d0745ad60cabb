// SPDX-License-Identifier: ISC
// The whole, and what stays in sight.

function draw() {
	drawHeader();
	placeControls();
	state.foot = state.printing ? 0 : 2 * FOOT_PAD + footLines() * lineHeight;
	set(footGround, { width: state.width, height: state.foot });
	layOut();
	redraw();
	keepInSight();
}

// A search makes the table lower.
function setHeight() {
	state.height = state.top + 4 + state.foot +
		(isList() ? listHeight() : view.rows * meta.frameheight);
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
	drawControls();
	drawMatched();
	if (isList())
		keepInSight();
}

// Moves the controls and the details into the part of the picture that is in the
// window: large graphs are higher than it.
function keepInSight() {
	const { top, bottom, scale } = bounds();
	const room = state.height - state.foot - state.barHeight;
	const above = min(max(-top / scale, 0), room);
	const below = min(max((bottom - window.innerHeight) / scale, 0), room);
	const barAt = max(state.barTop, above);
	// under an open menu the page can be scrolled to its end
	if (!menu)
		set(bar, { transform: `translate(0 ${barAt})`,
			class: barAt > state.barTop ? "fg-bar fg-afloat" : "fg-bar" });
	set(foot, { transform: `translate(0 ${state.height - state.foot - below})` });
	placeInput();
	const lines = linesInSight(0);
	set(listHead, { transform: `translate(0 ${max(state.top, barAt + state.barHeight)})` });
	if (isList() || lines.from < state.near.from || lines.to > state.near.to)
		drawGraph();
}

// Scrolls no further than it takes to see the row of depth D, which the bar and the foot
// do not hide then.
const showRow = (d) => showAt(isList() ? 0 : rowTop(d));

function showAt(place) {
	const { top, scale } = bounds(), y = top + place * scale;
	const first = (state.barHeight + (isList() ? HEAD : 4)) * scale;
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
