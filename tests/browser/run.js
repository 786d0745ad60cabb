#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Tries the viewer in a headless Chromium: node tests/browser/run.js [substring]
//
// Every function of the files in RULES is a rule, named by its name; it gets the
// stage and a page. FG_SVG or BIN say which fg-svg, CHROMIUM which browser.
"use strict";

const { Browser, findBrowser } = require("./cdp.js");
const { Stage } = require("./stage.js");

const RULES = ["zoom", "place", "search", "details", "shape", "look", "safety", "packed"];

async function tryRule(stage, browser, name, rule) {
	const page = await browser.page();
	stage.rule = name;
	try {
		await rule(stage, page);
		stage.check("errors in the page", page.errors, []);
		stage.check("dialogs", page.dialogs, 0);
	} catch (error) {
		stage.fail(error);
	}
	await page.close();
}

async function main() {
	const program = findBrowser(), wanted = process.argv[2] || "";
	if (!program) {
		console.log("no chromium here (or in CHROMIUM): the viewer is not tested");
		console.log("0 passed, 0 failed, 1 skipped");
		return;
	}
	const rules = RULES.flatMap((file) => Object.entries(require(`./${file}.js`))
		.map(([name, rule]) => [`${file}: ${name}`, rule]));
	const stage = new Stage(), browser = new Browser(program);
	for (const [name, rule] of rules)
		if (name.includes(wanted))
			await tryRule(stage, browser, name, rule);
	await browser.close();
	stage.close();
	console.log(`${stage.passed} passed, ${stage.failed} failed`);
	process.exitCode = stage.failed ? 1 : 0;
}

main().catch((error) => {
	console.log(`failed: ${error.stack}`);
	console.log("0 passed, 1 failed");
	process.exit(1);
});
