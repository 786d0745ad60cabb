// SPDX-License-Identifier: ISC
// Colour schemes and the legend.
"use strict";

const { clickOn, drawn, labels } = require("./stage.js");

const FOLDED = "#fg unit=samples by=comm\napp;std::run;boost::go 30\napp;std::run;read_[k] 50\n" +
	"app;std::run;boost::go_[i] 10\napp;plain 10\n";
const hash = async (page) => decodeURIComponent(await page.run("return location.hash"));
const meta = async (page) =>
	JSON.parse(await page.run("return document.querySelector('.fg-meta').textContent"));
const entries = (page) => page.run(`
	return Array.from(document.querySelectorAll(".fg-legend text"), (e) => e.textContent)`);
const entry = (words) => `Array.from(document.querySelectorAll(".fg-key"))
	.find((e) => e.querySelector("text").textContent === ${JSON.stringify(words)})`;

// The colours and opacities of the boxes of frame NAME.
const looks = (page, name) => page.run(`
	const text = Array.from(document.querySelectorAll(".fg-graph text")).find((e) =>
		e.textContent === ${JSON.stringify(name)}), x = Number(text.getAttribute("x")) - 3;
	const y = Number(text.getAttribute("y"));
	return Array.from(document.querySelectorAll(".fg-box, .fg-dim")).filter((path) =>
		Array.from(path.getAttribute("d").matchAll(/M([0-9.]+) ([0-9.]+)h/g)).some((m) =>
			Number(m[1]) === x && y > Number(m[2]) && y < Number(m[2]) + 15))
		.map((path) => [path.getAttribute("fill"), getComputedStyle(path).fillOpacity]);`);

async function colorBy(page, by) {
	for (let i = 0; i < 5 && (await hash(page)).match(/color=(\w+)|$/)[1] !== by; i++)
		await page.key("k");
}

exports.each_colouring_colours_and_has_a_legend = async (stage, page) => {
	await stage.show(page, FOLDED);
	const { colors, other } = await meta(page);
	const color = async (name) => (await looks(page, name))[0][0];
	stage.check("by origin", colors.includes(await color("boost::go")), true);
	await colorBy(page, "module");
	stage.check("by module", other.fills.includes(await color("boost::go")), true);
	stage.check("legend of modules", (await entries(page)).filter((s) =>
		["std", "boost", "kernel"].includes(s)).length, 3);
	const link = await page.run("return location.href");
	await colorBy(page, "self");
	const [hot, cool] = [await color("read"), await color("std::run")];
	stage.check("by self weight", [hot, cool], ["#f85f58", "#cfcfc4"]);
	await page.run("history.back()");
	await page.frames();
	stage.check("Back", await hash(page), "#color=module");
	await page.open("about:blank");
	await page.open(link);
	stage.check("a link", other.fills.includes(await color("boost::go")), true);
};

exports.legend_dims_all_other_entries = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickOn(page, entry("kernel"));
	const opacity = async (name) => Number((await looks(page, name)).pop()[1]);
	const seen = async () => [await opacity("read"), await opacity("std::run"), await opacity("plain")];
	stage.check("one", await seen(), [1, 0.25, 0.25]);
	stage.check("address", await hash(page), "#only=kernel");
	stage.check("pressed", await page.run(`return ${entry("kernel")}.getAttribute("aria-pressed")`), "true");
	await page.run(`${entry("C++")}.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }))`);
	await page.frames();
	stage.check("two", await seen(), [1, 1, 0.25]);
	await page.key("t");
	stage.check("the table", await page.run(`return Array.from(document.querySelectorAll(".fg-row"),
		(row) => row.querySelector("text:last-child").textContent).sort()`), ["boost::go", "read (kernel)", "std::run"]);
	await page.key("f");
	await page.run(`${entry("kernel")}.focus()`);
	await page.key("Enter");
	stage.check("by key: one", await seen(), [1, 0.25, 0.25]);
	await page.key("Enter");
	stage.check("again: all", await seen(), [1, 1, 1]);
};

exports.processes_are_neutral_and_not_functions = async (stage, page) => {
	await stage.show(page, FOLDED);
	const [r, g, b] = (await looks(page, "app"))[0][0].match(/\w\w/g).map((v) => parseInt(v, 16));
	stage.check("grey", r === g && g === b, true);
	await page.key("t");
	stage.check("no row", await page.run(`return Array.from(document.querySelectorAll(".fg-row text"))
		.some((e) => e.textContent === "app")`), false);
};
