#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Times the viewer in headless browsers: node bench/browser.js NAME.svg...
//
//	load	from the start of the navigation to the load event
//	ready	until two frames later
//	nodes	of the document, including text nodes
//	memory	MB of the largest renderer process of the browser
//	hover	one call of the listener
//	zoom	click on the widest box of a middle row until the next paint, as
//		reported by Event Timing, which rounds to 8 ms and starts at 16
//	reset	the key 0, the same way: Escape is the browser's Back, which is slow
//	search	a letter typed into the search field, the same way
//	resize	from the change of the window's size until two frames later
//	a view	the key that switches to it (tests/browser/views.js), as zoom
//
// Times are ms, the median of RUNS (default 3). Goals are printed beside the figures;
// a "!" marks a missed one.
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const chromium = require("../tests/browser/cdp.js");
const firefox = require("../tests/browser/marionette.js");
const views = require("../tests/browser/views.js").filter(([, keys]) => keys.length);

const RUNS = Number(process.env.RUNS) || 3;

// The measurements: name, goal and its text. A goal is a number, or one per picture.
const EVENT = ["<= 32 (G5)", 32], SLOW_EVENT = ["<= 130 (G5)", 130];
const VIEWS = views.map(([name]) => name);
const BASIC = (event, view) => [
	["zoom", ...event], ["reset", ...event], ["search", ...event], ["resize", "", 0],
	...VIEWS.map((name) => [name, ...view])];
const READY = { compiler: 200, r100k: 220, r500k: 350 };
const TABLES = [
	{ title: "Chromium", driver: chromium, slow: 1, rows: [
		["file MB", "", 0], ["load", "", 0],
		["ready", "<= 200 compiler, 220 r100k, 350 r500k (G4)", READY],
		["nodes", "<= 3000 (G6)", 3000], ["memory MB", "<= 200 (G6)", 200],
		["hover", "<= 16 (G5)", 16], ...BASIC(EVENT, ["", 0])] },
	{ title: "Chromium at a quarter of the speed", driver: chromium, slow: 4,
		rows: [["load", "", 0], ["ready", "", 0], ...BASIC(SLOW_EVENT, ["", 0])] },
	{ title: "Firefox", driver: firefox, slow: 1,
		rows: [["load", "", 0], ["ready", "", 0], ...BASIC(["", 0], ["", 0])] },
];

const OBSERVE = "window.timed = []; new PerformanceObserver((list) => { for (const e of " +
	"list.getEntries()) window.timed.push([e.name, e.duration]); })" +
	".observe({ type: 'event', durationThreshold: 16 });";

const COUNT = "const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL); " +
	"let n = 0; while (walk.nextNode()) n++; return n;";

// The mean of many calls, for browsers with coarse clocks.
const HOVER = `
	const svg = document.querySelector("svg"), begun = performance.now();
	for (let i = 0; i < 200; i++)
		svg.dispatchEvent(new PointerEvent("pointermove",
			{ clientX: 100 + 4 * i, clientY: 300 + 4 * (i % 50) }));
	return (performance.now() - begun) / 200;`;

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

// MB of the largest process in the group of PID that draws pages.
function rendererMemory(pid) {
	const read = (file) => {
		try {
			return fs.readFileSync(file, "latin1");
		} catch (error) {
			return "";
		}
	};
	const sizes = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))
		.filter((id) => read(`/proc/${id}/cmdline`).includes("--type=renderer"))
		.filter((id) => isBelow(read, id, pid))
		.map((id) => Number((/VmRSS:\s*(\d+)/.exec(read(`/proc/${id}/status`)) || [])[1]) / 1024);
	return Math.max(0, ...sizes.filter((size) => size));
}

function isBelow(read, id, pid) {
	while (Number(id) > 1 && Number(id) !== pid)
		id = (/PPid:\s*(\d+)/.exec(read(`/proc/${id}/status`)) || [])[1];
	return Number(id) === pid;
}

// The browser's events for a press of a key or of a button.
const KEY = "^(key|input|beforeinput)", CLICK = "^(click|mouse(down|up)|pointer(down|up))";

// The longest event caused by ACTION whose name matches KIND; 8 if all were too short to be
// reported.
async function timeEvent(page, kind, action) {
	await page.run("window.timed = []");
	await action();
	await new Promise((done) => setTimeout(done, 200));
	await page.frames();
	return page.run(`return Math.max(8, ...window.timed.filter((e) => /${kind}/.test(e[0]))
		.map((e) => e[1]))`);
}

async function timeResize(page, width) {
	const begun = Date.now();
	await page.size(width, 900);
	await page.frames();
	return Date.now() - begun;
}

// The centre of the widest box in the middle row of the window.
const findTarget = (page) => page.run(`
	let best = [0, 0, 0];
	const edge = document.querySelector("svg").getBoundingClientRect().top;
	for (const path of document.querySelectorAll(".fg-graph .fg-box"))
		for (const m of path.getAttribute("d").matchAll(/M(\\S+) ([^h]+)h([^v]+)/g)) {
			const [x, y, w] = m.slice(1).map(Number), top = y + edge;
			if (top > 200 && top < 800 && w > best[2] && w < 700)
				best = [x + w / 2, top + 5, w];
		}
	return best;`);

// From the URL of a view back to the whole graph.
async function reset(page) {
	await page.run("location.hash = '#-'");
	await page.frames();
}

async function measureViews(page, found) {
	for (const [name, keys] of views) {
		await reset(page);
		for (const key of keys.slice(0, -1))
			await page.key(key);
		found[name] = await timeEvent(page, KEY, () => page.key(keys[keys.length - 1]));
	}
	await reset(page);
}

async function measure(browser, file, slow) {
	const page = await browser.page(), found = { "file MB": fs.statSync(file).size / 1e6 };
	await page.size(1200, 900);
	if (slow > 1)
		await page.slow(slow);
	const begun = Date.now();
	await page.load(pathToFileURL(path.resolve(file)).href);
	found.load = Date.now() - begun;
	await page.frames();
	found.ready = Date.now() - begun;
	found.nodes = await page.run(COUNT);
	found["memory MB"] = rendererMemory(browser.program.child.pid);
	await page.run(OBSERVE);
	const [x, y] = await findTarget(page);
	found.zoom = await timeEvent(page, CLICK, () => page.click(x, y));
	found.reset = await timeEvent(page, KEY, () => page.key("0"));
	found.hover = await page.run(HOVER);
	await measureViews(page, found);
	found.resize = await timeResize(page, 1100);
	await page.key("/");
	found.search = await timeEvent(page, KEY, () => page.key("a"));
	await page.close();
	return found;
}

function cell(value, goal, name) {
	const limit = typeof goal === "object" ? goal[name] : goal;
	const text = Number.isInteger(value) || value >= 100 ? String(Math.round(value)) :
		value.toFixed(2);
	return (text + (limit && value > limit ? " !" : "  ")).padStart(12);
}

async function printTable({ title, driver, slow, rows }, files) {
	const program = driver.findBrowser(), medians = {};
	if (!program) {
		console.log(`${title}: not installed\n`);
		return;
	}
	const names = files.map((file) => path.basename(file, ".svg"));
	const browser = new driver.Browser(program);
	for (const file of files) {
		const runs = [];
		for (let i = 0; i < RUNS; i++)
			runs.push(await measure(browser, file, slow));
		medians[path.basename(file, ".svg")] = Object.fromEntries(
			rows.map(([row]) => [row, median(runs.map((run) => run[row]))]));
	}
	await browser.close();
	console.log(title.padEnd(26) + names.map((name) => (name + "  ").padStart(12)).join("") + "goal");
	for (const [row, words, goal] of rows)
		console.log("  " + row.padEnd(24) +
			names.map((name) => cell(medians[name][row], goal, name)).join("") + words);
	console.log("");
}

async function main() {
	const files = process.argv.slice(2);
	if (!files.length) {
		console.error("usage: browser.js NAME.svg...");
		process.exit(2);
	}
	for (const table of TABLES)
		await printTable(table, files);
}

main().catch((error) => {
	console.error(`browser.js: ${error.stack}`);
	process.exit(1);
});
