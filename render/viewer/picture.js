// SPDX-License-Identifier: ISC
// The whole, and what stays in sight.

function draw() {
	drawHeader();
	placeControls();
	const foot = state.printing ? 0 : 2 * FOOT_PAD + footLines() * lineHeight;
	state.height = state.top + view.rows * meta.frameheight + 4 + foot;
	state.foot = foot;
	set(footGround, { width: state.width, height: foot });
	set(svg, { height: state.height });
	if (!meta.fluid)
		set(svg, { viewBox: `0 0 ${state.width} ${state.height}` });
	layOut();
	redraw();
	keepInSight();
}

function layOut() {
	refine();
	state.rows = layout(state.zoom, inside());
}

// Draws what a zoom or a search changes.
function redraw() {
	drawGraph();
	drawChosen();
	drawControls();
	drawMatched();
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
	if (lines.from < state.near.from || lines.to > state.near.to)
		drawGraph();
}

// Scrolls no further than it takes to see the row of depth D, which the bar and the foot
// do not hide then.
function showRow(d) {
	const { top, scale } = bounds(), y = top + rowTop(d) * scale;
	const first = (state.barHeight + 4) * scale;
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
