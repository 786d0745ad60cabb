// SPDX-License-Identifier: ISC
// Unpacks the viewer, which is in the element before this script, and runs it.
//
// The build packs it (pack.c): a number in base 93 tells bit after bit, for as much of it as
// what three models, mixed, expect of the next. Here the same is computed, in integers, so that
// they expect the same. Every browser can run this, and at once: DecompressionStream is missing
// in older ones and packs less well. The viewer is run as a script element, which is allowed
// wherever this one is; eval may not be.
(function () {
"use strict";

const script = document.currentScript;
const element = script ? script.previousElementSibling :
	Array.from(document.querySelectorAll(".fg-viewer")).pop();
const packed = element.textContent.replace(/~/g, "]");

// The logistic function, its inverse, and how fast chances adapt that were asked for so often.
const squash = new Int16Array(4096), stretch = new Int16Array(4096);
const rates = new Int32Array(16);
for (let x = 0, e = 1; x < 2048; x++, e *= 1.00391389)
	squash[2047 - x] = 4095 - (squash[2048 + x] = 4096 * e / (1 + e) | 0);
for (let i = 0, x = 0; i < 4096; i++) {
	while (x < 4095 && squash[x] < i)
		x++;
	stretch[i] = x - 2048;
}
for (let i = 0; i < 16; i++)
	rates[i] = 65536 / (i + 1.4) | 0;

// A model has a table of chances, in it 16 entries for the bits of half a byte: the chance, where
// 0 stands for a half, and how often it was asked for.
const chances = new Uint16Array(3 << 18), weights = new Int32Array(1536).fill(24000);
// what followed when the three bytes before were last seen
const guesses = new Uint8Array(65536);
let range = 1, code = 0, at = 0, last = 0, word = 0, set = 0;

function takeDigits() {
	for (; range < 1 << 23; range *= 93)
		code = code * 93 + packed.charCodeAt(at++) - 33;
}

function adapt(slot, entry, bit) {
	const count = entry & 15, old = entry >> 4 ^ 2048;
	chances[slot] = (old + ((bit * 4095 - old) * rates[count] >> 16) ^ 2048) << 4 |
		count + (count < 12);
}

// The next bit, where the models have these entries, and the weights from W on count. With loops
// over the models it would take longer.
function takeBit(w, i, j, k) {
	const a = chances[i], b = chances[j], c = chances[k];
	const x = stretch[a >> 4 ^ 2048], y = stretch[b >> 4 ^ 2048];
	const z = stretch[c >> 4 ^ 2048];
	const sum = (weights[w] * x + weights[w + 1] * y + weights[w + 2] * z) / 65536;
	const chance = squash[Math.max(Math.min(sum, 2047), -2048) + 2048 | 0];
	const bound = (range >> 12) * chance, bit = code < bound ? 1 : 0;
	code -= bit ? 0 : bound;
	range = bit ? bound : range - bound;
	takeDigits();
	const error = (bit * 4096 - chance) * 14;
	weights[w] += x * error + 32768 >> 16;
	weights[w + 1] += y * error + 32768 >> 16;
	weights[w + 2] += z * error + 32768 >> 16;
	adapt(i, a, bit);
	adapt(j, b, bit);
	adapt(k, c, bit);
	return bit;
}

// Where a model has the entries that HASH stands for.
const slotOf = (hash) => Math.imul(hash, 0x9e3779b1) >>> 12 & 262128;

// The bits so far, NODE, and those from PLACE in half of a byte.
function takeBits(node, place) {
	const hash = Math.imul(node, 0x2f0b4c47);
	const i = slotOf((last & 255) + hash), k = slotOf(word + hash) + (2 << 18);
	const j = slotOf((last & 65535) + 65536 + hash) + (1 << 18);
	if (!place)
		return takeBit(3 * set, i, j, k);
	for (; place < 16; node = 2 * node + place % 2)
		place = 2 * place + takeBit(3 * (set + node), i + place, j + place, k + place);
	return node;
}

function takeByte() {
	const before = last & 255, letter = before | 32;
	const isWord = letter > 96 && letter < 123 || before > 47 && before < 58 || before > 159;
	set = isWord ? 256 : 0;
	word = isWord ? Math.imul(word + before + 1, 0x2f0b4c47) : 0;
	const context = Math.imul(last, 0x9e3779b1) >>> 16, guess = guesses[context];
	const byte = guess && takeBits(guess + 256, 0) ? guess :
		takeBits(takeBits(1, 1), 1) & 255;
	guesses[context] = byte;
	last = (last << 8 | byte) & 0xffffff;
	return byte;
}

// Words, and the text in which a byte stands for each (words.awk); a zero after both.
function takeText(words) {
	const parts = [];
	let byte;
	while ((byte = takeByte()))
		parts.push(byte > 159 ? words[byte - 160] : String.fromCharCode(byte));
	return parts.join("");
}

takeDigits();
const viewer = document.createElementNS(element.namespaceURI, "script");
viewer.nonce = script && script.nonce;
viewer.textContent = takeText(takeText().split(" "));
element.after(viewer);
viewer.remove();
})();
