// SPDX-License-Identifier: ISC
"use strict";

const truth = require("./truth.js");
const { clickOn, details, search, textOf } = require("./stage.js");

const FOLDED = "#fg unit=samples\nmain;a;b;a 30\nmain;a 20\nmain;b;c 10\nmain;c 40\nmain 5\n";

// The texts of the rows and of the visible column headings.
const rows = (page) => page.run(`return Array.from(document.querySelectorAll(".fg-row"),
	(row) => Array.from(row.querySelectorAll("text"), (text) => text.textContent))`);
const heads = (page) => page.run(`
	return Array.from(document.querySelectorAll("[role=columnheader]"))
		.filter((cell) => cell.getAttribute("display") !== "none")
		.map((cell) => cell.querySelector("text").textContent.trim()).filter((text) => text)`);
const names = async (page) => (await rows(page)).map((row) => row[row.length - 1]);
const head = (by) => `document.querySelector(".fg-sort[aria-label='Sort by ${by}']")`;
const row = (name) => `Array.from(document.querySelectorAll(".fg-row text"))
	.filter((e) => e.textContent === ${JSON.stringify(name)})[0]`;
const hash = async (page) => decodeURIComponent(await page.run("return location.hash"));

// Names by KEY, the largest first, equal ones in byte order.
const ordered = (lines, key) => truth.functions(lines).sort((a, b) => b[key] - a[key] ||
	Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))).map((f) => f.name);

async function open(stage, page, folded, ...options) {
	await stage.show(page, folded, ...options);
	await page.key("t");
}

exports.self_and_total_count_recursion_once = async (stage, page) => {
	const lines = truth.parse(FOLDED), all = truth.total(lines);
	await open(stage, page, FOLDED);
	const found = (await rows(page)).map((cells) => cells.filter((text) => text));
	stage.check("columns", await heads(page),
		["\u25beSelf %", "\u00b1 points", "Self",
		"Total %", "\u00b1 points", "Total", "Function"]);
	for (const f of truth.functions(lines)) {
		const cells = found.find((texts) => texts[texts.length - 1] === f.name);
		const [self, , ownWeight, total, , weight] = cells;
		stage.check(f.name, [self + " %", ownWeight, total + " %", weight], [truth.percent(f.self, all),
			String(f.self), truth.percent(f.total, all), String(f.total)]);
	}
	stage.check("order", await names(page), ordered(lines, "self"));
};

exports.a_click_on_a_heading_sorts_and_reverses = async (stage, page) => {
	const folded = truth.invent(300), lines = truth.parse(folded);
	await open(stage, page, folded);
	const first = (list) => list.slice(0, 20);
	const seen = async () => first(await names(page));
	stage.check("self", await seen(), first(ordered(lines, "self")));
	await clickOn(page, head("total"));
	stage.check("total", await seen(), first(ordered(lines, "total")));
	stage.check("order", await page.run(
		`return ${head("total")}.parentNode.getAttribute("aria-sort")`), "descending");
	stage.check("address", await hash(page), "#view=table&sort=total");
	await clickOn(page, head("total"));
	stage.check("turned round", await seen(), first(ordered(lines, "total").reverse()));
	stage.check("address", await hash(page), "#view=table&sort=-total");
	await page.run(`${head("name")}.focus()`);
	await page.key("Enter");
	stage.check("by name, by key", await seen(), first(truth.functions(lines).map((f) => f.name).sort()));
	await page.run("history.back()");
	await page.frames();
	stage.check("Back", await seen(), first(ordered(lines, "total").reverse()));
	const link = (await page.run("return location.href")).replace("-total", "name");
	await page.open("about:blank");
	await page.open(link);
	stage.check("a link", await seen(), first(truth.functions(lines).map((f) => f.name).sort()));
};

exports.search_leaves_the_rows_that_match = async (stage, page) => {
	const folded = truth.invent(300), lines = truth.parse(folded);
	await open(stage, page, folded);
	await search(page, "alloc$");
	const expected = ordered(lines, "self").filter((name) => /alloc$/.test(name));
	stage.check("rows", await names(page), expected.slice(0, (await names(page)).length));
	stage.check("how many", await page.run(
		"return document.querySelector('.fg-list').getAttribute('aria-rowcount')"), String(expected.length + 1));
	const part = truth.matched(lines, /alloc$/);
	stage.check("matched", (await textOf(page, ".fg-matched")).includes(
		truth.percent(part, truth.total(lines))), true);
	await search(page, "nothing at all");
	stage.check("none", await names(page), []);
};

exports.a_row_opens_its_sandwich = async (stage, page) => {
	await open(stage, page, FOLDED);
	await clickOn(page, row("b"));
	stage.check("click", await hash(page), "#view=sandwich&of=b");
	await page.run("history.back()");
	await page.frames();
	stage.check("Back", (await names(page)).length, 4);
	for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"])
		await page.key(key);
	const second = (await names(page))[1];
	stage.check("chosen", await page.run(`return document.activeElement.classList.contains("fg-on") &&
		document.activeElement.querySelector("g:last-child text:last-child").textContent`), second);
	stage.check("details", (await details(page))[0], "Function: " + second);
	await page.key("Enter");
	stage.check("Enter", await hash(page), `#view=sandwich&of=${second}`);
};

exports.two_columns_have_before_after_and_change = async (stage, page) => {
	await open(stage, page, "#fg unit=samples columns=2\nmain;f 30 10\nmain;g 0 15\nmain;h 5 0\n");
	const cells = (await rows(page)).find((texts) => texts[texts.length - 1] === "f");
	stage.check("columns", await heads(page), ["Self before", "Self after", "\u25beSelf change",
		"Significant", "Total before", "Total after", "Total change", "Significant", "Function"]);
	stage.check("f", cells, ["30", "10", "\u221220", "no", "30", "10", "\u221220", "no", "f"]);
	stage.check("by the size of the change", await names(page), ["f", "g", "h", "main"]);
	await clickOn(page, head("self"));
	stage.check("by the weight after", await names(page), ["g", "f", "h", "main"]);
};

exports.only_visible_rows_are_made = async (stage, page) => {
	let folded = "";
	for (let i = 0; i < 20000; i++)
		folded += `main;function${100000 + i} ${1 + i}\n`;
	await open(stage, page, folded);
	const count = async () => (await rows(page)).length;
	stage.check("few", await count() < 60, true);
	await page.run("scrollTo(0, document.documentElement.getBoundingClientRect().height / 2)");
	await page.frames();
	await page.frames();
	stage.check("few in the middle", await count() > 10 && await count() < 60, true);
	await page.key("End");
	stage.check("the last, chosen", (await names(page)).pop(), "main");
	const top = await page.run(`return ${head("self")}.getBoundingClientRect().top`);
	stage.check("the heads stay in sight", top >= 0 && top < 150, true);
};

exports.narrow_windows_have_fewer_columns = async (stage, page) => {
	await open(stage, page, FOLDED);
	await page.size(360, 600);
	await page.frames();
	await page.frames();
	const narrow = await heads(page);
	stage.check("these are left", ["\u25beSelf %", "Total %", "Function"].every((head) =>
		narrow.includes(head)) && narrow.length < 5, true);
	stage.check("inside", await page.run(`return Array.from(document.querySelectorAll(".fg-list text"))
		.filter((e) => { const box = e.getBoundingClientRect();
			return box.width && (box.left < 0 || box.right > innerWidth); }).length`), 0);
};

const INLINED = "#fg unit=samples\nmain;f 30\nmain;a;f_[i];g 20\nmain;f;f_[i] 10\nmain;h_[i] 40\n";

exports.inlined_and_called_copies_are_one_row_with_the_total = async (stage, page) => {
	await open(stage, page, INLINED);
	const cells = (await rows(page)).filter((texts) => /^[fh]/.test(texts[texts.length - 1]));
	stage.check("rows", cells.map((texts) => [0, 3, 6].map((at) => texts[at])),
		[["40.00", "60.00", "f"], ["40.00", "40.00", "h (inlined)"]]);
	await clickOn(page, row("f"));
	await page.move(1, 1);
	stage.check("sandwich of both", [await hash(page), (await details(page)).join(" ")
		.includes("total 60 samples")], ["#view=sandwich&of=f", true]);
	await page.key("b");
	stage.check("one root", await page.run(`return Array.from(document.querySelectorAll(".fg-graph text"))
		.filter((e, _, all) => e.textContent === "f" && e.getAttribute("y") ===
			all.find((other) => other.textContent === "h").getAttribute("y")).length`), 1);
};

// The function changed as a whole, although none of its copies did.
exports.changes_are_of_functions_with_their_significance = async (stage, page) => {
	await open(stage, page, "#fg unit=samples columns=2 samples=20000 samples-before=20000 norm=total\n" +
		"main;f 1000 4000\nmain;a;f_[i] 500 1000\nmain;b 2000 2003\nmain;c 16500 12997\n");
	const seen = (await rows(page)).map((texts) => [3, 4, 9].map((at) => texts[at - 1]));
	stage.check("rows", seen, [["\u22123,503", "no", "c"], ["+3,500", "yes", "f"], ["+3", "no", "b"],
		["0", "", "a"], ["0", "", "main"]].slice(0, seen.length));
};

// Figures are drawn over their bars, and bars not under names, whose underscores they would
// hide.
exports.bars_lie_behind_figures_and_not_under_names = async (stage, page) => {
	await open(stage, page, FOLDED);
	const overlaps = await page.run(`return Array.from(document.querySelectorAll(".fg-row"), (row) => {
		const box = (e) => e.getBoundingClientRect(), texts = row.querySelectorAll("text");
		const name = box(texts[texts.length - 1]);
		return Array.from(row.querySelectorAll(".fg-meter"), box).filter((bar) =>
			bar.right > name.left && bar.width).length;
	})`);
	stage.check("bars under names", overlaps.filter(Boolean), []);
	const lengths = await page.run(`return Array.from(document.querySelectorAll(".fg-row"), (row) =>
		Number(row.querySelectorAll(".fg-meter")[1].getAttribute("width")))`);
	stage.check("longest is the largest", Math.max(...lengths) > 50 &&
		lengths[(await names(page)).indexOf("main")] === Math.max(...lengths), true);
};
