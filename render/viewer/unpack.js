// SPDX-License-Identifier: ISC
// Unpacks the viewer, which is in the element before this script, and runs it.
//
// The build packs it (pack.c): a number in base 93 tells bit after bit, for as much of it as
// what four models, mixed, expect of the next. Here the same is computed, in integers, so that they
// expect the same. Every browser can run this, and at once: DecompressionStream is missing in
// older ones and packs less well. The viewer is run as a script element, which is allowed
// wherever this one is; eval may not be.
(function () {
"use strict";

const script = document.currentScript;
const element = script ? script.previousElementSibling :
	Array.from(document.querySelectorAll(".fg-viewer")).pop();
const packed = element.textContent.replace(/~/g, "]");

// The logistic function, its inverse, and how fast chances adapt that were asked for so often.
const squash = new Int16Array(4096), stretch = new Int16Array(4096), rates = [];
for (let x = 0, e = 1; x < 2048; x++, e *= 1.00391389)
	squash[2047 - x] = 4095 - (squash[2048 + x] = 4096 * e / (1 + e) | 0);
for (let i = 0, x = 0; i < 4096; i++) {
	while (x < 4095 && squash[x] < i)
		x++;
	stretch[i] = x - 2048;
	rates[i] = 65536 / (i + 1.4) | 0;
}

// A model has a table of chances, in it 16 entries for the bits of half a byte: the chance, where
// 0 stands for a half, and how often it was asked for.
const chances = new Uint16Array(4 << 18), weights = new Int32Array(2048).fill(18350);
const slots = new Int32Array(4), inputs = new Int32Array(4), hashes = new Int32Array(4);
let range = 1, code = 0, at = 0, last = 0, set = 0;

function takeDigits() {
	for (; range < 1 << 23; range *= 93)
		code = code * 93 + packed.charCodeAt(at++) - 33;
}

// The next bit, where PLACE of half a byte is reached, and the weights from FROM on count.
function takeBit(place, from) {
	let sum = 0;
	for (let k = 0; k < 4; k++) {
		inputs[k] = stretch[chances[slots[k] + place] >> 4 ^ 2048];
		sum += weights[from + k] * inputs[k];
	}
	const chance = squash[Math.max(Math.min(sum / 65536, 2047), -2048) + 2048 | 0];
	const bound = (range >> 12) * chance, bit = code < bound ? 1 : 0;
	code -= bit ? 0 : bound;
	range = bit ? bound : range - bound;
	takeDigits();
	for (let k = 0; k < 4; k++) {
		const slot = slots[k] + place, entry = chances[slot], count = entry & 15;
		const old = entry >> 4 ^ 2048, more = (bit * 4095 - old) * rates[count] >> 16;
		weights[from + k] += inputs[k] * (bit * 4096 - chance) * 14 + 32768 >> 16;
		chances[slot] = (old + more ^ 2048) << 4 | count + (count < 12);
	}
	return bit;
}

// The bits so far, NODE, and those of another half of a byte.
function takeHalf(node) {
	for (let k = 0; k < 4; k++)
		slots[k] = (Math.imul(hashes[k] + Math.imul(node, 0x2f0b4c47), 0x9e3779b1) >>> 12 &
			262128) + (k << 18);
	for (let place = 1; place < 16; node = 2 * node + place % 2)
		place = 2 * place + takeBit(place, 4 * (set + node));
	return node;
}

function takeByte() {
	const before = last & 255, letter = before | 32;
	const isWord = letter > 96 && letter < 123 || before > 47 && before < 58 || before > 159;
	set = isWord ? 256 : 0;
	hashes[0] = before;
	hashes[1] = (last & 65535) + 65536;
	hashes[2] = isWord ? Math.imul(hashes[2] + before + 1, 0x2f0b4c47) : 0;
	hashes[3] = (last >> 8 & 65535) + 131072;
	const byte = takeHalf(takeHalf(1)) & 255;
	last = (last << 8 | byte) & 0xffffff;
	return byte;
}

// Words, and the text in which a byte stands for each (words.awk); a zero after both.
function takeText(words) {
	let text = "", byte;
	while ((byte = takeByte()))
		text += byte > 159 ? words[byte - 160] : String.fromCharCode(byte);
	return text;
}

takeDigits();
const viewer = document.createElementNS(element.namespaceURI, "script");
viewer.nonce = script && script.nonce;
viewer.textContent = takeText(takeText().split(" "));
element.after(viewer);
viewer.remove();
})();
