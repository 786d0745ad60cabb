// SPDX-License-Identifier: ISC
// Spreads synthetic samples of the stacks in FILE, folded text, over the 32 threads of a
// program that ran for a minute, and prints them folded by thread and second:
//
//	node bench/timeline.js FILE SAMPLES
//
// The first threads and stacks have most of the weight, and each quarter of the minute is
// another phase.
"use strict";

const fs = require("fs");

const THREADS = 32, SECONDS = 60, DEEPEST = 70, LINES = 10000;
const [file, samples] = process.argv.slice(2);

let seed = 1;
function random() {
	seed ^= seed << 13;
	seed ^= seed >>> 17;
	seed ^= seed << 5;
	return (seed >>> 0) / 2 ** 32;
}

const stacks = fs.readFileSync(file, "utf8").split("\n").filter((line) => line && line[0] !== "#")
	.map((line) => line.slice(0, line.lastIndexOf(" ")).split(";").slice(0, DEEPEST).join(";"));

function draw() {
	const thread = Math.floor(THREADS * random() ** 2), second = Math.floor(SECONDS * random());
	const at = Math.floor(stacks.length * random() ** 6) + 37 * Math.floor(second / 15) + thread;
	return `prog;prog-1/${thread + 1};${String(second).padStart(6, "0")}.000000s;` +
		stacks[at % stacks.length];
}

const cells = new Map();
for (let i = 0; i < samples; i++) {
	const cell = draw();
	cells.set(cell, (cells.get(cell) || 0) + 1);
}
fs.writeSync(1, `#fg by=comm,tid,time unit=samples event=cpu-clock samples=${samples}\n`);
const lines = Array.from(cells, ([cell, weight]) => `${cell} ${weight}\n`);
for (let i = 0; i < lines.length; i += LINES)
	fs.writeSync(1, lines.slice(i, i + LINES).join(""));
