// SPDX-License-Identifier: ISC
// The other views: bottom-up, sandwich, sorted by weight, recursion folded. Each must match a
// picture of reversed, cut or folded stacks.
"use strict";

const truth = require("./truth.js");
const { clickFrame, clickOn, details, drawn, hoverFrame, labels, matched, search, textOf } = require("./stage.js");

const LEFT = 10, INSIDE = 1180, HEIGHT = 16, LETTER = 7.3;
const LIVE = ".fg-graph path:not(.fg-mark):not(.fg-under)";

// Random stacks with direct and mutual recursion.
function invent(count) {
	return truth.invent(count).replace(/;(\w+)_(\w+);\w+_\2/g, ";$1_$2;$1_$2;$1_x;$1_$2");
}

const texts = (page) => page.run(`
	return Array.from(document.querySelectorAll(".fg-graph text"),
		(e) => [Number(e.getAttribute("x")), Number(e.getAttribute("y")),
			e.textContent.replace(/ \u00d7[0-9]+$/, "")])`);

// The boxes and labels in the page by row, counted from the row at TOP upwards (STEP -1) or
// downwards (1).
async function rowsFrom(page, top, step) {
	const rowOf = (y) => Math.round(step * (y - top) / HEIGHT);
	const boxes = (await drawn(page, LIVE)).map(([x, y, w]) => ({ row: rowOf(y), x, w }));
	const names = (await texts(page)).map(([x, y, text]) => ({ row: rowOf(y - HEIGHT / 2 - 3), x, text }));
	return { boxes, names };
}

// The EXPECTED boxes that are missing or lack their name.
function missing({ boxes, names }, expected) {
	return expected.filter((box) => box.width >= 3).filter(({ depth, name, left, width }) => {
		const isThere = boxes.some(({ row, x, w }) => row === depth &&
			Math.abs(x - LEFT - left) <= 1 && Math.abs(w + 1 - width) <= 1.5);
		// the number of folded calls may follow the name
		const isNamed = depth === 0 || width < LETTER * (name.length + 3) + 12 ||
			names.some(({ row, x, text }) => row === depth && text === name &&
				Math.abs(x - LEFT - 3 - left) <= 1);
		return !isThere || !isNamed;
	}).map((box) => `${box.depth} ${box.name}`);
}

// Boxes of a row must not overlap, and each must be within a box of the row below (STEP).
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
	await checkFlame(stage, page, "the widest first", truth.reversed(lines), true);
	stage.check("root", (await labels(page)).includes("all"), true);
	await page.key("w");
	await checkFlame(stage, page, "by name", truth.reversed(lines));
	await page.key("w");
	await page.key("f");
	await checkFlame(stage, page, "flame, by name", lines);
	await page.key("w");
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
		await checkFlame(stage, page, `${key} bottom-up`, truth.reversed(lines), true);
		await page.key("s");
		await checkSandwich(stage, page, `${key} sandwich`, lines, 
			(await details(page))[0].slice(10).replace(/ \u00d7.*/, ""), true);
	}
};

exports.a_module_is_not_one_function = async (stage, page) => {
	await stage.show(page, "main;[lib.so];first;[lib.so];[lib.so];second;first;end 30\n");
	await page.key("R");
	stage.check("all recursion", (await labels(page)).sort(), ["[lib.so]", "all", "end", "first", "main"]);
	await stage.show(page, "main;[lib.so];first;[lib.so];[lib.so];second;end 30\n");
	await page.key("R");
	stage.check("in a row", (await labels(page)).sort(),
		["[lib.so]", "[lib.so]", "all", "end", "first", "main", "second"]);
};

// A function that calls itself 30 times, a short recursion, and one that is too thin to fold.
const TALL = ["#fg unit=samples samples=400", ...Array.from({ length: 30 }, (_, i) =>
	`main;${"walk;".repeat(i + 1)}leaf 10`), "main;twice;twice;end 99",
`main;${"thin;".repeat(30)}end 1`].join("\n") + "\n";

exports.tall_recursion_is_one_box_until_it_is_unfolded = async (stage, page) => {
	const count = async (name) => (await labels(page)).filter((text) => text === name).length;
	const chips = () => page.run("return document.querySelectorAll('.fg-chip').length");
	const lines = truth.parse(TALL);
	await stage.show(page, TALL);
	stage.check("one box", [await count("walk \u00d730"), await count("walk"), await count("twice")],
		[1, 0, 2]);
	await hoverFrame(page, "walk \u00d730");
	stage.check("its share", (await details(page)).join(" ").includes(
		`Function: walk \u00d730 total 300 samples \u00b7 ${truth.percent(300, 400)}`), true);
	stage.check("the address is short", await page.run("return location.hash"), "");
	await search(page, "walk|leaf");
	stage.check("matched", (await matched(page)).includes(truth.percent(
		truth.matched(lines, /walk|leaf/), 400)), true);
	await page.key("Escape");
	await page.key("Escape");
	stage.check("the chip", await textOf(page, ".fg-chip text"), "repeated frames folded \u00d7");
	await clickOn(page, "document.querySelector('.fg-chip')");
	stage.check("unfolded", [await count("walk"), await chips()], [29, 0]);
	stage.check("its address", await page.run("return location.hash"), "#recursion=none");
	await page.open("about:blank");
	await page.open(stage.picture(TALL) + "#recursion=none");
	stage.check("opened so", await count("walk"), 29);
	await page.run("location.hash = '#recursion=direct'");
	await page.frames();
	stage.check("short ones too", await count("twice \u00d72"), 1);
	await page.open(stage.picture(TALL, "--no-fold"));
	stage.check("never folded", [await count("walk"), await chips()], [29, 0]);
	const still = async (...options) => String(stage.svg(TALL, "--no-data", ...options));
	stage.check("without script", [/>walk \u00d730</.test(await still()),
		/>walk</.test(await still("--no-fold"))], [true, true]);
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
		await checkSandwich(stage, page, name, lines, name, true);
		await page.key("w");
		await checkSandwich(stage, page, `${name}, by name`, lines, name);
		await page.key("w");
	}
};

const FOLDED = "#fg unit=samples\nmain;a;work;a 30\nmain;b;work 50\nmain;b 10\nmain;c 10\n";
const DOT = " \u00b7 ";
const LINES = truth.parse(FOLDED);
const hash = async (page) => decodeURIComponent(await page.run("return location.hash"));

// The details without confidence and call sites.
const parts = async (page) => (await details(page)).join(DOT).split(DOT).filter((part) =>
	!/^\u00b1|^all \d+ call sites: /.test(part));

async function figures(page, name, at) {
	await hoverFrame(page, name, at);
	return (await parts(page)).slice(1);
}

exports.details_name_the_meaning_of_weights = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.key("b");
	stage.check("a function", await figures(page, "work"),
		["self 50 samples", "50.00 % of all"]);
	stage.check("its caller", await figures(page, "b", 1),
		["self of work 50 samples", "50.00 % of all", "100.00 % of it"]);
	await clickFrame(page, "work");
	await page.key("s");
	await page.move(1, 1);
	stage.check("the function: all its places", await parts(page), ["Function: work",
		"total 80 samples", "80.00 % of all", "self 50 samples, 50.00 %"]);
	stage.check("a caller", await figures(page, "b"),
		["total of work 50 samples", "50.00 % of all", "62.50 % of it"]);
	stage.check("a callee", await figures(page, "a"), ["total 30 samples", "30.00 % of all",
		"37.50 % of work", "self 30 samples, 30.00 %"]);
};

exports.zoom_and_back_work_in_other_views = async (stage, page) => {
	await stage.show(page, FOLDED);
	await page.key("b");
	await clickFrame(page, "work");
	stage.check("address", await hash(page), "#view=up&path=work");
	stage.check("work fills the graph", (await texts(page)).some(([x, , text]) =>
		x === LEFT + 3 && text === "work"), true);
	await page.key("w");
	stage.check("the zoom is kept", await hash(page), "#view=up&order=name&path=work");
	await page.run("history.back()");
	await page.frames();
	await page.run("history.back()");
	await page.frames();
	await checkFlame(stage, page, "Back", truth.reversed(LINES), true);
	await page.key("s");
	await clickFrame(page, "main");
	await page.frames();
	stage.check("a caller is zoomed", (await hash(page)).includes("path=;"), true);
};

exports.links_hold_when_the_picture_is_made_anew = async (stage, page) => {
	const newer = "#fg unit=samples\nmain;b;work 5\nmain;d;work;x 70\nmain;zz 20\n";
	const lines = truth.parse(newer);
	for (const [fragment, check] of [
		["view=up&path=work;b", async (what) => stage.check(what, (await texts(page))
			.filter(([x]) => x === LEFT + 3).map(([, , text]) => text),
		["all", "work", "b", "main"])],
		["view=sandwich&of=work", (what) => checkSandwich(stage, page, what, lines, "work", true)],
		["view=up&order=weight", (what) => checkFlame(stage, page, what, truth.reversed(lines), true)],
		["view=up&order=name", (what) => checkFlame(stage, page, what, truth.reversed(lines))],
		["view=sandwich&of=nothing", (what) => checkFlame(stage, page, what, lines)],
	]) {
		await page.size(1200, 800);
		await page.open("about:blank");
		await page.open(stage.picture(newer) + "#" + fragment);
		await check(fragment);
	}
};

// Thin callers are followed once they are wide enough to be visible.
exports.thin_callers_are_exact_when_zoomed = async (stage, page) => {
	let folded = "main;wide 100000000\n";
	for (let i = 0; i < 40; i++)
		folded += `main;a${i};b${i % 7};c${i % 3};thin ${1 + i % 5}\n`;
	const lines = truth.parse(folded);
	await stage.show(page, folded);
	await page.key("b");
	await page.open("about:blank");
	await page.open(stage.picture(folded) + "#view=up&path=thin");
	const thin = truth.reversed(lines).filter((line) => line.frames[0] === "thin");
	await checkFlame(stage, page, "thin", thin.map(({ frames, weights }) =>
		({ frames, weights })), true);
};

exports.gone_frames_are_kept_in_two_columns = async (stage, page) => {
	await stage.show(page, "#fg unit=samples columns=2\nmain;a;f 30 10\nmain;b;f 20 0\nmain;g 0 15\n",
		"--countname", "samples");
	await page.key("b");
	stage.check("both weights of f", (await figures(page, "f"))[0].startsWith("self 50 \u2192 10 samples"),
		true);
};

exports.weights_above_2_to_53_are_exact = async (stage, page) => {
	await stage.show(page, "#fg unit=samples\nmain;a;f 9007199254740993\nmain;b;f 9007199254740995\nmain 1\n",
		"--countname", "cycles");
	await page.key("b");
	stage.check("f", (await figures(page, "f"))[0], "self 18,014,398,509,481,988 cycles");
};

exports.flame_charts_are_merged_in_other_views = async (stage, page) => {
	const folded = "main;f;g 10\nmain;f 20\nmain;h;g 30\nmain;f;g 40\nmain 50\n";
	await stage.show(page, folded, "--flamechart");
	await page.key("w");
	await checkFlame(stage, page, "the widest first", truth.parse(folded), true);
	await page.key("b");
	await checkFlame(stage, page, "bottom-up", truth.reversed(truth.parse(folded)), true);
};

exports.stacks_of_five_thousand_frames_work_in_all_views = async (stage, page) => {
	const deep = Array.from({ length: 5000 }, (_, i) => `f${i % 1000}`);
	await stage.show(page, `${deep.join(";")} 7\n${deep.slice(0, 4000).join(";")};leaf 3\n`);
	for (const key of ["b", "w", "r", "R", "s", "t", "f"]) {
		await page.key(key);
		await page.frames();
		stage.check(key, await page.run("return document.querySelectorAll('.fg-graph text, .fg-row').length > 3"),
			true);
	}
};

exports.sandwich_begins_with_its_function_in_the_middle = async (stage, page) => {
	const above = Array.from({ length: 120 }, (_, i) => `a${i}`).join(";");
	const below = Array.from({ length: 90 }, (_, i) => `b${i}`).join(";");
	const folded = `${above};pivot;${below} 10\n${above};pivot 30\n`;
	const isCentred = () => page.run(`const box = document.querySelector(".fg-pivot").getBoundingClientRect();
		return Math.abs(box.top + box.height / 2 - innerHeight / 2) < 20`);
	await stage.show(page, folded);
	await page.run("scrollTo(0, 0)");
	await page.frames();
	await page.key("s");
	await page.frames();
	stage.check("by key", await isCentred(), true);
	await page.open("about:blank");
	await page.open(stage.picture(folded) + "#view=sandwich&of=pivot");
	await page.frames();
	stage.check("by a link", await isCentred(), true);
};
