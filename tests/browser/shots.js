#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Pictures of the viewer for a person to look at, each light and dark:
//
//	shots.js [FOLDER [SUBSTRING [FOLDED...]]]
//
// FOLDER defaults to build/shots, also when it is "". SUBSTRING chooses by names,
// PICTURE-SCENE-WIDTHxHEIGHT-SCHEME. FOLDED are shown in all views, instead of the
// built-in examples.
"use strict";

const fs = require("fs");
const path = require("path");
const truth = require("./truth.js");
const views = require("./views.js");
const { Browser, findBrowser } = require("./cdp.js");
const { Stage, search } = require("./stage.js");

// Clicks on the widest box of the row with the number ROW from the root.
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

// Actions before each screenshot: keys, or a function of the page.
const SCENES = {
	whole: [],
	hover: (page) => page.move(600, 640),
	zoomed: (page) => zoom(page, 4),
	search: (page) => search(page, "alloc|read|f1"),
	"search-zoomed": async (page) => {
		await zoom(page, 3);
		await search(page, "e.*_");
	},
	"search-bad": (page) => search(page, "alloc("),
	menu: ["?"],
	...Object.fromEntries(views.filter(([, keys]) => keys.length)
		.map(([name, keys]) => [name.replace(/ /g, "-"), keys])),
};
const ALL = Object.keys(SCENES), VIEWS = ["whole", ...ALL.slice(ALL.indexOf("menu") + 1)];

const NORMAL = [1200, 800], PHONE = [400, 800], WIDE = [1920, 1080];

// A picture's name, options, scenes and sizes; inventions() has its content.
const SHOTS = [
	["small", [], ALL, [NORMAL, PHONE]],
	["large", [], ALL, [NORMAL, WIDE]],
	["huge", [], VIEWS, [NORMAL]],
	["change", [], VIEWS, [NORMAL, PHONE]],
	["java", ["--colors", "java"], ["whole", "hover"], [NORMAL, PHONE]],
	["kinds", ["--colors", "auto"], ["whole", "search"], [NORMAL]],
	["modules", ["--colors", "module"], ["whole"], [NORMAL]],
	["hot", ["--colors", "hot"], ["whole", "zoomed"], [NORMAL]],
	["inverted", ["--inverted", "--subtitle", "with a subtitle"], ["whole", "zoomed"], [NORMAL]],
	["deep", [], ["whole", "direct-recursion-folded", "bottom-up"], [NORMAL]],
];

// Folded text by the names of SHOTS, made on demand.
function inventions() {
	const split = (line) => line.replace(/(\d+)$/, (n) =>
		`${n} ${Math.round(n * (1 + Math.sin(line.length)))}`);
	const invented = (count) => truth.invent(count).trim().split("\n");
	const deep = Array.from({ length: 200 }, (_, i) => `level_${i % 7 ? i : 0}`);
	const kinds = () => invented(800).map((line) => line.replace(/;(\w+)_(\w+)/g, ";org/$1/$2_[j]")
		.replace(/main;(\S+?);/, "main;std::$1;").replace(/org\/alloc.*? /, "do_syscall_64_[k] "))
		.join("\n") + "\n";
	return {
		small: () => "main;parse;read 30\nmain;parse 12\nmain;emit;write_[k] 20\nmain 3\n",
		large: () => "#fg unit=ns samples=4211 event=cpu-clock\n" + truth.invent(5000),
		huge: () => truth.walks(500000),
		change: () => invented(800).map(split).join("\n") + "\ngone;away 900 0\nfresh;start 0 700\n",
		java: kinds, kinds, modules: kinds,
		hot: () => truth.invent(1000),
		inverted: () => truth.invent(1000),
		deep: () => deep.map((_, i) => deep.slice(0, i + 1).join(";") + " 10").join("\n") + "\n",
	};
}

async function takeOne(browser, url, scene, [width, height], scheme, file) {
	const page = await browser.page(), act = SCENES[scene];
	await page.size(width, height);
	await page.scheme(scheme);
	await page.open(url);
	for (const key of typeof act === "function" ? [] : act)
		await page.key(key);
	if (typeof act === "function")
		await act(page);
	await page.shot(file);
	await page.close();
}

async function take(stage, browser, folder, wanted, [name, options, scenes, sizes], make) {
	let url = null, count = 0;
	for (const scene of scenes)
		for (const size of sizes)
			for (const scheme of ["light", "dark"]) {
				const title = `${name}-${scene}-${size.join("x")}-${scheme}`;
				if (!title.includes(wanted))
					continue;
				url = url || stage.picture(make(), ...options);
				await takeOne(browser, url, scene, size, scheme,
					path.join(folder, title + ".png"));
				count++;
			}
	return count;
}

// Reports a failed screenshot, and continues.
async function tryTake(...about) {
	try {
		return await take(...about);
	} catch (error) {
		console.error(`shots.js: ${error.message.trim()}`);
		process.exitCode = 1;
		return 0;
	}
}

async function main() {
	const [folder, wanted = "", ...files] = process.argv.slice(2);
	const to = folder || path.join(__dirname, "../../build/shots");
	const made = inventions(), program = findBrowser();
	const shots = files.length ? files.map((file) =>
		[path.basename(file).replace(/\.[^.]*$/, ""), [], ALL, [NORMAL, PHONE]]) : SHOTS;
	if (!program)
		throw new Error("no chromium here (or in CHROMIUM)");
	const stage = new Stage(), browser = new Browser(program);
	let count = 0;
	fs.mkdirSync(to, { recursive: true });
	for (const [i, shot] of shots.entries())
		count += await tryTake(stage, browser, to, wanted, shot,
			files.length ? () => fs.readFileSync(files[i]) : made[shot[0]]);
	await browser.close();
	stage.close();
	console.log(`${count} pictures are in ${to}`);
}

main().catch((error) => {
	console.error(`shots.js: ${error.message}`);
	process.exit(1);
});
