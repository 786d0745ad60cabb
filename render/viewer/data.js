// SPDX-License-Identifier: ISC
// The viewer in the picture: these files, one after the other, are one function:
//
//	data		the picture's element, the table of all frames, what the user has done
//	views		the trees that are drawn: all frames, bottom-up, sandwich, functions
//	label		text: how wide it is, and names short enough for their boxes
//	format		weights, shares and changes as text
//	layout		where the boxes are, and which rows are worth their height
//	graph		how they are drawn, and which of them are in the window
//	header		what stays in sight above the graph: title, facts, legend
//	controls	buttons, menu
//	chips		what of the profile is looked at: chips to remove, the command
//	colors		what colours go by, and the legend
//	table		the Table view
//	focus		the frame that is pointed at or selected: details, keys, clipboard
//	minimap		all of the view in small, while a part is seen
//	card		the card beside the pointer
//	edit		focus, hide and the like, as the steps of fg-filter
//	search		by name
//	location	the address of what is seen, and the way back
//	range		a part of a frame: drag, wheel, strips
//	save		files of what is seen
//	times		when and in which thread stacks ran, and which of it was selected
//	strip		the strip above the graph that shows it
//	chart		the Chart view: stacks over time
//	compare		two selections of times and threads
//	events		pointer, keys, printer, theme; the start
//
// (Makefile, VIEWER). What a file does outside of functions is done in this order, with
// what stands above it.
//
// The viewer reads the table of all frames (svg-data.h), replaces the static layer, and from
// then on draws only what is wide enough to see: one path for each colour and a text for
// each label. Which frame the pointer is on follows from arithmetic, so that no frame has
// an element or a listener of its own and half a million frames cost no more than what is
// on the screen.
//
// Everything is drawn from a view: arrays over frames in preorder, of which the table
// gives the first. Another way to look at the profile is another view.
//
// Names come from strangers: they reach the document as text only, never as markup.
(async function () {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";
const script = document.currentScript;
// Where browsers do not say which element is the script's, it is the last that was read.
const svg = script ? script.closest("svg.fg") :
	Array.from(document.querySelectorAll("svg.fg")).pop();
if (!svg)
	return;
// Whether the picture is the whole document: keys and history are then ours.
const alone = document.documentElement === svg;

const { abs, ceil, floor, log10, max, min, pow, round, sqrt } = Math;
const newList = (n) => new Uint32Array(n);
const find = (name) => svg.querySelector("." + name);
const on = (target, type, listener, how) => target.addEventListener(type, listener, how);
const texts = (name) => Array.from(svg.querySelectorAll("." + name), (e) => e.textContent);

// Equal values are left alone: writing them again makes browsers work.
function set(element, attributes) {
	for (const [name, value] of Object.entries(attributes))
		if (element.getAttribute(name) !== String(value))
			element.setAttribute(name, value);
	return element;
}

// The text node stays: for another one browsers would lay out more.
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
// The column that gives the widths.
let last = meta.wide;
const wholes = meta.total.map(Number);
// Beyond what doubles hold exactly weights are BigInt.
const isBig = meta.total.concat(meta.sum).some((s) => !Number.isSafeInteger(Number(s)));
const Weights = isBig ? BigUint64Array : Float64Array;
const weight = isBig ? BigInt : Number;
const GAP = meta.names;

// The names, the frames and the times of a packed table, which empty lines separate. (With /m,
// ^ is also behind other characters than "\n".)
async function unpack(packed) {
	const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return (await new Response(stream).text()).split(/(?<=\n)\n/, 3);
}

const packed = texts("fg-packed").join("");
const [nameText, frameText, timeText] = packed ? await unpack(packed).catch(() => []) :
	["fg-names", "fg-frames", "fg-times"].map((name) => texts(name).join(""));
// Without its data the picture stays what it is.
if (frameText === undefined) {
	write(find("fg-details"), "Cannot unpack the data: no zoom, no search");
	return;
}

// Escaped bytes that can be shown are shown; others stay as they are written.
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

// A reader of numbers, as the type says: Number or BigInt. Bytes are read faster than characters.
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
	// a reader for each would take longer
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

// ---- What the user has done so far, and what follows from it ----

const state = {
	// the view: "flame", "up" (merged from the leaves), "sandwich", "chart" or "table"; the
	// index of the name that a sandwich is about; the order of the table; whether children are
	// sorted by weight, null: as suits the view; which recursion is folded (0 none,
	// 1 direct, 2 all, 3 towers); whether the root is on top
	kind: "flame", pivot: 0, sort: "", heavy: null, fold: meta.fold, icicle: meta.inverted,
	// what colours go by, as the address calls it, "": as usual; the entries of the legend,
	// counted from 1, that are not dimmed, none: all
	coloring: "", only: [],
	// what gives a difference its widths: "after", "before" or "both", side by side
	widths: "after",
	// whether removed stacks are drawn
	gone: Boolean(meta.diff && meta.diff.gone),
	zoom: 0,
	// the part of the zoomed frame that fills the graph, as two shares; null: all of it
	span: null,
	// where a drag began and where it is; whether the last press ended as one; when the wheel
	// was turned
	drag: null, dragged: false, turned: 0,
	// the frame that keys start from and a tap selects; -1: none
	selected: -1,
	// a frame that stays selected although it is too thin to be drawn
	thin: -1,
	// whether the card stays; the timers until it and the outlines of others are shown
	pinned: false, resting: 0, outlining: 0,
	// where the user came from, as fragments, when the browser does not keep it
	history: [],
	hover: null,
	// the seconds from and to that were selected, and the tracks; null: all
	range: null, tracks: null,
	// the selection that others are compared with, { range, tracks }; null: none
	kept: null,
	// whether the timeline is a heat map
	heat: false,
	// the steps that were chosen, in their order: { kind, re, hits }, the last by name
	steps: [],
	pattern: "",
	// true or false; null: as the pattern has capital letters or not
	matchCase: null,
	complaint: "",
	// what is announced for a moment, and its timer
	notice: "", telling: 0,
	// whether the last press was a touch; "dark" or "light" where the user has chosen
	touched: false, theme: "",
	// whether the pattern is plain text
	plain: false,
	// by name: 1 for a match; null without a search
	hits: null,
	// by frame: how many frames before it match; by column: the share of all that matches
	seen: null, matched: [],
	// whether the field has room for their number; the timer of what is read out
	hasCount: true, saying: 0,
	// the boxes, by row; the range of lines that is drawn, and the labels on it
	boxes: null, near: { from: 0, to: 0 }, labels: [], printing: false,
	// how many rows are drawn, of a sandwich those of callees and those of callers; how many
	// lines there is room for; how many thin rows are left out, or not where the user has
	// asked for them; and the lines of the whole view
	rows: 0, callers: 0, lines: 0, thinner: 0, allRows: false,
	base: { view: null, lines: 0 },
	// the layout: sizes in px
	width: meta.width, height: 0, top: 0, foot: 0, barHeight: 0,
};

// The width of the graph.
const inside = () => state.width - meta.pad[1] - meta.pad[3];
