// SPDX-License-Identifier: ISC
// The synthetic profile behind all formats: the stacks of a program, and helpers for the ways in which formats store
// them. The functions have names of about 24 bytes, stacks 8 to 28 frames. The row of a format is
//
//	{ kinds, write(bytes, kind) }
//
// which writes about BYTES bytes: "repeated" has 500 stacks over and over, "distinct" no stack twice. Formats that
// are trees cannot repeat stacks.
'use strict';
const fs = require('fs');

const NAMES = 4000, POOL = 500;
const KINDS = ['repeated', 'distinct'];
const names = Array.from({ length: NAMES }, (_, i) => `engine_${i % 37}_module_function_${i}`);

let seed, turn, pool, fd, written, parts, pending;

// xorshift: the same profile in each run.
function random(n) {
	seed ^= seed << 13;
	seed ^= seed >>> 17;
	seed ^= seed << 5;
	return (seed >>> 0) % n;
}

// A stack as name indexes, outermost first: a random walk in which each frame has a usual
// callee, and a few others.
function walk() {
	const frames = [0];
	const depth = 8 + random(21);
	while (frames.length < depth)
		frames.push((frames[frames.length - 1] * 7 + (random(8) ? 0 : random(4) * 131) + 1) % NAMES);
	return frames;
}

// Starts over, with output to the descriptor TO; null only counts.
function begin(to) {
	seed = 42;
	turn = written = pending = 0;
	parts = [];
	fd = to;
	pool = Array.from({ length: POOL }, walk);
}

function next(kind) {
	turn++;
	if (kind === 'repeated')
		return pool[random(POOL)];
	const frames = walk();
	// The frames that make it unique.
	for (let n = turn; n; n = Math.floor(n / NAMES))
		frames.push(n % NAMES);
	return frames;
}

const stacksOf = (n, kind) => Array.from({ length: n }, () => next(kind));
const innermost = frames => frames.slice().reverse();
const leafFirst = (frames, show) => innermost(frames).map(show).join('');
const address = n => 0x400000 + n * 64;
const hex = n => address(n).toString(16);
const share = (v, all) => (100 * v / all).toFixed(1);

// Writes text or bytes, buffered.
function put(part) {
	parts.push(part);
	written += part.length;
	if ((pending += part.length) > 1 << 18)
		flush();
}

function flush() {
	const bytes = parts.some(Buffer.isBuffer) ? Buffer.concat(parts.map(p => Buffer.from(p))) : Buffer.from(parts.join(''));
	for (let at = 0; at < bytes.length && fd !== null;)
		at += fs.writeSync(fd, bytes, at);
	parts = [];
	pending = 0;
}

// Writes one part, or an iterable of parts.
function putAll(made) {
	for (const part of typeof made === 'string' || Buffer.isBuffer(made) ? [made] : made)
		put(part);
	flush();
}

// Formats that list stacks one after another. HEAD and TAIL may be functions that return text.
function stacks(head, stack, tail = '') {
	const value = part => typeof part === 'function' ? part() : part;
	return { kinds: KINDS, write(bytes, kind) {
		put(value(head));
		for (let i = 0; written < bytes; i++)
			put(stack(next(kind), i));
		put(value(tail));
		flush();
	} };
}

// Formats with begin and end events for calls: ENTER(name, depth, number, time), LEAVE(name,
// depth, number, time, duration).
function calls(head, enter, leave, tail = '') {
	let t = 0, id = 0;
	return stacks(() => {
		t = id = 0;
		return head;
	}, f => {
		const open = [], out = [];
		for (const n of f) {
			open.push([n, ++id, ++t]);
			out.push(enter(n, open.length, id, t));
		}
		while (open.length) {
			const [n, number, began] = open.pop();
			out.push(leave(n, open.length + 1, number, ++t, t - began));
		}
		return Buffer.isBuffer(out[0]) ? Buffer.concat(out) : out.join('');
	}, tail);
}

// Formats that are built as a whole, from N stacks: MAKE(n, kind) returns the text, or its
// parts. N is extrapolated from the sizes of small outputs.
function whole(make, kinds = KINDS) {
	const FEW = 100, MANY = 5000;
	const measure = (n, kind) => {
		begin(null);
		putAll(make(n, kind));
		return written;
	};
	const estimate = (bytes, kind, n) => {
		const size = measure(n, kind);
		return Math.max(n, n + Math.ceil((bytes - size) / (measure(2 * n, kind) - size) * n));
	};
	return { kinds, write(bytes, kind) {
		const to = fd;
		let n = estimate(bytes, kind, FEW);
		if (n > MANY)
			n = estimate(bytes, kind, MANY);
		begin(to);
		putAll(make(n, kind));
	} };
}

// As whole(), from an array of all stacks.
const fromStacks = make => whole((n, kind) => make(stacksOf(n, kind)));

// As whole(), from a tree: nodes { n, depth, self, total, kids } with consistent weights.
const fromTree = make => whole((n, kind) => make(grow(n, kind)), ['distinct']);

function grow(n, kind) {
	const node = (name, depth) => ({ n: name, depth, self: 0, total: 0, kids: new Map() });
	const root = node(0, 0);
	for (let i = 0; i < n; i++) {
		let v = root;
		for (const f of next(kind).slice(1)) {
			if (!v.kids.has(f))
				v.kids.set(f, node(f, v.depth + 1));
			v.total += 7;
			v = v.kids.get(f);
		}
		v.total += 7;
		v.self += 7;
	}
	root.above = root.total;
	return root;
}

// The nodes of a tree, depth first; ABOVE is the weight of the parent.
function* nodes(root) {
	const todo = [root];
	while (todo.length) {
		const v = todo.pop();
		yield v;
		for (const k of [...v.kids.values()].reverse()) {
			k.above = v.total;
			todo.push(k);
		}
	}
}

// Formats with a line per tree node, depth first.
function tree(head, line, tail = '') {
	return fromTree(function* (root) {
		let i = 0;
		yield typeof head === 'function' ? head(root.total) : head;
		for (const v of nodes(root))
			yield line(v, i++);
		yield tail;
	});
}

// A table of nodes that refer to their callers: one node per path from the outermost frame.
// add() returns the number of a stack's innermost node, from 0, and calls ISNEW for each node
// it makes: (number, caller or -1, name).
class Nodes {
	constructor(isNew) {
		this.isNew = isNew;
		this.known = new Map();
		this.n = 0;
	}

	add(frames) {
		let at = -1;
		for (const f of frames) {
			const key = (at + 1) * NAMES + f;
			let to = this.known.get(key);
			if (to === undefined) {
				to = this.n++;
				this.known.set(key, to);
				this.isNew(to, at, f);
			}
			at = to;
		}
		return at;
	}
}

// All stacks as such a table: { callers, frames, leaves }.
function tableOf(all) {
	const callers = [], frames = [];
	const nodes = new Nodes((_, caller, f) => {
		callers.push(caller);
		frames.push(f);
	});
	return { callers, frames, leaves: all.map(f => nodes.add(f)) };
}

// The distinct stacks, and the index of each stack among them.
function numbered(all) {
	const places = new Map();
	for (const f of all)
		if (!places.has(f))
			places.set(f, places.size);
	return { stacks: [...places.keys()], places: all.map(f => places.get(f)) };
}

module.exports = { NAMES, Nodes, address, begin, calls, fromStacks, fromTree, hex, innermost, leafFirst, names, next,
	nodes, numbered, putAll, share, stacks, tableOf, tree, whole };
