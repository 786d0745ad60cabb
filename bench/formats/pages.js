// SPDX-License-Identifier: ISC
// Pictures and pages: other tools' flame graphs.
'use strict';
const { spawnSync } = require('child_process');
const path = require('path');
const { fromStacks, fromTree, names, next, nodes, putAll, share } = require('./profile.js');

// In the style of flamegraph.pl.
function* flamegraph(root) {
	const unit = 1180 / root.total;
	yield '<?xml version="1.0" standalone="no"?>\n<svg version="1.1" width="1200" height="700" xmlns="http://www.w3.org/2000/svg">\n<!-- Flame graph stack visualization. See https://github.com/brendangregg/FlameGraph for latest version. -->\n<g id="frames">\n';
	root.x = 10;
	for (const v of nodes(root)) {
		yield `<g >\n<title>${v.depth ? names[v.n] : 'all'} (${v.total} samples, ${share(v.total, root.total)}%)</title><rect x="${v.x.toFixed(1)}" y="${
			4000 - v.depth * 16}" width="${(v.total * unit).toFixed(1)}" height="15.0" fill="rgb(230,100,50)" rx="2" ry="2" />\n<text  x="${v.x.toFixed(2)}" y="9" ></text>\n</g>\n`;
		let at = v.x;
		for (const k of v.kids.values()) {
			k.x = at;
			at += k.total * unit;
		}
	}
	yield '</g>\n</svg>\n';
}

// In the style of inferno: positions are in samples.
function* inferno(root) {
	const percent = n => `${(100 * n / root.total).toFixed(4)}%`;
	yield `<?xml version="1.0" standalone="no"?>\n<svg version="1.1" width="1200" height="700" xmlns="http://www.w3.org/2000/svg" xmlns:fg="http://github.com/jonhoo/inferno"><svg id="frames" x="10" width="1180" total_samples="${root.total}">`;
	root.x = 0;
	for (const v of nodes(root)) {
		yield `<g><title>${v.depth ? names[v.n] : 'all'} (${v.total} samples, ${share(v.total, root.total)}%)</title><rect x="${percent(v.x)}" y="${
			4000 - v.depth * 16}" width="${percent(v.total)}" height="15" fill="rgb(230,100,50)" fg:x="${v.x}" fg:w="${v.total}"/><text x="${percent(v.x)}" y="9"></text></g>`;
		let at = v.x;
		for (const k of v.kids.values()) {
			k.x = at;
			at += k.total;
		}
	}
	yield '</svg></svg>\n';
}

// Each name starts with the length of the prefix shared with the previous one, encoded as a
// character from blank on.
function packed(name, before) {
	let same = 0;
	while (same < 94 && same < before.length && name[same] === before[same])
		same++;
	return `'${String.fromCharCode(32 + same).replace(/['\\]/, '\\$&')}${name.slice(same)}'`;
}

function* async_profiler(root) {
	yield `<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n</head>\n<body>\n<h1>CPU profile</h1>\n<script>\n\t// Copyright The async-profiler authors\n\tlet inverted = false;\n\tconst units = 'samples';\n\tconst maxdiff = -1;\nconst cpool = [\n'all',\n${
		names.map((name, n) => packed(name, n ? names[n - 1] : 'all')).join(',\n')}\n];\nunpack(cpool);\n\n`;
	let last = root;
	root.x = 0;
	for (const v of nodes(root)) {
		const key = v.depth ? (v.n + 1) * 8 + 1 : 3;
		if (v.depth > last.depth && v.x === last.x)
			yield `u(${key},${v.total})\n`;
		else if (v !== root && v.depth === last.depth && v.x === last.x + last.total)
			yield `n(${key},${v.total})\n`;
		else
			yield `f(${key},${v.depth},${v === root ? 0 : v.x - last.x},${v.total})\n`;
		last = v;
		let at = v.x;
		for (const k of v.kids.values()) {
			k.x = at;
			at += k.total;
		}
	}
	yield '\nsearch();\n</script></body></html>\n';
}

// Source 0 is the root.
const pprof = all => [`<html><head><title>prog cpu</title></head><body><h1><a href="./">pprof</a></h1><script>stackViewer({"Total":${
	all.length * 7},"Scale":1,"Type":"samples","Unit":"count","Stacks":[${all.map(f => `{"Value":7,"Sources":[0,${f.map(n => n + 1)}]}`)}],"Sources":[{"FullName":"root"},${
	names.map(s => `{"FullName":"main.${s}","FileName":"/opt/demo/main.go","UniqueName":"main.${s}","Inlined":false,"Display":["${s}"]}`)}]},["root"]);</script></body></html>\n`];

// Runs fg-svg on a hundred times as many bytes of folded stacks.
function picture(bytes, kind) {
	const lines = [];
	for (let size = 0; size < bytes; size += lines[lines.length - 1].length)
		lines.push(`${next(kind).map(n => names[n]).join(';')} 7\n`);
	const made = spawnSync(path.join(__dirname, '..', '..', 'bin', 'fg-svg'), ['-q'], { input: lines.join(''), maxBuffer: 1 << 29 });
	if (made.status !== 0)
		throw new Error(`fg-svg ended with status ${made.status}: ${made.stderr}`);
	putAll(made.stdout);
}

module.exports = {
	'flamegraph-svg': fromTree(flamegraph),
	'flamegraph-svg+inferno': fromTree(inferno),
	'async-profiler': fromTree(async_profiler),
	'pprof-html': fromStacks(pprof),
	'fg-svg': { kinds: ['distinct'], write: picture },
};
