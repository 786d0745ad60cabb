#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// The pictures of README.md, in docs/: viewer.png points at a frame of docs/demo.svg, zooms, searches and selects a
// range of time, and difference.png compares recordings of fg-collapse.
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
const { Stage, clickFrame, label, placeOf, search } = require("./stage.js");

const DOCS = path.join(__dirname, "../../docs");
const SIZE = [1000, 560];

const rest = (page) => page.run("await new Promise((done) => setTimeout(done, 500))");

// Moves to the frame NAME and waits for its card; returns the position.
async function hover(page, name) {
	const at = await placeOf(page, label(name));
	await page.move(...at);
	await rest(page);
	return at;
}

async function zoom(page, name) {
	const at = await placeOf(page, label(name));
	await clickFrame(page, name);
	await page.move(at[0], SIZE[1] - 1);
	await rest(page);
}

// Selects the times between the shares FROM and TO of the strip; returns the end's position.
async function selectTimes(page, from, to) {
	const [x, y, width, height] = await page.run(`
		const box = document.querySelector(".fg-timeline [role=slider]").getBoundingClientRect();
		return [box.x, box.y, box.width, box.height];`);
	const at = [from, to].map((share) => [x + share * width, y + height / 2]);
	await page.drag(...at);
	return at[1];
}

async function escape(page, times) {
	for (let i = 0; i < times; i++)
		await page.key("Escape");
}

// For each shot: the seconds that it is shown, and its actions, which return the position of
// the pointer.
const SCENES = [
	[1.5, async () => {}],
	[1.5, (page) => hover(page, "cache_find")],
	[1.5, (page) => zoom(page, "take_frames")],
	[1.5, async (page) => {
		await escape(page, 1);
		await search(page, "tree_");
	}],
	[1.5, async (page) => {
		// The first empties the search, the second leaves it.
		await escape(page, 2);
		return selectTimes(page, 0.74, 0.97);
	}],
];

// Draws the pointer, which headless browsers lack, with its tip at AT, or removes it.
const point = (page, at) => page.run(`
	const svg = document.querySelector("svg"), at = ${JSON.stringify(at || null)};
	const arrow = document.querySelector(".pointer") ||
		document.createElementNS(svg.namespaceURI, "path");
	arrow.setAttribute("class", "pointer");
	arrow.setAttribute("d", "M0 0v17l4-4 3 7 3-1-3-7h6z");
	arrow.setAttribute("fill", "black");
	arrow.setAttribute("stroke", "white");
	arrow.setAttribute("pointer-events", "none");
	arrow.remove();
	if (!at)
		return;
	const { top, left } = svg.getBoundingClientRect();
	arrow.setAttribute("transform", "translate(" + (at[0] - left) + " " + (at[1] - top) + ")");
	svg.append(arrow);`);

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

// The data of a shot, with the best compression of zlib.
function packed(all) {
	const data = Buffer.concat(all.filter(([type]) => type === "IDAT").map(([, bytes]) => bytes));
	return zlib.deflateSync(zlib.inflateSync(data), { level: 9 });
}

// An APNG of SHOTS, PNGs of one size, each shown for its number of seconds.
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

async function shoot(page, file, at) {
	await point(page, at);
	await page.frames();
	await page.shot(file);
	return fs.readFileSync(file);
}

async function takeViewer(browser, folder) {
	const page = await browser.page(), shots = [];
	await page.size(...SIZE);
	await page.scheme("light");
	await page.open(pathToFileURL(path.join(DOCS, "demo.svg")).href);
	for (const [, act] of SCENES)
		shots.push(await shoot(page, path.join(folder, "shot.png"), await act(page)));
	await page.close();
	fs.writeFileSync(path.join(DOCS, "viewer.png"), moving(shots, SCENES.map(([time]) => time)));
}

// Records fg-collapse on plain and on packed text, with the same total weight on both sides.
const RECORD = `
	set -e
	cd "$0"
	make -s bench-programs
	build/plain/tools/generate perf 200000 random >"$1/text"
	gzip <"$1/text" >"$1/text.gz"
	bin/fg-run --compare --norm none -q -F 1999 -o "$1/difference.svg" \
		--title 'fg-collapse: packed input, compared with plain' --subtitle 'five runs of each' \
		"bin/fg-collapse -q -o $1/out $1/text" "bin/fg-collapse -q -o $1/out $1/text.gz"`;

// Points at a frame, so that the page shows no total other than that of one run.
async function takeDifference(browser, stage) {
	const run = spawnSync("sh", ["-c", RECORD, path.join(__dirname, "../.."), stage.folder]);
	if (run.status !== 0)
		throw new Error(`cannot record: ${run.stderr}`);
	const page = await browser.page();
	await page.size(1000, 620);
	await page.scheme("light");
	await page.open(pathToFileURL(path.join(stage.folder, "difference.svg")).href);
	await shoot(page, path.join(DOCS, "difference.png"), await hover(page, "read_packed"));
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
