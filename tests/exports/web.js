#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Opens the files that tests/exports/readers has made in speedscope and d3-flame-graph, in a headless Chromium:
// node tests/exports/web.js NODE_MODULES FOLDER. Prints "ok WHAT", "FAIL WHAT" or "skip WHY", a line each.
"use strict";

const fs = require("fs");
const path = require("path");
const { Browser, findBrowser } = require("../browser/cdp.js");

const [modules, folder] = process.argv.slice(2);
const WAIT_MS = 15000, STEP_MS = 100;

const tell = (good, what, found) =>
	console.log(good ? `ok ${what}` : `FAIL ${what}: ${JSON.stringify(found)}`);

// What BODY gives in the page, once that is true or the time is over.
async function wait(page, body) {
	for (let waited = 0; ; waited += STEP_MS) {
		const value = await page.run(body).catch((error) => error.message);
		if (value || waited > WAIT_MS)
			return value;
		await new Promise((done) => setTimeout(done, STEP_MS));
	}
}

// Opens FILE in speedscope; the text of its table of functions (its view "Sandwich").
async function openInSpeedscope(browser, file) {
	const page = await browser.page();
	await page.load(`file://${modules}/speedscope/dist/release/index.html`);
	await wait(page, "return Boolean(document.querySelector('input[type=file]'))");
	const { root } = await page.send("DOM.getDocument");
	const { nodeId } = await page.send("DOM.querySelector",
		{ nodeId: root.nodeId, selector: "input[type=file]" });
	await page.send("DOM.setFileInputFiles", { files: [file], nodeId });
	await wait(page, "return document.body.innerText.includes('Sandwich')");
	// The key does nothing until the file is there.
	let text = false;
	for (let tries = 0; tries < WAIT_MS / 1000 && !text; tries++) {
		await page.key("3");
		await new Promise((done) => setTimeout(done, 10 * STEP_MS));
		text = await page.run("return document.body.innerText.includes('Symbol Name') &&" +
			" document.body.innerText");
	}
	await page.close();
	return String(text);
}

async function trySpeedscope(browser) {
	for (const [kind, expected] of [["speedscope", /90\.00ms \(\d+%\)\s+90\.00ms \(\d+%\)\s+fib/],
		["cpuprofile", /fib/], ["chrome", /fib/], ["callgrind", /main/], ["pprof", /fib/]]) {
		const text = await openInSpeedscope(browser, path.join(folder, kind));
		tell(expected.test(text), `speedscope opens ${kind}`, text.slice(0, 400));
	}
}

async function tryD3(browser) {
	const read = (file) => fs.readFileSync(path.join(modules, file), "utf8");
	const html = path.join(folder, "d3.html");
	fs.writeFileSync(html, `<!doctype html><meta charset="utf-8"><div id="chart"></div>
<script>${read("d3/dist/d3.min.js")}</script>
<script>${read("d3-flame-graph/dist/d3-flamegraph.umd.js")}</script>
<script>const data = ${fs.readFileSync(path.join(folder, "d3"), "utf8")};
const chart = (flamegraph.flamegraph || flamegraph.default)().width(960);
d3.select("#chart").datum(data).call(chart);</script>`);
	const page = await browser.page();
	await page.load(`file://${html}`);
	const names = await wait(page, "const all = [...document.querySelectorAll('#chart title')]" +
		".map((t) => t.textContent); return all.length > 3 && all");
	tell(Array.isArray(names) && names.some((n) => n.startsWith("fib (50")) &&
		names.some((n) => n.startsWith("root (100")), "d3-flame-graph draws d3", names);
	tell(!page.errors.length, "d3-flame-graph has no errors", page.errors);
	await page.close();
}

async function main() {
	const program = findBrowser();
	if (!program) {
		console.log("skip no chromium here");
		return;
	}
	const browser = new Browser(program);
	try {
		await trySpeedscope(browser);
		await tryD3(browser);
	} catch (error) {
		console.log(`FAIL ${error.stack}`);
	}
	await browser.close();
}

main();
