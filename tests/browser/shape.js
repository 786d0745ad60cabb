// SPDX-License-Identifier: ISC
// The positions of boxes: they match the folded text, lie inside their parents, and are the
// same with and without script.
"use strict";

const truth = require("./truth.js");
const { clickFrame, details, drawn, labels, placeOf, label } = require("./stage.js");

const LEFT = 10, INSIDE = 1180, HEIGHT = 16;

// Rows of boxes, the root's first, each from left to right.
function rowsOf(boxes, inverted) {
	const tops = Array.from(new Set(boxes.map((box) => box[1]))).sort((a, b) => a - b);
	const rows = tops.map((top) => boxes.filter((box) => box[1] === top)
		.sort((a, b) => a[0] - b[0]));
	return inverted ? rows : rows.reverse();
}

function checkLaws(stage, what, boxes, inverted) {
	const rows = rowsOf(boxes, inverted);
	let overlaps = 0, outside = 0, uneven = 0;
	rows.forEach((row, d) => {
		row.forEach(([x, y, w], i) => {
			if (i && x < row[i - 1][0] + row[i - 1][2])
				overlaps++;
			if (d && !rows[d - 1].some(([px, , pw]) => px <= x && x + w <= px + pw + 1))
				outside++;
			if (Math.abs(y - rows[0][0][1]) !== d * HEIGHT)
				uneven++;
		});
	});
	stage.check(`${what}: overlaps, outside of parents, off their row`,
		[overlaps, outside, uneven], [0, 0, 0]);
}

// Expected frames that are wide enough to be boxes but are not in their place.
function misplaced(boxes, folded, width) {
	const rows = rowsOf(boxes, false);
	return truth.boxes(truth.parse(folded), width).filter((box) => box.width >= 3)
		.filter(({ depth, left, width: w }) => !(rows[depth] || []).some(([x, , drawnWidth]) =>
			Math.abs(x - LEFT - left) <= 1 && Math.abs(drawnWidth + 1 - w) <= 1.5))
		.map((box) => box.name);
}

const LIVE = ".fg-graph path:not(.fg-mark):not(.fg-under):not(.fg-others)";

exports.boxes_are_where_the_text_says = async (stage, page) => {
	const folded = truth.invent(1500);
	await stage.show(page, folded);
	const boxes = await drawn(page, LIVE);
	stage.check("misplaced", misplaced(boxes, folded, INSIDE), []);
	checkLaws(stage, "whole", boxes);
	await page.size(777, 800);
	await page.frames();
	await page.frames();
	const narrow = await drawn(page, LIVE);
	stage.check("misplaced after a resize", misplaced(narrow, folded, 777 - 20), []);
	checkLaws(stage, "resized", narrow);
};

exports.laws_hold_when_zoomed_and_upside_down = async (stage, page) => {
	const folded = truth.invent(1500);
	await stage.show(page, folded);
	await clickFrame(page, (await labels(page)).find((name) => name.includes("_")));
	checkLaws(stage, "zoomed", await drawn(page, LIVE));
	await stage.show(page, folded, "--inverted");
	checkLaws(stage, "inverted", await drawn(page, LIVE), true);
};

exports.static_layer_is_the_same_picture = async (stage, page) => {
	const folded = truth.invent(1500);
	await page.script(false);
	await stage.show(page, folded);
	const still = await drawn(page, ".fg-static path");
	stage.check("labels", await page.run(
		"return document.querySelectorAll('.fg-static text').length > 9"), true);
	stage.check("misplaced", misplaced(still, folded, INSIDE), []);
	checkLaws(stage, "static", still.filter((box) => box[2] >= 3));
	await page.script(true);
	await stage.show(page, folded);
	const wide = (boxes) => boxes.filter((box) => box[2] > 3)
		.map((box) => [box[0], box[2], box[3]].join(" ")).sort();
	const live = await drawn(page, LIVE);
	stage.check("boxes with their colours", wide(live), wide(still));
	stage.check("static layer is gone",
		await page.run("return document.querySelectorAll('.fg-static').length"), 0);
};

exports.labels_are_the_same_as_in_the_static_layer = async (stage, page) => {
	const folded = "main;\u540d\u524d\u540d\u524d\u540d\u524d 3\n" +
		"main;vector_push_back_[k] 5\n" +
		"main;e\u0301e\u0301e\u0301e\u0301_\ud83d\ude00_smile 7\nmain;wide 80\n";
	const find = (group) => page.run(`return Array.from(
		document.querySelectorAll("${group} text"), (e) => e.textContent).sort()`);
	await page.script(false);
	await stage.show(page, folded, "--fontwidth", "0.602");
	const still = await find(".fg-static");
	await page.script(true);
	await stage.show(page, folded, "--fontwidth", "0.602");
	stage.check("labels", await find(".fg-graph"), still);
};

exports.labels_stay_inside_their_boxes = async (stage, page) => {
	await stage.show(page, truth.invent(1500));
	stage.check("wider than the box", await page.run(`
		const boxes = [];
		for (const path of document.querySelectorAll(".fg-box"))
			for (const m of path.getAttribute("d").matchAll(/M(\\S+) (\\S+?)h([^v]+)/g))
				boxes.push(m.slice(1).map(Number));
		return Array.from(document.querySelectorAll(".fg-graph text")).filter((text) => {
			const x = Number(text.getAttribute("x")), y = Number(text.getAttribute("y"));
			const box = boxes.find(([l, t, w]) => l <= x && x < l + w && t <= y && y < t + 16);
			return x + text.getComputedTextLength() > box[0] + box[2];
		}).length;`), 0);
};

exports.flame_chart_has_gaps_where_a_frame_runs_itself = async (stage, page) => {
	await stage.show(page, "#fg unit=samples\nmain;a 10\nmain 20\nmain;b 30\nmain;a 40\n", "--flamechart");
	const rows = rowsOf(await drawn(page, LIVE), false);
	stage.check("a, a gap, b, a", rows[2].map((box) => [box[0] - LEFT, box[2] + 1]),
		[[0, 118], [354, 354], [708, 472]]);
	await page.move(...await placeOf(page, label("main")));
	stage.check("main itself", (await details(page))[1].includes("self 20 samples, 20.00 %"), true);
};

exports.icicle_has_its_root_on_top = async (stage, page) => {
	await stage.show(page, "main;a 60\nmain;b 40\n", "--inverted");
	const rows = rowsOf(await drawn(page, LIVE), true);
	stage.check("boxes in rows", rows.map((row) => row.length), [1, 1, 2]);
	await clickFrame(page, "b");
	stage.check("details", (await details(page))[0], "Function: b");
};

exports.difference_colours_grow_with_the_change = async (stage, page) => {
	await stage.show(page, "main;less 50 10\nmain;more 10 90\nmain;same 40 40\n");
	const meta = JSON.parse(await page.run("return document.querySelector('.fg-meta').textContent"));
	const fills = await page.run(`
		const fill = (name) => {
			const text = Array.from(document.querySelectorAll(".fg-graph text"))
				.find((e) => e.textContent === name);
			const at = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
			return Array.from(document.querySelectorAll(".fg-box")).find((path) =>
				path.isPointInFill(new DOMPoint(at[0], at[1]))).getAttribute("fill");
		};
		return ["less", "more", "same", "main"].map(fill);`);
	stage.check("half of the largest less, the largest, none, half more",
		fills.map((fill) => meta.diff.colors.indexOf(fill)), [4, 16, 8, 12]);
};
