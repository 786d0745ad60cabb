// SPDX-License-Identifier: ISC
// The card: full names and all figures beside the pointer, and pinning.
"use strict";

const { clickFrame, clickOn, drawn, hoverFrame, label, labels, placeOf } = require("./stage.js");

const LONG = "std::" + Array.from({ length: 30 }, (_, i) => `argument${i}<long,int>,`).join("");
const FOLDED = "#fg unit=samples samples=100\nmain;" + LONG + ";inner 25\nmain;" + LONG + " 15\n" +
	"main;parse (in libxml.so) 20\nmain;load a.js:12:3 20\nmain;read_[k] 20\n";

const card = (page) => page.run(`
	const card = document.querySelector(".fg-card");
	return card.hasAttribute("display") ? [] :
		Array.from(card.querySelectorAll("tspan"), (e) => e.textContent);`);
const rest = (page) => page.run("await new Promise((done) => setTimeout(done, 500))");

async function cardOf(page, name) {
	await page.move(1, 1);
	await hoverFrame(page, name);
	await rest(page);
	return card(page);
}

exports.card_has_the_whole_name_and_all_figures = async (stage, page) => {
	await stage.show(page, FOLDED);
	const short = (await labels(page)).find((text) => text.includes(".."));
	stage.check("none at first", await card(page), []);
	stage.check("the label is cut", short === LONG, false);
	const lines = await cardOf(page, short);
	stage.check("the whole name", lines.join("").startsWith("Function: " + LONG), true);
	stage.check("in lines", lines.every((line) => line.length <= 90), true);
	stage.check("figures", lines.slice(-5), ["total 40 samples", "40.00 % of all",
		"\u00b1 9.60 points (95 % confidence)", "self 15 samples, 15.00 %",
		"40.00 % of main"]);
	stage.check("share of the caller", (await cardOf(page, "inner"))
		.some((line) => line.startsWith("62.50 % of std::")), true);
	stage.check("module", (await cardOf(page, "parse (in libxml.so)")).slice(-1), ["module libxml.so"]);
	stage.check("source", (await cardOf(page, "load a.js:12:3")).slice(-1), ["source a.js:12:3"]);
	stage.check("kind", (await cardOf(page, "read"))[0], "Function: read (kernel)");
	await page.move(1, 1);
	stage.check("gone with the pointer", await card(page), []);
};

exports.card_lists_the_hottest_lines = async (stage, page) => {
	await stage.show(page, "main:m.c:9;work:w.c:2 25\nmain:m.c:9;work:w.c:3;constructor 75\n",
		"--source", ".");
	stage.check("of a function", (await cardOf(page, "work")).slice(-2),
		["w.c:2 25.0 % (25.0 %) ", "w.c:3 0.0 % (75.0 %) "]);
	stage.check("none without a line", (await cardOf(page, "constructor")).slice(-1),
		["75.00 % of work"]);
};

exports.card_of_a_strip_has_its_largest_frames = async (stage, page) => {
	let folded = "main;wide 100000\n";
	for (let i = 100; i < 150; i++)
		folded += `main;thin${i};leaf ${i - 95}\n`;
	await stage.show(page, folded);
	const [[x, y, w]] = await drawn(page, ".fg-graph .fg-strip");
	const top = await page.run("return document.querySelector('svg').getBoundingClientRect().top");
	await page.move(x + w / 2, top + y + 8);
	await rest(page);
	const lines = await card(page);
	stage.check("head and first", [lines[0], lines[1].split(" ").pop(), lines.length],
		["50 frames, 1.45 % of all", "thin149", 7]);
};

exports.pinned_card_stays_and_can_be_selected = async (stage, page) => {
	await stage.show(page, FOLDED);
	const pin = async (name) => {
		const [clientX, clientY] = await placeOf(page, label(name));
		await page.run(`document.querySelector("svg.fg").dispatchEvent(new MouseEvent("click",
			{ bubbles: true, shiftKey: true, clientX: ${clientX}, clientY: ${clientY} }))`);
	};
	await pin("inner");
	stage.check("pinned", (await card(page))[0], "Function: inner");
	stage.check("not zoomed", await page.run("return location.hash"), "");
	await hoverFrame(page, "read");
	await rest(page);
	stage.check("it stays", (await card(page))[0], "Function: inner");
	await clickOn(page, "document.querySelector('.fg-card text')");
	stage.check("a click on it does nothing", [(await card(page))[0],
		await page.run("return location.hash")], ["Function: inner", ""]);
	stage.check("can be selected", await page.run(`
		const style = getComputedStyle(document.querySelector(".fg-card text"));
		return [style.userSelect, style.pointerEvents];`), ["text", "auto"]);
	await page.key("Escape");
	stage.check("Escape", await card(page), []);
	await page.key("ArrowUp");
	await page.key("ArrowUp");
	await page.move(1, 1);
	await page.key(".");
	stage.check("by keys", (await card(page))[0], "Function: main");
	stage.check("focus", await page.run("return document.activeElement.getAttribute('aria-label')"),
		"Close the card (Escape)");
	await page.key("Enter");
	stage.check("closed", await card(page), []);
	await clickFrame(page, "read");
	stage.check("clicks zoom again", await page.run("return location.hash"), "#path=main;read_%5Bk%5D");
};

exports.card_is_inside_the_window = async (stage, page) => {
	await stage.show(page, FOLDED);
	for (const width of [390, 1200]) {
		await page.size(width, 700);
		await page.frames();
		await page.frames();
		for (const name of await labels(page)) {
			await cardOf(page, name);
			stage.check(`${width}: ${name}`, await page.run(`
				const { left, right, top, bottom } =
					document.querySelector(".fg-card rect").getBoundingClientRect();
				return [left >= 0, right <= innerWidth, top >= 0, bottom <= innerHeight];`),
			[true, true, true, true]);
		}
	}
};
