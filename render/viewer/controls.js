// SPDX-License-Identifier: ISC
// The bar: buttons, the search field and the menu.

// They stay in sight: the bar moves along when the page is scrolled (see keepInSight).
const bar = make(svg, "g", { class: "fg-bar" });
const barGround = make(bar, "rect", { class: "fg-ground" });
// Fingers are thicker than the tip of a mouse.
const isTouched = matchMedia("(pointer: coarse)").matches;
const CONTROL = max(isTouched ? 30 : 22, round(1.8 * em));
const actions = new Map();

// A button: a box with a word that is clicked, or focused and pressed.
function makeButton(label, hint, action, parent) {
	const button = make(parent || bar, "g", { class: "fg-button", role: "button", tabindex: 0,
		"aria-label": hint });
	make(button, "title").textContent = hint;
	make(button, "rect", { height: CONTROL, rx: 4 });
	make(button, "text", { y: CONTROL / 2 + 0.35 * em, "text-anchor": "middle" })
		.textContent = label;
	actions.set(button, action);
	return button;
}

function placeButton(button, x, y, width) {
	set(button, { transform: `translate(${x} ${y})` });
	set(button.querySelector("rect"), { width });
	set(button.querySelector("text"), { x: width / 2 });
}

const show = (element, visible) => visible ? element.removeAttribute("display") :
	element.setAttribute("display", "none");

// The views, a button each.
const TABS = [
	["flame", "Flame", "Callers below, what they call on them"],
	["up", "Bottom-up", "Merged from the functions where the time goes"],
	["sandwich", "Sandwich", "The callers above and the callees below one function"],
	["table", "Table", "Functions with self and total"],
].map(([kind, label, hint]) => ({ kind, label,
	button: makeButton(label, hint, () => showView(kind)) }));

// A sandwich is about the chosen frame, the one that is zoomed, or the heaviest function.
function showView(kind) {
	const pointed = state.hover ? state.hover.frame : 0;
	const about = [state.selected, pointed, state.zoom].find((i) => i > 0);
	if (kind === "sandwich")
		go({ kind, pivot: about ? view.name[about] :
			view.split ? state.pivot : heaviest() });
	else if (kind !== state.kind)
		go({ kind });
}

const menuButton = makeButton("Menu", "What else there is, and the keys (?)", toggleMenu);
const resetButton = makeButton("Reset zoom", "Show the whole graph (0; Escape: one step back)",
	() => goTo(0));
const field = makeButton("", "Search", openSearch);
field.setAttribute("role", "searchbox");
const fieldText = set(field.querySelector("text"), { x: 8, "text-anchor": "start" });
const countLabel = make(bar, "text", { class: "fg-hint fg-count", "text-anchor": "end" });
const clearButton = makeButton("\u00d7", "Clear the search (Escape)", () => search(""));
const expressionButton = makeButton(".*", "Regular expression (p; Alt-R in the field)",
	togglePlain);
const caseButton = makeButton("Aa", "Match case (Ctrl-I)", toggleCase);
const previousButton = makeButton("\u2039", "Match before (N; Shift-Enter in the field)",
	() => stepTo(-1, true));
const nextButton = makeButton("\u203a", "Next match (n; Enter in the field)",
	() => stepTo(1, true));

const GAP_X = 6;
const widthFor = (label) => label.length * letter + 16;

// Puts BUTTONS, each [button, width], in a line from X on; returns where it ends.
function lineUp(buttons, x, y) {
	for (const [button, width] of buttons) {
		placeButton(button, x, y, width);
		x += width + GAP_X;
	}
	return x - GAP_X;
}

// Beside the title where there is room, else on one or two lines below the header.
function placeControls() {
	const title = header[0], width = state.width, small = widthFor("Aa");
	const sum = (buttons) => buttons.reduce((n, [, w]) => n + w + GAP_X, -GAP_X);
	const menu = [[menuButton, widthFor("Menu")]], room = inside();
	const all = TABS.map((tab) => [tab.button, widthFor(tab.label)]).concat(menu);
	const reset = [resetButton, widthFor("Reset zoom")];
	const seeking = [[expressionButton, small], [caseButton, small], [previousButton, CONTROL],
		[nextButton, CONTROL]];
	const right = sum(seeking) + GAP_X, left = sum(all.concat([reset]));
	const free = (width - countColumns(title.element.textContent) * letter *
		title.size / em) / 2 - meta.pad[3] - 20;
	let length = min(max(0.2 * width, 180), 300), tabs = all;
	const beside = free >= length + right && free >= left;
	const single = beside || room >= left + GAP_X + length + right;
	// on the first of two lines what fits there, and the menu has the views too
	if (!single && (sum(all) > room || (left > room && room - reset[1] - right < 140)))
		tabs = menu;
	const first = tabs.concat(single || sum(tabs.concat([reset])) <= room ? [reset] : []);
	if (!single)
		length = min(room - right - (first.includes(reset) ? 0 : reset[1] + GAP_X), 400);
	for (const tab of TABS)
		show(tab.button, tabs === all);
	const lines = single ? 1 : 2, line = CONTROL + 6;
	state.barHeight = lines * line + 4;
	state.top = meta.pad[0] + state.lower +
		(beside || state.printing ? 0 : state.barHeight - 2);
	const middle = title.element.getAttribute("y") - 0.35 * title.size;
	state.barTop = beside ? middle - state.barHeight / 2 : state.top - state.barHeight;
	const y = 5 + (lines - 1) * line, end = width - meta.pad[1];
	lineUp([reset], meta.pad[3], y);
	lineUp(first, meta.pad[3], 5);
	lineUp([[field, max(length, 60)]].concat(seeking), end - length - right, y);
	placeButton(clearButton, end - right - CONTROL, y, CONTROL);
	set(countLabel, { x: end - right - CONTROL - 5, y: y + CONTROL / 2 + 0.35 * em });
	set(fieldText, { x: 8 });
	state.fieldWidth = length;
	set(barGround, { width, height: state.barHeight });
}

// The number of matches is in the field as long as that leaves room for what is searched.
function drawCount() {
	const { pattern, plain } = state, count = state.hits ? countText() : "";
	const taken = (count.length + 1) * letter, room = state.fieldWidth - CONTROL - taken;
	const kind = plain ? "plain text" : "regular expression";
	const placeholder = `Search (${plain ? kind : "regexp"})`;
	const hint = `Search by ${kind} (/ or Ctrl-F)`;
	state.hasCount = room > 80;
	write(countLabel, state.hasCount ? count : "");
	write(field.querySelector("title"), hint);
	write(fieldText, input ? "" : fitWidth(pattern || placeholder,
		room + (state.hasCount ? 0 : taken) - 16));
	set(field, { "aria-label": hint });
	if (input) {
		set(input, { "aria-label": hint, placeholder, "aria-invalid": !!state.complaint });
		input.style.paddingRight = (state.hasCount ? taken : 0) / em + "em";
	}
	if (!state.hasCount)
		drawMatched();
}

function drawControls() {
	drawCount();
	set(fieldText, { class: state.pattern ? "" : "fg-hint" });
	set(field, { class: "fg-button fg-field" + (state.complaint ? " fg-bad" : "") });
	set(expressionButton, { "aria-pressed": !state.plain });
	set(caseButton, { "aria-pressed": state.matchCase });
	for (const button of [previousButton, nextButton])
		set(button, { "aria-disabled": !countHits() });
	for (const tab of TABS)
		set(tab.button, { "aria-pressed": tab.kind === state.kind });
	show(clearButton, state.pattern);
	show(resetButton, state.zoom);
}
