#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Pictures of the viewer for a person to look at: shots.js [FOLDER [FOLDED...]]
// Without FOLDED, of stacks made up here. FOLDER is build/shots when it is not given.
"use strict";

const fs = require("fs");
const path = require("path");
const truth = require("./truth.js");
const { Browser, findBrowser } = require("./cdp.js");
const { Stage, search } = require("./stage.js");

// A click on the widest box of the row with the number ROW from the root.
async function zoom(page, row) {
	const at = await page.run(`
		const rows = new Map();
		for (const path of document.querySelectorAll(".fg-box"))
			for (const m of path.getAttribute("d").matchAll(/M(\\S+) ([^h]+)h([^v]+)/g)) {
				const [x, y, w] = m.slice(1).map(Number);
				if (!rows.has(y) || rows.get(y)[2] < w)
					rows.set(y, [x + w / 2, y + 8, w]);
			}
		const tops = Array.from(rows.keys()).sort((a, b) => b - a);
		const [x, y] = rows.get(tops[Math.min(${row}, tops.length - 1)]);
		return [x, y + document.querySelector("svg").getBoundingClientRect().top];`);
	await page.click(...at);
}

const SCENES = {
	whole: async () => {},
	hover: async (page) => page.move(600, 640),
	zoomed: async (page) => zoom(page, 4),
	search: async (page) => search(page, "alloc|read"),
	both: async (page) => {
		await zoom(page, 3);
		await search(page, "e.*_");
	},
	bad: async (page) => search(page, "alloc("),
};

function inventions() {
	const split = (line) => line.replace(/(\d+)$/, (n) =>
		`${n} ${Math.round(n * (1 + Math.sin(line.length)))}`);
	const lines = truth.invent(800).trim().split("\n");
	const deep = Array.from({ length: 200 }, (_, i) => `level_${i}`);
	return {
		small: ["main;parse;read 30\nmain;parse 12\nmain;emit;write_[k] 20\nmain 3\n"],
		large: ["#fg unit=ns samples=4211 event=cpu-clock\n" + truth.invent(5000)],
		java: [lines.map((line) => line.replace(/;(\w+)_(\w+)/g, ";org/$1/$2_[j]")
			.replace(/main;(\S+?);/, "main;std::$1;")).join("\n") + "\n", "--colors", "java"],
		change: [lines.map(split).join("\n") + "\n"],
		icicle: [truth.invent(1000), "--inverted", "--subtitle", "with a subtitle"],
		deep: [deep.map((_, i) => deep.slice(0, i + 1).join(";") + " 10").join("\n") + "\n"],
	};
}

async function main() {
	const folder = process.argv[2] || path.join(__dirname, "../../build/shots");
	const pictures = process.argv.length > 3 ?
		Object.fromEntries(process.argv.slice(3).map((file) =>
			[path.basename(file).replace(/\.[^.]*$/, ""), [fs.readFileSync(file)]])) :
		inventions();
	const stage = new Stage(), browser = new Browser(findBrowser());
	fs.mkdirSync(folder, { recursive: true });
	for (const [name, [folded, ...options]] of Object.entries(pictures)) {
		const url = stage.picture(folded, ...options);
		for (const [scene, act] of Object.entries(SCENES))
			for (const scheme of ["light", "dark"])
				for (const width of [400, 1200, 1600]) {
					const page = await browser.page();
					await page.size(width, 800);
					await page.scheme(scheme);
					await page.open(url);
					await act(page);
					await page.shot(path.join(folder, `${name}-${scene}-${width}-${scheme}.png`));
					await page.close();
				}
	}
	await browser.close();
	stage.close();
	console.log(`pictures are in ${folder}`);
}

main();
