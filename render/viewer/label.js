// SPDX-License-Identifier: ISC
// Text: its width, and names shortened to fit their boxes.

// Hides the static layer first: browsers would lay out all its boxes at each measurement.
const staticLayer = find("fg-static");
staticLayer.setAttribute("display", "none");
if (meta.fluid) {
	svg.removeAttribute("viewBox");
	set(svg, { width: "100%" });
}


// The most readable font on a screen, if none was requested. The static layer uses a monospaced
// font, because widths cannot be measured without script.
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif";
if (meta.measure)
	set(svg, { "font-family": FONT });

const em = meta.fontsize;
const lineHeight = round(1.45 * em);
const WIDE_LETTERS = /[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff\ufe30-\uff60]/;

// Column counts, for fonts that cannot be measured: combining marks are 0 wide; wide characters
// take two columns, and so do those beyond the basic plane, mostly emoji.
const columnsOf = (c) => c < "\u0300" ? 1 : /\p{Mn}/u.test(c) ? 0 :
	c.length > 1 || WIDE_LETTERS.test(c) ? 2 : 1;

// Finds something that measures our font; null if the letter width was given, or nothing can
// measure.
function findMeter() {
	const meter = meta.measure &&
		document.createElementNS(XHTML, "canvas").getContext("2d");
	if (meter)
		meter.font = `${em}px ${getComputedStyle(svg).fontFamily}`;
	return meter && meter.measureText("0").width > 0 ? meter : null;
}

const meter = findMeter();
const known = new Map();

function charWidth(c) {
	let width = known.get(c);
	if (width === undefined) {
		const columns = columnsOf(c);
		width = columns * em * meta.fontwidth;
		if (columns && meter)
			({ width } = meter.measureText(c));
		known.set(c, width);
	}
	return width;
}

function textWidth(s) {
	let width = 0;
	for (const c of s)
		width += charWidth(c);
	return width;
}

function boldWidth(s) {
	if (!meter)
		return textWidth(s);
	const { font } = meter;
	meter.font = "bold " + font;
	const { width } = meter.measureText(s);
	meter.font = font;
	return width;
}

// The width of a digit, or of the average letter if that is larger.
const letter = max(charWidth("0"), textWidth("etaoinshrdlucmfwypvbgkjqxz_") / 27);

// The width of the picture; forces a layout of the page.
function followWindow() {
	if (meta.fluid)
		state.width = round(svg.getBoundingClientRect().width) || meta.width;
}

followWindow();


// The longest prefix of CHARS that fits into PX.
function take(chars, px) {
	let i = 0;
	while (i < chars.length && (px -= charWidth(chars[i])) >= 0)
		i++;
	return chars.slice(0, i);
}

// Text with room for fewer letters is cut at its end, not in its middle.
const SHORT = 10;

// S in at most PX: whole, or its start and end around an ellipsis, or its start.
function fitWidth(s, px) {
	if (textWidth(s) <= px)
		return s;
	if (px < 3 * letter)
		return "";
	const chars = Array.from(s), room = px - charWidth("\u2026");
	const isRight = meta.truncate === "right" || px < SHORT * letter;
	const tail = isRight ? [] : take(chars.slice().reverse(), room / 2).reverse();
	return take(chars, room - textWidth(tail)).join("") + "\u2026" + tail.join("");
}

const fit = (s, n) => fitWidth(s, n * letter);


// Removes template arguments: S without the parts in angle brackets behind a word or at the
// start of a Rust method. Returns S if the brackets do not match.
function foldTemplates(s) {
	if (s[0] === "<" && !s.includes(">::"))
		return s;
	let depth = 0, folded = "";
	for (let i = 0; i < s.length; i++) {
		const isArrow = s[i] === ">" && /[-=]/.test(s[i - 1]);
		const isOpen = s[i] === "<" && (depth || (/\w$|^$/.test(folded) &&
			!folded.endsWith("operator")));
		if (isOpen && depth++ === 0)
			folded += "<..>";
		else if (s[i] === ">" && !isArrow && depth > 0)
			depth--;
		else if (!depth)
			folded += s[i];
	}
	return depth ? s : folded;
}

// A trailing parameter list, and compiler suffixes.
const PARAMETERS = /(.)\([^()]*(\([^()]*\)[^()]*)*\)( const| volatile| ?&)*$/;
const SUFFIXES = /(\.(constprop|part|isra|cold|lto_priv|localalias|llvm)(\.\d+)?)+$/;

// The last N parts of a C++ or Rust name, the last of a path, or the last N of a qualified name
// in other languages.
function lastParts(s, n) {
	if (s.includes("::"))
		return s.split("::").slice(-n).join("::");
	if (/[^ ]\/[^ ]/.test(s))
		return lastParts(s.replace(/^(\[?).*\//, "$1"), n);
	return /^[^\W\d][\w$]*(\.[^\W\d][\w$]*)+$/.test(s) ? s.split(".").slice(-n).join(".") : s;
}

// NAME and ever shorter spellings of it.
function shorten(name) {
	const plain = foldTemplates(name).replace(SUFFIXES, "").replace(PARAMETERS, "$1");
	return [name, foldTemplates(name), plain, lastParts(plain, 2), lastParts(plain, 1)]
		.filter((s) => s);
}

// Spellings by name.
const spellings = new Map();

// The longest spelling that fits into PX; if none does, the shortest, cut.
function fitName(name, px) {
	if (textWidth(name) <= px)
		return name;
	if (!spellings.has(name))
		spellings.set(name, shorten(name));
	const list = spellings.get(name);
	return list.find((s) => textWidth(s) <= px) || fitWidth(list[list.length - 1], px);
}
