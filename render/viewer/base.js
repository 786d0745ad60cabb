// SPDX-License-Identifier: ISC
// The viewer in the picture: these files, one after the other (Makefile, VIEWER), are
// one function. It reads the table of all frames (table.h), takes the
// place of the static layer, and from then on draws only what is wide enough to see:
// one path for each colour and a text for each label. Which frame the pointer is on
// follows from arithmetic, so that no frame has an element or a listener of its own
// and half a million frames cost no more than what is on the screen.
//
// All that is drawn is drawn of a view: arrays over frames in preorder, of which the
// table gives the first. Another way to look at the profile is another view.
//
// Names come from strangers: they reach the document as text only, never as markup.
(async function () {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";
const script = document.currentScript;
// Where the script's own element is not told, it is the last that was read.
const svg = script ? script.closest("svg.fg") :
	Array.from(document.querySelectorAll("svg.fg")).pop();
if (!svg)
	return;
// Whether the picture is the whole document, whose keys and history are then ours.
const alone = document.documentElement === svg;

const { abs, ceil, floor, max, min, pow, round, sqrt } = Math;
const newList = (n) => new Uint32Array(n);
const find = (name) => svg.querySelector("." + name);
const on = (target, type, listener, how) => target.addEventListener(type, listener, how);
const texts = (name) => Array.from(svg.querySelectorAll("." + name), (e) => e.textContent);

// What is the same already is left alone: to write it anew makes browsers work.
function set(element, attributes) {
	for (const [name, value] of Object.entries(attributes))
		if (element.getAttribute(name) !== String(value))
			element.setAttribute(name, value);
	return element;
}

function write(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}

function make(parent, tag, attributes, space) {
	const element = document.createElementNS(space || SVG, tag);
	return parent.appendChild(set(element, attributes || {}));
}
