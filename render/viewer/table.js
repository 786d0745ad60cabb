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

// What a packed table holds: the names and the frames, an empty line between.
async function unpack(packed) {
	const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return (await new Response(stream).text()).split(/^\n/m, 2);
}

const packed = texts("fg-packed").join("");
const [nameText, frameText] = packed ? await unpack(packed).catch(() => []) :
	[texts("fg-names").join(""), texts("fg-frames").join("")];
// Without its data the picture stays what it is.
if (frameText === undefined) {
	write(find("fg-details"), "The data cannot be unpacked here: no zoom and no search.");
	return;
}

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
	const lines = nameText.split("\n").filter((line) => line);
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

const names = decodeNames();
