// SPDX-License-Identifier: ISC
// The card beside the pointer: a frame's full name and all its figures, or the largest frames
// of a strip. A pinned card stays, and its text can be selected.

// Delay until the card appears, in ms.
const REST = 400;
const CARD_COLUMNS = 64, CARD_PAD = 8, STRIP_ROWS = 5;

const card = make(svg, "g", { class: "fg-card", display: "none" });
const cardGround = make(card, "rect", { class: "fg-panel", rx: 4 });
const cardText = make(card, "text", {});
const cardClose = makeButton("\u00d7", "Close the card (Escape)", closeCard, card);

// Breaks TEXT into lines of N columns, after the separators of a name where possible.
function breakText(text, n) {
	const lines = [];
	let rest = Array.from(text);
	while (rest.length) {
		const fits = take(rest, n * letter).length || 1, whole = rest.length <= fits;
		const cut = rest.slice(0, fits).findLastIndex((c) => " ,:;/.(<>)&".includes(c)) + 1;
		const length = whole || cut < fits / 2 ? fits : cut;
		lines.push(rest.slice(0, length).join(""));
		rest = rest.slice(length);
	}
	return lines;
}

// The code location in a name: "f (in lib.so)", "lib.so`f", "f a.js:1:2", "f (a.py:1)",
// "f:a.c:1".
function origin(name) {
	const text = bare(name);
	const [, bracket] = /^.+ \((?:in )?([^()]+)\)$/.exec(text) || [];
	const [, module] = /^([^`]+)`/.exec(text) || [, bracket];
	const [, source] = /^.+(?: \(?|:)([^ :()]+\.\w+:\d+(?::\d+)?)\)?$/.exec(text) || [];
	return source ? ["source " + source] : module ? ["module " + module] : [];
}

// The frame's share of its parent, unless the parent is the root or the zoomed frame.
function partOfParent(i) {
	const parent = view.parent[i];
	const shares = () => view.total.map((total) => share(total[i], total[parent]));
	return !parent || parent === state.zoom || isTable() ? [] :
		[shares().join(" \u2192 ") + " of " + fit(nameOf(parent), 40)];
}

// The contents of BOX's card: a heading and lines.
function cardLines(box) {
	const strip = box.until && describeStrip(box);
	if (strip && strip.n > 1) {
		const frames = [];
		for (let i = box.frame; i < box.until; i = view.end[i])
			frames.push(i);
		const weights = weightsAt(box.right);
		frames.sort((a, b) => weights[b] - weights[a]);
		return [`${strip.n} frames, ${share(strip.sum, wholes[last])} of all`,
			...frames.slice(0, STRIP_ROWS).map((i) =>
				share(weights[i], wholes[last]) + " " + spell(nameOf(i))),
			...strip.n > STRIP_ROWS ? ["\u2026"] : []];
	}
	const { name, parts } = describe({ frame: box.frame, until: 0 });
	return [name, ...parts, ...partOfParent(box.frame), ...origin(nameOf(box.frame)),
		...hotLines.get(bare(nameOf(box.frame))) || []];
}

// The source lines from fg-svg --source: "a.c:9 4.6 % (94.8 %) s += f(i);", self and total.
const hotLines = new Map(meta.lines);

// Draws BOX's card beside X and Y, window coordinates.
function drawCard(box, x, y, isPinned) {
	const { top, scale } = bounds(), lines = [], line = lineHeight;
	const columns = min(CARD_COLUMNS, floor(inside() / letter) - 6);
	cardLines(box).forEach((text, k) => lines.push(...breakText(text, columns)
		.map((part) => ({ part, class: k ? "" : "fg-name" }))));
	const widest = max(...lines.map(({ part, class: name }) =>
		(name ? boldWidth : textWidth)(part)));
	const width = widest + (isPinned ? 4 * letter : 0) + 2 * CARD_PAD;
	const height = lines.length * line + 2 * CARD_PAD;
	const lowest = (window.innerHeight - top) / scale - state.foot - height - 4;
	renderList(cardText, "tspan", lines, (span, { part, class: name }) => {
		set(span, { x: CARD_PAD, dy: span.previousSibling ? line : 0, class: name });
		write(span, part);
	});
	set(cardText, { y: CARD_PAD + em });
	set(cardGround, { width, height });
	placeButton(cardClose, width - CONTROL - 4, 4, CONTROL);
	show(cardClose, isPinned);
	const left = max(min(x + 14, state.width - width - 4), 2);
	const above = y + 18 > lowest ? y - height - 14 : y + 18;
	const highest = -top / scale + state.barHeight + 4;
	set(card, { transform: `translate(${left} ${max(above, highest)})`,
		class: isPinned ? "fg-card fg-pinned" : "fg-card", role: "note",
		"aria-hidden": !isPinned, "aria-label": lines.map(({ part }) => part).join(", ") });
	state.pinned = isPinned;
	show(card, true);
}

function closeCard() {
	const hadFocus = card.contains(document.activeElement);
	clearTimeout(state.resting);
	state.pinned = false;
	show(card, false);
	if (hadFocus)
		treeItems[0].focus({ preventScroll: true });
}

// Shows BOX's card once the pointer rests, and hides it without a box. A pinned card stays.
function awaitCard(box, point) {
	if (state.pinned)
		return;
	closeCard();
	if (box && point && !menu)
		state.resting = setTimeout(() => state.hover === box && !menu &&
			drawCard(box, point.x, point.y, false), REST);
}

// Pins the card of the frame that is selected, under the pointer or zoomed.
function pinHere() {
	drawCard({ frame: current(), until: 0 }, ...placeOfCurrent(), true);
	cardClose.focus({ preventScroll: true });
	say(card.getAttribute("aria-label"), 0);
}

commands.push({ label: "Pin the card of the frame", keys: ["."], run: pinHere });
commands.unshift({ keys: ["Escape"], isThere: () => state.pinned, run: closeCard });
