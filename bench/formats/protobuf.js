// SPDX-License-Identifier: ISC
// Protobuf.
'use strict';
const { fromStacks, innermost, names, numbered, stacks } = require('./profile.js');

function varint(n) {
	const out = [];
	while (n > 127) {
		out.push(n % 128 | 128);
		n = Math.floor(n / 128);
	}
	out.push(n);
	return Buffer.from(out);
}

const join = (...parts) => Buffer.concat(parts.flat(2));
const field = (n, ...parts) => {
	const bytes = join(parts);
	return join(varint(n * 8 + 2), varint(bytes.length), bytes);
};
const number = (n, v) => join(varint(n * 8), varint(v));
const packed = values => join(values.map(varint));
const text = (n, s) => field(n, Buffer.from(s));

const pprof = stacks(() => join(field(1, number(1, 1), number(2, 2)),
	...names.flatMap((_, i) => [field(4, number(1, i + 1), field(4, number(1, i + 1))), field(5, number(1, i + 1), number(2, i + 3))]),
	...['', 'samples', 'count', ...names].map(s => text(6, s))),
f => field(2, field(1, packed(innermost(f).map(n => n + 1))), field(2, packed([7]))), Buffer.alloc(0));

function record(message) {
	const size = Buffer.alloc(4);
	size.writeUInt32LE(message.length);
	return join(size, message);
}

const simpleperf = stacks(join(Buffer.from('SIMPLEPERF'), Buffer.from([1, 0])),
	(f, i) => record(field(1, number(1, i * 1000), number(2, 42), ...innermost(f).map(n => field(3, number(1, n), number(2, 0), number(3, n))), number(4, 7), number(5, 0))),
	() => join(record(field(3, number(1, 0), text(2, '/system/lib/libc.so'), ...names.map(s => text(3, s)))),
		record(field(4, number(1, 42), number(2, 42), text(3, 'prog'))), Buffer.alloc(4)));

// Row 0 of each table is empty; samples refer to a row of stacks.
function otlp(all) {
	const { stacks: rows, places } = numbered(all);
	const nothing = n => field(n, Buffer.alloc(0));
	const dictionary = join(nothing(1), nothing(2), nothing(3), nothing(4),
		...names.flatMap((_, i) => [field(2, field(3, number(1, i + 1))), field(3, number(1, i + 4))]),
		...['', 'samples', 'count', 'thread.name', ...names].map(s => text(5, s)),
		nothing(6), field(6, number(1, 3), field(2, text(1, 'main'))),
		nothing(7), rows.map(f => field(7, field(1, packed(innermost(f).map(n => n + 1))))));
	const samples = places.map((place, i) => field(2, number(1, place + 1), field(2, varint(1)), field(4, varint(7)), field(5, fixed64(i))));
	return [field(1, field(2, field(2, field(1, number(1, 1), number(2, 2)), samples))), field(2, dictionary)];
}

function fixed64(i) {
	const b = Buffer.alloc(8);
	b.writeBigUInt64LE(1774910497581596132n + BigInt(i));
	return b;
}

module.exports = {
	'pprof': pprof,
	'simpleperf': simpleperf,
	'otlp': fromStacks(otlp),
};
