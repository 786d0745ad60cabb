// SPDX-License-Identifier: ISC
// Times: the strip above the graph, its selection, and totals that follow the selection.
"use strict";

const path = require("path");
const { clickOn, details, drawn, hoverFrame, labels, matched, search, textOf } = require("./stage.js");

// Each thread and second has weights of its own, so that all selections differ.
const THREADS = ["a-1/1", "a-1/2", "a-1/3", "b-4/4", "b-4/5", "b-4/6", "c-7/7"];
const STACKS = ["main;alpha;beta", "main;alpha", "main;gamma;beta", "main;gamma;delta_[k]"];
const CELLS = [];
THREADS.forEach((thread, t) => {
	for (let second = 0; second < 10; second++)
		STACKS.forEach((stack, s) => {
			const weight = (t * 7 + second * 5 + s * 3) % 11;
			if (weight)
				CELLS.push({ comm: thread[0], thread, second, stack,
					weight: weight + 20 * (THREADS.length - t) });
		});
});
const startOf = (second) => String(second).padStart(6, "0") + ".000000s";

// Folded text of CELLS, with all dimensions or only those that stay in the tree.
const folded = (cells, isWhole) => [`#fg by=${isWhole ? "comm,tid,time" : "comm"} unit=samples`]
	.concat(cells.map(({ comm, thread, second, stack, weight }) =>
		[comm].concat(isWhole ? [thread, startOf(second)] : [], stack).join(";") + " " + weight))
	.join("\n") + "\n";

// Colours that depend only on the name.
const COLORS = ["--colors", "hot"];
const PICTURE = folded(CELLS, true);

// All boxes of the page from the top left one on, and the labels.
async function seen(page) {
	const boxes = await drawn(page, ".fg-graph path:not(.fg-mark):not(.fg-under)");
	const top = Math.min(...boxes.map((box) => box[1]));
	return [boxes.map(([x, y, w, fill]) => [x, y - top, w, fill]).sort().join("\n"),
		await labels(page)];
}

const sum = (cells) => cells.reduce((sum, { weight }) => sum + weight, 0);
const lanesOf = (page) => page.run(
	"return Array.from(document.querySelectorAll('.fg-lane'), (e) => e.textContent)");
const chips = (page) => page.run(
	"return Array.from(document.querySelectorAll('.fg-chip text'), (e) => e.textContent)");
const lane = (at) => `document.querySelectorAll(".fg-lane")[${at}]`;
const value = (page) => page.run("return document.querySelector('.fg-timeline [role=slider]')" +
	".getAttribute('aria-valuetext')");

// The position at SECONDS in the lane L.
async function pointAt(page, seconds, l = 0) {
	const [x, y, width, height] = await page.run(`
		const box = document.querySelector(".fg-timeline [role=slider]").getBoundingClientRect();
		return [box.x, box.y, box.width, box.height];`);
	return [x + seconds / 10 * width, y + (l + 0.5) * height / 5];
}

// Checks that the page equals the picture of CELLS alone.
async function isOf(stage, page, what, cells) {
	const found = await seen(page), [, total] = await details(page);
	stage.check(what + ": total", total.startsWith(`total ${sum(cells).toLocaleString("en")} `), true);
	await page.open(stage.picture(folded(cells, false), ...COLORS));
	stage.check(what, found, await seen(page));
}

exports.strip_is_there_only_with_times = async (stage, page) => {
	await stage.show(page, folded(CELLS, false));
	stage.check("no strip", await page.run(
		"return document.querySelector('.fg-timeline').getAttribute('display')"), "none");
	await stage.show(page, PICTURE);
	stage.check("a lane each, the heaviest first", await lanesOf(page),
		THREADS.slice(0, 4).concat("3 more"));
	stage.check("frames are not times", (await labels(page)).some((name) => /s$/.test(name)), false);
	stage.check("the same frames as without times", (await seen(page))[1].slice(0, 4),
		["all", "a", "b", "c"]);
	stage.check("its value", await value(page), "0s to 10s, all threads");
	stage.check("a ruler", (await textOf(page, ".fg-ruler")).includes("5 s"), true);
};

exports.ranges_and_tracks_show_their_stacks = async (stage, page) => {
	await page.size(1200, 800);
	for (const options of [COLORS, COLORS.concat("--compress")])
		for (const [address, isIn] of [
			["#time=2s..5s", ({ second }) => second >= 2 && second < 5],
			["#track=a-1/2", ({ thread }) => thread === "a-1/2"],
			["#track=a-1/2&track=c-7/7&time=0s..1s", ({ thread, second }) =>
				(thread === "a-1/2" || thread === "c-7/7") && second < 1],
			["", () => true]]) {
			await page.open(stage.picture(PICTURE, ...options) + address);
			await isOf(stage, page, address || "all", CELLS.filter(isIn));
		}
};

exports.drag_selects_a_range = async (stage, page) => {
	await stage.show(page, PICTURE, ...COLORS);
	await page.drag(await pointAt(page, 2.2), await pointAt(page, 4.7));
	stage.check("address", await page.run("return location.hash"), "#time=2s..5s");
	stage.check("chips", await chips(page), ["2s..5s \u00d7", "Copy command"]);
	stage.check("value", await value(page), "2s to 5s, all threads");
	await page.run("history.back()");
	await page.frames();
	stage.check("back", await chips(page), []);
	await page.drag(await pointAt(page, 4.7), await pointAt(page, 2.2));
	await isOf(stage, page, "leftwards", CELLS.filter(({ second }) => second >= 2 && second < 5));
};

exports.click_selects_tracks = async (stage, page) => {
	await stage.show(page, PICTURE, ...COLORS);
	await clickOn(page, lane(1));
	stage.check("one", await chips(page), ["a-1/2 \u00d7", "Copy command"]);
	await clickOn(page, lane(1));
	stage.check("none", await chips(page), []);
	await page.click(...await pointAt(page, 3, 4));
	stage.check("the rest", await chips(page), ["3 of 7 tracks \u00d7", "Copy command"]);
	await isOf(stage, page, "the rest", CELLS.filter(({ thread }) =>
		THREADS.indexOf(thread) > 3));
};

exports.keys_select_times_and_tracks = async (stage, page) => {
	const SHIFT = 8;
	await stage.show(page, PICTURE, ...COLORS);
	await page.run("document.querySelector('.fg-timeline [role=slider]').focus()");
	for (const [key, modifiers, expected] of [["ArrowRight", 0, "0s to 1s, all threads"],
		["ArrowRight", 0, "1s to 2s, all threads"], ["ArrowRight", SHIFT, "1s to 3s, all threads"],
		["ArrowLeft", 0, "0s to 2s, all threads"], ["ArrowDown", 0, "0s to 2s, a-1/1"],
		["ArrowDown", 0, "0s to 2s, a-1/2"], ["Enter", 0, "0s to 2s, a-1/2"]]) {
		await page.key(key, modifiers);
		stage.check(key, await value(page), expected);
	}
	stage.check("chips", await chips(page), ["a-1/2 \u00d7", "0s..2s \u00d7", "Copy command"]);
	await page.key("Escape");
	stage.check("cleared", await chips(page), []);
};

exports.search_marks_when_it_ran = async (stage, page) => {
	await stage.show(page, "#fg by=tid,time unit=samples\n" +
		"t-1/1;000000.000000s;main;alpha 5\nt-1/1;000001.000000s;main;beta 5\n" +
		"t-1/1;000002.000000s;main;alpha;gamma 10\n");
	const marks = () => page.run("return (document.querySelector('.fg-ran').getAttribute('d')" +
		".match(/M/g) || []).length");
	stage.check("no search", await marks(), 0);
	await search(page, "alpha");
	stage.check("alpha, and what it called", await marks(), 2);
	await search(page, "gamma");
	stage.check("gamma", await marks(), 1);
};

// One thread runs half of the first second and all of two more, the other a quarter of the
// second one.
const CHART = "#fg by=tid,time unit=ms\nt-1/1;000000.000000s;main;alpha 500\n" +
	"t-1/1;000001.000000s;main;alpha 1000\nt-1/1;000002.000000s;main;beta 1000\n" +
	"t-2/2;000001.000000s;main;gamma 250\n";

exports.chart_has_a_lane_each_thread = async (stage, page) => {
	await page.size(1200, 800);
	for (const options of [COLORS, COLORS.concat("--inverted")]) {
		await page.open(stage.picture(CHART, ...options) + "#view=chart");
		stage.check("lanes", await page.run("return Array.from(" +
			"document.querySelectorAll('.fg-lanes text'), (e) => e.textContent).sort()"),
		["t-1/1", "t-2/2"]);
		stage.check("labels", (await labels(page)).filter((name) => !/^t-/.test(name)).sort(),
			["all", "alpha", "alpha", "beta", "gamma", "main", "main", "main"]);
		stage.check("where", (await drawn(page, ".fg-graph .fg-box"))
			.map(([x, , w]) => [Math.round((x - 10) / 1180 * 12), Math.round(w / 1180 * 12)])
			.sort((a, b) => a[0] - b[0] || a[1] - b[1]),
		[[0, 2], [0, 2], [0, 12], [4, 1], [4, 1], [4, 4], [4, 8], [8, 4]]);
		for (const [name, at, start, duration] of [["alpha", 0, "0s", "500.000 ms"],
			["alpha", 1, "1s", "1.000 s"], ["gamma", 0, "1s", "250.000 ms"]]) {
			await hoverFrame(page, name, at);
			stage.check(name, (await details(page)).join(" \u00b7 ").includes(
				`start ${start} \u00b7 duration ${duration}`), true);
		}
	}
};

exports.chart_shows_the_selection = async (stage, page) => {
	await page.size(1200, 800);
	await page.open(stage.picture(CHART, ...COLORS) + "#view=chart&time=1s..2s&track=t-2/2");
	stage.check("labels", (await labels(page)).sort(), ["all", "gamma", "main", "t-2/2"]);
	stage.check("ruler", (await textOf(page, ".fg-top .fg-ruler:last-of-type")).includes("1.5 s"),
		true);
};

exports.heat_map_has_a_column_each_second = async (stage, page) => {
	const cells = [];
	for (let k = 0; k < 50; k++)
		cells.push(`t-1/1;${(k / 10).toFixed(6).padStart(13, "0")}s;main;f${k % 10} ${k % 7 + 1}`);
	await stage.show(page, "#fg by=tid,time unit=samples\n" + cells.join("\n") + "\n");
	const shapes = () => page.run(`
		return Array.from(document.querySelectorAll(".fg-timeline [fill-opacity] path"))
			.concat(Array.from(document.querySelectorAll(".fg-timeline g path")))
			.map((e) => (e.getAttribute("d").match(/M/g) || []).length)
			.reduce((a, b) => a + b, 0);`);
	await page.key("H");
	stage.check("a cell each", await shapes(), 50);
	stage.check("offsets", await lanesOf(page), ["+0 s", "+0.9 s"]);
	const [x, y, width, height] = await page.run(`
		const box = document.querySelector(".fg-timeline [role=slider]").getBoundingClientRect();
		return [box.x, box.y, box.width, box.height];`);
	const at = (second, tenth) => [x + (second + 0.5) / 5 * width,
		y + (tenth + 0.5) / 10 * height];
	await page.drag(at(1, 3), at(3, 5));
	stage.check("from cell to cell", await chips(page), ["1.3s..3.6s \u00d7", "Copy command"]);
	await page.key("H");
	stage.check("lanes again", await lanesOf(page), ["t-1/1"]);
};

exports.selections_are_compared = async (stage, page) => {
	const lines = ["#fg by=tid,time unit=samples samples=2000"];
	for (let second = 0; second < 10; second++)
		lines.push(`t-1/1;00000${second}.000000s;main;steady 100`,
			`t-1/1;00000${second}.000000s;main;grown ${second < 5 ? 10 : 90}`,
			`t-1/1;00000${second}.000000s;main;shrunk ${second < 5 ? 90 : 10}`);
	await page.size(1200, 800);
	await page.open(stage.picture(lines.join("\n") + "\n") + "#time=0s..5s");
	await page.key("=");
	stage.check("kept", await chips(page), ["0s..5s \u00d7", "against 0s..5s \u00d7"]);
	await page.drag(await pointAt(page, 5.1), await pointAt(page, 9.9));
	stage.check("two", await chips(page), ["5s..10s \u00d7", "against 0s..5s \u00d7"]);
	const about = async (name) => {
		await hoverFrame(page, name);
		return (await details(page)).join(" \u00b7 ");
	};
	stage.check("grown", (await about("grown")).includes("5.00 % \u2192 45.00 % \u00b7"), true);
	stage.check("shrunk", (await about("shrunk")).includes("45.00 % \u2192 5.00 % \u00b7"), true);
	stage.check("steady", (await about("steady")).includes("50.00 %, not significant"), true);
	const colors = new Map();
	for (const [, , w, color] of await drawn(page, ".fg-graph .fg-box"))
		colors.set(color, w);
	stage.check("three colours", colors.size, 3);
	await page.key("=");
	stage.check("forgotten", await chips(page), ["5s..10s \u00d7", "Copy command"]);
	for (const text of ["x", "{}", "[1]", "{\"range\":5,\"tracks\":null}",
		"{\"range\":null,\"tracks\":[99]}"]) {
		await page.run(`location.hash = "against=" + encodeURIComponent(${JSON.stringify(text)})`);
		await page.frames();
		stage.check(text, await chips(page), []);
	}
};

exports.compared_changes_match_fg_diff = async (stage, page) => {
	const SHIFT = 20, names = ["read", "parse", "check", "send"];
	const lines = ["#fg by=tid,time unit=samples samples=20000"];
	for (let second = 0; second < 10; second++)
		lines.push(...names.map((name, k) => `t-1/1;00000${second}.000000s;main;${name} ${100 + k}`),
			`t-1/1;00000${second}.000000s;main;grown ${second < 5 ? 50 : 50 * SHIFT}`);
	const text = lines.join("\n") + "\n";
	const report = JSON.parse(stage.pipe(path.join(stage.bin, "fg-diff"), text, "-q", "--report", "json",
		"--where-before", "time=..5s", "--where-after", "time=5s.."));
	const changed = new Set(report.functions.filter(({ name, total }) =>
		total.changed && name !== "main").map(({ name }) => name));
	stage.check("fg-diff", Array.from(changed), ["grown"]);
	await page.size(1200, 800);
	await page.open(stage.picture(text) + "#time=5s..10s&against=" +
		encodeURIComponent('{"range":[0,5],"tracks":null}'));
	for (const name of names.concat("grown")) {
		await hoverFrame(page, name);
		const isSure = !(await details(page)).join(" ").includes("not significant");
		stage.check(name, isSure, changed.has(name));
	}
};

exports.chart_shows_what_the_steps_leave = async (stage, page) => {
	await page.size(1200, 800);
	const show = async (url) => {
		await page.open("about:blank");
		await page.open(url);
		const boxes = await drawn(page, ".fg-graph .fg-box");
		return [(await labels(page)).sort(), boxes.map(([x, , w]) => [x, w]).sort()];
	};
	for (const [step, options] of [["focus a$", ["--focus", "a$"]], ["ignore alpha", ["--ignore", "alpha"]],
		["hide main", ["--hide", "main"]], ["fold ^main$", ["--trim-below", "^main$"]],
		["root alpha", ["--root", "alpha"]]])
		stage.check(step, await show(`${stage.picture(CHART, ...COLORS)}#view=chart&time=0s..3s&step=${step}`),
			await show(`${stage.picture(stage.filter(CHART, ...options), ...COLORS)}#view=chart&time=0s..3s`));
};

exports.facts_of_the_selection_stand_before_its_chips = async (stage, page) => {
	await page.size(1200, 800);
	const part = () => page.run("return document.querySelector('.fg-bar > text.fg-part').textContent");
	await page.open(stage.picture(CHART));
	stage.check("all", await part(), "");
	for (const [address, words] of [["#time=1s..2s", "1.25 s, 45.45 %: "],
		["#step=focus+beta", "1 s, 36.36 %: "], ["#time=1s..2s&step=focus+gamma", "250 ms, 9.09 %: "]]) {
		await page.open("about:blank");
		await page.open(stage.picture(CHART) + address);
		stage.check(address, (await part()).slice(0, words.length), words);
	}
};

exports.process_rows_are_not_functions = async (stage, page) => {
	const MENU = "Array.from(document.querySelectorAll('.fg-item'), (e) => e.textContent)";
	await page.size(1200, 800);
	await page.open(stage.picture(PICTURE));
	await search(page, "^a$");
	stage.check("a process", await matched(page), "0 matches, matched 0.00 %".slice(11));
	await search(page, "alpha");
	await page.key("Escape");
	await page.key("Escape");
	for (const [name, isThere] of [["a", false], ["alpha", true]]) {
		await hoverFrame(page, name);
		await page.key("m");
		stage.check(name, (await page.run(`return ${MENU}`)).some((text) =>
			text.includes("Only stacks with it")), isThere);
		await page.key("Escape");
	}
};
