// SPDX-License-Identifier: ISC
// Unpacks the viewer, which is in the element before this script, and runs it.
//
// The build deflates it (RFC 1951), to blocks with codes of their own, as compressors do
// with so much text, and writes 13 bits as two characters (pack.awk). Every browser can run
// this, and at once: DecompressionStream is missing in older ones and needs as long for so
// little, while the picture is painted without the viewer. The viewer is run as a script
// element, which is allowed wherever this one is; eval may not be.
(function () {
"use strict";

const script = document.currentScript;
const element = script ? script.previousElementSibling :
	Array.from(document.querySelectorAll(".fg-viewer")).pop();
const packed = element.textContent.replace(/!/g, "]");
const out = new Uint8Array(8 * packed.length);
let size = 0, at = 0, bits = 0, have = 0, literals, distances;

// The next N bits, lowest first; or the symbol of CODE that they begin with.
function take(n, code) {
	for (; have < n; have += 13, at += 2)
		bits |= packed.charCodeAt(at) + 91 * packed.charCodeAt(at + 1) - 3312 << have;
	let value = bits & (1 << n) - 1;
	if (code) {
		n = code[value] & 15;
		value = code[value] >> 4;
	}
	bits >>= n;
	have -= n;
	return value;
}

// The code of symbols with LENGTHS, by the next N bits: 16 * symbol + length.
function newCode(lengths) {
	const n = Math.max(...lengths), code = new Uint16Array(1 << n);
	for (let length = 1, next = 0; length <= n; length++)
		for (let symbol = 0; symbol < lengths.length; symbol++) {
			if (lengths[symbol] !== length)
				continue;
			for (let i = next; i < code.length; i += 1 << length)
				code[i] = symbol << 4 | length;
			// counts up from the highest bit
			let bit = 1 << length - 1;
			for (; next & bit; bit >>= 1)
				next ^= bit;
			next |= bit;
		}
	return { n, code };
}

// The lengths of COUNT symbols, which have a code themselves.
function takeLengths(count, { n, code }) {
	const lengths = [];
	while (lengths.length < count) {
		const symbol = take(n, code);
		const length = symbol < 16 ? symbol : symbol < 17 ? lengths[lengths.length - 1] : 0;
		let times = symbol < 16 ? 1 : symbol < 17 ? 3 + take(2) :
			symbol < 18 ? 3 + take(3) : 11 + take(7);
		for (; times > 0; times--)
			lengths.push(length);
	}
	return lengths;
}

// A length or distance: the range SYMBOL, and more bits; 1 << LOW symbols have as many.
function takeNumber(symbol, low) {
	const more = (symbol >> low) - 1, one = 1 << low;
	return more < 1 ? symbol : (symbol & one - 1 | one) * (1 << more) + take(more);
}

// Unpacks what the next symbol stands for; false at the end of a block.
function takeSymbol() {
	const symbol = take(literals.n, literals.code);
	if (symbol < 256) {
		out[size++] = symbol;
		return true;
	}
	if (symbol === 256)
		return false;
	let length = symbol > 284 ? 258 : 3 + takeNumber(symbol - 257, 2);
	const back = 1 + takeNumber(take(distances.n, distances.code), 1);
	// a copy may overlap what it copies
	for (let n; length > 0; length -= n, size += n) {
		n = Math.min(length, back);
		out.copyWithin(size, size - back, size - back + n);
	}
	return true;
}

function unpackBlock() {
	const counts = [257 + take(5), 1 + take(5), 4 + take(4)], order = Array(19).fill(0);
	[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].slice(0, counts[2])
		.forEach((symbol) => order[symbol] = take(3));
	const lengths = takeLengths(counts[0] + counts[1], newCode(order));
	const turns = Array(500).fill();
	literals = newCode(lengths.slice(0, counts[0]));
	distances = newCode(lengths.slice(counts[0]));
	// One long loop would have browsers spend more on optimising it than it takes.
	while (turns.every(takeSymbol))
		;
}

for (let isLast = 0; !isLast; unpackBlock()) {
	isLast = take(1);
	take(2);
}
const viewer = document.createElementNS(element.namespaceURI, "script");
viewer.nonce = script && script.nonce;
// words, and the text in which a byte stands for each (words.awk)
const [words, text] = new TextDecoder("latin1").decode(out.subarray(0, size)).split("\0");
const list = words.split(" ");
viewer.textContent = text.replace(/[\xa0-\xff]/g, (c) => list[c.charCodeAt(0) - 160]);
element.after(viewer);
viewer.remove();
})();
