// SPDX-License-Identifier: ISC
// Visual contrast: boxes against the page, texts against boxes, and colours that must not be
// confused, with normal vision and with missing red, green or blue cones.
"use strict";

const { search } = require("./stage.js");

const linear = (v) => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
const light = (c) => c.map((v) => linear(v / 255));
const times = (matrix, v) => matrix.map((row) => row.reduce((sum, x, i) => sum + x * v[i], 0));
const luminance = (c) => times([[0.2126, 0.7152, 0.0722]], light(c))[0];

// As defined by WCAG 2.1.
function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

// Machado, Oliveira and Fernandes 2009, severity 1.
const EYES = {
	all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
		[-0.003882, -0.048116, 1.051998]],
	deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
		[-0.011820, 0.042940, 0.968881]],
	tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
		[0.004733, 0.691367, 0.303900]],
};
const XYZ = [[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0178, 0.1095, 0.8730]];

// CIE 1976 L*a*b* of colour C for EYE.
function lab(c, eye) {
	const seen = times(eye, light(c)).map((v) => Math.min(Math.max(v, 0), 1));
	const [x, y, z] = times(XYZ, seen).map((v) =>
		v > 216 / 24389 ? Math.cbrt(v) : (24389 / 27 * v + 16) / 116);
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

// Delta E: the distance of A and B for EYE.
const apart = (a, b, eye) => Math.hypot(...lab(a, eye).map((v, i) => v - lab(b, eye)[i]));

// The pairs of COLORS, by name, that are closer than LEAST for some EYE.
function mixedUp(colors, least) {
	const names = Object.keys(colors), list = [];
	for (const [kind, eye] of Object.entries(EYES))
		names.forEach((a, i) => names.slice(0, i).forEach((b) => {
			const far = apart(colors[a], colors[b], eye);
			if (far < least)
				list.push(`${a}, ${b}, ${kind}: ${far.toFixed(1)}`);
		}));
	return list;
}

// The painted fills in the graph by class of the path, and the page's.
const fills = (page) => page.run(`
	const parse = (s) => s.match(/[\\d.]+/g).slice(0, 3).map(Number), list = {};
	for (const path of document.querySelectorAll(".fg-graph path[d]")) {
		const kind = path.getAttribute("class"), style = getComputedStyle(path);
		if (path.getAttribute("d") && style.fill !== "none")
			(list[kind] = list[kind] || []).push(parse(style.fill));
	}
	list.page = [parse(getComputedStyle(document.querySelector(".fg-bg")).fill)];
	return list;`);

const KINDS = "main;std::a;b_[k];core::ptr::f 5 9\nmain;c_[j];d_[i] 6 0\nmain;e;x.y.z_[i] 0 7\n" +
	"main;[unknown];java-1/2 40 2\nmain;_ZN4core3ptr17h0123456789abcdefE;-;-- 9 9\n" +
	"runtime.goexit;main.f 9 9\n";
const PALETTES = ["aqua", "auto", "blue", "chain", "green", "hot", "io", "java", "js", "mem", "module",
	"orange", "perl", "purple", "python", "red", "rust", "wakeup", "yellow"];

exports.boxes_stand_off_the_page_and_texts_off_boxes = async (stage, page) => {
	const one = KINDS.replace(/ \d+$/gm, "");
	const pictures = PALETTES.map((name) => [name, one, "--colors", name])
		.concat([["difference", KINDS]]);
	for (const [what, folded, ...options] of pictures)
		for (const scheme of ["light", "dark"]) {
			await stage.show(page, folded, ...options);
			await page.scheme(scheme);
			const { page: [ground], "fg-box": list } = await fills(page);
			stage.check(`${what}, ${scheme}: boxes`, list.filter((c) => contrast(c, ground) < 1.5), []);
			stage.check(`${what}, ${scheme}: text`, list.filter((c) => contrast(c, [0, 0, 0]) < 7), []);
		}
};

// A difference with a search.
exports.every_eye_distinguishes_hits_strips_and_insignificant_frames = async (stage, page) => {
	let folded = "#fg unit=samples samples=60000 samples-before=60000 norm=total\n" +
		"main;same 20000 20010\nmain;grown 1000 9000\nmain;less 9000 1000\nmain;hit 20000 20000\n";
	for (let i = 0; i < 3000; i++)
		folded += `main;thin;f${i} 1 1\n`;
	for (const scheme of ["light", "dark"]) {
		await stage.show(page, folded);
		await page.scheme(scheme);
		await search(page, "^hit$");
		const { "fg-hit": [hit], "fg-strip": [strip], page: [ground] } = await fills(page);
		const meta = JSON.parse(await page.run("return document.querySelector('.fg-meta').textContent"));
		const { colors } = meta.diff, parse = (s) => s.match(/\w\w/g).map((v) => parseInt(v, 16));
		const seen = { hit, strip, page: ground, "not significant": parse(colors[8]),
			more: parse(colors[16]) };
		stage.check(scheme, mixedUp(seen, 12), []);
		stage.check(`${scheme}: decreases differ from insignificant frames, though less`,
			mixedUp({ less: parse(colors[0]), same: parse(colors[8]) }, 9), []);
		stage.check(`${scheme}: the brightest is a change`, Math.max(...colors.map((c) =>
			luminance(parse(c)))) > luminance(parse(colors[8])), true);
	}
};

// Its outline, on all possible backgrounds.
exports.every_eye_sees_the_selected_box = async (stage, page) => {
	for (const scheme of ["light", "dark"]) {
		await stage.show(page, KINDS.replace(/ \d+$/gm, ""));
		await page.scheme(scheme);
		await page.key("ArrowUp");
		await page.key("ArrowUp");
		const lists = await fills(page), stroke = await page.run(`
			return getComputedStyle(document.querySelector("[aria-selected=true]")).stroke
				.match(/\\d+/g).map(Number);`);
		for (const fill of lists["fg-box"])
			stage.check(`${scheme}: ${fill}`, mixedUp({ stroke, fill }, 40), []);
	}
};
