// SPDX-License-Identifier: ISC
// Pictures whose data is packed, missing or damaged.
"use strict";

const { clickFrame, details, drawn, hoverFrame, labels, matched, search, textOf } =
	require("./stage.js");
const { invent } = require("./truth.js");

// Unpacking continues after the load event.
async function untilLive(page) {
	for (let i = 0; i < 100; i++) {
		if (await page.run("return !!document.querySelector('.fg-live')"))
			return;
		await page.frames();
	}
	throw new Error("the viewer does not start");
}

// The state of PAGE, zoomed and searched.
async function look(page) {
	const seen = [await drawn(page, ".fg-graph path"), await labels(page)];
	await clickFrame(page, seen[1][3]);
	await hoverFrame(page, seen[1][3]);
	seen.push(await drawn(page, ".fg-graph path"), await details(page));
	await search(page, "a");
	seen.push(await matched(page));
	return seen;
}

exports.packed_data_makes_the_same_viewer = async (stage, page) => {
	const odd = "main;\u6f22\u5b57\u00e9 5000\nmain;back\\slash 4000\nmain;]]> 3000\n";
	for (const folded of [invent(3000), odd]) {
		await stage.show(page, folded);
		const plain = await look(page);
		await stage.show(page, folded, "--compress");
		await untilLive(page);
		stage.check("the same", await look(page), plain);
		stage.check("requests", (await page.requested()).length, 1);
	}
};

// Line separators, bidirectional marks and controls beyond ASCII: some of them end a script's
// line or reverse the text that follows.
exports.characters_that_act_are_shown_as_escapes = async (stage, page) => {
	const odd = ["\u2028", "\u2029", "\u0085", "\u009b", "\u202e", "\u2066", "\ufffe", "\u200b"];
	const escapes = (c) => [...Buffer.from(c)].map((byte) => "\\x" + byte.toString(16)).join("");
	const folded = odd.map((c) => `main;a${c};${c}b 10\n`).join("");
	for (const options of [[], ["--compress"]]) {
		await stage.show(page, folded, ...options);
		await untilLive(page);
		for (const c of odd) {
			await hoverFrame(page, "a" + escapes(c));
			stage.check(`details of ${escapes(c)} ${options}`, (await details(page))[0],
				"Function: a" + escapes(c));
		}
		stage.check("none is in the page", await page.run(
			`return /[\\u2028\\u2029\\u0085\\u009b\\u202e\\u2066\\ufffe\\u200b]/.test(document.documentElement.outerHTML)`),
		false);
	}
};

exports.two_columns_and_time_are_packed_too = async (stage, page) => {
	for (const [folded, how] of [["a;b 30 20\na;c 10 50\n", "--self"],
		["a;b 10\na;c 20\na 5\na;b 7\n", "--flamechart"],
		["a 18446744073709551000\n", "--inverted"]]) {
		await stage.show(page, folded, how);
		const plain = await drawn(page, ".fg-graph path");
		await stage.show(page, folded, how, "--compress");
		await untilLive(page);
		stage.check(how, await drawn(page, ".fg-graph path"), plain);
	}
};

// Checks that the picture at ADDRESS stays static, with its message.
async function still(stage, page, what, address) {
	await page.open(address);
	await page.frames();
	await page.frames();
	stage.check(`${what}: live`, await page.run("return !!document.querySelector('.fg-live')"), false);
	stage.check(`${what}: boxes`, (await drawn(page, ".fg-static path")).length, 4);
	stage.check(`${what}: shown`,
		await page.run("return document.querySelector('.fg-static').getAttribute('display')"), null);
	stage.check(`${what}: said`, /Cannot unpack/.test(await textOf(page, ".fg-details")), true);
}

exports.without_its_data_the_picture_stays = async (stage, page) => {
	const svg = stage.svg("main;f 30\nmain;g 70\n", "--compress").toString();
	const change = (pattern, by) => stage.file("picture.svg", svg.replace(pattern, by));
	const packed = /(class="fg-packed"><!\[CDATA\[)([^\]]*)/;
	await still(stage, page, "cut short", change(packed, (all, tag, data) => tag + data.slice(0, 12)));
	await still(stage, page, "no base64", change(packed, "$1!!!"));
	await still(stage, page, "another byte",
		change(packed, (all, tag, data) => tag + data.slice(0, 10) + "AAAA" + data.slice(14)));
	await still(stage, page, "no frames", change(packed, "$1eJwDAAAAAAE="));
	// a page that removes the API before the picture loads
	await still(stage, page, "an old browser", stage.file("page.html", "<!DOCTYPE html><meta charset='utf-8'>" +
		`<script>delete window.DecompressionStream</script>${svg.replace(/^<\?xml.*?\?>\s*/, "")}`));
};

exports.labels_lose_their_end_when_asked = async (stage, page) => {
	const folded = "main;a_rather_long_name_of_a_function_that_does_not_fit 3\nmain;b 20\n";
	const cut = async (...options) => {
		await stage.show(page, folded, ...options);
		return (await labels(page)).find((label) => label.includes("\u2026"));
	};
	stage.check("middle", /^a_.*\u2026.*t$/.test(await cut()), true);
	stage.check("right", /^a_.*\u2026$/.test(await cut("--truncate", "right")), true);
};

exports.a_picture_without_data_is_a_picture = async (stage, page) => {
	await stage.show(page, "main;f 30\nmain;g 70\n", "--no-data");
	stage.check("boxes", (await drawn(page, ".fg-static path")).length, 4);
	stage.check("scripts", await page.run("return document.querySelectorAll('script, style').length"), 0);
};
