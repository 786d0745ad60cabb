// SPDX-License-Identifier: ISC
// The details of the frame under the pointer.
"use strict";

const truth = require("./truth.js");
const { clickFrame, details, drawn, hoverFrame, label, placeOf, settle } = require("./stage.js");

const FOLDED = "#fg unit=samples\nmain;alpha;beta 30\nmain;alpha;gamma 20\nmain;alpha 10\n" +
	"main;omega 1040\n";
const DOT = " \u00b7 ";

// The figures of frame NAME, without the line with its name.
async function figures(page, name) {
	await hoverFrame(page, name);
	const lines = await details(page);
	return lines.slice(1).join(DOT);
}

exports.self_total_and_shares = async (stage, page) => {
	const lines = truth.parse(FOLDED), all = truth.total(lines);
	await stage.show(page, FOLDED);
	stage.check("at first: what can be done, and all", await details(page),
		["Click to zoom, Esc back, / search, ? shortcuts", "total 1,100 samples" + DOT + "100.00 % of all" + DOT + "self 0 samples, 0.00 %"]);
	const p = truth.total(lines, ["main", "alpha"]) / all;
	const error = (196 * Math.sqrt(p * (1 - p) / all)).toFixed(2);
	stage.check("alpha", await figures(page, "alpha"), `total 60 samples${DOT}` +
		`${(100 * p).toFixed(2)} % of all${DOT}\u00b1 ${error} points (95 % confidence)${DOT}` +
		"self 10 samples, " +
		truth.percent(truth.self(lines, ["main", "alpha"]), all));
	await clickFrame(page, "alpha");
	await hoverFrame(page, "beta");
	stage.check("of zoomed frame", (await details(page))[1].split(DOT)[3], "50.00 % of zoomed frame");
	await hoverFrame(page, "main");
	stage.check("ancestors are outside of the zoom", (await details(page))[1].includes("zoomed"), false);
};

exports.no_error_with_unknown_samples = async (stage, page) => {
	await stage.show(page, "#fg unit=bytes\nmain;f 3145728\nmain;g 1048577\n");
	stage.check("f", await figures(page, "f"), "total 3 MiB (3,145,728 bytes)" + DOT +
		"75.00 % of all" + DOT + "self 3 MiB (3,145,728 bytes), 75.00 %");
};

exports.times_are_for_people_and_exact = async (stage, page) => {
	await stage.show(page, "#fg unit=ns samples=400\nmain;f 1234567890\nmain;g 12345\n");
	const text = await figures(page, "f");
	stage.check("f", text.split(DOT)[0], "total 1.235 s (1,234,567,890 ns)");
	stage.check("error of 400 samples", text.split(DOT).slice(1, 3),
		["100.00 % of all", "\u00b1 0.03 points (95 % confidence)"]);
};

exports.decimals_are_kept = async (stage, page) => {
	await stage.show(page, "main;f 1.25\nmain;g 10.5\nmain;f;h 0.125\n");
	stage.check("f", (await figures(page, "f")).split(DOT)[0], "total 1.375 units");
	stage.check("g", (await figures(page, "g")).split(DOT)[0], "total 10.5 units");
};

exports.weights_above_2_to_53_are_exact = async (stage, page) => {
	await stage.show(page, "#fg unit=samples\nmain;f 9007199254740993\nmain;g 1\n" +
		"main;f;h 9007199254740995\n", "--countname", "cycles");
	stage.check("f", (await figures(page, "f")).split(DOT)[0],
		"total 18,014,398,509,481,988 cycles");
	stage.check("h", (await figures(page, "h")).split(DOT)[0],
		"total 9,007,199,254,740,995 cycles");
	stage.check("main", (await figures(page, "main")).split(DOT)[0],
		"total 18,014,398,509,481,989 cycles");
};

exports.factor_multiplies_the_figures = async (stage, page) => {
	await stage.show(page, "main;f 10\nmain;g 30\n", "--factor", "2.5", "--countname", "ticks");
	const text = await figures(page, "f");
	stage.check("f", text.split(DOT)[0], "total 25 ticks");
	stage.check("share", text.includes("25.00 %"), true);
};

exports.total_is_100_percent = async (stage, page) => {
	await stage.show(page, "#fg unit=cycles\nmain;f 10\nmain;g 30\n", "--total", "80");
	stage.check("f", (await figures(page, "f")).includes("12.50 % of all"), true);
	stage.check("all", (await figures(page, "all")).split(DOT)[0], "total 80 cycles");
};

exports.difference_shows_before_after_change_and_ratio = async (stage, page) => {
	await stage.show(page, "#fg unit=samples\nmain;f 10 35\nmain;g 90 60\nmain;h 0 5\n");
	const parts = (await figures(page, "f")).split(DOT);
	stage.check("f", parts[0], "total 10 \u2192 35 samples (+25, \u00d7 3.50)");
	stage.check("share of f", parts[1], "10.00 % \u2192 35.00 % of all");
	stage.check("g", (await figures(page, "g")).split(DOT)[0],
		"total 90 \u2192 60 samples (\u221230, \u00d7 0.67)");
	stage.check("h", (await figures(page, "h")).split(DOT)[0],
		"total 0 \u2192 5 samples (+5, new)");
	const main = (await figures(page, "main")).split(DOT);
	stage.check("main", main[0], "total 100 \u2192 100 samples (no change)");
	stage.check("without self weight", main.some((part) => part.startsWith("self")), false);
};

exports.ratio_shows_both_columns_and_their_ratio = async (stage, page) => {
	await stage.show(page, "#fg ratio=cycles,instructions\nmain;f 10 35\nmain;g 90 65\n");
	const parts = (await figures(page, "f")).split(DOT);
	stage.check("f", parts, ["10 cycles, 10.00 %", "35 instructions, 35.00 %",
		"0.29 cycles / instructions (1.00 in all)"]);
	stage.check("g", (await figures(page, "g")).split(DOT)[2],
		"1.38 cycles / instructions (1.00 in all)");
};

exports.name_is_whole_in_the_details = async (stage, page) => {
	const name = "std::vector<std::pair<int, long>, my::allocator>::push_back_[i]";
	await stage.show(page, `main;${name} 90\nmain;g 10\n`, "--nametype", "Frame:");
	await hoverFrame(page, name.replace("_[i]", ""));
	stage.check("name", (await details(page))[0], "Frame: " + name.replace("_[i]", " (inlined)"));
};

exports.few_samples_are_called_unreliable = async (stage, page) => {
	await stage.show(page, "#fg unit=samples\nmain;alpha 1\nmain;beta 9\nmain;gamma 10\n");
	for (const [name, text] of [["alpha", "only 1 sample: unreliable"],
		["beta", "only 9 samples: unreliable"],
		["gamma", "\u00b1 21.91 points (95 % confidence)"]])
		stage.check(name, (await figures(page, name)).split(DOT)[2], text);
};

exports.function_is_summed_and_outlined_at_its_other_places = async (stage, page) => {
	const folded = "main;a;f;g;f 30\nmain;b;f 20\nmain;c 40\nmain;f 10\n";
	const lines = truth.parse(folded), all = truth.total(lines);
	const total = truth.functions(lines).find((f) => f.name === "f").total;
	await stage.show(page, folded);
	const text = `all 4 call sites: ${truth.percent(total, all)}`;
	for (let at = 0; at < 4; at++) {
		await hoverFrame(page, "f", at);
		await settle(page);
		stage.check(`place ${at}`, (await details(page)).join(DOT).endsWith(text), true);
		stage.check(`others of ${at}`, (await drawn(page, "path.fg-others")).length, 3);
	}
	// outlining repaints the whole graph: not while the pointer moves
	const [x, y] = await placeOf(page, label("f", 0));
	stage.check("at once", await page.run(`
		document.querySelector("svg.fg").dispatchEvent(new PointerEvent("pointermove",
			{ bubbles: true, clientX: ${x}, clientY: ${y} }));
		return document.querySelector(".fg-others").getAttribute("d");`), "");
	await hoverFrame(page, "c");
	await settle(page);
	stage.check("one place", [(await details(page)).join(DOT).includes("places"),
		(await drawn(page, "path.fg-others")).length], [false, 0]);
};

exports.selected_frames_have_the_same_details_as_hovered_ones = async (stage, page) => {
	await stage.show(page, FOLDED);
	await hoverFrame(page, "alpha");
	const pointed = await details(page);
	await page.move(600, 5);
	stage.check("at first", (await details(page))[0].startsWith("Click"), true);
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft"])
		await page.key(key);
	stage.check("chosen", await details(page), pointed);
};

exports.the_foot_does_not_jump = async (stage, page) => {
	await stage.show(page, truth.invent(200));
	for (const width of [320, 400, 1200]) {
		await page.size(width, 800);
		await page.frames();
		await page.frames();
		const seen = new Set();
		for (let x = 15; x < width; x += width / 9) {
			await page.move(x, 740);
			await page.move(x, 600);
			seen.add(await page.run(`
				const foot = document.querySelector(".fg-foot rect").getBoundingClientRect();
				const lines = Array.from(document.querySelectorAll(".fg-foot text"))
					.map((e) => e.getBoundingClientRect().bottom);
				return [foot.top, foot.height, Math.max(...lines) <= foot.bottom].join();`));
		}
		stage.check(`${width} px`, Array.from(seen, (s) => s.endsWith("true")), [true]);
	}
};

// Outlines of hovered, selected and repeated boxes do not hide underscores.
exports.outlines_leave_underscores_alone = async (stage, page) => {
	await stage.show(page, "main;a_;g_ 40\nmain;b_;g_ 40\n");
	const low = `(() => {
		const text = Array.from(document.querySelectorAll(".fg-graph text"))
			.filter((e) => e.textContent === "g_")[0], style = getComputedStyle(text);
		const pen = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas").getContext("2d");
		pen.font = style.fontSize + " " + style.fontFamily;
		return Number(text.getAttribute("y")) + pen.measureText("_").actualBoundingBoxDescent;
	})()`;
	const inner = (selector) => page.run(`const line = document.querySelector("${selector}");
		const box = line.getBBox(), width = parseFloat(getComputedStyle(line).strokeWidth) || 1;
		return Math.round(10 * (box.y + box.height - width / 2 - ${low})) / 10`);
	await hoverFrame(page, "g_");
	await settle(page);
	stage.check("hovered", await inner(".fg-hover") >= 0.5, true);
	stage.check("elsewhere", await inner(".fg-others") >= 0.5, true);
	for (let i = 0; i < 4; i++)
		await page.key("ArrowUp");
	stage.check("selected", await inner("[role=treeitem]:focus") >= 0.5, true);
};
