// SPDX-License-Identifier: ISC
// Search: exact shares over all frames, those too thin to draw among them.
"use strict";

const truth = require("./truth.js");
const { clickFrame, clickButton, clickOn, drawn, matched, search, textOf } =
	require("./stage.js");

const PATTERNS = ["alloc", "^main$", "^read_", "_map$", "visit_.*|emit", "nothing", "[Rr]ead", "."];

exports.matched_is_exact_over_all_frames = async (stage, page) => {
	const folded = truth.invent(3000), lines = truth.parse(folded);
	await stage.show(page, folded);
	for (const pattern of PATTERNS) {
		await search(page, pattern);
		const part = truth.matched(lines, new RegExp(pattern));
		stage.check(pattern, await matched(page),
			"matched " + truth.percent(part, truth.total(lines)));
	}
};

exports.matched_of_the_zoomed_is_exact = async (stage, page) => {
	const folded = truth.invent(2000), lines = truth.parse(folded);
	await stage.show(page, folded);
	const name = await page.run(`
		return Array.from(document.querySelectorAll(".fg-graph text"))
			.find((e) => e.textContent.includes("_") && !e.textContent.includes("\u2026"))
			.textContent;`);
	await clickFrame(page, name);
	for (const pattern of PATTERNS.concat("^" + name + "$")) {
		await search(page, pattern);
		const re = new RegExp(pattern), path = ["main", name];
		const all = truth.percent(truth.matched(lines, re), truth.total(lines));
		const part = truth.percent(truth.matched(lines, re, path), truth.total(lines, path));
		stage.check(pattern, await matched(page), `matched ${all} of all, ${part} of the zoomed`);
	}
};

exports.nested_matches_count_once = async (stage, page) => {
	await stage.show(page, "main;f;g;f;f 30\nmain;f 20\nmain;h;f 10\nmain;h 40\n");
	await search(page, "^f$");
	stage.check("30 + 20 + 10", await matched(page), "matched 60.00 %");
};

exports.name_is_searched_and_not_the_figures = async (stage, page) => {
	await stage.show(page, "main;write_[k] 30\nmain;user 70\n");
	await search(page, "samples|Function|%");
	stage.check("words around it", await matched(page), "matched 0.00 %");
	await search(page, "_\\[k\\]$");
	stage.check("annotation", await matched(page), "matched 30.00 %");
};

exports.matches_are_marked = async (stage, page) => {
	let folded = "main;wide 100000\nmain;wide;x 5\n";
	for (let i = 100; i < 150; i++)
		folded += `main;thin${i};leaf 10\n`;
	await stage.show(page, folded, "--search-color", "#12e612");
	await search(page, "wide|leaf");
	stage.check("box", (await drawn(page, ".fg-hit")).length, 1);
	stage.check("strip", (await drawn(page, ".fg-mark")).length, 1);
	await page.key("Escape");
	stage.check("Escape clears", [await matched(page),
		(await drawn(page, ".fg-hit, .fg-mark")).length], ["", 0]);
};

exports.bad_expression_is_shown_and_throws_nothing = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n");
	await search(page, "f");
	for (const pattern of ["(", "[z-a]", "*", "a{2,1}", "\\"]) {
		await search(page, pattern);
		stage.check(pattern, (await matched(page)).startsWith("Not a regular expression: "), true);
		stage.check("field", await page.run("return !!document.querySelector('.fg-bad')"), true);
	}
	await search(page, "g");
	stage.check("then a good one", await matched(page), "matched 70.00 %");
	stage.check("field", await page.run("return !!document.querySelector('.fg-bad')"), false);
};

exports.case_is_ignored_on_request = async (stage, page) => {
	await stage.show(page, "main;Foo 30\nmain;foo 20\nmain;g 50\n");
	await search(page, "foo");
	stage.check("at first it counts", await matched(page), "matched 20.00 %");
	await clickButton(page, "case");
	stage.check("button", await matched(page), "matched 50.00 %");
	await page.key("i", 2);
	stage.check("Ctrl-I", await matched(page), "matched 20.00 %");
};

exports.keys_open_the_field = async (stage, page) => {
	const focused = "return document.activeElement.className";
	for (const [key, modifiers] of [["/", 0], ["f", 2], ["F3", 0]]) {
		await stage.show(page, "main;f 30\nmain;g 70\n");
		await page.key(key, modifiers);
		stage.check(key, await page.run(focused), "fg-input");
		await page.type("fg");
		await page.key("Backspace");
		stage.check("typed", await matched(page), "matched 30.00 %");
		await page.key(key === "/" ? "F3" : key, key === "f" ? 0 : modifiers);
	}
};

exports.field_is_clicked_typed_into_and_cleared = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n");
	await clickOn(page, "document.querySelector('.fg-field')");
	await page.type("g");
	stage.check("typed", await matched(page), "matched 70.00 %");
	await clickButton(page, "clear");
	stage.check("cleared", [await matched(page),
		await page.run("return document.querySelector('.fg-input').value")], ["", ""]);
};

exports.input_lies_on_the_field = async (stage, page) => {
	const apart = () => page.run(`
		const a = document.querySelector(".fg-input").getBoundingClientRect();
		const b = document.querySelector(".fg-field rect").getBoundingClientRect();
		return [a.left - b.left, a.top - b.top, a.height - b.height].map(Math.abs)
			.filter((px) => px > 1.5).length;`);
	await stage.show(page, "main;f 30\nmain;g 70\n");
	await search(page, "f");
	stage.check("in a low picture", await apart(), 0);
	await stage.show(page, Array.from({ length: 200 }, (_, i) => "f" + i).join(";") + " 7\n");
	await search(page, "f1");
	stage.check("at first", await apart(), 0);
	await page.run("scrollTo(0, 500)");
	await page.frames();
	stage.check("scrolled", await apart(), 0);
	await page.size(500, 700);
	await page.frames();
	await page.frames();
	stage.check("resized", await apart(), 0);
	stage.check("the title", await textOf(page, ".fg-title"), "Flame Graph");
	stage.check("the document's", await page.run("return document.title"), "Flame Graph");
};
