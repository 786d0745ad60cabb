// SPDX-License-Identifier: ISC
// Zoom, and the way back.

function zoomTo(frame) {
	state.zoom = frame;
	layOut();
	redraw();
}

// A zoom that can be undone: by the browser's Back where the page is ours.
function goTo(frame) {
	if (frame === state.zoom || (frame && !view.width[frame]))
		return;
	state.trail.push(state.zoom);
	if (alone)
		remember(frame);
	zoomTo(frame);
}

// Some places, sandboxes among them, have no history.
function remember(frame) {
	try {
		history.pushState({ fg: frame }, "");
	} catch (error) {
		state.noHistory = true;
	}
}

function goBack() {
	if (!state.trail.length)
		goTo(0);
	else if (alone && !state.noHistory)
		history.back();
	else
		zoomTo(state.trail.pop());
}

function recall() {
	const frame = history.state && history.state.fg;
	return frame > 0 && frame < view.n && view.width[frame] > 0 ? frame : 0;
}
