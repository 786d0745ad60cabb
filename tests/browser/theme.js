// SPDX-License-Identifier: ISC
// Dark and light by choice.
"use strict";

const FOLDED = "main;alpha;beta 60\nmain;omega 40\n";

const isDark = async (page) => {
	await page.frames();
	return page.run(`
		const fill = (s) => getComputedStyle(document.querySelector(s)).fill;
		return [fill(".fg-bg") === "rgb(30, 30, 30)", fill(".fg-title") === "rgb(228, 228, 228)",
			getComputedStyle(document.documentElement).backgroundColor === "rgb(30, 30, 30)"];`);
};

const DARK = [true, true, true], LIGHT = [false, false, false];

exports.toggle_overrides_the_system = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.key("d");
	stage.check("dark", await isDark(page), DARK);
	await page.key("/");
	stage.check("and the field", await page.run(
		"return getComputedStyle(document.querySelector('input')).color"), "rgb(228, 228, 228)");
	await page.key("Escape");
	await page.scheme("dark");
	stage.check("dark in the dark", await isDark(page), DARK);
	await page.key("d");
	stage.check("light in the dark", await isDark(page), LIGHT);
	await page.key("d");
	await page.scheme("light");
	stage.check("at one with the system it is followed", await isDark(page), LIGHT);
};

exports.choice_is_kept = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.key("d");
	await stage.show(page, "other 1\n");
	stage.check("in another picture", await isDark(page), DARK);
	await page.key("d");
	await stage.show(page, FOLDED);
	stage.check("given up", await isDark(page), LIGHT);
};

exports.toggle_works_without_storage = async (stage, page) => {
	const svg = stage.svg(FOLDED).toString();
	await page.scheme("light");
	await page.open(stage.file("page.html", "<!DOCTYPE html><iframe sandbox='allow-scripts' " +
		`width=900 height=400 src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">` +
		"</iframe>"));
	const shade = async () => {
		await page.frames();
		const { data } = await page.send("Page.captureScreenshot", { format: "png",
			clip: { x: 0, y: 0, width: 900, height: 400, scale: 1 } });
		return data;
	};
	const before = await shade();
	await page.click(500, 20);
	await page.key("d");
	stage.check("it is another picture", await shade() === before, false);
};
