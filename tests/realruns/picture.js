#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Draws docs/significance.svg from measured.json: false alarms and detection, earlier and now.
//
//	picture.js >docs/significance.svg
"use strict";

const measured = require("./measured.json");

const WIDTH = 880, HEIGHT = 325;
// The panels: false alarms by runs a side, up to so many percent; detection, a row each.
const LEFT = { x: 60, y: 60, w: 270, h: 190, most: 100 };
const RIGHT = { x: 570, y: 60, w: 270, h: 190 };
const SHARES = { f1: "40 %", f2: "10 %", f3: "2 %" };
const STYLE = `text { font: 13px sans-serif; fill: #333 } .title { font-weight: bold; font-size: 14px }
.axis { stroke: #888; stroke-width: 1; fill: none } .grid { stroke: #8886; stroke-width: 1 }
.limit { stroke: #c33; stroke-dasharray: 5 4; stroke-width: 1.5 } .limit-text { fill: #c33 }
.earlier { stroke: #c77700; fill: none; stroke-width: 2 } .now { stroke: #2f74c0; fill: none; stroke-width: 2.5 }
circle.earlier { fill: #c77700 } circle.now { fill: #2f74c0 } .worst { stroke-dasharray: 2 3; stroke-width: 1.5 }
.end { text-anchor: end } .middle { text-anchor: middle }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .limit { stroke: #f77 } .limit-text { fill: #f77 }
.earlier { stroke: #f0a030 } circle.earlier { fill: #f0a030 } .now { stroke: #6cb0ff } circle.now { fill: #6cb0ff } }`;

const out = [];

function fixed(x) {
	return String(Math.round(x * 10) / 10);
}

function line(kind, x1, y1, x2, y2) {
	out.push(`<line class="${kind}" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`);
}

function text(kind, x, y, words) {
	out.push(`<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}">${words}</text>`);
}

function dot(kind, x, y) {
	out.push(`<circle class="${kind}" cx="${fixed(x)}" cy="${fixed(y)}" r="4.5"/>`);
}

function drawAlarms() {
	const { x, y, w, h, most } = LEFT;
	const across = (runs) => x + w * runs / 6, up = (share) => y + h - h * share / most;

	text("title", x - 45, y - 34, "False alarms, in % of comparisons");
	text("", x - 45, y - 16, "of a program with itself");
	for (let share = 0; share <= most; share += 25) {
		line("grid", x, up(share), x + w, up(share));
		text("end", x - 6, up(share) + 4, share);
	}
	for (const kind of ["earlier", "now"]) {
		for (const value of ["mean", "worst"]) {
			const points = measured[kind].alarms.map((a) => `${fixed(across(a.runs))},${fixed(up(a[value]))}`);
			out.push(`<polyline class="${kind} ${value}" points="${points.join(" ")}"/>`);
		}
		for (const a of measured[kind].alarms)
			dot(kind, across(a.runs), up(a.mean));
	}
	line("limit", x, up(5), x + w, up(5));
	text("limit-text", x + w + 4, up(5) + 4, "allowed: 5 %");
	for (const a of measured.now.alarms)
		text("middle", across(a.runs), y + h + 18, a.runs);
	text("middle", x + w / 2, y + h + 38, "runs a side (dotted: the worst program)");
}

function drawPower() {
	const { x, y, w, h } = RIGHT, rows = measured.now.power, step = h / rows.length;
	const along = (share) => x + w * share / 100;

	text("title", x - 130, y - 34, "Detection, in % of comparisons");
	text("", x - 130, y - 16, "of a function with this share that became slower");
	for (let share = 0; share <= 100; share += 25) {
		line("grid", along(share), y, along(share), y + h);
		text("middle", along(share), y + h + 18, share);
	}
	rows.forEach((row, i) => {
		const at = y + (i + 0.5) * step;
		const old = measured.earlier.power.find((r) => r.runs === row.runs && r.name === row.name && r.by === row.by);
		text("end", x - 10, at + 4, `${SHARES[row.name]}, +${row.by} %: ${row.runs} runs`);
		line("axis", along(old.found), at, along(row.found), at);
		dot("earlier", along(old.found), at);
		dot("now", along(row.found), at);
	});
}

function drawLegend() {
	const y = HEIGHT - 12;

	dot("now", 260, y - 4);
	text("", 270, y, "fg-diff now");
	dot("earlier", 380, y - 4);
	text("", 390, y, "earlier: samples taken for independent draws");
}

drawAlarms();
drawPower();
drawLegend();
console.log(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<title>False alarms and detection of fg-diff on real recordings, measured by tests/realruns</title>
<style>${STYLE}</style>
${out.join("\n")}
</svg>`);
