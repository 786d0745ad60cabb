// SPDX-License-Identifier: ISC
// Steps: what is looked at of the profile, as chips, as an address and as fg-filter does it.
"use strict";

const { clickOn, drawn, labels } = require("./stage.js");

const FOLDED = "#fg unit=samples samples=130\nmain;alpha;beta;delta 30\nmain;alpha;gamma 20\n" +
	"main;alpha 10\nmain;omega;alpha;beta;alpha 15\nmain;omega;beta_[k] 25\nbeta;alpha 30\n";

// Colours that follow from the name alone.
const COLORS = ["--colors", "hot"];

// Steps as an address has them, and the options of fg-filter that are to do the same.
const STEPS = [
	["focus ^beta$", ["--focus", "^beta$"]],
	["focus bet", ["--focus", "bet"]],
	["focus (?i)BETA", ["--focus", "(?i)BETA"]],
	["ignore ^omega$", ["--ignore", "^omega$"]],
	["root ^alpha$", ["--root", "^alpha$"]],
	["callers ^beta$", ["--focus", "^beta$", "--trim-below", "^beta$"]],
	["fold ^alpha$", ["--trim-below", "^alpha$"]],
	["hide ^alpha$", ["--hide", "^alpha$"]],
	["hide ^beta_\\[k\\]$", ["--hide", "^beta_\\[k\\]$"]],
];

const addressOf = (steps) => "#" + new URLSearchParams(steps.map((step) => ["step", step]));
const chips = (page) => page.run(
	"return Array.from(document.querySelectorAll('.fg-chip text'), (e) => e.textContent)");
const chip = (at) => `document.querySelectorAll(".fg-chip")[${at}]`;

// All boxes of the page from its left upper one on, and the labels.
async function seen(page) {
	const boxes = await drawn(page, ".fg-graph path:not(.fg-mark):not(.fg-under)");
	const top = Math.min(...boxes.map((box) => box[1]));
	return [boxes.map(([x, y, w, fill]) => [x, y - top, w, fill]).sort().join("\n"),
		await labels(page)];
}

exports.steps_show_what_fg_filter_leaves = async (stage, page) => {
	await page.size(1200, 800);
	for (const [steps, options] of STEPS.map(([step, options]) => [[step], options]).concat([
		[["hide ^beta$", "focus ^omega$"], ["--hide", "^beta$", "--focus", "^omega$"]],
		[["root ^alpha$", "fold ^beta$"], ["--root", "^alpha$", "--trim-below", "^beta$"]]])) {
		await page.open(stage.picture(FOLDED, ...COLORS) + addressOf(steps));
		const found = await seen(page);
		stage.check(`${steps}: chips`, (await chips(page)).length, steps.length + 1);
		await page.open(stage.picture(stage.filter(FOLDED, ...options), ...COLORS));
		stage.check(steps.join(), found, await seen(page));
	}
};

exports.chips_are_removed_and_come_back = async (stage, page) => {
	await page.size(1200, 800);
	await page.open(stage.picture(FOLDED) + addressOf(["focus ^omega$", "hide ^main$"]));
	stage.check("two chips", await chips(page),
		["stacks with omega \u00d7", "hidden main \u00d7", "Copy command"]);
	await clickOn(page, chip(0));
	stage.check("one chip", await chips(page), ["hidden main \u00d7", "Copy command"]);
	stage.check("its address", await page.run("return location.hash"), addressOf(["hide ^main$"]));
	await clickOn(page, chip(0));
	stage.check("no chip", await chips(page), []);
	stage.check("all is there", (await labels(page)).includes("main"), true);
	await page.run("history.back()");
	await page.frames();
	stage.check("back", await chips(page), ["hidden main \u00d7", "Copy command"]);
};

exports.strange_steps_are_left_out = async (stage, page) => {
	await page.size(1200, 800);
	for (const step of ["", "focus (", "constructor x", "__proto__ x", "focus (a*)*(a*)*(a*)*b"]) {
		await page.open(stage.picture(FOLDED) + addressOf([step]));
		stage.check(step, (await labels(page)).slice(0, 2), ["all", "beta"]);
	}
};
