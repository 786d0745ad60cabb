// SPDX-License-Identifier: ISC
// The expected picture of folded stacks, computed from the text in the simplest way: by lines,
// and by a tree of maps. Independent of the product's code.
"use strict";

// The lines of TEXT: the frames and the weights (numbers) of each.
function parse(text, columns = 1) {
	return text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
		const words = line.split(" ");
		const weights = words.splice(words.length - columns).map(Number);
		return { frames: words.join(" ").split(";"), weights };
	});
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// The weight of LINES below the frames of PATH.
function total(lines, path = [], column = 0) {
	const isBelow = (line) => path.every((frame, i) => line.frames[i] === frame);
	return sum(lines.filter(isBelow).map((line) => line.weights[column]));
}

function self(lines, path) {
	return sum(lines.filter((line) => line.frames.join(";") === path.join(";"))
		.map((line) => line.weights[0]));
}

// The weight below PATH of the stacks that contain a matching frame; a stack with several
// matches counts once.
function matched(lines, pattern, path = []) {
	return total(lines.filter((line) => line.frames.some((name) => pattern.test(name))), path);
}

const percent = (part, whole) => (100 * part / whole).toFixed(2) + " %";

// The expected boxes in WIDTH px: depth, name, left and width; a frame's children in byte
// order, or the heaviest first, after its self weight.
function boxes(lines, width, heavy = false) {
	const root = { children: new Map(), total: 0, self: 0, name: "all" };
	for (const { frames, weights } of lines) {
		let node = root;
		node.total += weights[weights.length - 1];
		for (const name of frames) {
			if (!node.children.has(name))
				node.children.set(name, { children: new Map(), total: 0, self: 0, name });
			node = node.children.get(name);
			node.total += weights[weights.length - 1];
		}
		node.self += weights[weights.length - 1];
	}
	const list = [], px = width / root.total;
	const compare = (a, b) => (heavy && b.total - a.total) ||
		Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
	const place = (node, depth, left) => {
		list.push({ depth, name: node.name, left, width: node.total * px });
		let next = left + node.self * px;
		for (const child of Array.from(node.children.values()).sort(compare)) {
			place(child, depth + 1, next);
			next += child.total * px;
		}
	};
	place(root, 0, 0);
	return list;
}

// The same stacks, leaf first.
const reversed = (lines) => lines.map(({ frames, weights }) =>
	({ frames: frames.slice().reverse(), weights }));

// The callees of the first NAME in each stack, and its callers.
const from = (lines, name) => lines.filter((line) => line.frames.includes(name));
const callees = (lines, name) => from(lines, name).map(({ frames, weights }) =>
	({ frames: frames.slice(frames.indexOf(name) + 1), weights }));
const callers = (lines, name) => from(lines, name).map(({ frames, weights }) =>
	({ frames: frames.slice(0, frames.indexOf(name)).reverse(), weights }));

// The stacks without direct recursion; with ALL, without indirect recursion, including the
// frames in between.
function folded(lines, all) {
	return lines.map(({ frames, weights }) => {
		const stack = [];
		for (const name of frames) {
			const at = all ? stack.indexOf(name) : stack.lastIndexOf(name);
			if (at >= 0 && (all || at === stack.length - 1))
				stack.length = at;
			stack.push(name);
		}
		return { frames: stack, weights };
	});
}

// Each function's self weight, and the weight of the stacks that contain it.
function functions(lines, column = 0) {
	const list = new Map();
	for (const { frames, weights } of lines)
		for (const name of new Set(frames)) {
			const f = list.get(name) || { name, self: 0, total: 0 };
			f.total += weights[column];
			f.self += frames[frames.length - 1] === name ? weights[column] : 0;
			list.set(name, f);
		}
	return Array.from(list.values());
}

// COUNT pseudo-random stacks, the same each time: recursion, names that share words, and many
// frames too thin to draw.
function invent(count) {
	let seed = 1;
	const random = (n) => {
		seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
		return (seed >> 8) % n;
	};
	const words = ["read", "parse", "alloc", "free", "visit", "emit", "Read", "hash_map"];
	// few different names near the root, so that some frames are wide
	const name = (depth) => words[random(Math.min(8, 1 + depth))] + "_" + words[random(8)];
	const lines = new Set();
	while (lines.size < count) {
		const frames = ["main"];
		for (let i = random(9); i >= 0; i--)
			frames.push(name(frames.length - 1));
		lines.add(frames.join(";"));
	}
	return Array.from(lines, (line) =>
		`${line} ${random(10) ? 1 + random(9) : 1000 + random(9000)}`).join("\n") + "\n";
}

// Stacks with FRAMES distinct frames: a random walk over some hundred names that keeps part of
// the previous stack, with recursion; a few stacks have most of the weight.
function walks(frames) {
	let seed = 7, count = 0;
	const random = (n) => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return Math.floor(seed / 4294967296 * n);
	};
	const seen = new Set(), lines = [], stack = ["main"];
	while (count < frames) {
		stack.length = 1 + random(stack.length);
		for (let i = 3 + random(12); i > 0 && stack.length < 60; i--) {
			const name = random(9) ? Math.min(random(30), random(300)) : 0;
			stack.push(name ? `f${name}_${"name".repeat(name % 5)}` : stack[stack.length - 1]);
			const path = stack.join(";");
			if (!seen.has(path)) {
				seen.add(path);
				count++;
			}
		}
		lines.push(`${stack.join(";")} ${random(40) ? 1 + random(9) : 50 + random(frames)}`);
	}
	return lines.join("\n") + "\n";
}

module.exports = { parse, total, self, matched, percent, boxes, reversed, callees, callers, folded,
	functions, invent, walks };
