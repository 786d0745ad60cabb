#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// False alarms and detection on a collection of recordings, of which each program has many: FOLDER/busy, idle
// and more; with --keep KEY they replace KEY of measured.json, from which picture.js draws. In busy, inj is a
// program of functions f1 to f30, and inj_fF_pP that program with function fF slowed by P %.
//
//	collection.js [--pairs N] [--keep KEY] FOLDER
"use strict";

const fs = require("fs");
const path = require("path");
const { blames, Checks, choices, compareAll, draw, hasAny, hasFunctions, hasGrown, hasTotal, mean, pairsOf, random,
	recordings, share } = require("./judge.js");

const MEASURED_FILE = path.join(__dirname, "measured.json");
const RUNS = [1, 3, 5];
const PAIRS = 100;
// A program with fewer pairs than this is held against the limit with what chance allows.
const MANY = 50;
const CHANCE = 0.01;

// What is required of every program together, and of each, in percent of comparisons of a program with itself.
const MOST = { mean: 5, worst: 10 };
// What was measured: more than twice as many, and something broke.
const MEASURED = { 1: 0.5, 3: 4, 5: 3.5 };

// A function, its slowdown, and in how many percent of comparisons it has to be found, with 3 and with 5 runs a
// side: what this method finds in these recordings, less what another drawing of the pairs may change.
const SLOWED = [["f3", 30, 25, 90], ["f2", 10, 16, 88], ["f2", 30, 98, 98], ["f1", 10, 80, 97], ["f1", 30, 98, 98]];

// In how many percent of these an innocent function may be named: of the few functions that are, one in twenty.
const INNOCENT = 20;

const checks = new Checks();
const figures = { alarms: [], power: [], confounded: [] };

// Recordings under equal conditions: none that others disturbed.
function programs(folder) {
	return ["busy", "idle", "more"].flatMap((room) => [...recordings(path.join(folder, room))]
		.filter(([name]) => !/_p\d+$|L$/.test(name))
		.map(([name, files]) => [`${room}/${name}`, files]));
}

function percent(x) {
	return x.toFixed(1).padStart(6);
}

// How many of N alarms there are at most, each with probability P, but for CHANCE.
function binomialLimit(n, p) {
	let k = 0, term = (1 - p) ** n, sum = term;

	while (sum < 1 - CHANCE) {
		term *= (n - k) / (k + 1) * p / (1 - p);
		sum += term;
		k++;
	}
	return k;
}

async function findAlarms(folder, pairs) {
	console.log("\nfalse alarms: comparisons of a program with itself in which something changed, in %");
	console.log("runs a side  program         pairs  functions   total  either");
	for (const n of RUNS) {
		const all = [];
		for (const [name, files] of programs(folder)) {
			if (files.length < 2 * n)
				continue;
			const reports = await compareAll(pairsOf(files, n, pairs, random(n)));
			const row = { runs: n, name, pairs: reports.length, functions: share(reports, hasFunctions),
				total: share(reports, hasTotal), any: share(reports, hasAny) };
			all.push(row);
			console.log(`${n}            ${name.padEnd(15)} ${String(row.pairs).padStart(5)}     ` +
				`${percent(row.functions)}  ${percent(row.total)}  ${percent(row.any)}`);
		}
		holdAlarms(n, all);
	}
}

function holdAlarms(n, all) {
	const any = mean(all.map((row) => row.any));
	const worst = all.reduce((a, b) => b.any > a.any ? b : a);

	console.log(`${n}            mean of all           ${percent(mean(all.map((row) => row.functions)))}  ` +
		`${percent(mean(all.map((row) => row.total)))}  ${percent(any)}    (worst ${worst.name})`);
	figures.alarms.push({ runs: n, programs: all.length, mean: any, worst: worst.any, of: worst.name });
	checks.check(any <= MOST.mean, `${n} runs a side: false alarms in ${any} % on the average`);
	checks.check(any <= 2 * MEASURED[n], `${n} runs a side: false alarms in ${any} %, twice the usual`);
	for (const row of all) {
		const limit = row.pairs < MANY ? binomialLimit(row.pairs, MOST.worst / 100) : row.pairs * MOST.worst / 100;
		checks.check(Math.round(row.any * row.pairs / 100) <= limit,
			`${n} runs a side: false alarms in ${row.any} % of ${row.name}`);
	}
}

async function findPower(folder, pairs) {
	const busy = recordings(path.join(folder, "busy"));

	console.log("\ndetection: comparisons in which the slowed function has grown, and innocent ones are named, in %");
	console.log("runs a side  slowed   pairs   found  required  others");
	for (const n of [3, 5]) {
		for (const [name, by, three, five] of SLOWED) {
			const chance = random(by + n), slowed = choices(busy.get(`inj_${name}_p${by}`), n);
			const before = () => draw(busy.get("inj"), n, chance);
			const reports = await compareAll(Array.from({ length: pairs },
				(_, i) => [before(), slowed[i % slowed.length]]));
			const row = { runs: n, name, by, found: share(reports, (r) => hasGrown(r, name)),
				others: share(reports, (r) => blames(r, /^f\d+$/, name)) };
			const required = n === 3 ? three : five;
			console.log(`${n}            ${`${name}+${by}`.padEnd(8)} ${String(pairs).padStart(5)} ` +
				`${percent(row.found)}    ${percent(required)}  ${percent(row.others)}`);
			figures.power.push(row);
			checks.check(row.others <= INNOCENT, `${n} runs a side: ${name}+${by} blames others in ${row.others} %`);
			checks.check(row.found >= required, `${n} runs a side: ${name}+${by} is found in ${row.found} %`);
		}
	}
}

// What no test can repair: five runs on a busy machine against five on an idle one.
async function findConfounded(folder, pairs) {
	const busy = recordings(path.join(folder, "busy"));

	console.log("\nthe same program, 5 runs on a busy machine, 5 on an idle one: something changed, in %");
	for (const [name, idle] of recordings(path.join(folder, "idle"))) {
		const chance = random(5);
		const reports = await compareAll(Array.from({ length: Math.ceil(pairs / 4) },
			() => [draw(busy.get(name), 5, chance), idle]));
		const any = share(reports, hasAny);
		figures.confounded.push({ name, any });
		console.log(`${name.padEnd(8)} ${percent(any)}`);
	}
}

function keepFigures(key) {
	const measured = JSON.parse(fs.readFileSync(MEASURED_FILE, "utf8"));

	measured[key] = figures;
	fs.writeFileSync(MEASURED_FILE, `${JSON.stringify(measured, null, "\t")}\n`);
}

async function main() {
	const args = process.argv.slice(2), folder = args.pop();
	const option = (name) => args.includes(name) ? args[args.indexOf(name) + 1] : null;
	const pairs = Number(option("--pairs") || PAIRS);

	await findAlarms(folder, pairs);
	await findPower(folder, pairs);
	await findConfounded(folder, pairs);
	if (option("--keep"))
		keepFigures(option("--keep"));
	checks.end();
}

main();
