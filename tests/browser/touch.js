// SPDX-License-Identifier: ISC
// Touch input, and the screen of a phone.
"use strict";

const { clickOn, details, drawn, label, labels, placeOf } = require("./stage.js");

const FOLDED = "main;alpha;beta 60\nmain;omega 40\n";

async function phone(page, width, height) {
	await page.send("Emulation.setDeviceMetricsOverride",
		{ width, height, deviceScaleFactor: 2, mobile: true });
	await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
}

async function show(stage, page, folded, ...options) {
	await phone(page, 400, 800);
	await page.open(stage.picture(folded, ...options));
	await page.frames();
}

async function tap(page, finder) {
	const [x, y] = await placeOf(page, finder);
	await page.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
	await page.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
	await page.frames();
}

const outlined = (page) => page.run(
	"return document.querySelectorAll('[aria-selected=true]:not([display])').length");

exports.first_tap_shows_details_and_second_zooms = async (stage, page) => {
	await show(stage, page, FOLDED);
	await tap(page, label("alpha"));
	stage.check("details", (await details(page))[0], "Function: alpha");
	stage.check("outlined", await outlined(page), 1);
	stage.check("not zoomed", (await labels(page)).includes("omega"), true);
	await tap(page, label("omega"));
	stage.check("details of another", (await details(page))[0], "Function: omega");
	stage.check("nor zoomed", (await labels(page)).includes("alpha"), true);
	await tap(page, label("omega"));
	stage.check("zoomed", await labels(page), ["all", "main", "omega"]);
	stage.check("details stay", (await details(page))[0], "Function: omega");
	await tap(page, "document.querySelector('.fg-title')");
	stage.check("a tap beside lets go", await outlined(page), 0);
};

exports.finger_hovers_over_nothing = async (stage, page) => {
	await show(stage, page, FOLDED);
	await tap(page, label("beta"));
	stage.check("hover", await page.run(
		"return document.querySelector('.fg-hover').getAttribute('display')"), "none");
};

exports.pinch_and_drag_are_left_to_the_browser = async (stage, page) => {
	await show(stage, page, "a;c;".repeat(100) + "b 1\n");
	stage.check("nothing is prevented", await page.run(`
		let n = 0;
		const types = ["touchstart", "touchmove", "pointerdown", "pointermove", "contextmenu"];
		for (const type of types)
			addEventListener(type, (event) => n += event.defaultPrevented);
		for (const type of types)
			document.querySelector(".fg-bg").dispatchEvent(new Event(type,
				{ bubbles: true, cancelable: true }));
		return [n, getComputedStyle(document.querySelector("svg.fg")).touchAction];`), [0, "auto"]);
	const before = await page.run("return scrollY");
	const touch = (type, ...touchPoints) =>
		page.send("Input.dispatchTouchEvent", { type, touchPoints });
	await touch("touchStart", { x: 200, y: 300 });
	for (let y = 320; y <= 600; y += 20)
		await touch("touchMove", { x: 200, y });
	await touch("touchEnd");
	await page.frames();
	stage.check("dragged", await page.run("return scrollY") < before - 200, true);
	await page.send("Input.synthesizePinchGesture", { x: 200, y: 400, scaleFactor: 2 });
	await page.frames();
	stage.check("pinched", await page.run("return Math.round(visualViewport.scale)"), 2);
};

exports.picture_suits_a_phone = async (stage, page) => {
	await show(stage, page, FOLDED);
	stage.check("as wide as the screen", await page.run("return [innerWidth, " +
		"document.documentElement.scrollWidth, Math.round(visualViewport.scale)]"), [400, 400, 1]);
	stage.check("boxes", Math.max(...(await drawn(page, ".fg-box")).map((box) => box[2])), 379);
	await clickOn(page, "document.querySelector('.fg-button[aria-label^=\"Commands\"]')");
	stage.check("targets", await page.run(`
		return Array.from(document.querySelectorAll(".fg-button rect"))
			.map((e) => e.getBoundingClientRect())
			.filter((box) => box.width && (box.height < 24 || box.width < 24)).length`), 0);
	stage.check("menu is on the screen", await page.run(`
		const box = document.querySelector("[role=menu]").getBoundingClientRect();
		return box.left >= 0 && box.right <= 400 && box.bottom <= 800;`), true);
};

exports.phone_has_views_and_no_keys = async (stage, page) => {
	await show(stage, page, "#fg unit=ns samples=400\nmain;alpha;beta 60000\nmain;omega 40000\n");
	await phone(page, 390, 844);
	await page.frames();
	const shown = () => page.run(`return Array.from(document.querySelectorAll(".fg-bar .fg-button"))
		.filter((e) => e.getClientRects().length).map((e) => e.querySelector("text").textContent)`);
	const wanted = ["Flame", "Bottom-up", "Sandwich", "Table", "Menu"];
	stage.check("views", (await shown()).filter((text) => wanted.includes(text)), wanted);
	stage.check("what to do", (await details(page))[0], "Tap to see figures, again to zoom");
	stage.check("a low foot", await page.run(
		"return document.querySelector('.fg-foot').getBoundingClientRect().height < 90"), true);
	await page.run(`location.hash = "#search=beta"`);
	await page.frames();
	stage.check("a labelled share", await page.run(
		"return document.querySelector('.fg-matched').textContent.includes('matched 60.00 %')"), true);
	await clickOn(page, "document.querySelector('.fg-button[aria-label^=\"Commands\"]')");
	stage.check("keys in the menu", await page.run(
		"return document.querySelectorAll('.fg-item .fg-hint:not(:empty)').length"), 0);
};

exports.given_width_is_seen_whole = async (stage, page) => {
	await show(stage, page, FOLDED, "--width", "1000");
	stage.check("scaled to the screen", await page.run(
		"return Math.round(visualViewport.width) >= 980"), true);
};
