// SPDX-License-Identifier: ISC
// The picture's viewer. These files are concatenated into one function:
//
//	data		the picture's element, the table of all frames, the user's state
//	views		the trees that are drawn: all frames, bottom-up, sandwich, functions
//	label		text: widths, and names shortened to fit their boxes
//	format		weights, shares and changes as text
//	layout		positions of the boxes, and which rows are drawn
//	graph		drawing the boxes in the window
//	header		what stays visible above the graph: title, captions, legend
//	controls	buttons, menu
//	chips		the filters in effect as removable chips, and their command
//	colors		colour schemes and the legend
//	table		the Table view
//	focus		the frame under the pointer or selected: details, keys, clipboard
//	minimap		the whole view in small, while a part is visible
//	card		the card beside the pointer
//	edit		focus, hide and similar steps, as in fg-filter
//	search		by name
//	location	the URL of the visible part, and the way back
//	range		a part of a frame: drag, wheel, strips
//	save		saving the visible part to files
//	times		when and in which thread stacks ran, and the selection
//	strip		the timeline strip above the graph
//	chart		the Chart view: stacks over time
//	compare		comparing two selections of times and threads
//	events		pointer, keys, printer, theme; the start
//
// (Makefile, VIEWER). Top-level code runs in this order, and may use what is declared
// above it.
//
// The viewer reads the table of all frames (svg-data.h), replaces the static layer, and from
// then on draws only what is wide enough to see: one path for each colour and a text for
// each label. The frame under the pointer is computed, so that no frame has an element or a
// listener of its own and half a million frames cost no more than those on the screen.
//
// Everything is drawn from a view: arrays over frames in preorder. The table is the first
// view; other ways to look at the profile are other views.
//
// Names are untrusted: they reach the document as text only, never as markup.
(async function () {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";
const script = document.currentScript;
// Browsers that do not report the script's element: it is the last one parsed.
const svg = script ? script.closest("svg.fg") :
	Array.from(document.querySelectorAll("svg.fg")).pop();
if (!svg)
	return;
// Whether the picture is the whole document: keys and history are ours then.
const alone = document.documentElement === svg;

const { abs, ceil, floor, log10, max, min, pow, round, sqrt } = Math;
const newList = (n) => new Uint32Array(n);
const find = (name) => svg.querySelector("." + name);
const on = (target, type, listener, how) => target.addEventListener(type, listener, how);
const texts = (name) => Array.from(svg.querySelectorAll("." + name), (e) => e.textContent);

// Skips equal values: writing them again makes browsers work.
function set(element, attributes) {
	for (const [name, value] of Object.entries(attributes))
		if (element.getAttribute(name) !== String(value))
			element.setAttribute(name, value);
	return element;
}

// Keeps the text node: a new one would make browsers lay out more.
function write(element, text) {
	const node = element.firstChild || element.appendChild(document.createTextNode(""));
	if (node.data !== text)
		node.data = text;
}

function make(parent, tag, attributes, space) {
	const element = document.createElementNS(space || SVG, tag);
	return parent.appendChild(set(element, attributes || {}));
}

// ---- The table of all frames; see svg-data.h and svg.h ----

const meta = JSON.parse(texts("fg-meta").join(""));
// The column that determines the widths.
let last = meta.wide;
const wholes = meta.total.map(Number);
// Weights that doubles cannot hold exactly are BigInt.
const isBig = meta.total.concat(meta.sum).some((s) => !Number.isSafeInteger(Number(s)));
const Weights = isBig ? BigUint64Array : Float64Array;
const weight = isBig ? BigInt : Number;
const GAP = meta.names;

// The names, frames and times of a packed table, separated by empty lines. (With /m, ^ matches
// behind line terminators other than "\n", too.)
async function unpack(packed) {
	const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return (await new Response(stream).text()).split(/(?<=\n)\n/, 3);
}

const packed = texts("fg-packed").join("");
const [nameText, frameText, timeText] = packed ? await unpack(packed).catch(() => []) :
	["fg-names", "fg-frames", "fg-times"].map((name) => texts(name).join(""));
// Without its data the picture stays static.
if (frameText === undefined) {
	write(find("fg-details"), "Cannot unpack the data: no zoom, no search");
	return;
}

// Decodes escaped bytes that form valid text; others stay escaped.
function unescape(s) {
	if (s.indexOf("\\") < 0)
		return s;
	return s.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (escape, hex) => {
		const code = hex ? parseInt(hex, 16) : 0x5c;
		return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
	});
}

function digitValues() {
	const values = new Uint8Array(128);
	for (let code = 0x21, value = 0; code < 0x7f; code++)
		if (!"\"&<>\\]".includes(String.fromCharCode(code)))
			values[code] = value++;
	return values;
}

const digits = digitValues();

// Reads numbers as Number or BigInt. Bytes are faster to read than characters.
function reader(text) {
	const bytes = new TextEncoder().encode(text);
	let at = 0;
	const readBig = () => {
		const base = BigInt(32);
		let digit = digits[bytes[at++]], value = BigInt(digit);
		for (let unit = base; digit > 55; unit *= base) {
			digit = digits[bytes[at++]];
			value += BigInt(digit) * unit;
		}
		return value;
	};
	// there are millions of them
	const read = (type) => {
		if (type !== Number)
			return readBig();
		let digit = digits[bytes[at++]], value = digit;
		for (let unit = 32; digit > 55; unit *= 32) {
			digit = digits[bytes[at++]];
			value += digit * unit;
		}
		return value;
	};
	return { read, hasMore: () => at < bytes.length, rest: () => text.slice(at) };
}

function decodeNames() {
	const text = nameText.split("\n").filter((line) => line);
	const color = new Uint16Array(text.length);
	// creating a reader for each would take longer
	text.forEach((line, i) => {
		let at = 0, digit;
		for (let unit = 1; !at || digit > 55; unit *= 32) {
			digit = digits[line.charCodeAt(at++)];
			color[i] += digit * unit;
		}
		text[i] = unescape(line.slice(at));
	});
	return { text, color };
}

const names = decodeNames();

// ---- The user's state, and what follows from it ----

const state = {
	// the view: "flame", "up" (merged from the leaves), "sandwich", "chart" or "table"; the
	// sandwich's index among the names; the table's order; whether children are sorted by
	// weight, null: the view's default; which recursion is folded (0 none, 1 direct, 2 all,
	// 3 runs of TOWER or more); whether the root is on top
	kind: "flame", pivot: 0, sort: "", heavy: null, fold: meta.fold, icicle: meta.inverted,
	// the colour scheme as the URL calls it, "": default; the legend's entries, counted
	// from 1, that are not dimmed, empty: all
	coloring: "", only: [],
	// the widths of a difference: "after", "before" or "both", side by side
	widths: "after",
	gone: Boolean(meta.diff && meta.diff.gone),
	zoom: 0,
	// the part of the zoomed frame that fills the graph, as two shares; null: all of it
	span: null,
	// where a drag began and where it is; whether the last press was a drag; when the wheel
	// was last turned
	drag: null, dragged: false, turned: 0,
	// the frame that keys start from and a tap selects; -1: none
	selected: -1,
	// a selected frame that is too thin to draw
	thin: -1,
	// whether the card stays; the timers that show the card and outline the function's
	// other frames
	pinned: false, resting: 0, outlining: 0,
	// where the user came from, as fragments, if the browser does not keep it
	history: [],
	hover: null,
	// the selected seconds, from and to, and the tracks; null: all
	range: null, tracks: null,
	// the kept selection to compare with, { range, tracks }; null: none
	kept: null,
	heat: false,
	// the chosen steps in their order: { kind, re, hits }, HITS by name
	steps: [],
	pattern: "",
	// null: case matters if the pattern has capital letters
	matchCase: null,
	complaint: "",
	// the announcement shown for a moment, and its timer
	notice: "", noticeTimer: 0,
	// whether the last press was a touch; the user's theme, "dark" or "light"
	touched: false, theme: "",
	// whether the pattern is plain text
	plain: false,
	// by name: 1 for a match; null without a search
	hits: null,
	// by frame: number of matching frames before it; by column: matching share of the total
	seen: null, matched: [],
	// whether the field has room for the number of matches; the timer of the spoken text
	hasCount: true, speechTimer: 0,
	// boxes by row; the range of lines that is drawn, and their labels
	boxes: null, near: { from: 0, to: 0 }, labels: [], printing: false,
	// the number of rows drawn, for a sandwich those of the callees and the callers; the
	// lines that fit; how many thin rows are left out, unless the user asked for them; and
	// the lines of the whole view
	rows: 0, callers: 0, lines: 0, thinner: 0, allRows: false,
	base: { view: null, lines: 0 },
	// the layout: sizes in px
	width: meta.width, height: 0, top: 0, foot: 0, barHeight: 0,
};

const inside = () => state.width - meta.pad[1] - meta.pad[3];
