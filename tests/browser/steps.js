// SPDX-License-Identifier: ISC
// Steps: the filtered profile, as chips, as a URL and as fg-filter.
"use strict";

const { clickFrame, clickOn, drawn, label, labels, placeOf } = require("./stage.js");

const FOLDED = "#fg unit=samples samples=130\nmain;alpha;beta;delta 30\nmain;alpha;gamma 20\n" +
	"main;alpha 10\nmain;omega;alpha;beta;alpha 15\nmain;omega;beta_[k] 25\nbeta;alpha 30\n";

// Colours that depend only on the name.
const COLORS = ["--colors", "hot"];

// Steps in the URL, and the equivalent options of fg-filter.
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

// All boxes of the page from the top left one on, and the labels.
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

exports.malformed_steps_are_left_out = async (stage, page) => {
	await page.size(1200, 800);
	for (const step of ["", "focus (", "constructor x", "__proto__ x", "focus (a*)*(a*)*(a*)*b"]) {
		await page.open(stage.picture(FOLDED) + addressOf([step]));
		stage.check(step, (await labels(page)).slice(0, 2), ["all", "beta"]);
	}
};

const items = (page) => page.run(`
	return Array.from(document.querySelectorAll(".fg-menu .fg-item"),
		(e) => e.querySelector("text").textContent);`);
const item = (name) => `Array.from(document.querySelectorAll(".fg-menu .fg-item"))` +
	`.find((e) => e.textContent.includes(${JSON.stringify(name)}))`;

// Right-clicks the frame NAME, with SHIFTKEY if set; returns whether the browser's own menu is
// suppressed.
async function rightClick(page, name, shiftKey = false) {
	const [clientX, clientY] = await placeOf(page, label(name));
	return page.run(`return !document.querySelector("svg.fg").dispatchEvent(new MouseEvent(
		"contextmenu", { bubbles: true, cancelable: true, shiftKey: ${shiftKey},
		clientX: ${clientX}, clientY: ${clientY} }))`);
}

exports.menu_of_a_frame_opens_at_the_pointer_and_adds_steps = async (stage, page) => {
	await stage.show(page, FOLDED);
	stage.check("ours", await rightClick(page, "omega"), true);
	stage.check("about it", (await items(page))[0], "Zoom into omega");
	const [x, y] = await placeOf(page, label("omega"));
	stage.check("place", await page.run(`
		const { left, top } = document.querySelector(".fg-menu").getBoundingClientRect();
		return Math.abs(left - ${x}) < 4 && Math.abs(top - ${y}) < 4;`), true);
	await clickOn(page, item("Only stacks with it"));
	stage.check("chip", (await chips(page))[0], "stacks with omega \u00d7");
	await rightClick(page, "alpha");
	await clickOn(page, item("Hide it"));
	stage.check("labels", await labels(page), ["all", "main", "omega", "beta", "beta"]);
	await page.key("Escape");
	stage.check("Escape takes back the last", await chips(page),
		["stacks with omega \u00d7", "Copy command"]);
	stage.check("with Shift it is the browser's", await rightClick(page, "omega", true), false);
	await rightClick(page, "all");
	stage.check("none for the root", await items(page), []);
};

exports.menu_of_a_frame_is_worked_by_keys = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.key("ArrowUp");
	await page.key("ArrowUp");
	await page.key("m");
	stage.check("about main", (await items(page))[0], "Zoom into main");
	await page.key("ArrowDown");
	await page.key("ArrowDown");
	await page.key("Enter");
	stage.check("dropped", [(await chips(page))[0], await labels(page)],
		["no stacks with main \u00d7", ["all", "beta", "alpha"]]);
};

exports.inlined_copies_of_a_function_are_of_its_steps = async (stage, page) => {
	await stage.show(page, "#fg unit=samples\nmain;f_[i];x 40\nmain;f 30\nmain;g 30\n");
	await rightClick(page, "f");
	await clickOn(page, item("Only stacks with it"));
	stage.check("chip", (await chips(page))[0], "stacks with f \u00d7");
	stage.check("labels", await labels(page), ["all", "main", "f", "f", "x"]);
};

exports.a_click_beside_the_open_menu_only_closes_it = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.key("?");
	const before = await labels(page);
	await clickFrame(page, "omega");
	stage.check("closed", await items(page), []);
	stage.check("not zoomed", await labels(page), before);
	await clickFrame(page, "omega");
	stage.check("then zoomed", (await labels(page)).includes("gamma"), false);
};

exports.escape_goes_outwards_only = async (stage, page) => {
	await stage.show(page, FOLDED);
	const zoomed = async () => (await page.run("return location.hash")).replace("#path=", "");
	await clickFrame(page, "omega");
	await page.key("0");
	await page.key("Escape");
	stage.check("after 0", await zoomed(), "");
	await clickFrame(page, "omega");
	await clickFrame(page, "main");
	await page.key("Escape");
	await page.frames();
	stage.check("after an ancestor", await zoomed(), "");
	await clickFrame(page, "omega");
	await clickFrame(page, "beta");
	await page.key("Escape");
	await page.frames();
	stage.check("one step", await zoomed(), "main;omega");
	await page.key("Escape");
	await page.frames();
	stage.check("and out", await zoomed(), "");
	await page.key("t");
	await page.key("Escape");
	await page.frames();
	stage.check("the flame graph", await zoomed(), "");
};
