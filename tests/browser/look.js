// SPDX-License-Identifier: ISC
// Colours by the system's preference, and the fit into windows of any width.
"use strict";

const truth = require("./truth.js");
const { clickFrame, drawn, hoverFrame, search } = require("./stage.js");

// The computed colours of the page: the background, and the texts on it.
const COLOURS = `
	const color = (s, p = "fill") => {
		const e = document.querySelector(s);
		return e ? getComputedStyle(e)[p] : "";
	};
	return [color(".fg-bg"), color(".fg-title"), color(".fg-info"),
		getComputedStyle(document.documentElement).backgroundColor];`;

const LIGHT = ["rgb(252, 252, 250)", "rgb(0, 0, 0)", "rgb(0, 0, 0)", "rgb(252, 252, 250)"];
const DARK = ["rgb(30, 30, 30)", "rgb(228, 228, 228)", "rgb(228, 228, 228)", "rgb(30, 30, 30)"];

exports.dark_where_the_system_is = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n");
	stage.check("light", await page.run(COLOURS), LIGHT);
	await page.scheme("dark");
	await page.frames();
	stage.check("dark", await page.run(COLOURS), DARK);
	await search(page, "f");
	stage.check("dark with a search field", await page.run(COLOURS), DARK);
	await page.scheme("light");
	await page.frames();
	stage.check("light again", await page.run(COLOURS), LIGHT);
};

exports.dark_without_script = async (stage, page) => {
	await page.script(false);
	await stage.show(page, "main;f 30\nmain;g 70\n");
	await page.scheme("dark");
	await page.frames();
	stage.check("dark", await page.run(COLOURS), DARK);
	stage.check("labels stay black on their colours", await page.run(
		"return getComputedStyle(document.querySelector('.fg-static text')).fill"), "rgb(0, 0, 0)");
};

// The contrast of each text with the background where it is below 7.
const FAINT = `
	const light = (s) => s.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
		.map((v) => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4))
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const fill = (e) => light(getComputedStyle(e).fill);
	const ground = fill(document.querySelector(".fg-bg")), faint = [];
	for (const text of document.querySelectorAll("text")) {
		const box = text.closest(".fg-button");
		if (!text.textContent || text.closest(".fg-graph"))
			continue;
		const under = box ? fill(box.querySelector("rect")) : ground;
		const [low, high] = [under, fill(text)].sort((a, b) => a - b);
		if ((high + 0.05) / (low + 0.05) < 7)
			faint.push(text.textContent);
	}
	return faint;`;

exports.texts_can_be_read = async (stage, page) => {
	for (const scheme of ["light", "dark"]) {
		await stage.show(page, "main;f 30 40\nmain;g 70 40\n");
		await page.scheme(scheme);
		await hoverFrame(page, "f");
		stage.check(`${scheme}: faint`, await page.run(FAINT), []);
		await search(page, "(");
		stage.check(`${scheme}: faint complaint`, await page.run(FAINT), []);
	}
};

exports.controls_can_be_read_in_each_theme = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n");
	for (const scheme of ["light", "dark"]) {
		for (const view of ["f", "b", "t", "s"]) {
			await page.key(view);
			await page.key("?");
			stage.check(`${scheme}, ${view}: faint in the menu`, await page.run(FAINT), []);
			const place = await page.run(`
				const box = document.querySelector("[role=menu] g").getBoundingClientRect();
				return [box.left + 9, box.top + 9];`);
			await page.move(...place);
			stage.check(`${scheme}, ${view}: faint under the pointer`, await page.run(FAINT), []);
			await page.key("Escape");
		}
		await page.key("d");
	}
};

exports.graph_follows_the_window = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n");
	for (const width of [400, 1600, 320, 1200]) {
		await page.size(width, 700);
		await page.frames();
		await page.frames();
		const boxes = await drawn(page, ".fg-box");
		stage.check(`${width} px`, Math.max(...boxes.map((box) => box[2])), width - 21);
		stage.check(`${width} px: beyond the edges`, await page.run(`
			return Array.from(document.querySelectorAll("text, .fg-button rect"))
				.filter((e) => e.textContent || e.tagName === "rect")
				.filter((e) => !e.closest("[display=none]"))
				.map((e) => e.getBoundingClientRect())
				.filter((box) => box.left < 0 || box.right > ${width}).length`), 0);
	}
};

exports.given_width_stays = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n", "--width", "800");
	await page.size(500, 700);
	await page.frames();
	stage.check("width", Math.max(...(await drawn(page, ".fg-box")).map((b) => b[2])), 779);
};

exports.controls_do_not_cover_the_title = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n", "--title",
		"A title as long as few are, about 60 letters");
	for (const width of [1600, 1100, 900, 700, 400]) {
		await page.size(width, 700);
		await page.frames();
		await page.frames();
		stage.check(`${width} px: overlaps`, await page.run(`
			const title = document.querySelector(".fg-title").getBoundingClientRect();
			return Array.from(document.querySelectorAll(".fg-button rect"))
				.filter((e) => !e.closest("[display=none]"))
				.map((e) => e.getBoundingClientRect())
				.filter((b) => b.left < title.right && b.right > title.left &&
					b.top < title.bottom && b.bottom > title.top).length`), 0);
	}
};

exports.rows_near_the_window_are_drawn = async (stage, page) => {
	const frames = Array.from({ length: 5000 }, (_, i) => "f" + i);
	await stage.show(page, frames.join(";") + " 7\n");
	const near = () => page.run(`
		const inWindow = Array.from(document.querySelectorAll(".fg-graph text"))
			.map((e) => e.getBoundingClientRect())
			.filter((box) => box.bottom > 0 && box.top < innerHeight);
		return inWindow.length >= 40;`);
	stage.check("at the root", await near(), true);
	for (const y of [40000, 300, 79000]) {
		await page.run(`scrollTo(0, ${y})`);
		await page.frames();
		stage.check(`scrolled to ${y}`, await near(), true);
	}
	await page.run("dispatchEvent(new Event('beforeprint'))");
	stage.check("all for a printer", (await drawn(page, ".fg-box")).length, 5001);
	await page.run("dispatchEvent(new Event('afterprint'))");
	stage.check("not all after it", (await drawn(page, ".fg-box")).length < 500, true);
};

exports.large_graph_is_few_elements = async (stage, page) => {
	await stage.show(page, truth.invent(20000));
	const count = `
		const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
		let n = 0;
		while (walk.nextNode())
			n++;
		return n <= 3000;`;
	stage.check("at most 3000 nodes", await page.run(count), true);
	await clickFrame(page, "main");
	stage.check("zoomed", await page.run(count), true);
};

// Legend texts that are outside of the window, smaller than others, under the search field or
// not above the graph.
const LEGEND_OUT = `
	const box = (s) => document.querySelector(s).getBoundingClientRect();
	const field = box(".fg-field"), top = box(".fg-graph text").top;
	const info = box(".fg-info");
	return Array.from(document.querySelectorAll(".fg-legend text"), (e) =>
		[e.textContent, e.getBoundingClientRect()])
		.filter(([, b]) => b.left < 0 || b.right > innerWidth || b.top < info.bottom - 4 ||
			b.bottom > top || b.height < 10 || (b.bottom > field.top + 2 &&
			b.top < field.bottom - 2 && b.right > field.left)).map(([text]) => text);`;

exports.legend_takes_the_rows_that_it_needs = async (stage, page) => {
	const kinds = "main;std::a;b_[k] 5 9\nmain;c_[j];d_[i] 6 0\nmain;e 0 7\nmain;[unknown] 400 2\n";
	for (const [text, ...options] of [[kinds], [kinds.replace(/ \d+\n/g, "\n"), "-c", "auto"],
		[truth.invent(300).replace(/(\w+)_(\w+)/g, "lib$1::$2"), "-c", "module"]])
		for (const width of [1600, 500, 420]) {
			await stage.show(page, text, "--inverted", ...options);
			await page.size(width, 700);
			await page.frames();
			await page.frames();
			stage.check(`${options} ${width} px`, await page.run(LEGEND_OUT), []);
		}
};
