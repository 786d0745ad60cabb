// SPDX-License-Identifier: ISC
// Differences: what is new, gone, and more than chance.
"use strict";

const { details, drawn, hoverFrame, labels } = require("./stage.js");

const HEADER = "#fg unit=samples samples=2000 samples-before=2000 norm=total " +
	"name-before=before.folded name=after.folded\n";
const FOLDED = HEADER + "main;same;chance 300 310\nmain;same;grown 100 400\n" +
	"main;fresh;leaf 0 500\nmain;lost;leaf 600 0\nmain;lost;other 3 0\nmain;rest 997 790\n";

// The boxes of wide frames by where they are: [left, width, colour].
const places = async (page, selector) => (await drawn(page, selector))
	.filter((box) => box[2] > 20).map(([x, y, w, color]) => [x, w, color]).sort();

exports.script_and_picture_agree = async (stage, page) => {
	for (const options of [[], ["--self"], ["--negate"], ["--no-vanished"], ["--all-changes"],
		["--inverted", "--self", "--negate"]]) {
		await page.script(false);
		await stage.show(page, FOLDED, "--width", "1200", ...options);
		const still = await places(page, ".fg-static path");
		await page.script(true);
		await stage.show(page, FOLDED, "--width", "1200", ...options);
		stage.check(options.join(" "), await places(page, ".fg-graph path"), still);
	}
};

const colours = (page) => page.run(`
	const meta = JSON.parse(document.querySelector(".fg-meta").textContent);
	return [meta.diff.newcolor, meta.diff.gonecolor, meta.diff.colors[8]];`);

// The colour under the label NAME.
const colourOf = (page, name) => page.run(`
	const text = Array.from(document.querySelectorAll(".fg-graph text"))
		.find((e) => e.textContent === ${JSON.stringify(name)});
	const x = Number(text.getAttribute("x")), y = Number(text.getAttribute("y"));
	for (const path of document.querySelectorAll(".fg-graph path[d]"))
		for (const m of path.getAttribute("d").matchAll(/M(\\S+) ([^h]+)h([^v]+)v(\\d+)/g)) {
			const [left, top, w, h] = m.slice(1).map(Number);
			if (x > left && x < left + w && y > top && y < top + h + 1)
				return path.getAttribute("fill");
		}
	return "";`);

exports.new_and_gone_are_marked_in_every_view = async (stage, page) => {
	await stage.show(page, FOLDED);
	const [fresh, gone, same] = await colours(page);
	stage.check("new", await colourOf(page, "fresh"), fresh);
	stage.check("gone", await colourOf(page, "lost"), gone);
	stage.check("by chance", await colourOf(page, "chance"), same);
	stage.check("grown", [fresh, gone, same].includes(await colourOf(page, "grown")), false);
	await page.key("b");
	await page.frames();
	stage.check("bottom-up: neither new nor gone as a whole",
		[fresh, gone].includes(await colourOf(page, "leaf")), false);
	stage.check("bottom-up: chance", await colourOf(page, "chance"), same);
	stage.check("bottom-up: grown", await colourOf(page, "grown") !== same, true);
};

exports.vanished_stacks_come_and_go = async (stage, page) => {
	await stage.show(page, FOLDED);
	stage.check("at first", (await labels(page)).includes("lost"), true);
	await page.key("g");
	await page.frames();
	stage.check("hidden", (await labels(page)).includes("lost"), false);
	stage.check("address", await page.run("return location.hash"), "#vanished=hidden");
	const main = (await drawn(page, ".fg-graph path")).filter((box) => box[2] > 1000);
	stage.check("main fills the graph", main.length, 2);
	await page.run("history.back()");
	await page.frames();
	stage.check("back again", (await labels(page)).includes("lost"), true);
};

exports.details_tell_before_and_after = async (stage, page) => {
	await stage.show(page, FOLDED);
	await hoverFrame(page, "grown");
	const text = (await details(page)).join(" ");
	stage.check("weights", text.includes("100 \u2192 400"), true);
	stage.check("ratio", text.includes("\u00d7 4.00"), true);
	stage.check("shares", text.includes("5.00 % \u2192 20.00 %"), true);
	await hoverFrame(page, "chance");
	stage.check("chance", (await details(page)).join(" ").includes("not significant"), true);
};

// As the same stacks with their weights before alone.
exports.widths_are_those_before_or_after = async (stage, page) => {
	const before = FOLDED.replace(HEADER, "#fg unit=samples\n").replace(/ (\d+) \d+$/gm, " $1");
	const wide = async () => (await drawn(page, ".fg-graph .fg-box"))
		.map(([x, y, w]) => [x, w]).filter(([, w]) => w > 2).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
	for (const view of ["f", "b"]) {
		await stage.show(page, before.replace(/^.* 0\n/gm, ""));
		await page.key(view);
		const expected = await wide();
		await stage.show(page, FOLDED);
		await page.key(view);
		const after = await wide();
		await page.key("x");
		stage.check(`${view}: before`, await wide(), expected);
		await page.key("x");
		stage.check(`${view}: after again`, await wide(), after);
	}
	await page.key("f");
	await page.key("x");
	stage.check("address", await page.run("return location.hash"), "#widths=before");
	const link = await page.run("return location.href");
	await page.open("about:blank");
	await page.open(link);
	stage.check("a link", (await labels(page)).includes("lost"), true);
	await hoverFrame(page, "grown");
	stage.check("details tell both", (await details(page)).join(" ").includes("100 \u2192 400"), true);
};
