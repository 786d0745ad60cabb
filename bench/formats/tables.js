// SPDX-License-Identifier: ISC
// Text and XML with numbered tables of functions, locations or callers that stacks refer to.
'use strict';
const { NAMES, Nodes, fromStacks, hex, innermost, leafFirst, names, stacks, tableOf, whole } = require('./profile.js');
const program = require('./program.js');

// Each stack allocates 16 bytes, which are released LATER stacks after it. PLACE returns the
// location of a function in a trace, ALLOCATE and RELEASE the lines for a trace and the number
// of the stack.
function allocations(head, place, allocate, release) {
	const LATER = 100;
	let nodes, fresh, live;
	return stacks(() => {
		fresh = [];
		live = [];
		nodes = new Nodes((n, caller, f) => fresh.push(`t ${place(f)} ${(caller + 1).toString(16)}\n`));
		return head;
	}, (f, i) => {
		const trace = nodes.add(f) + 1, before = live[i % LATER];
		const text = fresh.join('') + allocate(trace, i) + (before ? release(before, i - LATER) : '');
		live[i % LATER] = trace;
		fresh = [];
		return text;
	});
}

// The interpreted format: allocation kinds are numbered in order of appearance.
function interpreted() {
	const kinds = new Map();
	return allocations(`v 10400 3\nX ./prog\ns 4 prog\n${names.map(s => `s ${s.length.toString(16)} ${s}\n`).join('')}${
		names.map((_, n) => `i ${hex(n)} 1 ${(n + 2).toString(16)}\n`).join('')}`,
	n => (n + 1).toString(16), (trace, i) => {
		if (!i)
			kinds.clear();
		const is_new = !kinds.has(trace);
		if (is_new)
			kinds.set(trace, kinds.size);
		return `${is_new ? `a 10 ${trace.toString(16)}\n` : ''}+ ${kinds.get(trace).toString(16)}\n`;
	}, trace => `- ${kinds.get(trace).toString(16)}\n`);
}

// Each function calls two later ones and has 20 lines with costs. A name is written once.
function* callgrind(n, kind) {
	const LINES = 20, COST = 330, AT_ONCE = 100;
	const most = kind === 'distinct' ? n : AT_ONCE;
	const name = i => `(${i + 1}) ${names[i % NAMES]}_${Math.floor(i / NAMES)}`;
	const body = (i, known) => {
		let text = `fl=(1) prog.c\nfn=${i || known ? `(${i + 1})` : name(i)}\n`;
		for (let k = 0; k < LINES; k++)
			text += `${i * LINES + k} ${k + 7}\n`;
		for (const to of [i * 2 + 1, i * 2 + 2])
			if (to < most)
				text += `cfn=${known ? `(${to + 1})` : name(to)}\ncalls=1 ${to * LINES}\n${i * LINES} 9\n`;
		return `${text}\n`;
	};
	yield '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 42\ncmd: ./prog\n';
	for (let i = 0; i < n; i += most) {
		yield `part: ${i / most + 1}\n\npositions: line\nevents: Ir\n\n`;
		for (let k = 0; k < most; k++)
			yield body(k, i > 0);
		yield `totals: ${most * COST}\n\n`;
	}
}

function* perfview(all) {
	const table = tableOf(all);
	yield `<StackWindow>\n <StackSource>\n  <Frames Count="${NAMES}">\n`;
	for (let n = 0; n < NAMES; n++)
		yield `   <Frame ID="${n}">prog!${names[n]}</Frame>\n`;
	yield `  </Frames>\n  <Stacks Count="${table.frames.length}">\n`;
	for (let i = 0; i < table.frames.length; i++)
		yield `   <Stack ID="${i}" CallerID="${table.callers[i]}" FrameID="${table.frames[i]}" />\n`;
	yield `  </Stacks>\n  <Samples Count="${all.length}">\n`;
	for (let i = 0; i < all.length; i++)
		yield `   <Sample ID="${i}" Time="${i}.001" StackID="${table.leaves[i]}" Metric="1" />\n`;
	yield '  </Samples>\n </StackSource>\n</StackWindow>\n';
}

// Repeated elements refer to numbers, which are unique in the whole document.
function xctrace() {
	let id, known;
	const say = (key, what, text) => {
		if (known.has(key))
			return `<${what} ref="${known.get(key)}"/>`;
		known.set(key, ++id);
		return text(id);
	};
	const frame = n => say(n, 'frame', own => `<frame id="${own}" name="${names[n]}" addr="0x${hex(n)}">${
		say('prog', 'binary', of => `<binary id="${of}" name="prog" path="/opt/demo/prog"/>`)}</frame>`);
	return stacks(() => {
		id = 9;
		known = new Map();
		return '<?xml version="1.0"?>\n<trace-query-result>\n<node xpath=\'//trace-toc\'><schema name="time-profile"><col><mnemonic>time</mnemonic></col></schema>' +
			'<row><sample-time id="1" fmt="0">0</sample-time><thread id="2" fmt="main 0x1"><tid id="3" fmt="0x1">1</tid><process id="4" fmt="prog (42)"><pid id="5" fmt="42">42</pid></process></thread><weight id="6" fmt="1.00 ms">1000000</weight><backtrace id="7"><frame id="8" name="start" addr="0x1"><binary id="9" name="dyld" path="/usr/lib/dyld"/></frame></backtrace></row>\n';
	}, (f, i) => `<row><sample-time id="${++id}" fmt="00:00">${i * 1000000}</sample-time><thread ref="2"/><process ref="4"/><weight ref="6"/>${
		say(f, 'backtrace', own => `<backtrace id="${own}">${leafFirst(f, frame)}</backtrace>`)}</row>\n`, '</node></trace-query-result>\n');
}

module.exports = {
	'heaptrack': interpreted(),
	'heaptrack+raw': allocations(`v 10400 3\nx ${program.file.length.toString(16)} ${program.file}\nm 1 x ${program.START.toString(16)} 0 ${program.SIZE.toString(16)}\n`, n => program.place(n).toString(16),
		(trace, i) => `+ 10 ${trace.toString(16)} ${(0x7f0000000 + i * 16).toString(16)}\n`, (trace, i) => `- ${(0x7f0000000 + i * 16).toString(16)}\n`),
	'callgrind': whole(callgrind),
	'perfview-xml': fromStacks(perfview),
	'xctrace': xctrace(),
	'jfr-xml': stacks('<?xml version="1.0" encoding="UTF-8"?>\n<recording xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n  <events>\n', (f, i) =>
		`    <event type="jdk.ExecutionSample">\n      <value name="startTime">2026-11-22T06:43:07.${String(i % 1000000).padStart(9, '0')}Z</value>\n${
		'      <struct name="sampledThread">\n'}        <value name="osName">main</value>\n        <value name="javaName">main</value>\n        <value name="javaThreadId">1</value>\n      </struct>\n      <struct name="stackTrace">\n        <value name="truncated">false</value>\n        <array name="frames" size="${f.length}">\n${
			innermost(f).map((n, k) => `          <struct index="${k}">\n            <struct name="method">\n              <struct name="type">\n                <value name="name">demo/${names[n]}</value>\n              </struct>\n${
			'              <value name="name">run</value>\n'}              <value name="descriptor">()V</value>\n            </struct>\n            <value name="lineNumber">${n}</value>\n            <value name="bytecodeIndex">7</value>\n            <value name="type">Interpreted</value>\n          </struct>\n`).join('')
		}        </array>\n      </struct>\n    </event>\n`, '  </events>\n</recording>\n'),
};
