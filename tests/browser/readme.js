#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// The pictures of README.md, in docs/: viewer.png moves through the views of docs/demo.svg, and
// difference.png compares recordings of fg-collapse.
//
// A moving picture is an APNG (PNG, third edition, section 11.3.4 and 4.9): the first shot is an
// ordinary PNG, the data of the others follows in chunks of their own.
"use strict";

const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const zlib = require("zlib");
const { Browser, findBrowser } = require("./cdp.js");
const { Stage, search } = require("./stage.js");

const DOCS = path.join(__dirname, "../../docs");
const SIZE = [1000, 560];

// What is done before each shot, and for how many seconds it stays.
const SCENES = [
	[2.5, async () => {}],
	[2.5, (page) => search(page, "tree_")],
	// The first Escape empties the search, the second leaves it.
	[2.5, async (page) => {
		for (const key of ["Escape", "Escape", "b"])
			await page.key(key);
	}],
	[2.5, (page) => page.key("t")],
];

// The chunks of a PNG, [type, data] each.
function chunks(png) {
	const found = [];
	for (let at = 8; at < png.length;) {
		const length = png.readUInt32BE(at);
		found.push([png.toString("latin1", at + 4, at + 8),
			png.subarray(at + 8, at + 8 + length)]);
		at += 12 + length;
	}
	return found;
}

const TABLE = Array.from({ length: 256 }, (_, n) => {
	for (let bit = 0; bit < 8; bit++)
		n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1;
	return n >>> 0;
});

function crc(bytes) {
	let sum = 0xffffffff;
	for (const byte of bytes)
		sum = TABLE[(sum ^ byte) & 255] ^ sum >>> 8;
	return ~sum >>> 0;
}

const word = (n) => Buffer.from([n >>> 24, n >>> 16 & 255, n >>> 8 & 255, n & 255]);

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
	return Buffer.concat([word(data.length), body, word(crc(body))]);
}

// The data of a shot, packed as small as zlib can.
function packed(all) {
	const data = Buffer.concat(all.filter(([type]) => type === "IDAT").map(([, bytes]) => bytes));
	return zlib.deflateSync(zlib.inflateSync(data), { level: 9 });
}

// One APNG of SHOTS, PNGs of one size, each shown for its number of seconds.
function moving(shots, seconds) {
	const all = shots.map(chunks), head = all[0].find(([type]) => type === "IHDR")[1];
	const out = [Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", head),
		chunk("acTL", Buffer.concat([word(shots.length), word(0)]))];
	let number = 0;
	for (const [i, parts] of all.entries()) {
		const time = Buffer.from([0, 0, 0, 100, 0, 0]);
		time.writeUInt16BE(Math.round(seconds[i] * 100), 0);
		out.push(chunk("fcTL", Buffer.concat([word(number++), head.subarray(0, 8), word(0),
			word(0), time])));
		out.push(i ? chunk("fdAT", Buffer.concat([word(number++), packed(parts)]))
			: chunk("IDAT", packed(parts)));
	}
	out.push(chunk("IEND", Buffer.alloc(0)));
	return Buffer.concat(out);
}

async function shoot(page, file) {
	await page.frames();
	await page.shot(file);
	return fs.readFileSync(file);
}

async function takeViewer(browser, folder) {
	const page = await browser.page(), shots = [];
	await page.size(...SIZE);
	await page.scheme("light");
	await page.open(pathToFileURL(path.join(DOCS, "demo.svg")).href);
	for (const [, act] of SCENES) {
		await act(page);
		shots.push(await shoot(page, path.join(folder, "shot.png")));
	}
	await page.close();
	fs.writeFileSync(path.join(DOCS, "viewer.png"), moving(shots, SCENES.map(([time]) => time)));
}

// Records fg-collapse on plain text, and on the same packed, in turn.
const RECORD = `
	set -e
	cd "$0"
	make -s bench-programs
	build/plain/tools/generate perf 60000 random >"$1/text"
	gzip <"$1/text" >"$1/text.gz"
	for run in text.1 text.gz.1 text.gz.2 text.2 text.3 text.gz.3 text.gz.4 text.4 text.5 text.gz.5; do
		bin/fg-record -q -F 1999 -- bin/fg-collapse -q -o /dev/null "$1/\${run%.*}" |
			bin/fg-collapse -q >"$1/$run.folded"
	done
	bin/fg-diff -a "$1"/text.[1-5].folded -b "$1"/text.gz.[1-5].folded`;

async function takeDifference(browser, stage) {
	const run = spawnSync("sh", ["-c", RECORD, path.join(__dirname, "../.."), stage.folder]);
	if (run.status !== 0)
		throw new Error(`cannot record: ${run.stderr}`);
	const page = await browser.page();
	await page.size(1000, 520);
	await page.scheme("light");
	await page.open(stage.picture(run.stdout, "--title", "fg-collapse: packed input, compared with plain"));
	await page.shot(path.join(DOCS, "difference.png"));
	await page.close();
}

async function main() {
	const program = findBrowser();
	if (!program)
		throw new Error("no chromium here (or in CHROMIUM)");
	const stage = new Stage(), browser = new Browser(program);
	await takeViewer(browser, stage.folder);
	await takeDifference(browser, stage);
	await browser.close();
	stage.close();
}

main().catch((error) => {
	console.error(`readme.js: ${error.message}`);
	process.exit(1);
});
