// SPDX-License-Identifier: ISC
// Calls with times: each stack is entered and left.
'use strict';
const { calls, names } = require('./profile.js');

module.exports = {
	'xdebug': calls('Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-21 03:38:32.853395]\n',
		(n, depth, id, t) => `${depth}\t${id}\t0\t${(t / 1e6).toFixed(6)}\t400000\t${names[n]}\t1\t\t/opt/demo/t.php\t${n}\t0\n`,
		(n, depth, id, t) => `${depth}\t${id}\t1\t${(t / 1e6).toFixed(6)}\t400000\n`, '\t\t\t1000.0\t400000\nTRACE END   [2026-11-21 03:38:32.853395]\n'),
	'ftrace+graph': calls('# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n# |     |   |                     |   |   |   |\n',
		(n, depth) => ` 0)               | ${'  '.repeat(depth)}${names[n]}() {\n`,
		(n, depth, id, t, dur) => ` 0) ${(dur / 1000).toFixed(3).padStart(8)} us   | ${'  '.repeat(depth)}}\n`),
	'uftrace': calls('# DURATION     TID     FUNCTION\n',
		(n, depth) => `            [ 24852] | ${'  '.repeat(depth - 1)}${names[n]}() {\n`,
		(n, depth, id, t, dur) => `${(dur / 1000).toFixed(3).padStart(8)} us [ 24852] | ${'  '.repeat(depth - 1)}} /* ${names[n]} */\n`),
	'papyrus': calls('Stack_3185 log opened (PC)\n',
		(n, depth, id, t) => `${t}:PUSH:3185:${depth}:None:quest..${names[n]}\n`,
		(n, depth, id, t) => `${t}:POP:3185:${depth}:None:quest..${names[n]}\n`, 'Log closed\n'),
	'chrome-trace': calls('[{"ph":"M","pid":7,"tid":1,"name":"thread_name","args":{"name":"io"}}\n',
		(n, depth, id, t) => `,{"ph":"B","pid":7,"tid":1,"ts":${t},"name":"${names[n]}"}\n`,
		(n, depth, id, t) => `,{"ph":"E","pid":7,"tid":1,"ts":${t}}\n`, ']\n'),
};
