// SPDX-License-Identifier: ISC
// Zoom: by click, back by button, Escape, an ancestor, and the browser's Back.
"use strict";

const { clickFrame, clickButton, clickOn, hoverFrame, button, details, drawn, labels, placeOf } =
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
	stage.check("siblings are hidden", (await labels(page)).includes("omega"), false);
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

exports.strips_are_described_and_spread_out = async (stage, page) => {
	let folded = "main;wide 100000\n";
	for (let i = 100; i < 150; i++)
		folded += `main;thin${i};leaf 10\n`;
	await stage.show(page, folded + "main;thin120;leaf 20\n");
	const [[x, y, w]] = await drawn(page, ".fg-graph .fg-strip");
	const top = await page.run("return document.querySelector('svg').getBoundingClientRect().top");
	stage.check("one strip for all", Math.round(w), Math.round(INSIDE * 520 / 100520) - 1);
	await page.move(x + w / 2, top + y + 8);
	stage.check("name", (await details(page))[0],
		"50 frames too narrow to draw; click to spread them out");
	await page.click(x + w / 2, top + y + 8);
	const boxes = async () => (await drawn(page, ".fg-graph .fg-box")).length;
	stage.check("main, 50 and their leaves", await boxes(), 101);
	stage.check("thin120 has three of 52 parts",
		Math.round(await widthOf(page, "thin120") / INSIDE * 52), 3);
	stage.check("their parent is around them", await widthOf(page, "main"), INSIDE);
	stage.check("siblings are hidden", (await labels(page)).includes("wide"), false);
	const hash = await page.run("return location.hash");
	await page.key("Escape");
	await page.frames();
	stage.check("Escape", (await labels(page)).includes("wide"), true);
	await page.open("about:blank");
	await page.open(stage.picture(folded + "main;thin120;leaf 20\n") + hash);
	stage.check("its address", await boxes(), 101);
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

// Drags from the middle of one frame's label to that of another; returns the range marked in
// between, in px.
async function drag(page, ...names) {
	const width = await page.run(`
		const svg = document.querySelector("svg.fg");
		svg.setPointerCapture = () => {};
		const places = ${JSON.stringify(names)}.map((name) => {
			const box = Array.from(document.querySelectorAll(".fg-graph text"))
				.find((e) => e.textContent === name).getBoundingClientRect();
			return { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
		});
		const fire = (Kind, type, at) => svg.dispatchEvent(new Kind(type,
			{ bubbles: true, button: 0, ...at }));
		fire(PointerEvent, "pointerdown", places[0]);
		fire(PointerEvent, "pointermove", places[1]);
		const width = document.querySelector(".fg-brush").getBoundingClientRect().width;
		fire(PointerEvent, "pointerup", places[1]);
		fire(MouseEvent, "click", places[1]);
		return width;`);
	await page.frames();
	return width;
}

const RANGES = "main;a;one 10\nmain;a;two 20\nmain;b;three 30\nmain;b;four 20\nmain;c 20\n";
async function rangeOf(page) {
	await page.frames();
	return (await page.run("return location.hash")).replace(/.*range=|^#.*/, "");
}

exports.drag_zooms_into_siblings = async (stage, page) => {
	await stage.show(page, RANGES);
	stage.check("it is marked", await drag(page, "a", "b") > 100, true);
	const seen = async () => (await labels(page)).slice().sort().join(" ");
	stage.check("a and b", [await seen(), await widthOf(page, "a"), await widthOf(page, "main")],
		["a all b four main one three two", 443, INSIDE]);
	await drag(page, "two", "four");
	stage.check("across parents", [await seen(), await widthOf(page, "two")],
		["a all b four main two", INSIDE / 2]);
	stage.check("of main", await rangeOf(page), "0.100000000-0.500000000");
	await page.key("Escape");
	await page.frames();
	stage.check("Escape", await widthOf(page, "a"), 443);
	await page.key("0");
	stage.check("all", await widthOf(page, "a"), INSIDE * 0.3);
	await page.key("Escape");
	stage.check("and no further in", await widthOf(page, "a"), INSIDE * 0.3);
};

exports.wheel_and_keys_zoom_around_a_place = async (stage, page) => {
	await stage.show(page, RANGES);
	const turn = (name, deltaY, ctrlKey = true) => page.run(`
		const svg = document.querySelector("svg.fg");
		const box = Array.from(document.querySelectorAll(".fg-graph text"))
			.find((e) => e.textContent === ${JSON.stringify(name)}).getBoundingClientRect();
		return !svg.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true,
			ctrlKey: ${ctrlKey}, deltaY: ${deltaY}, clientX: box.left, clientY: box.top + 3 }));`);
	stage.check("without Ctrl the page scrolls", await turn("b", -200, false), false);
	stage.check("with it", await turn("b", -200), true);
	stage.check("twice as wide, as far as it is seen", Math.round(await widthOf(page, "b") / INSIDE * 50), 35);
	await turn("b", 200);
	stage.check("back", [await widthOf(page, "b"), await rangeOf(page)], [INSIDE / 2, ""]);
	await page.key("+");
	stage.check("+", await rangeOf(page), "0.250000000-0.750000000");
	await page.key(">");
	stage.check(">", await rangeOf(page), "0.500000000-1.000000000");
	await page.key("<");
	await page.key("-");
	stage.check("-", [await rangeOf(page), await widthOf(page, "b")], ["", INSIDE / 2]);
	await clickFrame(page, "b");
	await page.key("+");
	await page.key("-");
	await page.key("+");
	await page.key("-");
	stage.check("within b", await widthOf(page, "b"), INSIDE);
	await turn("b", 200);
	stage.check("out of it", (await labels(page)).includes("c") || (await labels(page)).includes("a"),
		true);
};

exports.malformed_ranges_are_harmless = async (stage, page) => {
	await page.size(1200, 800);
	for (const range of ["", "x", "1-0", "0.5-0.5", "NaN-1", "1e3-2", "0-0.0000000001", "..-."]) {
		await page.open(stage.picture(RANGES) + "#path=main&range=" + range);
		stage.check(range, await widthOf(page, "b"), INSIDE / 2);
	}
};

exports.minimap_shows_the_visible_part_and_moves_it = async (stage, page) => {
	const FOLDED = "main;left;a 250\nmain;left;b 250\nmain;right;c 300\nmain;right;d 200\n";
	const frame = () => page.run(`
		const map = document.querySelector(".fg-map");
		return map.getAttribute("display") ? null :
			map.lastChild.getAttribute("d").match(/[\\d.]+/g).slice(0, 3).map(Number);`);
	await stage.show(page, FOLDED);
	stage.check("none for the whole", await frame(), null);
	await clickFrame(page, "right");
	stage.check("half of it", await frame(), [80, 0, 160]);
	stage.check("its boxes", (await drawn(page, ".fg-map g path")).length, 8);
	await page.key("Escape");
	stage.check("none again", await frame(), null);
	await clickFrame(page, "d");
	stage.check("the last fifth", await frame(), [128, 0, 160]);
	const [x, y] = await placeOf(page, "document.querySelector('.fg-map rect')");
	await page.click(x - 60, y);
	const [from, , to] = await frame();
	stage.check("moved", [Math.abs(from - 4) < 2, Math.abs(to - 36) < 2], [true, true]);
	stage.check("address", /^#range=0\.0\d*-0\.2/.test(await page.run("return location.hash")), true);
	for (const key of ["b", "s", "f"]) {
		await page.key(key);
		await page.key("ArrowUp");
		await page.key("ArrowUp");
		await page.key("Enter");
		await page.key("0");
	}
	stage.check("none after all", await frame(), null);
	await page.key("t");
	stage.check("none beside the table", await frame(), null);
};
