// SPDX-License-Identifier: ISC
// A program for formats that have only addresses: ours, with its functions in place of the
// profile's.
'use strict';
const { spawnSync } = require('child_process');
const path = require('path');

const START = 0x400000, SIZE = 0x800000;
const file = path.resolve(__dirname, '..', '..', 'bin', 'fg-collapse');
let places;

// The address of function N when the program is mapped at START.
function place(n) {
	if (!places) {
		const symbols = spawnSync('nm', ['-S', file], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
		places = [...symbols.matchAll(/^([0-9a-f]+) ([0-9a-f]+) [tT] /gm)].filter(m => parseInt(m[2], 16) > 16)
			.map(m => START + parseInt(m[1], 16) + 8);
		if (!places.length)
			throw new Error(`${file} has no symbols`);
	}
	return places[n % places.length];
}

// Its line in /proc/PID/maps.
const maps = () => `00400000-00c00000 r-xp 00000000 08:01 42 ${file}\n`;

module.exports = { SIZE, START, file, maps, place };
