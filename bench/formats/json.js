// SPDX-License-Identifier: ISC
// JSON: documents with tables and samples, and one document per stack.
'use strict';
const { fromStacks, fromTree, innermost, leafFirst, names, nodes, numbered, stacks, tableOf } = require('./profile.js');

const list = (all, show) => all.map(show).join(',');
// One line each, to keep lines within program limits.
const lines = (all, show) => all.map(show).join(',\n');

// Nested nodes; OPEN returns the text before a node's children.
function* nested(root, open) {
	let depth = -1;
	for (const v of nodes(root)) {
		if (v.depth <= depth)
			yield `${']}'.repeat(depth - v.depth + 1)},\n`;
		depth = v.depth;
		yield open(v);
	}
	yield ']}'.repeat(depth + 1);
}

// Tables of columns, where a stack's row refers to its caller.
function firefox(all) {
	const table = tableOf(all);
	return [`{"meta":{"interval":1,"startTime":0,"processType":0,"product":"prog","stackwalk":1,"version":24,"preprocessedProfileVersion":55,"categories":[{"name":"Other","color":"grey","subcategories":["Other"]}]},"libs":[],"threads":[{"name":"prog","isMainThread":true,"processType":"default","pid":"42","tid":"42","registerTime":0,\n"samples":{"length":${
		all.length},"stack":[${list(table.leaves, n => n)}],\n"time":[${list(all, (_, i) => i)}],\n"weight":[${list(all, () => 7)}],"weightType":"samples"},\n"stackTable":{"length":${
		table.frames.length},"prefix":[${list(table.callers, n => n < 0 ? 'null' : n)}],\n"frame":[${list(table.frames, n => n)}]},\n"frameTable":{"length":${names.length},"address":[${
		list(names, () => -1)}],"func":[${list(names, (_, n) => n)}]},\n"funcTable":{"length":${names.length},"name":[${list(names, (_, n) => n)}],"resource":[${
		list(names, () => -1)}]},\n"resourceTable":{"length":0,"lib":[]},"stringArray":`, JSON.stringify(names), '}]}\n'];
}

function gecko(all) {
	const table = tableOf(all);
	return [`{"meta":{"version":13,"interval":1,"startTime":0,"stackwalk":1},\n"libs":[],"threads":[{"name":"GeckoMain","processType":"default","pid":42,"tid":42,"samples":{"schema":{"stack":0,"time":1},"data":[\n${
		lines(table.leaves, (n, i) => `[${n},${i}]`)}]},\n"stackTable":{"schema":{"prefix":0,"frame":1},"data":[\n${
		lines(table.frames, (f, i) => `[${table.callers[i] < 0 ? null : table.callers[i]},${f}]`)}]},\n"frameTable":{"schema":{"location":0},"data":[${
		list(names, (_, n) => `[${n}]`)}]},"stringTable":`, JSON.stringify(names), '}]}\n'];
}

const callFrame = n => `"callFrame":{"functionName":"${names[n]}","scriptId":"7","url":"file:///opt/demo.js","lineNumber":${n},"columnNumber":9}`;
const ROOT = '"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}';

function* cpuprofile(all) {
	const table = tableOf(all);
	const children = table.frames.map(() => []), outermost = [];
	table.callers.forEach((caller, i) => (caller < 0 ? outermost : children[caller]).push(i + 2));
	yield `{"nodes":[{"id":1,${ROOT},"hitCount":0,"children":[${outermost}]}`;
	for (let i = 0; i < children.length; i++)
		yield `,{"id":${i + 2},${callFrame(table.frames[i])},"hitCount":0,"children":[${children[i]}]}`;
	yield `],"startTime":0,"endTime":${all.length * 1000},"samples":[${list(table.leaves, n => n + 2)}],"timeDeltas":[${list(all, () => 1000)}]}\n`;
}

function* heapprofile(root) {
	let id = 1;
	yield `{"head":{${ROOT},"selfSize":0,"id":1,"children":[`;
	yield* nested(root, v => `{${callFrame(v.n)},"selfSize":${v.self * 64},"id":${++id},"children":[`);
	yield ']},"samples":[]}\n';
}

const v8prof = all => [`{"code":[\n${lines(names, (s, n) => `{"name":"${s} /opt/demo.js:${n}:9","type":"JS","kind":"Opt","func":${n},"tm":${n}}`)}],\n"functions":[\n${
	lines(names, (s, n) => `{"name":"${s} /opt/demo.js:${n}:9","codes":[${n}]}`)}],\n"ticks":[\n${
	lines(all, (f, i) => `{"tm":${(i + 1) * 1000},"vm":0,"s":[${leafFirst(f, n => `,${n},31`).slice(1)}]}`)}],\n"scripts":[]}\n`];

// All samples have the same interval, which follows the stacks.
const safari = all => [`{"version":1,"recording":{"displayName":"Timeline Recording 1","startTime":0,"endTime":9,"discontinuities":[],"instrumentTypes":["timeline-record-type-script"],"records":[],"markers":[],"memoryPressureEvents":[],"sampleStackTraces":[${
	list(all, (f, i) => `{"timestamp":${i / 1000},"stackFrames":[${
		innermost(f).map(n => `{"sourceID":"8","name":"${names[n]}","line":${n},"column":15,"url":"file:///opt/demo.js","expressionLocation":{"line":${n},"column":19}}`)}]}`)}],"sampleDurations":[${
	list(all, () => 0.001)}]}}\n`];

// A distinct place in the program for each stack, so that none repeats.
const dhat = all => [`{"dhatFileVersion":2\n,"mode":"heap","verb":"Allocated"\n,"bklt":true,"bkacc":true\n,"tu":"instrs","Mtu":"Minstr","cmd":"./prog","pid":42\n,"te":9,"tg":9\n,"pps":\n [${
	list(all, f => `{"tb":7,"tbk":1,"tl":9\n  ,"mb":7,"mbk":1\n  ,"gb":7,"gbk":1\n  ,"eb":0,"ebk":0\n  ,"rb":7,"wb":7\n  ,"acc":[-7,1]\n  ,"fs":[${innermost(f).map(n => n + 1)}]\n  }\n `)}]\n,"ftbl":\n ["[root]"\n${
	names.map((s, n) => ` ,"0x${n.toString(16)}: ${s} (demo.c:${n})"\n`).join('')} ]\n}\n`];

const scalene = all => [`{"elapsed_time_sec":1.5,"files":{"demo.py":{"functions":[],"lines":[]}},"program":"demo.py","combined_stacks":[\n${
	lines(all, f => `[[${f.map(n => `{"kind":"py","display_name":"${names[n]}","filename_or_module":"demo.py","line":${n}}`)}],7]`)}]}\n`];

function* ghc(root) {
	yield `{"program": "demo", "arguments": ["./demo"], "rts_arguments": ["-pj"], "end_time": "Sat Nov 21 03:38 2026", "total_time": 0.02, "total_ticks": ${root.total}, "tick_interval": 1000, "total_alloc":48962136,\n"cost_centres": [${
		list(names, (s, n) => `\n{"id": ${n}, "label": "${s}", "module": "Main", "src_loc": "demo.hs:${n}:1-4", "is_caf": false}`)}],\n"profile": `;
	yield* nested(root, v => `{"id": ${v.n}, "entries": 1, "alloc": ${v.self * 64}, "ticks": ${v.self}, "children": [`);
	yield '}\n';
}

// Columns of nodes, depth first.
function* grafana(root) {
	const all = [...nodes(root)];
	yield '{"fields":[{"name":"level","values":[';
	yield list(all, v => v.depth);
	yield ']},{"name":"value","values":[';
	yield list(all, v => v.total);
	yield '],"config":{"unit":"short"}},{"name":"self","values":[';
	yield list(all, v => v.self);
	yield ']},{"name":"label","values":[';
	yield list(all, v => `"${names[v.n]}"`);
	yield ']}]}\n';
}

// Rows of boxes: offset from the previous one, weight, self weight, name.
function* flamebearer(root) {
	let row = [[root, 0]];
	yield `{"version":1,"flamebearer":{"names":${JSON.stringify(['total', ...names])},"levels":[`;
	for (let level = 0; row.length; level++) {
		const numbers = [], below = [];
		let end = 0;
		for (const [v, x] of row) {
			numbers.push(x - end, v.total, v.self, v.n + 1);
			end = x + v.total;
			let at = x + v.self;
			for (const k of v.kids.values()) {
				below.push([k, at]);
				at += k.total;
			}
		}
		yield `${level ? ',\n' : ''}[${numbers}]`;
		row = below;
	}
	yield `],"numTicks":${root.total},"maxSelf":9},"metadata":{"format":"single","units":"samples","sampleRate":100}}\n`;
}

// Tables whose row 0 is empty; each stack has a row that samples refer to.
function* otlp(all) {
	const { stacks: rows, places } = numbered(all);
	yield '{"resourceProfiles":[{"resource":{},"scopeProfiles":[{"scope":{},"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},"samples":[';
	for (let i = 0; i < places.length; i++)
		yield `${i ? ',' : ''}{"stackIndex":${places[i] + 1},"attributeIndices":[1],"values":["7"],"timestampsUnixNano":["${1774910497581596132n + BigInt(i)}"]}`;
	yield ']}]}]}],"dictionary":{"mappingTable":[{}],"locationTable":[{}';
	for (let n = 0; n < names.length; n++)
		yield `,{"lines":[{"functionIndex":${n + 1}}]}`;
	yield '],"functionTable":[{}';
	for (let n = 0; n < names.length; n++)
		yield `,{"nameStrindex":${n + 4}}`;
	yield '],"linkTable":[{}],"attributeTable":[{},{"keyStrindex":3,"value":{"stringValue":"main"}}],"stackTable":[{}';
	for (const f of rows)
		yield `,{"locationIndices":[${innermost(f).map(n => n + 1)}]}`;
	yield `],"stringTable":${JSON.stringify(['', 'samples', 'count', 'thread.name', ...names])}}}\n`;
}

function event(f, i) {
	const frame = n => ({ method: { type: { classLoader: null, name: `demo/${names[n]}`, package: { name: 'demo', exported: true }, modifiers: 1, hidden: false },
		name: 'run', descriptor: '()V', modifiers: 265, hidden: false }, lineNumber: n, bytecodeIndex: 7, type: 'Interpreted' });
	return JSON.stringify({ type: 'jdk.ExecutionSample', values: { startTime: `2026-11-22T06:43:07.${String(i % 1000000).padStart(9, '0')}Z`,
		sampledThread: { osName: 'main', osThreadId: 42, javaName: 'main', javaThreadId: 1 },
		stackTrace: { truncated: false, frames: innermost(f).map(frame) }, state: 'STATE_RUNNABLE' } }, null, 2);
}

module.exports = {
	'speedscope': fromStacks(all => [`{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[${list(names, s => `{"name":"${s}"}`)}]},"profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":1,"samples":[\n${
		lines(all, f => `[${f}]`)}],"weights":[${list(all, () => 7)}]}]}\n`]),
	'gprof2dot': fromStacks(all => [`{"version":0,"costs":[{"description":"Time"}],"functions":[${list(names, s => `{"name":"${s}"}`)}],"events":[\n${
		lines(all, f => `{"callchain":[${innermost(f)}],"cost":[7]}`)}]}\n`]),
	'stackprof': fromStacks(all => [`{"version":1.2,"mode":"cpu","interval":1000,"samples":${all.length},"gc_samples":0,"missed_samples":0,"frames":{${
		list(names, (s, i) => `"${i}":{"name":"${s}","file":"/opt/demo.rb","line":${i}}`)}},"raw":[${lines(all, f => `${f.length},${f},1`)}]}\n`]),
	'bpftrace-json': stacks('', f => `{"type": "map", "data": {"@": {"${leafFirst(f, n => `\\n    ${names[n]}+31`)}\\n": 7}}}\n`),
	'firefox': fromStacks(firefox),
	'gecko': fromStacks(gecko),
	'cpuprofile': fromStacks(cpuprofile),
	'heapprofile': fromTree(heapprofile),
	'v8-prof': fromStacks(v8prof),
	'safari': fromStacks(safari),
	'dhat': fromStacks(dhat),
	'scalene': fromStacks(scalene),
	'ghc-json': fromTree(ghc),
	'grafana': fromTree(grafana),
	'flamebearer': fromTree(flamebearer),
	'd3-flame-graph': fromTree(root => nested(root, v => `{"name":"${names[v.n]}","value":${v.total},"children":[`)),
	'otlp-json': fromStacks(otlp),
	'jfr-json': stacks('{\n  "recording": {\n    "events": [', (f, i) => `${i ? ', ' : ''}${event(f, i)}`, ']\n  }\n}\n'),
};
