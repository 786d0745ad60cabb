#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Times the viewer in a headless Chromium: node bench/browser.js FILE.svg...
//
//	load	from the start of the navigation to the load event
//	ready	until two frames later
//	nodes	of the document, text nodes among them
//	zoom	click on the widest box of a middle row until the next paint, as the
//		browser tells it (Event Timing); it rounds to 8 ms and 16 is the floor
//	reset	Escape, the same way
//	search	a letter typed into the search field, the same way
//	hover	a call of the listener
//	heap	MB used by script and document
//
// Times are ms, the median of RUNS (default 3).
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { Browser, findBrowser } = require("../tests/browser/cdp.js");

const RUNS = Number(process.env.RUNS) || 3;
const COLUMNS = ["MB", "load", "ready", "nodes", "zoom", "reset", "search", "hover", "heap"];

const OBSERVE = "window.timed = []; new PerformanceObserver((list) => { for (const e of " +
	"list.getEntries()) window.timed.push([e.name, e.duration]); })" +
	".observe({ type: 'event', durationThreshold: 16 });";

const COUNT = "const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL); " +
	"let n = 0; while (walk.nextNode()) n++; return n;";

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

// The longest of the events called NAME that ACTION caused; 8 when all were shorter
// than what is reported.
async function timeEvent(page, name, action) {
	await page.run("window.timed = []");
	await action();
	await new Promise((done) => setTimeout(done, 200));
	await page.frames();
	return page.run(`return Math.max(8, ...window.timed.filter((e) => e[0] === "${name}")
		.map((e) => e[1]))`);
}

// The middle of the widest box of a row in the middle of what is in the window.
function findTarget(page) {
	return page.run(`
		let best = [0, 0, 0];
		for (const path of document.querySelectorAll(".fg-graph .fg-box"))
			for (const m of path.getAttribute("d").matchAll(/M(\\S+) ([^h]+)h([^v]+)/g)) {
				const [x, y, w] = m.slice(1).map(Number);
				const top = y + document.querySelector("svg").getBoundingClientRect().top;
				if (top > 300 && top < 600 && w > best[2] && w < 500)
					best = [x + w / 2, top + 5, w];
			}
		return best;`);
}

async function measure(browser, file) {
	const page = await browser.page();
	await page.size(1200, 900);
	const begun = Date.now();
	const loaded = new Promise((done) => page.loaded = done);
	await page.send("Page.navigate", { url: pathToFileURL(path.resolve(file)).href });
	await loaded;
	const load = Date.now() - begun;
	await page.frames();
	const ready = Date.now() - begun;
	const nodes = await page.run(COUNT);
	const { metrics } = await page.send("Performance.getMetrics");
	const metric = (name) => metrics.find((m) => m.name === name).value;
	await page.run(OBSERVE);
	const [x, y] = await findTarget(page);
	const zoom = await timeEvent(page, "click", () => page.click(x, y));
	const reset = await timeEvent(page, "keydown", () => page.key("Escape"));
	await page.key("/");
	const search = await timeEvent(page, "keydown", () => page.key("a"));
	const hover = await page.run(`
		const svg = document.querySelector("svg"), begun = performance.now();
		for (let i = 0; i < 100; i++)
			svg.dispatchEvent(new PointerEvent("pointermove",
				{ clientX: 100 + 9 * i, clientY: 300 + 4 * (i % 50) }));
		return (performance.now() - begun) / 100;`);
	await page.close();
	return { MB: fs.statSync(file).size / 1e6, load, ready, nodes, zoom, reset,
		search, hover, heap: metric("JSHeapUsedSize") / 1e6 };
}

async function main() {
	const program = findBrowser(), files = process.argv.slice(2);
	if (!program || !files.length) {
		console.error(program ? "usage: browser.js FILE.svg..." : "browser.js: no chromium");
		process.exit(2);
	}
	const browser = new Browser(program);
	console.log(["file".padEnd(24)].concat(COLUMNS.map((c) => c.padStart(8))).join(""));
	for (const file of files) {
		const runs = [];
		for (let i = 0; i < RUNS; i++)
			runs.push(await measure(browser, file));
		const cells = COLUMNS.map((c) => median(runs.map((r) => r[c])))
			.map((n) => (Number.isInteger(n) ? String(n) : n.toFixed(2)).padStart(8));
		console.log(path.basename(file).padEnd(24) + cells.join(""));
	}
	await browser.close();
}

main();
