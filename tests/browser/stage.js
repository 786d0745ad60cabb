// SPDX-License-Identifier: ISC
// The viewer tests' foundation: pictures made by fg-svg, counted checks, and readers of a
// page's visible content.
"use strict";

const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { pathToFileURL } = require("url");

const ROOT = path.resolve(__dirname, "../..");
const BIN = path.resolve(ROOT, process.env.BIN || "bin");
const PROGRAM = process.env.FG_SVG || path.join(BIN, "fg-svg");

class Stage {
	constructor() {
		this.bin = BIN;
		this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "fg-stage-"));
		this.passed = this.failed = this.skipped = this.files = 0;
		this.rule = "";
		process.on("exit", () => this.close());
	}

	close() {
		fs.rmSync(this.folder, { recursive: true, force: true });
	}

	check(what, actual, expected) {
		const found = JSON.stringify(actual), wanted = JSON.stringify(expected);
		const short = (s) => s && s.length > 300 ? s.slice(0, 300) + "..." : s;
		if (found === wanted) {
			this.passed++;
			return;
		}
		this.failed++;
		console.log(`failed: ${this.rule}: ${what}: ${short(found)} is not ${short(wanted)}`);
	}

	fail(error) {
		this.failed++;
		console.log(`failed: ${this.rule}: ${error.stack}`);
	}

	// Writes TEXT (or bytes) to a file; returns its URL.
	file(name, text) {
		const file = path.join(this.folder, `${++this.files}-${name}`);
		fs.writeFileSync(file, text);
		return pathToFileURL(file).href;
	}

	// The output of PROGRAM for INPUT.
	pipe(program, input, ...options) {
		const run = spawnSync(program, options, { input, maxBuffer: 1 << 28 });
		if (run.status !== 0)
			throw new Error(`${program} ${options.join(" ")}: ${run.error || run.stderr}`);
		return run.stdout;
	}

	svg(folded, ...options) {
		return this.pipe(PROGRAM, folded, ...options);
	}

	filter(folded, ...options) {
		return this.pipe(path.join(BIN, "fg-filter"), folded, ...options);
	}

	// The URL of the picture of FOLDED.
	picture(folded, ...options) {
		return this.file("picture.svg", this.svg(folded, ...options));
	}

	// Resets the viewer in PAGE, as a URL without a fragment does.
	async reset(page) {
		await page.run("location.hash = '#-'");
		await page.frames();
	}

	// Opens the picture of FOLDED in PAGE, 1200 px wide and light.
	async show(page, folded, ...options) {
		await page.size(1200, 800);
		await page.scheme("light");
		await page.open(this.picture(folded, ...options));
	}
}

// The position in the window of an element's centre, scrolled into view. The JavaScript
// expression FINDER finds the element.
async function placeOf(page, finder) {
	const place = await page.run(`
		const element = ${finder};
		if (!element)
			return null;
		element.scrollIntoView({ block: "center" });
		const box = element.getBoundingClientRect();
		return [box.left + box.width / 2, box.top + box.height / 2];`);
	if (!place)
		throw new Error(`nothing is ${finder}`);
	await page.frames();
	return place;
}

// The label of the frame NAME; AT selects one of several.
const label = (name, at = 0, root = "document") =>
	`Array.from(${root}.querySelectorAll(".fg-graph text"))` +
	`.filter((e) => e.textContent === ${JSON.stringify(name)})[${at}]`;

const clickOn = async (page, finder) => page.click(...await placeOf(page, finder));
const clickFrame = (page, name, at) => clickOn(page, label(name, at));
const hoverFrame = async (page, name, at) => page.move(...await placeOf(page, label(name, at)));

const BUTTONS = { reset: "Show the whole graph", clear: "Clear the search", case: "Match case",
	expression: "Regular expression", next: "Next match", previous: "Previous match" };
const button = (name, root = "document") =>
	`${root}.querySelector('.fg-button[aria-label^="${BUTTONS[name]}"]')`;
const clickButton = (page, name) => clickOn(page, button(name));

const textOf = (page, selector) =>
	page.run(`return document.querySelector(${JSON.stringify(selector)}).textContent`);

// The lines of the details.
const details = (page) => page.run(
	"return Array.from(document.querySelectorAll('.fg-details tspan'), (e) => e.textContent)");

const matched = (page) => textOf(page, ".fg-matched");

const labels = (page) => page.run(
	"return Array.from(document.querySelectorAll('.fg-graph text'), (e) => e.textContent)");

// The boxes of the paths that match SELECTOR: [x, y, width, colour], in px. A box is a
// rectangle, or in the static layer a line as thick as the box is high; each starts where the
// previous one ended, and all are transformed.
const drawn = (page, selector) => page.run(`
	const boxes = [], tenth = (v) => Math.round(10 * v) / 10;
	for (const path of document.querySelectorAll(${JSON.stringify(selector)})) {
		const transform = /matrix\\((.*)\\)/.exec(path.parentNode.getAttribute("transform"));
		const [a, , , d, e, f] = transform ? transform[1].split(" ").map(Number) : [1, 0, 0, 1, 0, 0];
		let x = 0, y = 0;
		for (const m of path.getAttribute("d").matchAll(/([Mm])(-?[0-9.]+) ?(-?[0-9.]+)h([0-9.]+)/g)) {
			const [dx, dy, w] = m.slice(2).map(Number), isStep = m[1] === "m";
			x = isStep ? x + dx : dx;
			y = isStep ? y + dy : dy;
			boxes.push([tenth(a * x + e), tenth(d * y + f), tenth(a * w),
				path.getAttribute("fill") || path.getAttribute("stroke")]);
			x += w;
		}
	}
	return boxes;`);

// Replaces the content of the search field by PATTERN, as a paste or an input method does.
async function search(page, pattern) {
	await page.key("F3");
	await page.insert(pattern);
}

// Waits until the URL reflects the typed text.
const settle = (page) => page.run("await new Promise((done) => setTimeout(done, 250))");

module.exports = { Stage, placeOf, label, button, clickOn, clickFrame, hoverFrame, clickButton,
	textOf, details, matched, labels, drawn, search,
	settle };
