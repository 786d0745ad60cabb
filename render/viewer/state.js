// SPDX-License-Identifier: ISC
// What the user has done so far, and what follows from it.

const state = {
	zoom: 0,
	trail: [],
	hover: null,
	pattern: "",
	matchCase: true,
	complaint: "",
	// by name: whether it matches; null without a search
	hits: null,
	// by frame: how many frames before it match
	seen: new Uint32Array(view.n + 1),
	// by depth, the boxes of each row; and the range of lines that is drawn
	rows: [], near: null, printing: false,
	// the layout: sizes in px
	width: meta.width, height: 0, top: 0, foot: 0, barTop: 0, barHeight: 0,
};

// The width of the graph.
const inside = () => state.width - meta.pad[1] - meta.pad[3];
