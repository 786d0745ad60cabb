// SPDX-License-Identifier: ISC
// What the user has done so far, and what follows from it.

// squeeze: selected until frame barHeight barTop fieldWidth matchCase complaint isThere isOn
// squeeze: printing touched trail notice telling pivot noHistory widest hasMore
// squeeze: parent depth rows callers raw lead ends first isOpen meet deal take icicle heavy
// squeeze: label seen hits whole visited near nearRows below pattern outline element isOnWay
// squeeze: isWide fold hover hasCount labels saying source parts shares places matched
// squeeze: grain degree word sorted rank letters tell picked
const state = {
	// what is looked at: "flame", "up" (merged from the leaves), "sandwich" or "table";
	// the name, an index, that a sandwich is about; the widest first; which recursion is
	// folded (0 none, 1 direct, 2 all); the root at the top
	kind: "flame", pivot: 0, sort: "self", heavy: false, fold: 0, icicle: meta.inverted,
	// whether what vanished is drawn
	gone: Boolean(meta.diff && meta.diff.gone),
	zoom: 0,
	// the frame that keys walk from and a tap has chosen; -1: none
	selected: -1,
	// where the user came from, as fragments, when the browser does not keep it
	trail: [],
	hover: null,
	pattern: "",
	matchCase: true,
	complaint: "",
	// what has just been done, told for a moment; the timer of that
	notice: "", telling: 0,
	// whether the last press was a finger's; the user's "dark" or "light", if any
	touched: false, theme: "",
	// special characters of the pattern are themselves
	plain: false,
	// by name: 1 when it matches; null without a search
	hits: null,
	// by frame: how many frames before it match; and the shares of all that match
	seen: null, matched: [],
	// whether the field has room for their number; a timer of what is to be told
	hasCount: true, saying: 0,
	// by depth, the boxes of each row; and the range of lines that is drawn
	rows: [], near: null, printing: false,
	// the rows that are in it, the others empty, and the labels on them
	nearRows: [], labels: [],
	// the layout: sizes in px
	width: meta.width, height: 0, top: 0, foot: 0, barTop: 0, barHeight: 0, lower: 0,
};

// The width of the graph.
const inside = () => state.width - meta.pad[1] - meta.pad[3];
