// SPDX-License-Identifier: ISC
// Call trees as text: a line per node, depth first.
'use strict';
const { hex, names, share, tree } = require('./profile.js');

module.exports = {
	'macos-sample': tree('Call graph:\n', v => `    ${'+ '.repeat(v.depth)}${v.total} ${names[v.n]}  (in prog) + 31  [0x${hex(v.n)}]\n`, '\nTotal number in stack (recursive counted multiple, when >=5):\n'),
	'instruments': tree('Weight\tSelf Weight\t\tSymbol Name\n', v => `${v.total}.00 ms   0.1%\t${v.self}.00 ms\t \t${' '.repeat(v.depth)}${names[v.n]}\n`),
	'vtune': tree('Function Stack,CPU Time:Self,Module\n', v => `${' '.repeat(v.depth)}${names[v.n]},${v.self}.0,prog\n`),
	'visual-studio': tree('\ufeffLevel,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,Exclusive Samples %,Module Name,\n', v => `${v.depth},"${names[v.n]}",${v.total},${v.self},1.00,1.00,"prog.exe",\n`),
	'ghc-prof': tree((all) => `\tSat Nov 21 03:38 2026 Time and Allocation Profiling Report  (Final)\n\n\t   demo +RTS -P -RTS\n\n\ttotal time  =        0.01 secs   (${all} ticks @ 1000 us, 1 processor)\n\ttotal alloc =  48,927,256 bytes  (excludes profiling overheads)\n\nCOST CENTRE MODULE SRC %time %alloc  ticks     bytes\n\n\n${
		'COST CENTRE'.padEnd(90)} MODULE  SRC            no.     entries  %time %alloc   %time %alloc  ticks     bytes\n\n`,
		(v, i) => `${(' '.repeat(v.depth) + names[v.n]).padEnd(90)} Main    demo.hs:1:1-9 ${String(i).padStart(7)}           1    0.0    0.0     0.1    0.1 ${String(v.self).padStart(6)} ${String(v.self * 64).padStart(9)}\n`),
	'massif': tree((all) => `desc: --threshold=0\ncmd: ./prog\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=${all}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\n`,
		v => `${' '.repeat(v.depth)}n${v.kids.size + (v.kids.size && v.self ? 1 : 0)}: ${v.total} 0x${hex(v.n)}: ${names[v.n]} (prog.c:${v.n})\n${
			v.kids.size && v.self ? `${' '.repeat(v.depth + 1)}n0: ${v.self} in 2 places, all below massif's threshold (1.00%)\n` : ''}`),
	'pmcstat': tree(all => `@ inst_retired.any [${all} samples]\n\n`, v => `${v.depth ? '' : '\n'}${' '.repeat(v.depth)}${share(v.total, v.above)}%  [${v.total}]${' '.repeat(4 + v.depth)}${names[v.n]} @ /boot/kernel/kernel\n`),
};
