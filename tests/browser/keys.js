// SPDX-License-Identifier: ISC
// Keyboard use: moving from frame to frame, texts for screen readers, controls.
"use strict";

const { clickFrame, clickOn, label, labels } = require("./stage.js");

const FOLDED = "#fg unit=samples\nmain;alpha;beta;delta 30\nmain;alpha;gamma 20\nmain;alpha 10\n" +
	"main;omega;psi 25\nmain;omega 15\n";

// The focused frame: its spoken text, and whether that matches the details.
const focused = (page) => page.run(`
	const e = document.activeElement;
	if (e.getAttribute("role") !== "treeitem")
		return "nothing";
	const lines = Array.from(document.querySelectorAll(".fg-details tspan"), (s) => s.textContent);
	const name = e.getAttribute("aria-label").split(", ")[0];
	return name === lines[0] ? name.replace("Function: ", "") : name + " is not " + lines[0];`);

async function walk(stage, page, steps) {
	for (const [key, name] of steps) {
		await page.key(key);
		stage.check(key, await focused(page), name);
	}
}

exports.arrows_lead_to_parents_children_and_neighbours = async (stage, page) => {
	await stage.show(page, FOLDED);
	await walk(stage, page, [["ArrowDown", "all"], ["ArrowDown", "all"], ["ArrowUp", "main"],
		["ArrowUp", "alpha"], ["ArrowRight", "omega"], ["ArrowRight", "omega"],
		["ArrowLeft", "alpha"], ["ArrowLeft", "alpha"], ["ArrowUp", "beta"],
		["ArrowRight", "gamma"], ["ArrowRight", "psi"], ["ArrowDown", "omega"],
		["Home", "all"], ["End", "psi"]]);
};

exports.up_leads_to_the_root_where_that_is_above = async (stage, page) => {
	await stage.show(page, FOLDED, "--inverted");
	await walk(stage, page, [["ArrowUp", "all"], ["ArrowDown", "main"], ["ArrowDown", "alpha"],
		["ArrowUp", "main"], ["i", "main"], ["ArrowUp", "alpha"], ["End", "delta"]]);
};

exports.way_back_is_the_way_that_was_taken = async (stage, page) => {
	await stage.show(page, FOLDED);
	await walk(stage, page, [["ArrowUp", "all"], ["ArrowUp", "main"], ["ArrowUp", "alpha"],
		["ArrowUp", "beta"], ["ArrowRight", "gamma"], ["ArrowDown", "alpha"],
		["ArrowDown", "main"], ["ArrowUp", "alpha"], ["ArrowUp", "gamma"]]);
};

exports.enter_zooms_and_escape_leads_back = async (stage, page) => {
	await stage.show(page, FOLDED);
	await walk(stage, page, [["ArrowUp", "all"], ["ArrowUp", "main"], ["ArrowUp", "alpha"],
		["Enter", "alpha"]]);
	stage.check("zoomed", (await labels(page)).includes("omega"), false);
	await walk(stage, page, [["ArrowUp", "beta"], ["Escape", "beta"]]);
	stage.check("whole again", (await labels(page)).includes("omega"), true);
	const isOutlined = `return document.querySelectorAll("[aria-selected=true]:not([display])").length`;
	stage.check("outlined", await page.run(isOutlined), 1);
	await page.key("Escape");
	stage.check("nothing is chosen", await page.run(isOutlined), 0);
};

exports.chosen_frame_is_outlined_where_it_is = async (stage, page) => {
	await stage.show(page, FOLDED);
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight"])
		await page.key(key);
	stage.check("around omega", await page.run(`
		const at = document.activeElement.getBBox();
		return [Math.round(at.x), Math.round(at.width), at.height,
			getComputedStyle(document.activeElement).stroke];`),
	[9 + 0.6 * 1180, 0.4 * 1180 + 1, 17, "rgb(0, 0, 0)"]);
};

exports.thin_frames_are_made_wider = async (stage, page) => {
	await stage.show(page, "main;f;g;h;k 1\nmain;f;g 99\nmain;wide 99900\n");
	await walk(stage, page, [["ArrowUp", "all"], ["ArrowUp", "main"], ["ArrowUp", "wide"],
		["ArrowLeft", "f"], ["ArrowUp", "g"]]);
	stage.check("seen as it is", (await labels(page)).includes("g"), false);
	await walk(stage, page, [["ArrowUp", "h"]]);
	stage.check("its parent is zoomed", (await labels(page)).slice(-1), ["g"]);
	await walk(stage, page, [["ArrowUp", "k"], ["Escape", "g"]]);
};

exports.each_step_moves_the_focus_and_reads_figures = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.send("Accessibility.enable");
	const spoken = async () => {
		const { nodes } = await page.send("Accessibility.getFullAXTree");
		const value = (node, name) => (node.properties.find((p) => p.name === name) || { value: {} })
			.value.value;
		return nodes.filter((node) => node.role && node.role.value === "treeitem")
			.map((node) => [node.name.value, value(node, "level"), value(node, "expanded"),
				value(node, "focused")]);
	};
	const mark = "document.activeElement.mark = true; return 0";
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"])
		await page.key(key);
	stage.check("alpha", await spoken(), [["Function: alpha, total 60 samples, 60.00 % of all, " +
		"\u00b1 9.60 points (95 % confidence), self 10 samples, 10.00 %", 3, true, true]]);
	await page.run(mark);
	await page.key("ArrowUp");
	stage.check("beta", (await spoken())[0].slice(1), [4, true, true]);
	stage.check("another element", await page.run("return document.activeElement.mark"), undefined);
	await page.key("ArrowUp");
	stage.check("a leaf", (await spoken())[0].slice(1), [5, false, true]);
};

exports.chosen_row_is_in_sight = async (stage, page) => {
	const names = Array.from({ length: 300 }, (_, i) => "f" + i);
	await stage.show(page, names.join(";") + " 7\n");
	const inSight = () => page.run(`
		const box = document.activeElement.getBoundingClientRect();
		const top = document.querySelector(".fg-bar").getBoundingClientRect().bottom;
		const foot = document.querySelector(".fg-foot").getBoundingClientRect().top;
		return box.top >= top && box.bottom <= foot;`);
	await page.key("ArrowUp");
	await page.key("End");
	stage.check("at the end", [await focused(page), await inSight()], ["f299", true]);
	for (let i = 0; i < 60; i++)
		await page.key("ArrowDown");
	stage.check("on the way", [await focused(page), await inSight()], ["f239", true]);
	await page.key("Home");
	stage.check("at the root", [await focused(page), await inSight()], ["all", true]);
};

exports.all_controls_are_reached_by_tab = async (stage, page) => {
	await stage.show(page, FOLDED);
	const seen = [];
	for (let i = 0; i < 8; i++) {
		await page.key("Tab");
		seen.push(await page.run(`
			const e = document.activeElement, style = getComputedStyle(e);
			const rim = e.querySelector("rect") || e;
			const isRing = getComputedStyle(rim).strokeWidth === "2px";
			return (e.querySelector("text") || e).textContent + (isRing ? "" : " without ring");`));
	}
	stage.check("in turn", seen, ["", "Flame", "Bottom-up", "Sandwich", "Table", "Menu",
		"Search (regexp)", ".*"]);
};

exports.menu_is_worked_by_keys = async (stage, page) => {
	await stage.show(page, FOLDED);
	const item = () => page.run(`
		const e = document.activeElement;
		return (e.getAttribute("role") || "").startsWith("menuitem") ?
			e.querySelector("text").textContent : e.getAttribute("aria-label");`);
	const open = () => page.run("return document.querySelectorAll('[role=menu]').length");
	await page.key("?");
	const first = await item();
	await page.key("End");
	const last = await item();
	await page.key("ArrowDown");
	stage.check("round the end", await item(), first);
	await page.key("ArrowUp");
	stage.check("and back", await item(), last);
	await page.key("Home");
	stage.check("home", await item(), first);
	await page.key("Escape");
	stage.check("closed", [await open(), (await item()).slice(0, 10)], [0, "Commands a"]);
	await page.key("Enter");
	stage.check("opened by its button", await open(), 1);
	await page.key("Tab");
	stage.check("left by Tab", await open(), 0);
	await page.key("?");
	await page.key("i");
	stage.check("a key of a command closes it", [await open(), (await labels(page))[0]], [0, "all"]);
};

exports.menu_of_a_low_picture_is_seen_whole = async (stage, page) => {
	await stage.show(page, "a 1\n");
	await page.key("?");
	stage.check("hidden entries", await page.run(`
		return Array.from(document.querySelectorAll("[role^=menuitem]"), (e) => {
			const box = e.getBoundingClientRect();
			return document.elementFromPoint(box.left + 9, box.top + 9).closest("[role^=menuitem]") === e;
		}).filter((seen) => !seen).length`), 0);
};

const inPage = (stage, ...pictures) => stage.file("page.html", "<!DOCTYPE html><meta charset=utf-8>" +
	pictures.map((folded) => stage.svg(folded).toString().replace(/^<\?xml.*?\?>\s*/, ""))
		.join("<p>between</p>"));

exports.keys_are_for_the_picture_that_has_focus_or_pointer = async (stage, page) => {
	await page.size(1200, 800);
	await page.open(inPage(stage, FOLDED, FOLDED));
	const tops = () => page.run(`return Array.from(document.querySelectorAll("svg.fg"), (svg) =>
		svg.querySelector(".fg-graph text").getBoundingClientRect().top - svg.getBoundingClientRect().top <
			svg.getBoundingClientRect().height / 2)`);
	const svg = (i) => `document.querySelectorAll("svg.fg")[${i}]`;
	await page.move(600, 700);
	await page.key("i");
	const before = await tops();
	await clickOn(page, label("psi", 0, svg(1)));
	await page.key("i");
	stage.check("pointer", [before, await tops()], [[false, false], [false, true]]);
	await page.key("ArrowUp");
	stage.check("arrows scroll the page", await focused(page).catch(() => "nothing"), "nothing");
	await page.run(`${svg(0)}.querySelector("[role=treeitem]").focus()`);
	await page.key("i");
	stage.check("focus", await tops(), [true, true]);
	await page.key("d");
	stage.check("theme", await page.run(`return [${svg(0)}, ${svg(1)}]
		.map((e) => e.classList.contains("fg-dark"))`), [true, false]);
	await page.key("d");
};

exports.callers_are_above_and_callees_below = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickFrame(page, "alpha");
	await page.key("s");
	await walk(stage, page, [["ArrowUp", "alpha"], ["ArrowUp", "main"], ["ArrowDown", "alpha"],
		["ArrowDown", "beta"], ["ArrowRight", "gamma"], ["ArrowUp", "alpha"],
		["ArrowDown", "gamma"], ["ArrowLeft", "beta"], ["ArrowDown", "delta"]]);
};
