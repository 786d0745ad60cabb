// SPDX-License-Identifier: ISC
// Zoom: by click, back by button, Escape, an ancestor, and the browser's Back.
"use strict";

const { clickFrame, clickButton, clickOn, hoverFrame, button, details, drawn, labels } =
	require("./stage.js");

const FOLDED = "main;alpha;beta;delta 30\nmain;alpha;gamma 20\nmain;alpha 10\nmain;omega 40\n";
const INSIDE = 1180;

const widthOf = async (page, name) => {
	const box = await page.run(`
		const text = Array.from(document.querySelectorAll(".fg-graph text"))
			.find((e) => e.textContent === ${JSON.stringify(name)});
		return text ? [Number(text.getAttribute("x")), Number(text.getAttribute("y"))] : null;`);
	if (!box)
		return 0;
	const at = (await drawn(page, ".fg-graph path:not(.fg-under)"))
		.find(([x, y, w]) => box[0] > x && box[0] < x + w && box[1] > y && box[1] < y + 16);
	return at[2] + 1;
};

exports.click_zooms_and_button_resets = async (stage, page) => {
	await stage.show(page, FOLDED);
	const before = await drawn(page, ".fg-graph path");
	stage.check("alpha is 60 %", await widthOf(page, "alpha"), INSIDE * 0.6);
	stage.check("no reset is offered", await page.run(
		`return ${button("reset")}.getAttribute("display")`), "none");
	await clickFrame(page, "alpha");
	stage.check("alpha fills the graph", await widthOf(page, "alpha"), INSIDE);
	stage.check("beta is half of it", await widthOf(page, "beta"), INSIDE / 2);
	stage.check("what is beside is gone", (await labels(page)).includes("omega"), false);
	await clickButton(page, "reset");
	stage.check("all is as before", await drawn(page, ".fg-graph path"), before);
};

exports.ancestors_stay_faded_and_lead_back = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickFrame(page, "beta");
	const faded = await drawn(page, ".fg-graph .fg-faded");
	stage.check("all, main and alpha", faded.map((box) => box[2] + 1), [INSIDE, INSIDE, INSIDE]);
	stage.check("their names", (await labels(page)).slice(0, 3), ["all", "main", "alpha"]);
	await clickFrame(page, "main");
	stage.check("omega is back", await widthOf(page, "omega"), INSIDE * 0.4);
	stage.check("only all is faded", (await drawn(page, ".fg-graph .fg-faded")).length, 1);
};

exports.ancestors_can_be_read = async (stage, page) => {
	for (const scheme of ["light", "dark"]) {
		await stage.show(page, FOLDED, "--colors", "blue");
		await page.scheme(scheme);
		await clickFrame(page, "delta");
		stage.check(scheme, await page.run(`
			const rgb = (s) => s.match(/[\\d.]+/g).slice(0, 3).map(Number);
			const light = (c) => c.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 :
				Math.pow((v + 0.055) / 1.055, 2.4))
				.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
			const style = (e, p) => getComputedStyle(e)[p];
			const under = rgb(style(document.querySelector(".fg-under"), "fill"));
			const ink = light(rgb(style(document.querySelector(".fg-faded-text"), "fill")));
			return Array.from(document.querySelectorAll(".fg-faded")).every((path) => {
				const share = Number(style(path, "fillOpacity"));
				const fill = rgb(style(path, "fill")).map((v, i) => share * v + (1 - share) * under[i]);
				const [low, high] = [light(fill), ink].sort((a, b) => a - b);
				return (high + 0.05) / (low + 0.05) >= 4.5;
			});`), true);
	}
};

exports.escape_and_back_undo_one_zoom = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickFrame(page, "alpha");
	await clickFrame(page, "beta");
	await page.key("Escape");
	await page.frames();
	stage.check("Escape", await widthOf(page, "beta"), INSIDE / 2);
	await page.run("history.back()");
	await page.frames();
	stage.check("Back", await widthOf(page, "alpha"), INSIDE * 0.6);
	await page.run("history.forward()");
	await page.frames();
	stage.check("Forward", await widthOf(page, "alpha"), INSIDE);
};

exports.button_works_by_keyboard = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickFrame(page, "alpha");
	await page.run(`${button("reset")}.focus()`);
	await page.key("Enter");
	stage.check("alpha is 60 %", await widthOf(page, "alpha"), INSIDE * 0.6);
};

exports.strip_tells_and_zooms_into_its_largest = async (stage, page) => {
	let folded = "main;wide 100000\n";
	for (let i = 100; i < 150; i++)
		folded += `main;thin${i};leaf 10\n`;
	await stage.show(page, folded + "main;thin120;leaf 20\n");
	const [[x, y, w]] = await drawn(page, ".fg-graph .fg-strip");
	const top = await page.run("return document.querySelector('svg').getBoundingClientRect().top");
	stage.check("one strip for all", Math.round(w), Math.round(INSIDE * 520 / 100520) - 1);
	await page.move(x + w / 2, top + y + 8);
	stage.check("name", (await details(page))[0],
		"50 frames too narrow to draw; click to zoom into the largest: thin120");
	await page.click(x + w / 2, top + y + 8);
	stage.check("thin120 fills the graph", await widthOf(page, "thin120"), INSIDE);
};

exports.deep_graph_starts_at_its_root = async (stage, page) => {
	const frames = Array.from({ length: 300 }, (_, i) => "f" + i);
	await stage.show(page, frames.join(";") + " 7\n");
	const inWindow = `
		const box = document.querySelector("svg .fg-graph text").getBoundingClientRect();
		return box.top > 0 && box.bottom < innerHeight;`;
	stage.check("the root is in the window", await page.run(inWindow), true);
	await page.run("scrollTo(0, 300)");
	await page.frames();
	await hoverFrame(page, "f280");
	const inSight = (selector) => page.run(`
		const box = document.querySelector("${selector}").getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight;`);
	stage.check("details stay in sight", await inSight(".fg-details"), true);
	stage.check("controls stay in sight", await inSight(".fg-field"), true);
	stage.check("details", (await details(page))[0], "Function: f280");
	await page.run("scrollTo(0, 0)");
	await clickOn(page, button("case"));
};
