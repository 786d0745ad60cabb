// SPDX-License-Identifier: ISC
// Text that lists one stack after another.
'use strict';
const { hex, innermost, leafFirst, names, stacks } = require('./profile.js');
const program = require('./program.js');

module.exports = {
	'dtrace': stacks('CPU     ID                    FUNCTION:NAME\n  0     64                        :tick-60s\n\n',
		f => `\n${leafFirst(f, n => `              prog\`${names[n]}+0x1f\n`)}                7\n`),
	'systemtap': stacks('', f => `${leafFirst(f, n => ` 0x${hex(n)} : ${names[n]}+0x1f/0x40 [prog]\n`)}\t7\n`),
	'bpftrace': stacks('Attaching 1 probe...\n\n', f => `@[\n${leafFirst(f, n => `    ${names[n]}+31\n`)}]: 7\n`),
	'bcc': stacks('Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n',
		f => `${leafFirst(f, n => `    ${names[n]}\n`)}    -                prog (42)\n        7\n\n`),
	'gdb': stacks('', (f, i) => `Thread ${i} (Thread 0x7f2dfa0196c0 (LWP ${i}) "prog"):\n${innermost(f).map((n, k) =>
		`#${k}  0x${hex(n)} in ${names[n]} (argument=<optimized out>) at source.c:${n}\n`).join('')}\n`),
	'eu-stack': stacks('PID 42 - process\n', (f, i) => `TID ${i}:\n${innermost(f).map((n, k) =>
		`#${k}  0x${hex(n).padStart(16, '0')} ${names[n]}\n`).join('')}`),
	'jstack': stacks('2026-11-21 03:33:48\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode, sharing):\n\n',
		(f, i) => `"worker-${i}" #${i} prio=5 os_prio=0 cpu=1ms elapsed=2.93s tid=0x7f nid=0x4e2a runnable  [0x7f]\n   java.lang.Thread.State: RUNNABLE\n${
			leafFirst(f, n => `\tat demo.${names[n]}.run(Demo.java:${n})\n`)}\n`),
	'java-exceptions': stacks('', f => `java.lang.Exception: plain\n${leafFirst(f, n => `\tat demo.${names[n]}.run(Demo.java:${n})\n`)}`),
	'javacore': stacks('0SECTION       THREADS subcomponent dump routine\nNULL\n', (f, i) =>
		`3XMTHREADINFO      "worker-${i}" J9VMThread:0x0000000000035200, omrthread_t:0x00007F3F8C0D02C8, java/lang/Thread:0x1, state:R, prio=5\n3XMTHREADINFO3           Java callstack:\n${
			leafFirst(f, n => `4XESTACKTRACE                at demo/${names[n]}.run(Demo.java:${n}(Compiled Code))\n`)}NULL\n`),
	'faulthandler': stacks('', (f, i) => `Thread 0x${hex(i).padStart(16, '0')} (most recent call first):\n${
		leafFirst(f, n => `  File "/opt/demo/module.py", line ${n + 1} in ${names[n]}\n`)}\n`),
	'goroutines': stacks('', (f, i) => `goroutine ${i + 1} [running]:\n${
		leafFirst(f, n => `main.${names[n]}(0x1, 0x2)\n\t/opt/demo/main.go:${n} +0x1f\n`)}\n`),
	'procstack': stacks('42: /opt/demo/prog\n', (f, i) => `---------- tid# ${i} ----------\n${
		leafFirst(f, n => `0x${hex(n)}  ${names[n]}(??) + 0x1f\n`)}`),
	'phpspy': stacks('', f => `${innermost(f).map((n, k) => `${k} ${names[n]} /opt/demo/t.php:${n}\n`).join('')}# - - -\n`),
	'rprof': stacks('sample.interval=10000\n', f => `${leafFirst(f, n => `"${names[n]}" `)}\n`),
	'ljp': stacks('', f => `7 ${f.length} \t${leafFirst(f, n => `\tprog.${names[n]}(Demo.java:${n})\n`).slice(1)}\n`, 'Total trace count = 7, Total traces = 1\n'),
	'wcp': stacks('Full stacks\n\n', f => `0.1% ===== (7 samples)\n${innermost(f).map((n, k) => `${k + 1}: ${names[n]}   (at demo.c:${n})\n`).join('')}\n`),
	'austin': stacks('# austin: 3.0.0\n# interval: 10000\n# mode: wall\n\n', f => `P42;T7;${f.map(n => `/opt/demo/m.py:${names[n]}:${n}`).join(';')} 7\n`),
	'folded': stacks('', f => `${f.map(n => names[n]).join(';')} 7\n`),
	'ftrace': stacks('# tracer: nop\n#\n', (f, i) => `          prog-42      [000] d..2.  ${(i / 1e6 + 10).toFixed(6)}: sched_switch: prev_comm=prog\n          prog-42      [000] d..2.  ${
		(i / 1e6 + 10).toFixed(6)}: <stack trace>\n${leafFirst(f, n => ` => ${names[n]}\n`)}`),
	'jfr-print': stacks('', (f, i) => `jdk.ExecutionSample {\n  startTime = 03:33:48.${String(i % 1000).padStart(3, '0')}\n  sampledThread = "main" (javaThreadId = 1)\n  state = "STATE_RUNNABLE"\n  stackTrace = [\n${
		leafFirst(f, n => `    demo.${names[n]}.run(int, String) line: ${n}\n`)}  ]\n}\n\n`),
	'pprof-text+heap': stacks('heap profile:   7000: 700000 [  9000: 900000] @ heap_v2/524288\n', f => `     7:     7000 [     9:     9000] @${leafFirst(f, n => ` 0x${program.place(n).toString(16)}`)}\n`,
		() => `\nMAPPED_LIBRARIES:\n${program.maps()}`),
	'pprof-text': stacks('goroutine profile: total 7\n', f => `1 @${leafFirst(f, n => ` 0x${hex(n)}`)}\n${
		leafFirst(f, n => `#\t0x${hex(n)}\tmain.${names[n]}+0x1f\t/opt/demo/main.go:${n}\n`)}\n`),
	'perf-script': stacks('', (f, i) => `prog    42 [000] ${(i / 1e6 + 10).toFixed(6)}:     250000 cpu-clock:u: \n${
		leafFirst(f, n => `\t${hex(n).padStart(16)} ${names[n]}+0x1f (/opt/demo/prog)\n`)}\n`),
	'perf-report': stacks("# Samples: 944  of event 'cpu-clock:ppp'\n#\n# Overhead  Command  Shared Object  Symbol\n# ........  .......  .............  ......\n#\n",
		f => `     0.01%  prog     prog           [.] ${names[f[f.length - 1]]}\n7 ${f.map(n => names[n]).join(';')}\n`),
	'pprof-raw': stacks('PeriodType: cpu nanoseconds\nPeriod: 10000000\nSamples:\nsamples/count cpu/nanoseconds[dflt]\n',
		f => `          7   70000000: ${leafFirst(f, n => `${n + 1} `)}\n`,
		`Locations\n${names.map((name, n) => `     ${n + 1}: 0x${hex(n)} M=1 main.${name} /opt/demo/main.go:${n}:0 s=0\n`).join('')}Mappings\n1: 0x400000/0x900000/0x0 /opt/demo/prog 6af25ebed32f [FN]\n`),
	'threadz': stacks('--- threadz 1 ---\n\n', (f, i) => `--- Thread ${hex(i)} (name: worker/${i}) stack: ---\n${innermost(f).map((n, k) =>
		`  ${k ? '' : 'PC:  '}0x${hex(n).padStart(8, '0')}: ${names[n]}\n`).join('')}`, '--- Memory map: ---\n  00400000-00900000: /opt/demo/prog\n'),
	'py-spy-dump': stacks('Process 42: python3 work.py\nPython v3.11.7 (/usr/bin/python3.11)\n\n',
		f => `Thread 42 (active): "MainThread"\n${leafFirst(f, n => `    ${names[n]} (work.py:${n})\n`)}`),
	// Without stacks: a line per function and address.
	'probe-rs-flat': stacks('Samples 1000\n', f => f.map(n => `${names[n].padStart(46)} - 0.1%\n`).join('')),
};
