#!/usr/bin/env node
// SPDX-License-Identifier: ISC
// Writes a made-up profile in any format that fg-collapse reads, of about so many bytes.
//
//	bench/formats.js FORMAT BYTES repeated|distinct > FILE
//	bench/formats.js --list
//
// "repeated" has 500 stacks over and over, "distinct" no stack twice. Formats that are trees, or have a table of
// stacks, know no repetition: they are always distinct. The functions have names of about 24 bytes, stacks 8 to
// 28 frames.
'use strict';
const fs = require('fs');

const NAMES = 4000, POOL = 500;
let seed = 42;

// xorshift: the same profile in each run.
function random(n) {
	seed ^= seed << 13;
	seed ^= seed >>> 17;
	seed ^= seed << 5;
	return (seed >>> 0) % n;
}

const names = Array.from({ length: NAMES }, (_, i) => `engine_${i % 37}_module_function_${i}`);

// A stack from the outermost frame, as numbers of names: a walk in which a frame has a usual callee, and a few others.
function walk() {
	const frames = [0];
	const depth = 8 + random(21);
	while (frames.length < depth)
		frames.push((frames[frames.length - 1] * 7 + (random(8) ? 0 : random(4) * 131) + 1) % NAMES);
	return frames;
}

const pool = Array.from({ length: POOL }, walk);
let turn = 0;

function next(kind) {
	turn++;
	if (kind === 'repeated')
		return pool[random(POOL)];
	const frames = walk();
	// What makes it the only one of its kind.
	for (let n = turn; n; n = Math.floor(n / NAMES))
		frames.push(n % NAMES);
	return frames;
}

const leafFirst = (frames, show) => frames.slice().reverse().map(show).join('');
const hex = n => (0x400000 + n * 64).toString(16);

// One text for each stack. [before all, stack, after all]
const lines = {
	'dtrace': ['CPU     ID                    FUNCTION:NAME\n  0     64                        :tick-60s\n\n',
		f => `\n${leafFirst(f, n => `              prog\`${names[n]}+0x1f\n`)}                7\n`, ''],
	'systemtap': ['', f => `${leafFirst(f, n => ` 0x${hex(n)} : ${names[n]}+0x1f/0x40 [prog]\n`)}\t7\n`, ''],
	'bpftrace': ['Attaching 1 probe...\n\n', f => `@[\n${leafFirst(f, n => `    ${names[n]}+31\n`)}]: 7\n`, ''],
	'bcc': ['Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n',
		f => `${leafFirst(f, n => `    ${names[n]}\n`)}    -                prog (42)\n        7\n\n`, ''],
	'gdb': ['', (f, i) => `Thread ${i} (Thread 0x7f2dfa0196c0 (LWP ${i}) "prog"):\n${f.slice().reverse().map((n, k) =>
		`#${k}  0x${hex(n)} in ${names[n]} (argument=<optimized out>) at source.c:${n}\n`).join('')}\n`, ''],
	'eu-stack': ['PID 42 - process\n', (f, i) => `TID ${i}:\n${f.slice().reverse().map((n, k) =>
		`#${k}  0x${hex(n).padStart(16, '0')} ${names[n]}\n`).join('')}`, ''],
	'jstack': ['2026-11-21 03:33:48\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode, sharing):\n\n',
		(f, i) => `"worker-${i}" #${i} prio=5 os_prio=0 cpu=1ms elapsed=2.93s tid=0x7f nid=0x4e2a runnable  [0x7f]\n   java.lang.Thread.State: RUNNABLE\n${
			leafFirst(f, n => `\tat demo.${names[n]}.run(Demo.java:${n})\n`)}\n`, ''],
	'java-exceptions': ['', f => `java.lang.Exception: plain\n${leafFirst(f, n => `\tat demo.${names[n]}.run(Demo.java:${n})\n`)}`, ''],
	'javacore': ['0SECTION       THREADS subcomponent dump routine\nNULL\n', (f, i) =>
		`3XMTHREADINFO      "worker-${i}" J9VMThread:0x0000000000035200, omrthread_t:0x00007F3F8C0D02C8, java/lang/Thread:0x1, state:R, prio=5\n3XMTHREADINFO3           Java callstack:\n${
			leafFirst(f, n => `4XESTACKTRACE                at demo/${names[n]}.run(Demo.java:${n}(Compiled Code))\n`)}NULL\n`, ''],
	'faulthandler': ['', (f, i) => `Thread 0x${hex(i).padStart(16, '0')} (most recent call first):\n${
		leafFirst(f, n => `  File "/opt/demo/module.py", line ${n + 1} in ${names[n]}\n`)}\n`, ''],
	'goroutines': ['', (f, i) => `goroutine ${i + 1} [running]:\n${
		leafFirst(f, n => `main.${names[n]}(0x1, 0x2)\n\t/opt/demo/main.go:${n} +0x1f\n`)}\n`, ''],
	'procstack': ['42: /opt/demo/prog\n', (f, i) => `---------- tid# ${i} ----------\n${
		leafFirst(f, n => `0x${hex(n)}  ${names[n]}(??) + 0x1f\n`)}`, ''],
	'phpspy': ['', f => `${f.slice().reverse().map((n, k) => `${k} ${names[n]} /opt/demo/t.php:${n}\n`).join('')}# - - -\n`, ''],
	'rprof': ['sample.interval=10000\n', f => `${leafFirst(f, n => `"${names[n]}" `)}\n`, ''],
	'ljp': ['', f => `7 ${f.length} \t${leafFirst(f, n => `\tprog.${names[n]}(Demo.java:${n})\n`).slice(1)}\n`, 'Total trace count = 7, Total traces = 1\n'],
	'wcp': ['Full stacks\n\n', f => `0.1% ===== (7 samples)\n${f.slice().reverse().map((n, k) => `${k + 1}: ${names[n]}   (at demo.c:${n})\n`).join('')}\n`, ''],
	'austin': ['# austin: 3.0.0\n# interval: 10000\n# mode: wall\n\n', f => `P42;T7;${f.map(n => `/opt/demo/m.py:${names[n]}:${n}`).join(';')} 7\n`, ''],
	'folded': ['', f => `${f.map(n => names[n]).join(';')} 7\n`, ''],
	'ftrace': ['# tracer: nop\n#\n', (f, i) => `          prog-42      [000] d..2.  ${(i / 1e6 + 10).toFixed(6)}: sched_switch: prev_comm=prog\n          prog-42      [000] d..2.  ${
		(i / 1e6 + 10).toFixed(6)}: <stack trace>\n${leafFirst(f, n => ` => ${names[n]}\n`)}`, ''],
	'jfr-print': ['', (f, i) => `jdk.ExecutionSample {\n  startTime = 03:33:48.${String(i % 1000).padStart(3, '0')}\n  sampledThread = "main" (javaThreadId = 1)\n  state = "STATE_RUNNABLE"\n  stackTrace = [\n${
		leafFirst(f, n => `    demo.${names[n]}.run(int, String) line: ${n}\n`)}  ]\n}\n\n`, ''],
	'gperftools-heap': ['heap profile:   7000: 700000 [  9000: 900000] @ heap_v2/524288\n', f => `     7:     7000 [     9:     9000] @${leafFirst(f, n => ` 0x${hex(n)}`)}\n`,
		'\nMAPPED_LIBRARIES:\n00400000-00900000 r-xp 00000000 08:01 42 /opt/demo/prog\n'],
	'go-text': ['goroutine profile: total 7\n', f => `1 @${leafFirst(f, n => ` 0x${hex(n)}`)}\n${
		leafFirst(f, n => `#\t0x${hex(n)}\tmain.${names[n]}+0x1f\t/opt/demo/main.go:${n}\n`)}\n`, ''],
};

// Calls with times: each stack is entered and left.
const spans = {
	'xdebug': [ 'Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-21 03:38:32.853395]\n',
		(n, depth, id, t) => `${depth}\t${id}\t0\t${(t / 1e6).toFixed(6)}\t400000\t${names[n]}\t1\t\t/opt/demo/t.php\t${n}\t0\n`,
		(n, depth, id, t) => `${depth}\t${id}\t1\t${(t / 1e6).toFixed(6)}\t400000\n`, '\t\t\t1000.0\t400000\nTRACE END   [2026-11-21 03:38:32.853395]\n' ],
	'ftrace-graph': [ '# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n# |     |   |                     |   |   |   |\n',
		(n, depth) => ` 0)               | ${'  '.repeat(depth)}${names[n]}() {\n`,
		(n, depth, id, t, dur) => ` 0) ${(dur / 1000).toFixed(3).padStart(8)} us   | ${'  '.repeat(depth)}}\n`, '' ],
	'uftrace-replay': [ '# DURATION     TID     FUNCTION\n',
		(n, depth) => `            [ 24852] | ${'  '.repeat(depth - 1)}${names[n]}() {\n`,
		(n, depth, id, t, dur) => `${(dur / 1000).toFixed(3).padStart(8)} us [ 24852] | ${'  '.repeat(depth - 1)}} /* ${names[n]} */\n`, '' ],
	'papyrus': [ 'Stack_3185 log opened (PC)\n',
		(n, depth, id, t) => `${t}:PUSH:3185:${depth}:None:quest..${names[n]}\n`,
		(n, depth, id, t) => `${t}:POP:3185:${depth}:None:quest..${names[n]}\n`, 'Log closed\n' ],
	'chrome-trace': [ '[{"ph":"M","pid":7,"tid":1,"name":"thread_name","args":{"name":"io"}}\n',
		(n, depth, id, t) => `,{"ph":"B","pid":7,"tid":1,"ts":${t},"name":"${names[n]}"}\n`,
		(n, depth, id, t) => `,{"ph":"E","pid":7,"tid":1,"ts":${t}}\n`, ']\n' ],
};

// A tree: a line for each node, depth first. node: { n, depth, self, total, kids }
const share = (v, all) => (100 * v / all).toFixed(1);
const trees = {
	'macos-sample': [ () => 'Call graph:\n', v => `    ${'+ '.repeat(v.depth)}${v.total} ${names[v.n]}  (in prog) + 31  [0x${hex(v.n)}]\n`, () => '\nTotal number in stack (recursive counted multiple, when >=5):\n' ],
	'instruments': [ () => 'Weight\tSelf Weight\t\tSymbol Name\n', v => `${v.total}.00 ms   0.1%\t${v.self}.00 ms\t \t${' '.repeat(v.depth)}${names[v.n]}\n`, () => '' ],
	'vtune': [ () => 'Function Stack,CPU Time:Self,Module\n', v => `${' '.repeat(v.depth)}${names[v.n]},${v.self}.0,prog\n`, () => '' ],
	'vsprof': [ () => '\ufeffLevel,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,Exclusive Samples %,Module Name,\n', v => `${v.depth},"${names[v.n]}",${v.total},${v.self},1.00,1.00,"prog.exe",\n`, () => '' ],
	'ghc-prof': [ (all) => `\tSat Nov 21 03:38 2026 Time and Allocation Profiling Report  (Final)\n\n\t   demo +RTS -P -RTS\n\n\ttotal time  =        0.01 secs   (${all} ticks @ 1000 us, 1 processor)\n\ttotal alloc =  48,927,256 bytes  (excludes profiling overheads)\n\nCOST CENTRE MODULE SRC %time %alloc  ticks     bytes\n\n\n${
		'COST CENTRE'.padEnd(90)} MODULE  SRC            no.     entries  %time %alloc   %time %alloc  ticks     bytes\n\n`,
		(v, i) => `${(' '.repeat(v.depth) + names[v.n]).padEnd(90)} Main    demo.hs:1:1-9 ${String(i).padStart(7)}           1    0.0    0.0     0.1    0.1 ${String(v.self).padStart(6)} ${String(v.self * 64).padStart(9)}\n`, () => '' ],
	'massif': [ (all) => `desc: --threshold=0\ncmd: ./prog\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=${all}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\n`,
		v => `${' '.repeat(v.depth)}n${v.kids.size + (v.kids.size && v.self ? 1 : 0)}: ${v.total} 0x${hex(v.n)}: ${names[v.n]} (prog.c:${v.n})\n${
			v.kids.size && v.self ? `${' '.repeat(v.depth + 1)}n0: ${v.self} in 2 places, all below massif's threshold (1.00%)\n` : ''}`, () => '' ],
	'pmcstat': [ all => `@ inst_retired.any [${all} samples]\n\n`, v => `${v.depth ? '' : '\n'}${' '.repeat(v.depth)}${share(v.total, v.above)}%  [${v.total}]${' '.repeat(4 + v.depth)}${names[v.n]} @ /boot/kernel/kernel\n`, () => '' ],
};

// JSON trees.
function nested(open, between, close) {
	return function* (v) {
		// Own stack: trees are deep, and generators of generators slow.
		const todo = [[v, 0]];
		while (todo.length) {
			const [node, state, first] = todo.pop();
			if (state) { yield close; continue; }
			yield (first ? '' : between) + open(node);
			todo.push([node, 1]);
			const kids = [...node.kids.values()].reverse();
			kids.forEach((k, i) => todo.push([k, 0, i === kids.length - 1]));
		}
	};
}

function flamebearer(root) {
	const levels = [];
	let row = [[root, 0]];
	while (row.length) {
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
		levels.push(`[${numbers.join(',')}]`);
		row = below;
	}
	return `{"version":1,"flamebearer":{"names":${JSON.stringify(['total', ...names])},"levels":[${levels.join(',\n')}],"numTicks":${root.total},"maxSelf":9},"metadata":{"format":"single","units":"samples","sampleRate":100}}\n`;
}

// A picture as flamegraph.pl draws it.
function* picture(root) {
	yield '<?xml version="1.0" standalone="no"?>\n<svg version="1.1" width="1200" height="700" xmlns="http://www.w3.org/2000/svg">\n<g id="frames">\n';
	const todo = [[root, 10]];
	const unit = 1180 / root.total;
	while (todo.length) {
		const [v, x] = todo.pop();
		yield `<g >\n<title>${v.depth ? names[v.n] : 'all'} (${v.total} samples, ${share(v.total, root.total)}%)</title><rect x="${x.toFixed(1)}" y="${
			4000 - v.depth * 16}" width="${(v.total * unit).toFixed(1)}" height="15.0" fill="rgb(230,100,50)" rx="2" ry="2" />\n<text  x="${x.toFixed(2)}" y="9" ></text>\n</g>\n`;
		let at = x;
		for (const k of v.kids.values()) {
			todo.push([k, at]);
			at += k.total * unit;
		}
	}
	yield '</g>\n</svg>\n';
}

const whole = {
	'd3': function* (root) { yield* nested(v => `{"name":"${names[v.n]}","value":${v.total},"children":[`, ',\n', ']}')(root); yield '\n'; },
	'flamebearer': function* (root) { yield flamebearer(root); },
	'flamegraph-svg': picture,
};

// Tables of stacks.
function varint(n) {
	const out = [];
	while (n > 127) {
		out.push(n % 128 | 128);
		n = Math.floor(n / 128);
	}
	out.push(n);
	return Buffer.from(out);
}
const field = (n, bytes) => Buffer.concat([varint(n * 8 + 2), varint(bytes.length), bytes]);
const number = (n, v) => Buffer.concat([varint(n * 8), varint(v)]);
const packed = values => Buffer.concat(values.map(varint));

const binary = {
	'pprof': {
		head: () => Buffer.concat([field(1, Buffer.concat([number(1, 1), number(2, 2)])),
			...names.flatMap((_, i) => [field(4, Buffer.concat([number(1, i + 1), field(4, number(1, i + 1))])),
				field(5, Buffer.concat([number(1, i + 1), number(2, i + 3)]))]),
			...['', 'samples', 'count', ...names].map(s => field(6, Buffer.from(s)))]),
		stack: f => field(2, Buffer.concat([field(1, packed(f.slice().reverse().map(n => n + 1))), field(2, packed([7]))])),
		tail: () => Buffer.alloc(0),
	},
	'simpleperf': {
		record(r) { const size = Buffer.alloc(4); size.writeUInt32LE(r.length); return Buffer.concat([size, r]); },
		head: () => Buffer.concat([Buffer.from('SIMPLEPERF'), Buffer.from([1, 0])]),
		stack: (f, i) => binary.simpleperf.record(field(1, Buffer.concat([number(1, i * 1000), number(2, 42),
			...f.slice().reverse().map(n => field(3, Buffer.concat([number(1, n), number(2, 0), number(3, n)]))), number(4, 7), number(5, 0)]))),
		tail: () => Buffer.concat([binary.simpleperf.record(field(3, Buffer.concat([number(1, 0), field(2, Buffer.from('/system/lib/libc.so')), ...names.map(s => field(3, Buffer.from(s)))]))),
			binary.simpleperf.record(field(4, Buffer.concat([number(1, 42), number(2, 42), field(3, Buffer.from('prog'))]))), Buffer.alloc(4)]),
	},
	'gperftools-cpu': {
		words(list) { const b = Buffer.alloc(list.length * 8); list.forEach((w, i) => b.writeBigUInt64LE(BigInt(w), i * 8)); return b; },
		head: () => binary['gperftools-cpu'].words([0, 3, 0, 10000, 0]),
		stack: f => binary['gperftools-cpu'].words([7, f.length, ...f.slice().reverse().map(n => 0x400000 + n * 64)]),
		tail: () => Buffer.concat([binary['gperftools-cpu'].words([0, 1, 0]), Buffer.from('00400000-00900000 r-xp 00000000 08:01 42 /opt/demo/prog\n')]),
	},
};

// Columns of JSON.
const columns = {
	'speedscope': all => `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[${names.map(s => `{"name":"${s}"}`).join(',')}]},"profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":1,"samples":[\n${
		all.map(f => `[${f.join(',')}]`).join(',\n')}],"weights":[${all.map(() => 7).join(',')}]}]}\n`,
	'gprof2dot-json': all => `{"version":0,"costs":[{"description":"Time"}],"functions":[${names.map(s => `{"name":"${s}"}`).join(',')}],"events":[\n${
		all.map(f => `{"callchain":[${f.slice().reverse().join(',')}],"cost":[7]}`).join(',\n')}]}\n`,
	'stackprof': all => `{"version":1.2,"mode":"cpu","interval":1000,"samples":${all.length},"gc_samples":0,"missed_samples":0,"frames":{${
		names.map((s, i) => `"${i}":{"name":"${s}","file":"/opt/demo.rb","line":${i}}`).join(',')}},"raw":[${all.map(f => `${f.length},${f.join(',')},1`).join(',\n')}]}\n`,
	'bpftrace-json': all => all.map(f => `{"type": "map", "data": {"@": {"${leafFirst(f, n => `\\n    ${names[n]}+31`)}\\n": 7}}}\n`).join(''),
};

function write(text) {
	const b = Buffer.isBuffer(text) ? text : Buffer.from(text);
	for (let at = 0; at < b.length;)
		at += fs.writeSync(1, b, at);
	return b.length;
}

// Writes what GIVE makes until there are BYTES.
function fill(bytes, give) {
	let done = 0;
	while (done < bytes) {
		const part = [];
		for (let n = 0; n < 2000; n++)
			part.push(give());
		done += write(Buffer.isBuffer(part[0]) ? Buffer.concat(part) : part.join(''));
	}
}

// A tree of N stacks, with weights that add up.
function grow(n) {
	const root = { n: 0, depth: 0, self: 0, total: 0, kids: new Map() };
	for (let i = 0; i < n; i++) {
		let v = root;
		for (const f of next('distinct').slice(1)) {
			if (!v.kids.has(f))
				v.kids.set(f, { n: f, depth: v.depth + 1, self: 0, total: 0, kids: new Map() });
			v.total += 7;
			v = v.kids.get(f);
		}
		v.total += 7;
		v.self += 7;
	}
	return root;
}

function writeTree([head, line, tail], root) {
	write(head(root.total));
	const todo = [root];
	let part = [], i = 0;
	root.above = root.total;
	while (todo.length) {
		const v = todo.pop();
		part.push(line(v, i++));
		for (const k of [...v.kids.values()].reverse()) {
			k.above = v.total;
			todo.push(k);
		}
		if (part.length > 10000) {
			write(part.join(''));
			part = [];
		}
	}
	write(part.join('') + tail());
}

function writeSpans([head, enter, leave, tail], bytes, kind) {
	let open = [], t = 0, id = 0;
	write(head);
	fill(bytes, () => {
		const f = next(kind), out = [];
		for (let k = 0; k < f.length; k++) {
			open.push([f[k], ++id, ++t]);
			out.push(enter(f[k], k + 1, id, t));
		}
		while (open.length) {
			const [n, number, began] = open.pop();
			out.push(leave(n, open.length + 1, number, ++t, t - began));
		}
		return out.join('');
	});
	write(tail);
}

const BYTES_A_NODE = { 'macos-sample': 120, 'instruments': 70, 'vtune': 60, 'vsprof': 60, 'ghc-prof': 200, 'massif': 90, 'pmcstat': 110, 'd3': 65, 'flamebearer': 16, 'flamegraph-svg': 220 };
const NODES_A_STACK = 3;

function main([format, size, kind]) {
	const bytes = Number(size);
	if (format === '--list') {
		console.log([lines, spans, trees, whole, binary, columns].flatMap(o => Object.keys(o)).join('\n'));
	} else if (lines[format]) {
		write(lines[format][0]);
		let i = 0;
		fill(bytes, () => lines[format][1](next(kind), i++));
		write(lines[format][2]);
	} else if (spans[format]) {
		writeSpans(spans[format], bytes, kind);
	} else if (trees[format] || whole[format]) {
		const root = grow(Math.ceil(bytes / BYTES_A_NODE[format] / NODES_A_STACK));
		if (trees[format])
			writeTree(trees[format], root);
		else
			for (const text of whole[format](root))
				write(text);
	} else if (binary[format]) {
		write(binary[format].head());
		let i = 0;
		fill(bytes, () => binary[format].stack(next(kind), i++));
		write(binary[format].tail());
	} else if (columns[format]) {
		const each = format === 'bpftrace-json' ? 650 : format === 'speedscope' ? 90 : 120;
		write(columns[format](Array.from({ length: Math.ceil(bytes / each) }, () => next(kind))));
	} else {
		console.error(`formats.js: no format ${format}; see --list`);
		process.exitCode = 2;
	}
}

main(process.argv.slice(2));
