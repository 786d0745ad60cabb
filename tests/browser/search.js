// SPDX-License-Identifier: ISC
// Search: exact shares over all frames, including those too thin to draw.
"use strict";

const truth = require("./truth.js");
const { button, clickFrame, clickButton, clickOn, details, drawn, labels, matched, search,
	textOf, settle } = require("./stage.js");

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
		stage.check(pattern, await matched(page), `matched ${all} of all, ${part} of zoomed frame`);
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
		stage.check(pattern, (await matched(page)).startsWith("Invalid regular expression: "), true);
		stage.check("field", await page.run("return !!document.querySelector('.fg-bad')"), true);
	}
	await search(page, "g");
	stage.check("then a good one", await matched(page), "matched 70.00 %");
	stage.check("field", await page.run("return !!document.querySelector('.fg-bad')"), false);
};

exports.case_counts_where_the_pattern_has_capitals_or_on_request = async (stage, page) => {
	await stage.show(page, "main;Foo 30\nmain;foo 20\nmain;g5 50\n");
	for (const [pattern, part] of [["foo", 50], ["Foo", 30], ["fo\\S", 50], ["\\Boo", 50],
		["FOO", 0]]) {
		await search(page, pattern);
		stage.check(pattern, await matched(page), `matched ${part}.00 %`);
	}
	await search(page, "foo");
	await clickButton(page, "case");
	stage.check("button", await matched(page), "matched 20.00 %");
	await page.key("i", 2);
	stage.check("Ctrl-I", await matched(page), "matched 50.00 %");
	await search(page, "FOO");
	stage.check("capitals then too", await matched(page), "matched 50.00 %");
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

const count = (page) => textOf(page, ".fg-count");

exports.plain_text_is_itself = async (stage, page) => {
	await stage.show(page, "main;a.b(c)* 30\nmain;axb 20\nmain;[x] 10\nmain;y\\d$ 40\n");
	await search(page, "a.b");
	stage.check("expression", await matched(page), "matched 50.00 %");
	await clickButton(page, "expression");
	const isOn = `return ${button("expression")}.getAttribute("aria-pressed")`;
	stage.check("plain", [await matched(page), await page.run(isOn)], ["matched 30.00 %", "false"]);
	for (const [text, part] of [["(c)*", "30.00"], ["[", "10.00"], ["\\", "40.00"], ["$", "40.00"]]) {
		await search(page, text);
		stage.check(text, await matched(page), `matched ${part} %`);
	}
	await page.run(`document.querySelector(".fg-input").dispatchEvent(new KeyboardEvent("keydown",
		{ key: "\u00ae", code: "KeyR", altKey: true, bubbles: true }))`);
	stage.check("Alt-R in the field", await page.run(isOn), "true");
	await page.run("document.activeElement.blur()");
	await page.key("p");
	stage.check("p outside of it", await page.run(isOn), "false");
};

exports.address_keeps_the_search = async (stage, page) => {
	const url = stage.picture("main;a.b 30\nmain;A.B 10\nmain;axb 20\nmain;g 40\n");
	await page.open(url);
	await search(page, "a.b");
	await clickButton(page, "expression");
	await clickButton(page, "case");
	await settle(page);
	const hash = await page.run("return location.hash");
	await page.open("about:blank");
	await page.open(url + hash);
	stage.check("opened anew", await matched(page), "matched 30.00 %");
	await clickButton(page, "expression");
	stage.check("as an expression", await matched(page), "matched 50.00 %");
};

// All matching frames in drawing order, each with its path.
function matches(lines, pattern) {
	const path = [];
	return truth.boxes(lines, 1180).filter((box) => {
		path.splice(box.depth, Infinity, box.name);
		box.path = path.slice(1);
		return box.depth && pattern.test(box.name);
	});
}

exports.matches_are_counted_and_walked_by_weight = async (stage, page) => {
	const folded = truth.invent(300), lines = truth.parse(folded);
	const weight = (box) => truth.total(lines, box.path);
	const found = matches(lines, /^hash_/).sort((a, b) => weight(b) - weight(a));
	const all = found.length;
	await stage.show(page, "#fg unit=samples\n" + folded);
	await search(page, "^hash_");
	stage.check("all", await count(page), all + " matches");
	const isZoomed = `return !${button("reset")}.closest("[display=none]")`;
	for (let i = 0; i < Math.min(all, 12); i++) {
		await page.key("Enter");
		stage.check(`name ${i}`, (await details(page))[0].trim(), "Function: " + found[i].name);
		const total = truth.total(lines, found[i].path), noun = total === 1 ? "sample" : "samples";
		stage.check(`total ${i}`, (await details(page))[1].split(" \u00b7 ")[0],
			`total ${total.toLocaleString("en")} ${noun}`);
		stage.check(`place ${i}`, await count(page), `${i + 1} of ${all}`);
		stage.check(`zoomed ${i}`, await page.run(isZoomed), false);
	}
	await page.key("Enter", 8);
	stage.check("Shift-Enter", await count(page), `11 of ${all}`);
	await page.run("document.activeElement.blur()");
	for (let i = 0; i < 11; i++)
		await page.key("N");
	stage.check("N goes round", await count(page), `${all} of ${all}`);
	await page.key("n");
	stage.check("n goes round", await count(page), `1 of ${all}`);
	await clickButton(page, "next");
	await clickButton(page, "next");
	await clickButton(page, "previous");
	stage.check("buttons", await count(page), `2 of ${all}`);
};

exports.matches_zoom_outwards_only = async (stage, page) => {
	await stage.show(page, "main;a;thin 1\nmain;b 100000\nmain;c;wide 100000\n");
	await search(page, "thin|wide");
	const name = async () => (await details(page))[0];
	for (const [found, place] of [["wide", "1 of 2"], ["thin", "2 of 2"], ["wide", "1 of 2"]]) {
		await page.key("Enter");
		stage.check(found, [await labels(page), await count(page), await name()],
			[["all", "main", "b", "c", "wide"], place, "Function: " + found]);
	}
	await page.run("document.activeElement.blur()");
	await page.key("n");
	await page.key("Enter");
	stage.check("Enter in the graph", await labels(page), ["all", "main", "a", "thin"]);
	await page.key("n");
	stage.check("zoomed out", [await labels(page), await name()],
		[["all", "main", "b", "c", "wide"], "Function: wide"]);
	await search(page, "nothing");
	await page.key("Enter");
	stage.check("no match", [await count(page), await page.run(
		`return ${button("next")}.getAttribute("aria-disabled")`)], ["0 matches", "true"]);
};

exports.a_match_far_away_is_scrolled_to = async (stage, page) => {
	const frames = Array.from({ length: 300 }, (_, i) => "f" + i);
	await stage.show(page, frames.join(";") + " 7\n");
	await search(page, "^f2[05]0$");
	for (const name of ["f200", "f250", "f200"]) {
		await page.key("Enter");
		await page.frames();
		stage.check(name, await page.run(`
			const e = Array.from(document.querySelectorAll(".fg-graph text"))
				.find((e) => e.textContent === "${name}");
			const { top, bottom } = e ? e.getBoundingClientRect() : { top: -1 };
			return top > 30 && bottom < innerHeight - 30;`), true);
	}
};

exports.both_columns_of_a_difference_are_reported = async (stage, page) => {
	const folded = "#fg unit=samples\nmain;f;g 10 35\nmain;f 20 5\nmain;h 70 40\nmain;g 0 20\n";
	await stage.show(page, folded);
	await search(page, "^g$");
	stage.check("all", await matched(page), "matched 10.00 % \u2192 55.00 %");
	await clickFrame(page, "f");
	stage.check("zoomed", await matched(page),
		"matched 10.00 % \u2192 55.00 % of all, 33.33 % \u2192 87.50 % of zoomed frame");
};

exports.bottom_up_shares_are_of_whole_stacks = async (stage, page) => {
	const folded = truth.invent(60), lines = truth.parse(folded);
	await stage.show(page, folded);
	await page.key("b");
	const leaf = (await labels(page)).find((text) => /^[a-zA-Z]+_[a-z_]+$/.test(text));
	await clickFrame(page, leaf);
	const mine = lines.filter((line) => line.frames[line.frames.length - 1] === leaf);
	for (const pattern of PATTERNS) {
		await search(page, pattern);
		const re = new RegExp(pattern);
		const all = truth.percent(truth.matched(lines, re), truth.total(lines));
		const part = truth.percent(truth.matched(mine, re), truth.total(mine));
		stage.check(`${leaf}: ${pattern}`, await matched(page),
			`matched ${all} of all, ${part} of zoomed frame`);
	}
};

exports.callers_and_callees_are_counted_separately = async (stage, page) => {
	const lines = "main;a;f;x 10\nmain;b;f;y 20\nmain;b;f;f;x 30\nmain;z 40\n";
	await stage.show(page, lines);
	await clickFrame(page, "b");
	await clickFrame(page, "f");
	await page.key("s");
	for (const [pattern, text] of [
		["^a$", "10.00 % of all, 16.67 % of the callers, 0.00 % of the callees"],
		["^x$", "40.00 % of all, 0.00 % of the callers, 66.67 % of the callees"],
		["^z$", "40.00 % of all, 0.00 % of callers and callees"],
		["^main$", "100.00 % of all, 100.00 % of the callers, 0.00 % of the callees"],
		["^f$", "60.00 % of all, 100.00 % of callers and callees"]]) {
		await search(page, pattern);
		stage.check(pattern, await matched(page), "matched " + text);
	}
};

exports.endless_expressions_are_stopped = async (stage, page) => {
	const names = Array.from({ length: 60 }, (_, i) => "a".repeat(i + 1) + "!");
	await stage.show(page, names.map((name) => `main;${name} 10\n`).join("") + "main;b 400\n");
	await search(page, "(a+)+$");
	stage.check("message", (await matched(page)).startsWith("Stopped after 0.5 s"), true);
	stage.check("field", await page.run(
		"return document.querySelector('.fg-input').getAttribute('aria-invalid')"), "true");
	await search(page, "b");
	stage.check("then another", await matched(page), "matched 40.00 %");
};

exports.results_are_read_out_once_stable = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;fg 20\nmain;h 50\n");
	await page.key("/");
	const spoken = await page.run(`
		const status = document.querySelector("[role=status]"), spoken = [];
		const input = document.querySelector(".fg-input");
		await new Promise((done) => {
			new MutationObserver(() => { spoken.push(status.textContent); done(); })
				.observe(status, { childList: true, characterData: true, subtree: true });
			for (const value of ["f", "fg", "fgx", "f"]) {
				input.value = value;
				input.dispatchEvent(new Event("input"));
			}
		});
		return spoken;`);
	stage.check("read out once", spoken, ["2 matches, matched 50.00 %"]);
};

// The least contrast of the labels with the boxes under them: paths painted one after the
// other, with the opacities of the style.
const CONTRAST = `
	const numbers = (s) => s.match(/[0-9.]+/g).map(Number);
	const light = (c) => c.map((v) => v / 255).map((v) =>
		v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const least = { contrast: 99, name: "" };
	const layers = Array.from(document.querySelectorAll(".fg-graph path"))
		.filter((e) => getComputedStyle(e).fill !== "none");
	for (const text of document.querySelectorAll(".fg-graph text")) {
		const box = text.getBBox(), at = new DOMPoint(box.x + 2, box.y + box.height / 2);
		let under = numbers(getComputedStyle(document.querySelector(".fg-bg")).fill);
		for (const layer of layers) {
			const style = getComputedStyle(layer), share = Number(style.fillOpacity);
			if (style.display !== "none" && layer.isPointInFill(at))
				under = numbers(style.fill).map((v, i) => share * v + (1 - share) * under[i]);
		}
		const [a, b] = [under, numbers(getComputedStyle(text).fill)].map(light);
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < least.contrast)
			Object.assign(least, { contrast, name: text.textContent });
	}
	return least;`;

exports.labels_are_readable_where_the_rest_is_dimmed = async (stage, page) => {
	for (const colors of ["hot", "java", "blue", "mem", "auto", "module"])
		for (const scheme of ["light", "dark"]) {
			await stage.show(page, truth.invent(400), "--colors", colors);
			await page.scheme(scheme);
			await page.frames();
			await search(page, "read|main");
			await page.key("Enter");
			await page.key("Enter");
			const { contrast, name } = await page.run(CONTRAST);
			stage.check(`${colors}, ${scheme}: ${name} has ${contrast.toFixed(2)}`,
				contrast >= 7, true);
			const pale = () => page.run("return document.querySelectorAll('.fg-pale').length");
			stage.check("the rest is paler", await pale(), 1);
			await page.key("Escape");
			stage.check("not without a search", await pale(), 0);
		}
};

exports.controls_do_not_overlap = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n");
	await search(page, "f");
	await page.key("Enter");
	for (const zoomed of [false, true]) {
		if (zoomed)
			await clickFrame(page, "g");
		for (const width of [300, 320, 350, 375, 400, 600, 900, 1200, 1600]) {
			await page.size(width, 700);
			await page.frames();
			await page.frames();
			stage.check(`${width} px: overlaps`, await page.run(`
				const list = Array.from(document.querySelectorAll(".fg-bar .fg-button"))
					.filter((e) => !e.closest("[display=none]"))
					.filter((e) => !e.getAttribute("aria-label").startsWith("Clear"))
					.map((e) => e.querySelector("rect").getBoundingClientRect());
				return list.filter((a, i) => list.slice(0, i).some((b) => a.left < b.right &&
					a.right > b.left && a.top < b.bottom && a.bottom > b.top)).length`), 0);
		}
		await page.size(1200, 800);
		await page.frames();
	}
};
