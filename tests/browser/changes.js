// SPDX-License-Identifier: ISC
// Differences: new, removed and significantly changed frames.
"use strict";

const { clickFrame, details, drawn, hoverFrame, label, labels, placeOf, search } = require("./stage.js");

const HEADER = "#fg unit=samples samples=2000 samples-before=2000 norm=total " +
	"name-before=before.folded name=after.folded\n";
const FOLDED = HEADER + "main;same;chance 300 310\nmain;same;grown 100 400\n" +
	"main;fresh;leaf 0 500\nmain;lost;leaf 600 0\nmain;lost;other 3 0\nmain;rest 997 790\n";

// The positions and colours of wide boxes: [left, width, colour].
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

exports.removed_stacks_come_and_go = async (stage, page) => {
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

exports.details_show_before_and_after = async (stage, page) => {
	await stage.show(page, FOLDED);
	await hoverFrame(page, "grown");
	const text = (await details(page)).join(" ");
	stage.check("weights", text.includes("100 \u2192 400"), true);
	stage.check("ratio", text.includes("\u00d7 4.00"), true);
	stage.check("shares", text.includes("5.00 % \u2192 20.00 %"), true);
	await hoverFrame(page, "chance");
	stage.check("chance", (await details(page)).join(" ").includes("not significant"), true);
};

// The widths equal a picture of the weights before alone.
exports.widths_are_before_or_after = async (stage, page) => {
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
	stage.check("details show both", (await details(page)).join(" ").includes("100 \u2192 400"), true);
};

// The boxes of both sides of a picture 1200 px wide: [x from the edge of the side, row, width].
async function sidesOf(page) {
	const HALF = (1180 - 12) / 2, sides = [[], []];
	for (const [x, y, w] of await drawn(page, ".fg-graph .fg-box, .fg-graph .fg-faded"))
		if (w > 2)
			sides[Number(x > 10 + HALF)].push([Math.round(x - 10 - (x > 10 + HALF ? HALF + 12 : 0)), y,
				Math.round(w)]);
	return sides;
}

exports.both_are_side_by_side_on_one_scale = async (stage, page) => {
	const folded = "#fg unit=samples samples=1000 samples-before=500 columns=2\n" +
		"main;kept 300 300\nmain;lost;deep 200 0\nmain;grown 0 700\n";
	await stage.show(page, folded);
	await page.key("x");
	await page.key("x");
	stage.check("address", await page.run("return location.hash"), "#widths=both");
	stage.check("pressed", await page.run("return Array.from(document.querySelectorAll(" +
		"'.fg-button[aria-pressed=true] text'), (e) => e.textContent).includes('Both')"), true);
	const widths = (side) => side.map(([, , w]) => w).sort((a, b) => b - a);
	const near = (found, wanted) => found.length === wanted.length &&
		found.every((w, i) => Math.abs(w - wanted[i]) <= 2);
	let [before, after] = await sidesOf(page);
	stage.check("before", near(widths(before), [292, 292, 175, 117, 117]), true);
	stage.check("after", near(widths(after), [584, 584, 409, 175]), true);
	stage.check("what they are", (await labels(page)).filter((text) => /: /.test(text)).sort(),
		["after: 1,000 samples", "before: 500 samples"]);
	await hoverFrame(page, "lost");
	stage.check("removed", (await details(page)).join(" ").includes("200 \u2192 0"), true);
	await clickFrame(page, "grown");
	[before, after] = await sidesOf(page);
	stage.check("zoomed: only after has it", [before.length, near(widths(after), [584, 584, 584])],
		[0, true]);
	await page.key("Escape");
	await clickFrame(page, "kept", 0);
	[before, after] = await sidesOf(page);
	stage.check("zoomed: both", [widths(before).length, widths(after).length], [3, 3]);
	await page.key("Escape");
	// drag over half of one side; the other side shows the same part of the scale
	const [x, y] = await placeOf(page, label("main", 1));
	await page.drag([10 + 584 + 12 + 1, y], [10 + 584 + 12 + 292, y]);
	[before, after] = await sidesOf(page);
	stage.check("a range", [Math.max(...widths(before)), Math.max(...widths(after))].every((w) => w > 570), true);
	stage.check("its address", /range=0\.00\d*-0\.(49|50)/.test(await page.run("return location.hash")), true);
	await page.key("0");
	for (const key of ["b", "s", "t", "f"]) {
		await page.key(key);
		await page.key("ArrowUp");
		await page.key("ArrowRight");
		await page.key("Escape");
	}
	await page.key("f");
	await search(page, "kept");
	stage.check("search", await page.run("return document.querySelector('.fg-hit').getAttribute('d')" +
		".match(/M/g).length"), 2);
};

exports.verdict_opens_the_details_and_is_not_cut = async (stage, page) => {
	const words = "slower: total 100 -> 200 ms per run (x 2.00, 1.80 to 2.20); parse_a_long_name +90 ms, " +
		"removed old -3 ms and 6 more; could have seen total 12 %, parse_a_long_name 30 %";
	const folded = `#fg unit=ms samples=200 samples-before=100 columns=2 verdict=${encodeURIComponent(words)}\n` +
		"main;parse_a_long_name 10 100\nmain;old 3 0\nmain;rest 87 100\n";
	await page.scheme("light");
	for (const [width, height] of [[1200, 800], [390, 844]]) {
		await page.size(width, height);
		await page.open(stage.picture(folded));
		const lines = await details(page), text = lines.join(" ").replace(/\u00b7 /g, "").replace(/ +/g, " ");
		for (const part of ["slower: total 100 \u2192 200 ms per run (\u00d7 2.00, 1.80 to 2.20)",
			"parse_a_long_name +90 ms, removed old \u22123 ms and 6 more",
			"could have seen total 12 %, parse_a_long_name 30 %", "total 100 ms \u2192 200 ms"])
			stage.check(`${width}: ${part}`, text.includes(part), true);
		stage.check(`${width}: hint`, /to zoom|zoom/.test(lines[0]), true);
		stage.check(`${width}: inside`, await page.run(`
			const foot = document.querySelector(".fg-foot > rect").getBoundingClientRect();
			return Array.from(document.querySelectorAll(".fg-details tspan"), (e) =>
				e.getBoundingClientRect()).every((box) => box.bottom <= foot.bottom + 1 &&
				box.right <= ${width});`), true);
	}
	const still = String(stage.svg(folded, "--no-data"));
	stage.check("without script", still.includes("<tspan>slower: total 100 -&gt; 200 ms per run"), true);
};

// Scaled small counts have decimals: the total before is the same everywhere, and they are not
// new.
exports.scaled_counts_keep_their_total = async (stage, page) => {
	const folded = "#fg unit=samples samples=98 samples-before=108 norm=total\n" +
		"abcdefgh".split("").map((name, i) => `m;${name} 0.90740740${7 + i % 3 % 2} 1\n`).join("") +
		"m;big 90.740740741 90\n";
	await stage.show(page, folded);
	const [fresh, gone] = await colours(page);
	await hoverFrame(page, "m");
	const whole = (await details(page)).join(" ");
	stage.check("total before and after", /98 (samples )?\u2192 98 samples/.test(whole) && whole, whole);
	await hoverFrame(page, "big");
	const big = (await details(page)).join(" ");
	stage.check("three decimals", /90\.741 \u2192 90 samples/.test(big) && big, big);
	await clickFrame(page, "big");
	await page.frames();
	stage.check("neither new nor gone", [fresh, gone].includes(await colourOf(page, "big")), false);
	const still = String(stage.svg(folded, "--no-data"));
	stage.check("without script", /98 in all before [^<]*, 98 in all after|98 samples before/.test(still), true);
};
