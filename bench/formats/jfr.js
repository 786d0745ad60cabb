// SPDX-License-Identifier: ISC
// Recordings of Java Flight Recorder: chunks, each with metadata of its types and a constant
// pool.
'use strict';
const { innermost, names, numbered, fromStacks } = require('./profile.js');

function varint(n) {
	const out = [];
	for (; n > 127; n = Math.floor(n / 128))
		out.push(n % 128 | 128);
	return Buffer.from([...out, n]);
}

const join = (...parts) => Buffer.concat(parts.flat());
const ints = (...values) => join(...values.map(varint));
const text = s => join(Buffer.from([3]), varint(s.length), Buffer.from(s));

// An event begins with its size, including the size field.
function event(body) {
	for (let n = 1; ; n++) {
		const size = varint(body.length + n);
		if (size.length === n)
			return join(size, body);
	}
}

// Fields by type: name, type, and whether it is an array or an index into the constants.
const TYPES = {
	'boolean': [], 'int': [], 'long': [], 'java.lang.String': [],
	'java.lang.Thread': [['osName', 'java.lang.String'], ['osThreadId', 'long'], ['javaName', 'java.lang.String'], ['javaThreadId', 'long']],
	'java.lang.Class': [['name', 'jdk.types.Symbol', 'constant'], ['modifiers', 'int']],
	'jdk.types.Symbol': [['string', 'java.lang.String']],
	'jdk.types.Method': [['type', 'java.lang.Class', 'constant'], ['name', 'jdk.types.Symbol', 'constant'], ['descriptor', 'jdk.types.Symbol', 'constant'], ['modifiers', 'int'], ['hidden', 'boolean']],
	'jdk.types.FrameType': [['description', 'java.lang.String']],
	'jdk.types.StackTrace': [['truncated', 'boolean'], ['frames', 'jdk.types.StackFrame', 'array']],
	'jdk.types.StackFrame': [['method', 'jdk.types.Method', 'constant'], ['lineNumber', 'int'], ['bytecodeIndex', 'int'], ['type', 'jdk.types.FrameType', 'constant']],
	'jdk.types.ThreadState': [['name', 'java.lang.String']],
	'jdk.ExecutionSample': [['startTime', 'long'], ['sampledThread', 'java.lang.Thread', 'constant'], ['stackTrace', 'jdk.types.StackTrace', 'constant'], ['state', 'jdk.types.ThreadState', 'constant']],
};
const FIRST_TYPE = 20;
const typeOf = name => FIRST_TYPE + Object.keys(TYPES).indexOf(name);

// An element: name, attributes and children; all strings are in a table before them.
function metadata() {
	const table = [], place = s => {
		if (!table.includes(s))
			table.push(s);
		return table.indexOf(s);
	};
	const element = (tag, attributes, inside) => join(ints(place(tag), Object.keys(attributes).length,
		...Object.entries(attributes).flat().map(s => place(String(s))), inside.length), ...inside);
	const field = ([name, type, how]) => element('field', { name, class: typeOf(type), ...(how === 'array' && { dimension: 1 }),
		...(how === 'constant' && { constantPool: true }) }, []);
	const tree = element('root', {}, [element('metadata', {}, Object.keys(TYPES).map(name =>
		element('class', { name, id: typeOf(name) }, TYPES[name].map(field)))), element('region', { locale: 'en_US' }, [])]);
	return event(join(ints(0, 0, 0, 1, table.length), ...table.map(text), tree));
}

const pool = (type, constants) => join(ints(typeOf(type), constants.length), constants.map((c, i) => join(varint(i + 1), c)));

function constants(rows) {
	const frame = n => ints(n + 1, n, 7, 1);
	const pools = [
		pool('java.lang.Thread', [join(text('main'), ints(42), text('main'), ints(1))]),
		pool('jdk.types.FrameType', [text('JIT compiled')]),
		pool('jdk.types.ThreadState', [text('STATE_RUNNABLE')]),
		pool('jdk.types.Symbol', ['run', '()V', ...names.map(s => `demo/${s}`)].map(text)),
		pool('java.lang.Class', names.map((_, n) => ints(n + 3, 1))),
		pool('jdk.types.Method', names.map((_, n) => ints(n + 1, 1, 2, 1, 0))),
		pool('jdk.types.StackTrace', rows.map(f => join(ints(0, f.length), ...innermost(f).map(frame)))),
	];
	return event(join(ints(1, 0, 0, 0), Buffer.from([1]), varint(pools.length), ...pools));
}

function chunk(all, time) {
	const HEADER = 68;
	const { stacks: rows, places } = numbered(all);
	const events = join(places.map((place, i) => event(ints(typeOf('jdk.ExecutionSample'), time + i, 1, place + 1, 1))));
	const description = metadata(), last = constants(rows);
	const header = Buffer.alloc(HEADER);
	header.write('FLR\0', 'latin1');
	header.writeUInt16BE(2, 4);
	[HEADER + description.length + events.length + last.length, HEADER + description.length + events.length, HEADER, 1774910497581596132n, 1000000000, 1, 1000000000]
		.forEach((v, i) => header.writeBigUInt64BE(BigInt(v), 8 + i * 8));
	header.writeUInt32BE(1, 64); // numbers are compressed
	return join(header, description, events, last);
}

// The JDK starts a new chunk after about 12 MB.
function* recording(all) {
	const AT_ONCE = all.length === new Set(all).size ? 80000 : 850000;
	for (let i = 0; i < all.length; i += AT_ONCE)
		yield chunk(all.slice(i, i + AT_ONCE), i);
}

module.exports = {
	'jfr': fromStacks(recording),
};
