#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Breaks down the cost of a step in the viewer for Chromium: node bench/trace.js NAME.svg...
//
//	script	ours, without the following
//	gc	garbage collection
//	style	and layout, including text shaping
//	paint	recording display lists, and commit
//	raster	rasterizing them, on separate threads
//	main	all work of the main thread: these without raster, and the rest
//	next	until the next paint, as reported by Event Timing, wall-clock time
//
// All except the last are processor time in ms. Each row is the median of RUNS (default 10) fresh pages; steps run in this
// order, and the first ones run cold code. Files take turns. The rows "again" are medians of as many more
// runs on the last page. SLOW=4 makes the processor seem a quarter as fast; STEPS=zoom,search runs only
// these.
"use strict";

const path = require("path");
const { pathToFileURL } = require("url");
const chromium = require("../tests/browser/cdp.js");
const views = require("../tests/browser/views.js").filter(([, keys]) => keys.length);

const RUNS = Number(process.env.RUNS) || 10, SLOW = Number(process.env.SLOW) || 1;

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "blink",
	"v8", "disabled-by-default-v8.gc", "cc", "latencyInfo"];

// The part that a trace event belongs to; the innermost counts.
const PARTS = [
	["gc", /^(MinorGC|MajorGC|V8\.GC|BlinkGC|CppGC)/],
	["style", /^(UpdateLayoutTree|Layout|RecalculateStyles|Document::updateStyle)/],
	["paint", /^(PrePaint|Paint|Layerize|Commit|UpdateLayerTree)/],
	["script", new RegExp("^(FunctionCall|EvaluateScript|EventDispatch|FireAnimationFrame|TimerFire|" +
		"FireIdleCallback|RunMicrotasks|v8\\.|V8\\.(?!GC))")],
];
const RASTER = /^RasterTask/;

const median = (numbers) => numbers.slice().sort((a, b) => a - b)[numbers.length >> 1];

class Tracer {
	constructor(browser) {
		this.connection = browser.connection;
		this.events = [];
		this.connection.listeners.push(({ method, params }) => {
			if (method === "Tracing.dataCollected")
				this.events.push(...params.value);
			if (method === "Tracing.tracingComplete")
				this.complete();
		});
	}

	// Returns the trace events of ACTION.
	async trace(action) {
		this.events = [];
		await this.connection.send("Tracing.start", { transferMode: "ReportEvents",
			traceConfig: { includedCategories: CATEGORIES, recordMode: "recordAsMuchAsPossible" } });
		await action();
		const complete = new Promise((done) => this.complete = done);
		await this.connection.send("Tracing.end");
		await complete;
		return this.events;
	}
}

// The thread names, and the busiest renderer.
function findRenderer(events) {
	const names = new Map(), busy = new Map();
	for (const { name, pid, tid, args } of events)
		if (name === "thread_name")
			names.set(`${pid} ${tid}`, args.name);
	for (const { pid, tid, tdur } of events)
		if (tdur && names.get(`${pid} ${tid}`) === "CrRendererMain")
			busy.set(pid, (busy.get(pid) || 0) + tdur);
	const [[pid]] = [...busy].sort((a, b) => b[1] - a[1]);
	return { pid, isMain: (e) => e.pid === pid && names.get(`${pid} ${e.tid}`) === "CrRendererMain" };
}

const partOf = (name, above) => (PARTS.find(([, names]) => names.test(name)) || [above])[0];

// Sums up EVENTS by part, in ms.
function split(events) {
	const { pid, isMain } = findRenderer(events);
	const found = { script: 0, gc: 0, style: 0, paint: 0, rest: 0, raster: 0, main: 0, next: 0 };
	const stack = [];
	const list = events.filter((e) => e.ph === "X" && isMain(e)).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
	for (const event of list) {
		while (stack.length && stack[stack.length - 1].end <= event.ts)
			stack.pop();
		const above = stack[stack.length - 1], cost = (event.tdur || 0) / 1000;
		const part = partOf(event.name, above ? above.part : "rest");
		found[part] += cost;
		if (above)
			found[above.part] -= cost;
		else
			found.main += cost;
		stack.push({ part, end: event.ts + event.dur });
	}
	for (const e of events)
		if (e.pid === pid && RASTER.test(e.name) && e.tdur)
			found.raster += e.tdur / 1000;
	const begun = new Map(), first = Math.min(...list.map((e) => e.ts));
	for (const e of events.filter((e) => e.name === "EventTiming" && e.pid === pid)) {
		const id = e.id || (e.id2 && e.id2.local);
		if (e.ph === "b" && e.ts >= first)
			begun.set(id, e.ts);
		else if (e.ph === "e" && begun.has(id))
			found.next = Math.max(found.next, (e.ts - begun.get(id)) / 1000);
	}
	return found;
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

const settle = (ms) => new Promise((done) => setTimeout(done, ms));

// From any view back to the whole graph, at the initial scroll position.
async function reset(page) {
	await page.run("location.hash = '#-'");
	await page.frames();
	await page.run(`window.scrollTo(0, ${page.scrolled})`);
	await page.frames();
	await settle(400);
}

async function pressAll(page, keys) {
	for (const key of keys)
		await page.key(key);
}

// The rectangle of the page's timeline, or false without one.
const findTimes = (page) => page.run(`
	const strip = document.querySelector(".fg-timeline [role=slider]");
	const { x, y, width, height } = strip ? strip.getBoundingClientRect() : {};
	return Boolean(width) && [x, y, width, height];`);

// Each step has a name, an unmeasured preparation, the measured action, and a cleanup.
function listSteps(page, [x, y], times) {
	const at = (part) => [times[0] + part * times[2], times[1] + times[3] / 2];
	const zoomed = async () => {
		await reset(page);
		await page.click(x, y);
		await settle(400);
	};
	const searching = async () => {
		await reset(page);
		await page.key("/");
		await settle(400);
	};
	return [
		["zoom", () => reset(page), () => page.click(x, y)],
		["reset", zoomed, () => page.key("0")],
		["search", searching, () => page.key("a"), () => pressAll(page, ["Escape", "Escape"])],
		...(times ? [["range", () => reset(page), () => page.drag(at(0.2), at(0.5))],
			["track", () => reset(page), () => page.click(...at(0.7))]] : []),
		...views.map(([name, keys]) => [name, async () => {
			await reset(page);
			await pressAll(page, keys.slice(0, -1));
		}, () => page.key(keys[keys.length - 1])]),
	].filter(([name]) => !process.env.STEPS || process.env.STEPS.split(",").includes(name));
}

const COLUMNS = ["main", "script", "gc", "style", "paint", "rest", "raster", "next"];

function printRow(name, found) {
	if (found.length)
		console.log("  " + name.padEnd(30) + COLUMNS.map((column) =>
			median(found.map((one) => one[column])).toFixed(1).padStart(8)).join(""));
}

async function measureStep(tracer, page, [, before, action, after]) {
	await before();
	const found = split(await tracer.trace(async () => {
		await action();
		await page.frames();
	}));
	if (after)
		await after();
	return found;
}

// Opens FILE; returns the cost and the page.
async function openPage(browser, tracer, file) {
	const page = await browser.page();
	let took;
	await page.size(1200, 900);
	await page.slow(SLOW);
	const ready = split(await tracer.trace(async () => {
		const begun = Date.now();
		await page.load(pathToFileURL(path.resolve(file)).href);
		await page.frames();
		took = Date.now() - begun;
	}));
	await settle(1000);
	page.scrolled = await page.run("return window.scrollY");
	return { page, ready: { ...ready, next: took } };
}

// Measures FILE on a fresh page and appends to FOUND; with AGAIN also the later, warm steps.
async function measure(browser, tracer, file, found, again) {
	const add = (name, one) => found.set(name, (found.get(name) || []).concat(one));
	const { page, ready } = await openPage(browser, tracer, file);
	add("ready", ready);
	const steps = listSteps(page, await findTarget(page), await findTimes(page));
	for (const step of steps)
		add(step[0], await measureStep(tracer, page, step));
	// views are cached
	for (const step of again ? steps.slice(0, 3) : [])
		for (let k = 0; k < RUNS; k++)
			add(step[0] + ", again", await measureStep(tracer, page, step));
	await page.close();
}

async function main() {
	const program = chromium.findBrowser(), files = process.argv.slice(2);
	if (!program || !files.length) {
		console.error(program ? "usage: trace.js NAME.svg..." : "trace.js: Chromium is not installed");
		process.exit(2);
	}
	const browser = new chromium.Browser(program), tracer = new Tracer(browser);
	const found = files.map(() => new Map());
	for (let i = 1; i <= RUNS; i++)
		for (const [k, file] of files.entries())
			await measure(browser, tracer, file, found[k], i === RUNS);
	await browser.close();
	for (const [k, file] of files.entries()) {
		console.log(`${path.basename(file)}${SLOW > 1 ? `, at 1/${SLOW} of the speed` : ""}`.padEnd(32) +
			COLUMNS.map((column) => column.padStart(8)).join(""));
		for (const [name, list] of found[k])
			printRow(name, list);
	}
}

main().catch((error) => {
	console.error(`trace.js: ${error.stack}`);
	process.exit(1);
});
