// SPDX-License-Identifier: ISC
// Printed pages.
"use strict";

const { clickFrame, labels } = require("./stage.js");

const FOLDED = "main;alpha;beta 60\nmain;omega 40\n";

// The page as it is printed.
async function printed(page) {
	await page.send("Emulation.setEmulatedMedia", { media: "print",
		features: [{ name: "prefers-color-scheme", value: "dark" }] });
	await page.run("dispatchEvent(new Event('beforeprint'))");
	await page.frames();
	const found = await page.run(`
		const svg = document.querySelector("svg.fg"), box = svg.getBoundingClientRect();
		const shown = (s) => document.querySelector(s).getClientRects().length > 0;
		const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
		const ratio = (width / height) / (box.width / box.height);
		return { width: box.width, ratio: Math.round(100 * ratio) / 100,
			bar: shown(".fg-bar rect"), foot: shown(".fg-foot text"), title: shown(".fg-title"),
			ground: getComputedStyle(document.querySelector(".fg-bg")).fill };`);
	const names = await labels(page);
	await page.send("Emulation.setEmulatedMedia", { media: "" });
	await page.run("dispatchEvent(new Event('afterprint'))");
	await page.frames();
	return { ...found, names };
}

exports.paper_gets_the_picture_as_it_is_seen = async (stage, page) => {
	for (const options of [[], ["--width", "800"]]) {
		await stage.show(page, FOLDED, ...options);
		await page.key("d");
		await clickFrame(page, "alpha");
		await page.size(700, 800);
		await page.frames();
		const { names, ...paper } = await printed(page);
		stage.check(`${options}: on paper`, paper, { width: 700, ratio: 1, bar: false, foot: false,
			title: true, ground: "rgb(252, 252, 250)" });
		stage.check(`${options}: the zoom`, names, ["all", "main", "alpha", "beta"]);
		stage.check(`${options}: on the screen again`, [await page.run(`
			const svg = document.querySelector("svg.fg");
			return [svg.getAttribute("viewBox") === null, Math.round(svg.getBoundingClientRect().width),
				document.querySelector(".fg-bar rect").getClientRects().length];`)],
		[options.length ? [false, 800, 1] : [true, 700, 1]]);
		await page.key("d");
	}
};

// Paper is 739 px wide and 979 px high within its margins; the picture is 1200 px wide.
exports.long_pictures_go_over_pages = async (stage, page) => {
	const pages = async () => {
		const { data } = await page.send("Page.printToPDF", {});
		return Buffer.from(data, "base64").toString("latin1").match(/\/Type\s*\/Page\b/g).length;
	};
	await stage.show(page, FOLDED);
	stage.check("a short one", await pages(), 1);
	const deep = Array.from({ length: 150 }, (_, i) => "f" + i).join(";");
	await stage.show(page, deep + " 1\n");
	stage.check("a long one", await pages(), 2);
	await stage.show(page, deep + " 1\n", "--width", "600");
	stage.check("a narrow one is as wide as the paper", await pages(), 4);
};
