// SPDX-License-Identifier: ISC
// The other views: bottom-up, sandwich, the widest first, recursion folded. What they
// must show is what a picture of stacks turned round, cut or folded shows.
"use strict";

const truth = require("./truth.js");
const { clickFrame, details, drawn, hoverFrame, labels } = require("./stage.js");

const LEFT = 10, INSIDE = 1180, HEIGHT = 16, LETTER = 7.3;
const LIVE = ".fg-graph path:not(.fg-mark):not(.fg-under)";

// Invented stacks in which functions call themselves, and one another in circles.
function invent(count) {
	return truth.invent(count).replace(/;(\w+)_(\w+);\w+_\2/g, ";$1_$2;$1_$2;$1_x;$1_$2");
}

const texts = (page) => page.run(`
	return Array.from(document.querySelectorAll(".fg-graph text"),
		(e) => [Number(e.getAttribute("x")), Number(e.getAttribute("y")), e.textContent])`);

// The boxes and labels in the page by row from the one at TOP, which is row 0, up
// (STEP -1) or down (1).
async function rowsFrom(page, top, step) {
	const rowOf = (y) => Math.round(step * (y - top) / HEIGHT);
	const boxes = (await drawn(page, LIVE)).map(([x, y, w]) => ({ row: rowOf(y), x, w }));
	const names = (await texts(page)).map(([x, y, text]) => ({ row: rowOf(y - HEIGHT / 2 - 3), x, text }));
	return { boxes, names };
}

// The EXPECTED boxes that are not where they must be, or have not their name on them.
function missing({ boxes, names }, expected) {
	return expected.filter((box) => box.width >= 3).filter(({ depth, name, left, width }) => {
		const isThere = boxes.some(({ row, x, w }) => row === depth &&
			Math.abs(x - LEFT - left) <= 1 && Math.abs(w + 1 - width) <= 1.5);
		const isNamed = depth === 0 || width < LETTER * name.length + 12 ||
			names.some(({ row, x, text }) => row === depth && text === name &&
				Math.abs(x - LEFT - 3 - left) <= 1);
		return !isThere || !isNamed;
	}).map((box) => `${box.depth} ${box.name}`);
}

// Boxes beside each other do not overlap, and what there is has a box below it (STEP)
// that it is inside of.
function broken({ boxes }) {
	const isOn = (a, b) => a.x >= b.x && a.x + a.w <= b.x + b.w + 1;
	return boxes.filter((box) => box.row > 0 && (
		boxes.some((other) => other !== box && other.row === box.row &&
			other.x <= box.x && box.x < other.x + other.w) ||
		!boxes.some((other) => other.row === box.row - 1 && isOn(box, other)))).length;
}

const lowest = async (page) => Math.max(...(await drawn(page, LIVE)).map((box) => box[1]));

async function checkFlame(stage, page, what, lines, heavy) {
	const rows = await rowsFrom(page, await lowest(page), -1);
	stage.check(`${what}: missing`, missing(rows, truth.boxes(lines, INSIDE, heavy)), []);
	stage.check(`${what}: laws`, broken(rows), 0);
}

async function checkSandwich(stage, page, what, lines, name, heavy) {
	const below = truth.callees(lines, name), above = truth.callers(lines, name);
	const called = above.filter((line) => line.frames.length);
	const column = lines[0].weights.length - 1;
	const share = truth.total(called, [], column) / truth.total(above, [], column);
	const [, y] = (await texts(page)).find(([x, , text]) => x === LEFT + 3 && text === name);
	const root = Math.round(y) - HEIGHT / 2 - 4;
	const down = await rowsFrom(page, root, 1), up = await rowsFrom(page, root, -1);
	stage.check(`${what}: callees`, missing(down, truth.boxes(below, INSIDE, heavy)), []);
	if (called.length)
		stage.check(`${what}: callers`,
			missing(up, truth.boxes(called, INSIDE * share, heavy).slice(1)), []);
	stage.check(`${what}: laws`, [broken(down), broken(up)], [0, 0]);
}

exports.bottom_up_is_merged_from_the_leaf = async (stage, page) => {
	const folded = invent(1500), lines = truth.parse(folded);
	await stage.show(page, folded);
	await page.key("b");
	await checkFlame(stage, page, "by name", truth.reversed(lines));
	await page.key("w");
	await checkFlame(stage, page, "the widest first", truth.reversed(lines), true);
	stage.check("root", (await labels(page)).includes("all"), true);
	await page.key("f");
	await checkFlame(stage, page, "flame, the widest first", lines, true);
	await page.key("w");
	await checkFlame(stage, page, "as it was", lines);
};

exports.recursion_is_folded_in_all_views = async (stage, page) => {
	const folded = invent(800);
	await stage.show(page, folded);
	for (const [key, all] of [["r", false], ["R", true]]) {
		await page.key("f");
		await page.key(key);
		const lines = truth.folded(truth.parse(folded), all);
		await checkFlame(stage, page, key, lines);
		await page.key("b");
		await checkFlame(stage, page, `${key} bottom-up`, truth.reversed(lines));
		await page.key("s");
		await checkSandwich(stage, page, `${key} sandwich`, lines, (await details(page))[0].slice(10));
	}
};

exports.sandwich_has_callers_above_and_callees_below = async (stage, page) => {
	const folded = invent(1500), lines = truth.parse(folded);
	await stage.show(page, folded);
	const names = (await labels(page)).filter((name) => /^\w+_\w+$/.test(name));
	for (const name of names.slice(0, 3)) {
		await page.key("f");
		await clickFrame(page, name);
		await page.key("s");
		stage.check("address", decodeURIComponent(await page.run("return location.hash")),
			`#view=sandwich&of=${name}`);
		await checkSandwich(stage, page, name, lines, name);
		await page.key("w");
		await checkSandwich(stage, page, `${name}, the widest first`, lines, name, true);
		await page.key("w");
	}
};
