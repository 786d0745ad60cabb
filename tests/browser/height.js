// SPDX-License-Identifier: ISC
// The picture is only as high as its visible rows need.
"use strict";

const { clickFrame, clickOn, drawn, label } = require("./stage.js");

const NEEDLE = Array.from({ length: 300 }, (_, i) => "n" + i).join(";");
const FOLDED = `main;parse;${NEEDLE} 2\nmain;parse 3000\nmain;emit;write 6000\n`;
// main, parse, the needle and the root
const ROWS = 303;

const BUTTON = `document.querySelector(".fg-edge .fg-button")`;
const found = (page) => page.run(`
	const button = ${BUTTON};
	return { page: document.documentElement.getBoundingClientRect().height,
		thin: button.getAttribute("display") ? "" : button.querySelector("text").textContent };`);
const place = (page, name) => page.run(`return ${label(name)}.getBoundingClientRect().top`);

exports.needle_does_not_make_the_page_high = async (stage, page) => {
	for (const [width, height] of [[1200, 800], [390, 700]]) {
		await stage.show(page, FOLDED);
		await page.size(width, height);
		await page.frames();
		const { page: high, thin } = await found(page);
		stage.check(`${width} px: as high as the window`, high <= height, true);
		const rows = new Set((await drawn(page, ".fg-box, .fg-strip")).map((box) => box[1])).size;
		stage.check(`${width} px: rows left out`, /^\d+ thinner rows$/.test(thin) &&
			parseInt(thin, 10) >= ROWS - rows - 60 && parseInt(thin, 10) < ROWS, true);
	}
};

exports.thin_rows_are_shown_when_asked_for = async (stage, page) => {
	await stage.show(page, FOLDED);
	const { page: before, thin } = await found(page);
	await clickOn(page, BUTTON);
	stage.check("all rows", (await found(page)).page > ROWS * 16, true);
	stage.check("in the address", await page.run("return location.hash"), "#rows=all");
	await page.key("a");
	stage.check("as before", await found(page), { page: before, thin });
};

exports.height_follows_the_zoom = async (stage, page) => {
	await stage.show(page, FOLDED);
	const { page: whole } = await found(page), root = await place(page, "all");
	await clickFrame(page, "write");
	stage.check("nothing is left out", await found(page), { page: whole, thin: "" });
	stage.check("the root stays where it is", await place(page, "all"), root);
	await page.run(`location.hash = "#path=main;parse;n0"`);
	await page.frames();
	const { page: high, thin } = await found(page);
	stage.check("zoomed, the needle is whole", [high > ROWS * 16, thin], [true, ""]);
	await page.key("0");
	stage.check("low again", (await found(page)).page, whole);
	stage.check("the root in its place", await place(page, "all"), root);
};

exports.few_rows_are_not_worth_a_button = async (stage, page) => {
	await stage.show(page, "main;a;b;c;d 1\nmain 5000\n");
	stage.check("no button", (await found(page)).thin, "");
};

exports.paper_has_no_needle = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.run("dispatchEvent(new Event('beforeprint'))");
	const low = await page.run("return document.querySelector('svg').viewBox.baseVal.height < 300");
	stage.check("low", low, true);
	await page.run("dispatchEvent(new Event('afterprint'))");
};
