// SPDX-License-Identifier: ISC
// The state in the URL: links, Back and Forward.
"use strict";

const { clickFrame, clickOn, details, labels, matched, search, settle } = require("./stage.js");

const FOLDED = "main;alpha;beta;delta 30\nmain;alpha;gamma 20\nmain;alpha 10\nmain;omega 40\n";

const address = (page) => page.run("return location.hash");
const tab = (name) => `Array.from(document.querySelectorAll(".fg-bar .fg-button"))` +
	`.find((e) => e.textContent.endsWith(${JSON.stringify(name)}))`;
const pressed = (page) => page.run(`
	return Array.from(document.querySelectorAll(".fg-bar [aria-pressed=true] text"),
		(e) => e.textContent);`);

exports.address_has_the_view_and_the_zoom = async (stage, page) => {
	await stage.show(page, FOLDED);
	stage.check("at first", await address(page), "");
	await clickFrame(page, "beta");
	stage.check("zoomed", await address(page), "#path=main;alpha;beta");
	await search(page, "a b&c");
	await settle(page);
	stage.check("searched", await address(page), "#path=main;alpha;beta&search=a+b%26c");
	await page.run("history.back()");
	await page.frames();
	stage.check("back", await address(page), "");
	stage.check("names", (await labels(page)).includes("omega"), true);
};

exports.link_holds_for_other_data = async (stage, page) => {
	const other = "main;alpha;beta;delta 7\nmain;alpha;beta;new 8\nmain;omega 100\n";
	await page.size(1200, 800);
	await page.open(stage.picture(other) + "#path=main;alpha;beta&search=new");
	stage.check("names", await labels(page), ["all", "main", "alpha", "beta", "delta", "new"]);
	stage.check("matched", await matched(page),
		"matched 6.96 % of all, 53.33 % of zoomed frame");
	await page.open(stage.picture(other) + "#path=main;alpha;gone;delta");
	stage.check("as far as there is", (await details(page))[0], "Function: alpha");
};

exports.malformed_addresses_are_harmless = async (stage, page) => {
	await page.size(1200, 800);
	for (const hash of ["#section", "#path=%&view=nothing", "#view=sandwich&of=nobody",
		"#path=;;;&search=%5B", "#__proto__=1&path=constructor", "#recursion=1e9&order"]) {
		await page.open(stage.picture(FOLDED) + hash);
		stage.check(hash, (await labels(page)).slice(0, 3), ["all", "main", "alpha"]);
	}
};

exports.names_of_any_kind_are_in_links = async (stage, page) => {
	const name = "f<int&>(a+b=c, \"%3B\") #1 \u{1f525}";
	await stage.show(page, `main;${name};inner 5\nmain;x 5\n`);
	await clickFrame(page, "inner");
	const hash = await address(page);
	await page.open(stage.picture(`main;${name};inner 5\nmain;other 95\n`) + hash);
	stage.check("names", (await labels(page)).includes(name), true);
	stage.check("zoomed", (await details(page))[0], "Function: inner");
};

exports.views_are_undone_by_back = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickFrame(page, "alpha");
	await clickOn(page, tab("Bottom-up"));
	stage.check("another view", (await pressed(page)).includes("Bottom-up"), true);
	stage.check("its address", await address(page), "#view=up");
	await page.run("history.back()");
	await page.frames();
	stage.check("the view before", (await pressed(page)).includes("Flame"), true);
	stage.check("its zoom", (await details(page))[0], "Function: alpha");
	await page.run("history.forward()");
	await page.frames();
	stage.check("forward", (await pressed(page)).includes("Bottom-up"), true);
};

exports.root_is_in_sight_after_a_change = async (stage, page) => {
	const frames = Array.from({ length: 200 }, (_, i) => "f" + i);
	await stage.show(page, frames.join(";") + " 7\n");
	const isSeen = () => page.run(`
		const e = Array.from(document.querySelectorAll(".fg-graph text"))
			.find((e) => e.textContent === "all");
		const box = e && e.getBoundingClientRect();
		return Boolean(box) && box.top > 30 && box.bottom < innerHeight - 40;`);
	stage.check("flame", await isSeen(), true);
	await page.key("i");
	await page.frames();
	stage.check("icicle", await isSeen(), true);
	await page.key("i");
	await page.frames();
	stage.check("flame again", await isSeen(), true);
};
