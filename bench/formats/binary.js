// SPDX-License-Identifier: ISC
// Binary formats with encodings of their own.
'use strict';
const { NAMES, address, calls, fromStacks, innermost, names, numbered, stacks } = require('./profile.js');
const program = require('./program.js');

const join = (...parts) => Buffer.concat(parts.map(p => Buffer.from(p)));

// Little-endian numbers of SIZE bytes.
function le(size, ...values) {
	const b = Buffer.alloc(size * values.length);
	values.forEach((v, i) => size === 8 ? b.writeBigInt64LE(BigInt(v), i * 8) : b.writeUIntLE(v, i * size, size));
	return b;
}

const gperftools = stacks(le(8, 0, 3, 0, 10000, 0), f => le(8, 7, f.length, ...innermost(f).map(program.place)),
	() => join(le(8, 0, 1, 0), program.maps()));

// Variable-length numbers: 6 bits, then 7 in each byte.
function mojoNumber(n) {
	const out = [];
	for (let bits = 6; ; bits = 7) {
		const low = n % (1 << bits);
		n = (n - low) / (1 << bits);
		out.push(low | (n ? 0x80 : 0));
		if (!n)
			return out;
	}
}

const mojo = stacks(join('MOJ\x03', '\x01mode\0wall\0', '\x01interval\x0010000\0', [2, ...mojoNumber(42), ...mojoNumber(0)], '1f\0',
	...['/opt/demo/m.py', ...names].map((s, i) => join([11, ...mojoNumber(i + 100)], s, '\0')),
	...names.map((_, n) => [3, ...mojoNumber(n + 1), ...mojoNumber(100), ...mojoNumber(n + 101), ...mojoNumber(n), 0, 0, 0]), [5, ...mojoNumber(1), 9, 0]),
f => Buffer.from([2, ...mojoNumber(42), ...mojoNumber(0), 0x31, 0x66, 0, ...f.flatMap(n => [5, ...mojoNumber(n + 1)]), 9, ...mojoNumber(10000)]), Buffer.alloc(0));

// Two clocks, in us.
const artRecord = (n, action, t) => join(le(2, 42), le(4, (n + 1) * 4 + action, t >>> 0, t >>> 0));
const art = head => calls(head, (n, depth, id, t) => artRecord(n, 0, t), (n, depth, id, t) => artRecord(n, 1, t));
const artNames = names.map((s, n) => `0x${((n + 1) * 4).toString(16)}\tdemo.${s}\trun\t()V\tDemo.java\n`);
const artText = '*version\n3\ndata-file-overflow=false\nclock=dual\npid=42\n*threads\n42\tmain\n';
const artHead = version => join('SLOW', le(2, version, 32), le(8, 0), le(2, 14), Buffer.alloc(14));
const artNote = (code, before, text) => join(le(2, 0), [code], before, le(2, text.length), text);

// Ruby's Marshal: frames have addresses.
function marshalInt(n) {
	if (n < 123)
		return [n ? n + 5 : 0];
	const bytes = [];
	for (; n; n = Math.floor(n / 256))
		bytes.push(n % 256);
	return [bytes.length, ...bytes];
}
const rubyInt = n => Buffer.from([0x69, ...marshalInt(n)]);
const rubyId = n => join('l+\x08', le(6, 0x7f30a6c43000 + n * 40));
const rubySymbol = s => join(':', marshalInt(s.length), s);
const rubyText = s => join('"', marshalInt(s.length), s);

function* stackprof(all) {
	const numbers = all.reduce((sum, f) => sum + f.length + 2, 0);
	const ids = names.map((_, n) => rubyId(n));
	yield join([4, 8], '{', marshalInt(6), rubySymbol('version'), 'f\x081.2', rubySymbol('mode'), rubySymbol('cpu'), rubySymbol('interval'), rubyInt(1000),
		rubySymbol('samples'), rubyInt(all.length), rubySymbol('frames'), '{', marshalInt(NAMES));
	for (let n = 0; n < NAMES; n++)
		yield join(ids[n], '{', marshalInt(2), rubySymbol('name'), rubyText(names[n]), rubySymbol('line'), rubyInt(n));
	yield join(rubySymbol('raw'), '[', marshalInt(numbers));
	for (const f of all)
		yield join(rubyInt(f.length), ...f.map(n => ids[n]), rubyInt(1));
}

// .NET: objects; block contents are aligned to 4 bytes.
const utf16 = s => join(Buffer.from(s, 'utf16le'), [0, 0]);
const EVENT_HEADER = join(le(2, 20, 0), le(8, 0, 0));

function netEvent(metadata, stack, time, payload) {
	const rest = join(le(4, metadata, 0), le(8, 1, 1), le(4, 0, stack), le(8, time, 0, 0, 0, 0), le(4, payload.length), payload);
	const padding = Buffer.alloc((4 - rest.length % 4) % 4);
	return join(le(4, rest.length + padding.length), rest, padding);
}

class Nettrace {
	constructor() {
		this.at = 0;
	}

	put(bytes) {
		this.at += bytes.length;
		return bytes;
	}

	*object(name, contents) {
		yield this.put(join([5, 5, 1], le(4, 2, 0, name.length), name, [6]));
		if (name !== 'Trace')
			yield this.put(join(le(4, contents.length), Buffer.alloc((4 - (this.at + 4) % 4) % 4)));
		yield this.put(join(contents, [6]));
	}
}

// Stacks per block; each block numbers its stacks anew.
function* nettrace(all) {
	const AT_ONCE = 1000;
	const to = new Nettrace();
	const metadata = (id, provider, event) => netEvent(0, 0, 0, join(le(4, id), utf16(provider), le(4, event), utf16(''), le(8, 0), le(4, 1, 5, 0)));
	yield to.put(join('Nettrace', le(4, 20), '!FastSerialization.1'));
	yield* to.object('Trace', join(le(2, 2026, 11, 6, 21, 3, 33, 48, 0), le(8, 0, 1000000000), le(4, 8, 42, 2, 1)));
	yield* to.object('MetadataBlock', join(EVENT_HEADER, metadata(1, 'Microsoft-DotNETCore-SampleProfiler', 0), metadata(2, 'Microsoft-Windows-DotNETRuntimeRundown', 144)));
	for (let i = 0; i < all.length; i += AT_ONCE) {
		const { stacks: rows, places } = numbered(all.slice(i, i + AT_ONCE));
		yield* to.object('StackBlock', join(le(4, 1, rows.length), ...rows.map(f => join(le(4, f.length * 8), le(8, ...innermost(f).map(n => address(n) + 31))))));
		yield* to.object('EventBlock', join(EVENT_HEADER, ...places.map((place, k) => netEvent(1, place + 1, (i + k) * 1000000, le(4, 2)))));
		yield* to.object('SPBlock', join(le(8, i), le(4, 0)));
	}
	yield* to.object('EventBlock', join(EVENT_HEADER, ...names.map((s, n) => netEvent(2, 0, all.length * 1000000,
		join(le(8, n, 1, address(n)), le(4, 64, n, 0), utf16(`Demo.${s}`), utf16('Run'), utf16('void ()'))))));
	yield to.put(Buffer.from([1]));
}

function perfData() {
	const IP = 1, TID = 2, TIME = 4, CALLCHAIN = 32, PERIOD = 256;
	const record = (type, misc, ...body) => {
		const bytes = join(...body);
		return join(le(4, type), le(2, misc, bytes.length + 8), bytes);
	};
	const text = s => join(s, Buffer.alloc(8 - s.length % 8));
	return stacks(() => {
		const attr = Buffer.alloc(112);
		le(4, 1, 112).copy(attr); // software, its size
		le(8, 0, 250000, IP | TID | TIME | CALLCHAIN | PERIOD, 0, 0x2000).copy(attr, 8);
		return join('PERFILE2', le(8, 16), record(64, 0, attr, le(8, 1)),
			record(3, 0, le(4, 42, 42), text('prog')),
			record(10, 2, le(4, 42, 42), le(8, program.START, program.SIZE, 0), le(4, 8, 1), le(8, 7, 0), le(4, 5, 2), text(program.file)));
	}, (f, i) => {
		const chain = innermost(f).map(program.place);
		return record(9, 2, le(8, chain[0]), le(4, 42, 42), le(8, i * 250000, 250000, chain.length + 1, -512, ...chain));
	}, Buffer.alloc(0));
}

module.exports = {
	'gperftools-cpu': gperftools,
	'mojo': mojo,
	'art-trace': art(join(artText, '*methods\n', ...artNames, '*end\n', artHead(3))),
	'art-trace+streaming': art(join(artHead(0xf3), artNote(4, le(0), artText).subarray(0, 0), artNote(2, le(2, 42), 'main'),
		...artNames.map(line => artNote(1, [], line)))),
	'stackprof-dump': fromStacks(stackprof),
	'nettrace': fromStacks(nettrace),
	'perf-data': perfData(),
};
