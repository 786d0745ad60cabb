// SPDX-License-Identifier: ISC
// Saving: folded text and pictures of the visible part.
"use strict";

const truth = require("./truth.js");
const { clickFrame, clickOn } = require("./stage.js");

const FOLDED = "#fg unit=samples samples=130\nmain;alpha;beta;delta 30\nmain;alpha;gamma 20\n" +
	"main;alpha 10.5\nmain;omega;alpha;beta;alpha 15\nmain;omega;beta_[k] 25\nbeta;alpha 30\n";

// Runs the menu command LABEL; returns the saved file's name and bytes.
async function save(page, label) {
	await page.run(`
		const make = URL.createObjectURL, anchor = HTMLAnchorElement.prototype;
		anchor.click = function () {
			window.saved = { name: this.download, blob: window.lastBlob };
		};
		URL.createObjectURL = (blob) => make.call(URL, window.lastBlob = blob);`);
	await page.key("?");
	await clickOn(page, `Array.from(document.querySelectorAll(".fg-item"))` +
		`.find((e) => e.textContent.includes(${JSON.stringify(label)}))`);
	return page.run(`
		for (let i = 0; i < 100 && !window.saved; i++)
			await new Promise((done) => setTimeout(done, 50));
		const { name, blob } = window.saved, { type } = blob;
		window.saved = null;
		const bytes = new Uint8Array(await blob.arrayBuffer());
		return { name, type, text: new TextDecoder().decode(bytes),
			bytes: Array.from(bytes.subarray(0, 32)) };`);
}

const stacks = (text) => String(text).split("\n").filter((line) => line && line[0] !== "#").sort();

exports.saved_stacks_equal_those_of_fg_filter = async (stage, page) => {
	await page.size(1200, 800);
	const url = stage.picture(FOLDED);
	for (const [address, options] of [["", ["--depth", "99"]],
		["#step=focus+^beta$", ["--focus", "^beta$"]], ["#step=hide+alp", ["--hide", "alp"]],
		["#step=hide+.", ["--hide", "."]], ["#step=callers+^beta$&view=table",
			["--focus", "^beta$", "--trim-below", "^beta$"]],
		["#step=root+^alpha$&step=fold+^beta$", ["--root", "^alpha$", "--trim-below", "^beta$"]],
		["#path=main;omega", ["--focus", "^omega$"]], ["#view=up", ["--depth", "99"]]]) {
		await page.open("about:blank");
		await page.open(url + address);
		const { name, text } = await save(page, "Save stacks");
		const wanted = String(stage.filter(FOLDED, ...options));
		stage.check(address, stacks(text), stacks(wanted));
		stage.check(`${address}: samples`, /samples=(\d+)/.exec(text)[1],
			/samples=(\d+)/.exec(wanted)[1]);
		stage.check("name", /^\d+-picture-view\.folded$/.test(name), true);
	}
};

// Steps in the URL, and their fg-filter options.
const STEPS = { focus: ["--focus"], ignore: ["--ignore"], root: ["--root"], hide: ["--hide"],
	fold: ["--trim-below"], callers: ["--focus", "--trim-below"] };

exports.steps_on_any_stacks_match_fg_filter = async (stage, page) => {
	const folded = "#fg unit=samples samples=5000\n" + truth.invent(500);
	const names = Array.from(new Set(truth.parse(folded).flatMap((line) => line.frames))).slice(3);
	const url = stage.picture(folded);
	await page.size(1200, 800);
	let at = 0;
	for (const first of Object.keys(STEPS))
		for (const second of ["hide", "fold"]) {
			const steps = [[first, `^${names[at % names.length]}$`], [second, "^.[aeiou]"]];
			at += 5;
			await page.open("about:blank");
			await page.open(url + "#" + new URLSearchParams(steps.map((step) =>
				["step", step.join(" ")])));
			const { text } = await save(page, "Save stacks");
			const options = steps.flatMap(([kind, re]) =>
				STEPS[kind].flatMap((option) => [option, re]));
			stage.check(options.join(" "), stacks(text),
				stacks(stage.filter(folded, ...options)));
		}
};

exports.reversed_stacks_are_saved_as_they_were_written = async (stage, page) => {
	await stage.show(page, FOLDED, "--reverse");
	const { text } = await save(page, "Save stacks");
	stage.check("stacks", stacks(text), stacks(stage.filter(FOLDED, "--depth", "99")));
};

exports.both_columns_are_saved = async (stage, page) => {
	await stage.show(page, "#fg unit=samples columns=2\nmain;f;g 10 35\nmain;f 20 5\nmain;g 0 20\n");
	const { text } = await save(page, "Save stacks");
	stage.check("two columns", text,
		"#fg unit=samples columns=2\nmain;f 20 5\nmain;f;g 10 35\nmain;g 0 20\n");
};

exports.pictures_are_saved_as_seen = async (stage, page) => {
	await stage.show(page, FOLDED);
	await clickFrame(page, "omega");
	const { text, name } = await save(page, "Save as SVG");
	stage.check("name", name.endsWith("-view.svg"), true);
	stage.check("no script", /<script|class="fg-(bar|foot|card)/.test(text), false);
	const image = await save(page, "Save as PNG");
	stage.check("PNG", image.bytes.slice(1, 4), [80, 78, 71]);
	const size = (at) => image.bytes.slice(at, at + 4).reduce((n, byte) => 256 * n + byte, 0);
	stage.check("twice as wide", size(16), 2400);
	await page.open(stage.file("saved.svg", text));
	stage.check("its labels", await page.run(
		"return Array.from(document.querySelectorAll('.fg-graph text'), (e) => e.textContent)"),
	["all", "main", "omega", "alpha", "beta", "beta", "alpha"]);
};

// Processes, threads and times whose names and numbers also occur in function names.
function inventTimes(lines) {
	const folded = ["#fg by=comm,tid,time unit=samples samples=900"];
	truth.parse(truth.invent(lines)).forEach(({ frames, weights: [w] }, k) => folded.push(
		[["alpha", "b/7"][k % 2], `t-${k % 3}/${k % 5}`, `00000${k % 7}.${k % 4}00000s`,
			...frames].join(";") + " " + w));
	return folded.join("\n") + "\n";
}

const samplesOf = (text) => (/samples=(\d+)/.exec(text) || [])[1];

exports.selections_of_times_and_threads_match_fg_filter = async (stage, page) => {
	const folded = inventTimes(300), names = Array.from(new Set(truth.parse(folded)
		.flatMap((line) => line.frames.slice(3))));
	await page.size(1200, 800);
	for (const reverse of [[], ["--reverse"]]) {
		const url = stage.picture(folded, ...reverse);
		for (const [address, options] of [
			["", []], ["time=1s..3.3s", ["--where", "time=1s..3.3s"]],
			["track=t-1/3", ["--where", "tid=t-1/3"]],
			["track=t-0/0&track=t-2/1", ["--where", "tid=t-0/0", "--where", "tid=t-2/1"]],
			["track=t-1/4&time=0s..4.2s", ["--where", "tid=t-1/4", "--where",
				"time=..4.2s"]],
			...["focus", "ignore", "root", "hide", "fold"].map((kind, k) =>
				[`time=2s..6s&step=${kind}+^${names[k]}$`,
					["--where", "time=2s..6s", ...STEPS[kind].flatMap((option) =>
						[option, `^${names[k]}$`])]]),
			// process names are not functions
			["step=ignore+alpha", ["--ignore", "alpha"]],
			["step=hide+.", ["--hide", "."]]]) {
			if (reverse.length && /root|fold/.test(address))
				continue;
			await page.open("about:blank");
			await page.open(url + "#" + address);
			const { text } = await save(page, "Save stacks");
			const wanted = String(stage.filter(folded, "--drop-by", "tid,time", ...options));
			stage.check(`${reverse} ${address}`, stacks(text), stacks(wanted));
			stage.check(`${address}: by`, / by=\S*/.exec(text)[0], " by=comm");
			stage.check(`${address}: samples`, samplesOf(text), samplesOf(wanted));
		}
	}
};
