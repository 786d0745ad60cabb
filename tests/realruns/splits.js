#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// False alarms and detection on the recordings of FOLDER, six of each program, which run made: work and heap,
// and work_fF_pP, that is work with function fF slowed by P %.
"use strict";

const { Checks, choices, compareAll, hasAny, hasFunctions, hasGrown, hasTotal, pairsOf, random, recordings } =
	require("./judge.js");

// Of the ten ways to part six runs, which are not independent: a run that stands out is on some side in all of
// them. Of 120 sets of six that were drawn from eight programs of the collection none had more than two.
const MOST_ALARMS = 3;
// This is always found.
const FOUND = 100;

const checks = new Checks();

async function findAlarms(name, files) {
	const reports = await compareAll(pairsOf(files, 3, Infinity, random(1)));
	const alarms = reports.filter(hasAny).length;

	console.log(`${name.padEnd(14)}  ${reports.length}: ${alarms} with a false alarm ` +
		`(functions ${reports.filter(hasFunctions).length}, total ${reports.filter(hasTotal).length})`);
	checks.check(alarms <= MOST_ALARMS, `${name}: ${alarms} of ${reports.length} splits have a false alarm`);
}

async function findPower(base, name, files) {
	const [, slowed, by] = /_(f\d+)_p(\d+)$/.exec(name);
	const before = choices(base, 3), after = choices(files, 3);
	const reports = await compareAll(before.map((b, i) => [b, after[i * 7 % after.length]]));
	const found = reports.filter((r) => hasGrown(r, slowed)).length;

	console.log(`${name.padEnd(14)}  ${reports.length}: ${slowed} found in ${found}`);
	if (Number(by) >= FOUND)
		checks.check(found === reports.length, `${name}: found in ${found} of ${reports.length}`);
}

async function main() {
	const programs = recordings(process.argv[2]);

	console.log("\nrecorded here    comparisons of 3 runs with 3");
	for (const [name, files] of programs)
		await (/_p\d+$/.test(name) ? findPower(programs.get("work"), name, files) : findAlarms(name, files));
	checks.end();
}

main();
