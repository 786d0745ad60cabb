// SPDX-License-Identifier: ISC
// How wide names are, and what of them fits.

// The static layer goes: with all its boxes it would be laid out at each measuring.
const still = find("fg-static");
still.setAttribute("display", "none");

const em = meta.fontsize;
const lineHeight = round(1.45 * em);
const letter = meta.measure ? measureLetter() : em * meta.fontwidth;

// The width of a letter of our font, which is monospace.
function measureLetter() {
	const text = make(svg, "text", { visibility: "hidden" });
	text.textContent = "M".repeat(40);
	const width = text.getComputedTextLength() / 40;
	text.remove();
	return width > 0 ? width : em * meta.fontwidth;
}

const wide = /[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff\ufe30-\uff60]/;

// Marks have no width of their own; what is wide takes two columns, and so does
// what is beyond the basic plane, which is mostly pictures.
const columnsOf = (c) => c < "\u0300" ? 1 : /\p{Mn}/u.test(c) ? 0 :
	c.length > 1 || wide.test(c) ? 2 : 1;
const countColumns = (s) => Array.from(s).reduce((n, c) => n + columnsOf(c), 0);

// What of CHARS, taken in turn, fits into N columns.
function take(chars, n) {
	let i = 0;
	while (i < chars.length && (n -= columnsOf(chars[i])) >= 0)
		i++;
	return chars.slice(0, i);
}

// S in at most N columns: whole, or its start and its end around an ellipsis, or its start.
function fit(s, n) {
	if (n < 3)
		return "";
	if (countColumns(s) <= n)
		return s;
	const chars = Array.from(s), tail = meta.truncate === "right" ? 0 : floor((n - 1) / 2);
	return take(chars, n - 1 - tail).join("") + "\u2026" +
		(tail ? take(chars.reverse(), tail).reverse().join("") : "");
}

const fitWidth = (s, px) => fit(s, floor(px / letter));
const bare = (name) => name.replace(/_\[[kwij]\]$/, "");
