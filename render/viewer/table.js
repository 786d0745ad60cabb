// SPDX-License-Identifier: ISC
// The table of all frames, read; see table.h and svg.h.

const meta = JSON.parse(texts("fg-meta").join(""));
const last = meta.wide;
const wholes = meta.total.map(Number);
// Doubles hold whole numbers up to here; beyond it figures are BigInt.
const isBig = meta.total.concat(meta.sum).some((s) => !Number.isSafeInteger(Number(s)));
const Weights = isBig ? BigUint64Array : Float64Array;
const weight = isBig ? BigInt : Number;
const GAP = meta.names;

// Escaped bytes that can be shown are shown; others stay as they are written.
function unescape(s) {
	if (s.indexOf("\\") < 0)
		return s;
	return s.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (escape, hex) => {
		const code = hex ? parseInt(hex, 16) : 0x5c;
		return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
	});
}

function digitValues() {
	const values = new Uint8Array(128);
	for (let code = 0x21, value = 0; code < 0x7f; code++)
		if (!"\"&<>\\]".includes(String.fromCharCode(code)))
			values[code] = value++;
	return values;
}

const digits = digitValues();

function decodeNames() {
	const lines = texts("fg-names").join("").split("\n").filter((line) => line);
	const color = new Uint16Array(lines.length);
	const text = lines.map((line, i) => {
		const { read, rest } = reader(line);
		color[i] = read(Number);
		return unescape(rest());
	});
	return { text, color };
}

// A reader of numbers, as the type says: Number or BigInt.
function reader(text) {
	let at = 0;
	const read = (type) => {
		const base = type(32);
		let digit, value = type(0), unit = type(1);
		do {
			digit = digits[text.charCodeAt(at++)];
			value += type(digit) * unit;
			unit *= base;
		} while (digit > 55);
		return value;
	};
	return { read, hasMore: () => at < text.length, rest: () => text.slice(at) };
}

// An empty view of N frames, of which 0 is the root:
//	name, parent, depth	of each frame; a name of GAP is drawn as nothing
//	end			of its subtree, the index after the last frame in it
//	self, total		exact weights, by column
//	lead, width		of the last column, in doubles: what a frame has before
//				its first child, and in all
function newView(n) {
	const columns = () => meta.total.map(() => new Weights(n));
	return {
		n, rows: 1, self: columns(), total: columns(), lead: null, width: null,
		name: new Uint32Array(n), parent: new Uint32Array(n),
		depth: new Uint32Array(n), end: new Uint32Array(n),
	};
}

function decodeFrames() {
	const view = newView(meta.frames + 1);
	const { name, parent, depth, end, self } = view;
	const { read, hasMore } = reader(texts("fg-frames").join(""));
	let at = 0, i = 1;
	name[0] = GAP + 1;
	meta.rootself.forEach((w, column) => self[column][0] = weight(w));
	for (; i < view.n && hasMore(); i++) {
		const first = read(Number), head = first ? 0 : read(Number);
		for (let up = head >> 1; up > 0; up--) {
			end[at] = i;
			at = parent[at];
		}
		parent[i] = at;
		depth[i] = depth[at] + 1;
		name[i] = first ? first - 1 : read(Number);
		if (head & 1)
			for (const column of self)
				column[i] = read(weight);
		at = i;
	}
	view.n = i;
	for (end[0] = i; at; at = parent[at])
		end[at] = i;
	return view;
}

// Works out what follows from the tree and its own weights.
function completeView(view) {
	const { n, name, parent, depth, self, total } = view;
	const asDoubles = (a) => isBig ? Float64Array.from(a, Number) : a;
	view.lead = asDoubles(self[last]);
	if (meta.flamechart)
		view.lead = view.lead.slice();
	self.forEach((own, column) => {
		const sum = total[column];
		sum.set(own);
		for (let i = n - 1; i > 0; i--) {
			sum[parent[i]] += sum[i];
			// set() above has put the gap's weight in its own total
			if (name[i] === GAP)
				own[parent[i]] += own[i];
		}
	});
	view.width = asDoubles(total[last]);
	for (let i = 1; i < n; i++)
		if (depth[i] >= view.rows && name[i] !== GAP)
			view.rows = depth[i] + 1;
	return view;
}

const names = decodeNames();
const view = completeView(decodeFrames());
const nameOf = (i) => i ? names.text[view.name[i]] : "all";
const isWithin = (i, z) => i >= z && i < view.end[z];
