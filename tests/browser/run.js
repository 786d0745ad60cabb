#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Tries the viewer in headless browsers: node tests/browser/run.js [substring]
//
// Every function that the files in RULES export is a rule; it gets the stage and a page.
// FG_SVG or BIN choose fg-svg; CHROMIUM and FIREFOX choose the browser.
"use strict";

const { Stage } = require("./stage.js");

const RULES = ["zoom", "kinds", "table", "location", "changes", "search", "details", "shape",
	"steps", "card", "save", "structure", "look", "header", "colors", "sight", "safety", "keys", "theme",
	"packed", "height", "names", "times"];
// Features that only Chromium's driver supports: touch, printing, the clipboard.
const MORE = ["copies", "touch", "print"];

// The rules for each browser; WITHOUT lists those that its driver cannot run.
const BROWSERS = [
	{ name: "chromium", driver: require("./cdp.js"),
		rules: RULES.concat(MORE), without: [] },
	{ name: "firefox", driver: require("./marionette.js"),
		rules: RULES, without: ["graph_follows_the_window",
			"each_step_moves_the_focus_and_reads_figures",
			"picture_is_live_in_frames_and_objects",
			"object_without_a_size_shows_the_title",
			"toggle_works_without_storage"] },
];

async function tryRule(stage, browser, name, rule) {
	stage.rule = name;
	try {
		const page = await browser.page();
		await rule(stage, page);
		await page.collectErrors();
		stage.check("errors in the page", page.errors, []);
		stage.check("dialogs", page.dialogs, 0);
		await page.close();
	} catch (error) {
		stage.fail(error);
	}
}

async function tryBrowser(stage, { name, driver, rules, without }, wanted) {
	const program = driver.findBrowser();
	if (!program) {
		console.log(`${name} not found (in PATH or $${name.toUpperCase()}): skipped`);
		stage.skipped++;
		return;
	}
	const chosen = rules.flatMap((file) => Object.entries(require(`./${file}.js`))
		.filter(([rule]) => !without.includes(rule))
		.map(([rule, body]) => [`${name}: ${file}: ${rule}`, body]))
		.filter(([title]) => title.includes(wanted));
	if (!chosen.length)
		return;
	const browser = new driver.Browser(program);
	for (const [title, body] of chosen)
		await tryRule(stage, browser, title, body);
	await browser.close();
}

// The browsers run concurrently, each on a stage of its own.
async function main() {
	const stages = await Promise.all(BROWSERS.map(async (browser) => {
		const stage = new Stage();
		await tryBrowser(stage, browser, process.argv[2] || "");
		stage.close();
		return stage;
	}));
	const [passed, failed, skipped] = ["passed", "failed", "skipped"].map((key) =>
		stages.reduce((sum, stage) => sum + stage[key], 0));
	console.log(`${passed} passed, ${failed} failed` + (skipped ? `, ${skipped} skipped` : ""));
	process.exitCode = failed ? 1 : 0;
}

main().catch((error) => {
	console.log(`failed: ${error.stack}`);
	console.log("0 passed, 1 failed");
	process.exit(1);
});
