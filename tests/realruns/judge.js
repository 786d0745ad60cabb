// SPDX-License-Identifier: ISC
// Asks fg-diff about pairs of sets of recordings, and counts what it reports.
"use strict";

const { execFile } = require("child_process");
const fs = require("fs");
const path = require("path");

const AT_ONCE = 2;

// The report on FILES before against those after, or null when fg-diff failed.
function compare(pair, options = []) {
	const args = ["-q", "--report", "json", ...options, "-a", ...pair[0], "-b", ...pair[1]];

	return new Promise((resolve) => execFile("fg-diff", args, { maxBuffer: 1 << 28 }, (error, text, messages) => {
		if (error && error.code !== 1) {
			console.log(`fg-diff ${args.join(" ")}: ${messages || error}`);
			resolve(null);
		} else {
			resolve(JSON.parse(text));
		}
	}));
}

async function compareAll(pairs, options) {
	const reports = [];
	let next = 0;

	async function work() {
		while (next < pairs.length) {
			const i = next++;
			reports[i] = await compare(pairs[i], options);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return reports;
}

// Numbers from 0 to below 1 that depend on SEED alone: Mulberry32 by Tommy Ettinger, public domain.
function random(seed) {
	let state = seed >>> 0;

	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

// N of LIST in random order.
function draw(list, n, chance) {
	const rest = [...list];

	return Array.from({ length: n }, () => rest.splice(Math.floor(chance() * rest.length), 1)[0]);
}

// All ways to choose N of LIST.
function choices(list, n) {
	if (n === 0)
		return [[]];
	return list.flatMap((first, i) => choices(list.slice(i + 1), n - 1).map((rest) => [first, ...rest]));
}

// At most MOST pairs of N recordings each of one program: all that there are, or random ones.
function pairsOf(files, n, most, chance) {
	if (files.length <= 6) {
		const all = choices(files, n).flatMap((a) =>
			choices(files.filter((f) => !a.includes(f)), n).filter((b) => a[0] < b[0]).map((b) => [a, b]));
		return draw(all, Math.min(most, all.length), chance);
	}
	return Array.from({ length: most }, () => {
		const drawn = draw(files, 2 * n, chance);
		return [drawn.slice(0, n), drawn.slice(n)];
	});
}

// The recordings below FOLDER by program: NAME.NUMBER.folded, maybe compressed.
function recordings(folder) {
	const programs = new Map();

	for (const file of fs.readdirSync(folder).sort()) {
		const name = /^(.*)\.\d+\.folded(\.zst)?$/.exec(file);
		if (name)
			programs.set(name[1], [...programs.get(name[1]) || [], path.join(folder, file)]);
	}
	return programs;
}

// In how many percent of REPORTS IS holds.
function share(reports, is) {
	return 100 * reports.filter(is).length / reports.length;
}

function hasFunctions(report) {
	return report.functions.length > 0;
}

function hasTotal(report) {
	return Boolean(report.total && report.total.changed);
}

function hasAny(report) {
	return hasFunctions(report) || hasTotal(report);
}

// Whether REPORT says that the function NAME takes longer.
function hasGrown(report, name) {
	return report.functions.some((f) => f.name === name &&
		[f.total, f.self].some((value) => value && value.changed && value.excess > 0));
}

// Whether REPORT names one of NAMES but not NAME.
function blames(report, names, name) {
	return report.functions.some((f) => names.test(f.name) && f.name !== name);
}

function mean(numbers) {
	return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

// Counts what holds and what does not.
class Checks {
	constructor() {
		this.passed = 0;
		this.failed = 0;
	}

	check(holds, what) {
		if (holds)
			this.passed++;
		else
			this.failed++;
		if (!holds)
			console.log(`FAIL ${what}`);
	}

	end() {
		console.log(`${this.passed} passed, ${this.failed} failed`);
		process.exitCode = this.failed ? 1 : 0;
	}
}

module.exports = { blames, Checks, choices, compareAll, draw, hasAny, hasFunctions, hasGrown, hasTotal, mean,
	pairsOf, random, recordings, share };
