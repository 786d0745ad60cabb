// SPDX-License-Identifier: ISC
// The parts that stay visible above the graph.
"use strict";

const { details, labels, textOf } = require("./stage.js");

const HEADER = "#fg unit=ns samples=400 event=cycles command=make%20-j%20all host=vm stacks=entry:0.9,cut:0.1\n";
const TALL = Array.from({ length: 300 }, (_, i) => "f" + i).join(";");
const PROFILE = `${HEADER}${TALL} 10\nmain;std::parse 30\nmain;read_[k] 40\n`;

// Those of title, captions, legend, buttons and boxes that are outside of the window.
const UNSEEN = `
	const inSight = (e) => {
		const box = e && e.getBoundingClientRect();
		return box && box.width > 0 && box.top >= 0 && box.bottom <= innerHeight &&
			box.left >= 0 && box.right <= innerWidth;
	};
	return [".fg-title", ".fg-info", ".fg-legend text", ".fg-button", ".fg-details", ".fg-graph text"]
		.filter((s) => !Array.from(document.querySelectorAll(s)).some(inSight));`;

// The number of overlapping texts and buttons in the header.
const OVER = `
	const boxes = Array.from(document.querySelectorAll(
		".fg-title, .fg-info, .fg-subtitle, .fg-legend text, .fg-button > rect"))
		.map((e) => e.getBoundingClientRect()).filter((box) => box.width);
	return boxes.filter((a, i) => boxes.some((b, k) => k < i && a.left < b.right - 1 &&
		b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;`;

exports.opening_shows_header_and_graph_together = async (stage, page) => {
	await stage.show(page, PROFILE, "--subtitle", "a subtitle");
	for (const [width, height] of [[1200, 800], [1920, 1080], [800, 600], [390, 844]]) {
		await page.size(width, height);
		await page.frames();
		await page.frames();
		stage.check(`${width} px: out of sight`, await page.run(UNSEEN), []);
		stage.check(`${width} px: over each other`, await page.run(OVER), 0);
		await page.run("scrollTo(0, 700)");
		await page.frames();
		stage.check(`${width} px, scrolled: out of sight`, await page.run(UNSEEN), []);
	}
};

// Full-page screenshots make the window as tall as the page. Firefox captures the page at its
// scroll position without any event: there the header stays at the window's position.
exports.window_as_tall_as_the_page_shows_everything = async (stage, page) => {
	await page.size(1200, 800);
	await stage.show(page, PROFILE);
	stage.check("it begins at the root", await page.run("return scrollY > 1000"), true);
	await page.size(1200, await page.run("return document.documentElement.scrollHeight"));
	await page.frames();
	stage.check("out of sight", await page.run(UNSEEN), []);
	stage.check("the title is above the graph", await page.run(`
		return document.querySelector(".fg-title").getBoundingClientRect().top < 60;`), true);
	const names = await labels(page);
	stage.check("frames", ["f0", "f299"].map((name) => names.includes(name)), [true, true]);
};

exports.title_is_the_command = async (stage, page) => {
	await stage.show(page, PROFILE);
	stage.check("title", await textOf(page, ".fg-title"), "make -j all");
	stage.check("it is no fact as well", (await textOf(page, ".fg-info")).includes("make"), false);
	await stage.show(page, PROFILE, "--title", "Mine");
	stage.check("a title of the user's", await textOf(page, ".fg-title"), "Mine");
	stage.check("a fact then", (await textOf(page, ".fg-info")).includes("make -j all"), true);
	await stage.show(page, "main 1\n");
	stage.check("without a command", await textOf(page, ".fg-title"), "Flame Graph");
};

exports.idle_line_is_a_hint = async (stage, page) => {
	await stage.show(page, PROFILE);
	const idle = async () => (await details(page))[0] ===
		"Click to zoom, Esc back, / search, ? shortcuts";
	stage.check("at first", await idle(), true);
	await page.key("ArrowUp");
	stage.check("with a frame selected", await idle(), false);
	await page.key("Escape");
	stage.check("again", await idle(), true);
};
