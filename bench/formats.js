#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Writes a synthetic profile of about BYTES bytes in any format that fg-collapse reads.
//
//	bench/formats.js ROW BYTES repeated|distinct > FILE
//	bench/formats.js --list		rows and their kinds
//	bench/formats.js --check	each format has a row, whose output is detected as that format and valid
//
// A row is a format of fg-collapse --list-formats; formats with variants have several rows, such as
// "heaptrack+raw". bench/formats/profile.js describes the profiles.
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
const { spawnSync } = require('child_process');
const { begin } = require('./formats/profile.js');

const FAMILIES = ['text', 'calls', 'trees', 'tables', 'json', 'pages', 'protobuf', 'binary', 'jfr'];
const rows = Object.assign({}, ...FAMILIES.map(family => require(`./formats/${family}.js`)));

function make(row, bytes, kind, fd) {
	begin(fd);
	rows[row].write(bytes, kind);
}

const formatOf = row => row.split('+')[0];

const BIN = process.env.BIN || path.join(__dirname, '..', 'bin');

function collapse(...words) {
	return spawnSync(path.join(BIN, 'fg-collapse'), words, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

// The formats that claim FILE.
function claimsOf(file) {
	const line = collapse('--list-formats', file).stdout.trim().split('\n').pop();
	return [...line.matchAll(/([a-z0-9-]+) \([0-9]+ % sure\)/g)].map(m => m[1]);
}

// Returns the problem with a profile, or "". Its size is within the probes' window.
function judge(row, kind, file) {
	const SIZE = 400000, FEWEST = 20;
	const fd = fs.openSync(file, 'w');
	make(row, SIZE, kind, fd);
	fs.closeSync(fd);
	const format = formatOf(row), claims = claimsOf(file);
	if (claims.join(' ') !== format && claims.join(' ') !== `${format} folded`)
		return `claimed by ${claims.join(', ') || 'none'}`;
	const all = collapse('-q', '--strict', '--no-header', file);
	if (all.status !== 0)
		return `status ${all.status}: ${all.stderr.trim()}`;
	if (all.stdout.split('\n').length <= FEWEST)
		return 'hardly any stacks';
	return '';
}

// Prints a line for each problem, then the totals.
function check() {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'formats.'));
	const outcomes = {};
	for (const format of collapse('--list-formats').stdout.split('\n').map(line => line.split(' ')[0]).filter(f => f))
		if (!Object.keys(rows).some(row => formatOf(row) === format))
			outcomes[format] = 'has no row in bench/formats/';
	for (const row of Object.keys(rows))
		for (const kind of rows[row].kinds)
			outcomes[`${row} ${kind}`] = judge(row, kind, path.join(folder, 'profile'));
	fs.rmSync(folder, { recursive: true });
	const wrong = Object.keys(outcomes).filter(what => outcomes[what]);
	for (const what of wrong)
		console.log(`${what}: ${outcomes[what]}`);
	console.log(`${Object.keys(outcomes).length - wrong.length} passed, ${wrong.length} failed`);
	process.exitCode = wrong.length ? 1 : 0;
}

function main([row, bytes, kind]) {
	if (row === '--list') {
		for (const name of Object.keys(rows))
			console.log(name, rows[name].kinds.join(' '));
	} else if (row === '--check') {
		check();
	} else if (!rows[row] || !rows[row].kinds.includes(kind)) {
		console.error(`formats.js: no format ${row} of ${kind} stacks; see --list`);
		process.exitCode = 2;
	} else {
		make(row, Number(bytes), kind, 1);
	}
}

main(process.argv.slice(2));
