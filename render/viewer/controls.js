// SPDX-License-Identifier: ISC
// Buttons, search field and menu.


const bar = make(banner, "g", { class: "fg-bar" });
// Touch needs larger targets than a mouse.
const isTouched = matchMedia("(pointer: coarse)").matches;
const CONTROL = max(isTouched ? 30 : 22, round(1.8 * em));
const actions = new Map();

// A box with a word that can be clicked, focused and pressed.
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
	set(element, { display: "none" });

const TABS = [
	["flame", "Flame", "Callers below, callees on top"],
	["up", "Bottom-up", "Stacks merged from their leaves, callers on top"],
	["sandwich", "Sandwich", "Callers above, callees below one function"],
	["table", "Table", "Functions with self and total"],
].concat(timeText ? [["chart", "Chart", "Stacks over time, a lane each thread"]] : [])
	.map(([kind, label, hint]) => ({ kind, label,
		button: makeButton(label, hint, () => showView(kind)) }));

// The widths of a difference.
const WIDTHS = ["after", "before", "both"];
const SIDES = !isDifference ? [] : [["before", "Before", "Widths before the change"],
	["after", "After", "Widths after the change"],
	["both", "Both", "Before and after, side by side"]
].map(([kind, label, hint]) => ({ kind, label,
	button: makeButton(label, hint + " (x)", () => go({ widths: kind })) }));

// A sandwich shows the selected frame, the zoomed one, or the heaviest function.
function showView(kind) {
	const pointed = state.hover ? state.hover.frame : 0;
	const about = [state.selected, pointed, state.zoom].find((i) => i > 0);
	if (kind === "sandwich")
		go({ kind, pivot: about ? kin()[view.name[about]] :
			view.split ? state.pivot : heaviest() });
	else if (kind !== state.kind)
		go({ kind });
}

const menuButton = makeButton("Menu", "Commands and shortcuts (?)", toggleMenu);
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
const previousButton = makeButton("\u2039", "Previous match (N; Shift-Enter in the field)",
	() => stepTo(-1, true));
const nextButton = makeButton("\u203a", "Next match (n; Enter in the field)",
	() => stepTo(1, true));

const thinButton = makeButton("", "", () => go({ allRows: !state.allRows }), edge);

const GAP_X = 6;
const widthFor = (label) => textWidth(label) + 16;

// Puts BUTTONS, each [button, width], in a line from X on; returns its end.
function lineUp(buttons, x, y) {
	for (const [button, width] of buttons) {
		placeButton(button, x, y, width);
		x += width + GAP_X;
	}
	return x - GAP_X;
}

// A narrower bar, in px, is left to the search field and the views.
const NARROW_BAR = 400;

// Uses two lines if one is too narrow. Returns their ends, and for a single line the free room
// between its left and right buttons.
function placeControls() {
	const small = widthFor("Aa"), room = inside(), end = state.width - meta.pad[1];
	const sum = (buttons) => buttons.reduce((n, [, w]) => n + w + GAP_X, -GAP_X);
	const menu = [[menuButton, widthFor("Menu")]];
	const all = TABS.concat(SIDES).map((tab) => [tab.button, widthFor(tab.label)])
		.concat(menu);
	const reset = [resetButton, widthFor("Reset zoom")];
	const steps = [[previousButton, CONTROL], [nextButton, CONTROL]];
	// on phones the search modes are in the menu
	const ways = room < NARROW_BAR ? [] :
		[[expressionButton, small], [caseButton, small]];
	const seeking = ways.concat(steps), right = sum(seeking) + GAP_X;
	const left = sum(all.concat([reset]));
	let length = min(max(0.2 * state.width, 180), 300), tabs = all;
	const single = room >= left + GAP_X + length + right;
	// fill the first of two lines; the menu has the views too
	if (!single && (sum(all) > room || (left > room && room - reset[1] - right < 140)))
		tabs = menu;
	const first = tabs.concat(single || sum(tabs.concat([reset])) <= room ? [reset] : []);
	if (!single)
		length = min(room - right - (first.includes(reset) ? 0 : reset[1] + GAP_X), 400);
	for (const tab of TABS.concat(SIDES))
		show(tab.button, tabs === all);
	for (const button of [expressionButton, caseButton])
		show(button, ways.length);
	const line = CONTROL + 6, y = 5 + (single ? 0 : line);
	lineUp([reset], meta.pad[3], y);
	const taken = lineUp(first, meta.pad[3], 5);
	lineUp([[field, max(length, 60)]].concat(seeking), end - length - right, y);
	placeButton(clearButton, end - right - CONTROL, y, CONTROL);
	set(countLabel, { x: end - right - CONTROL - 5, y: y + CONTROL / 2 + 0.35 * em });
	set(fieldText, { x: 8 });
	state.fieldWidth = length;
	return { bottom: y + CONTROL, middle: y + CONTROL / 2, left: taken,
		free: single ? end - length - right - taken : 0 };
}

// Shows the number of matches in the field while the pattern leaves room.
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
	set(caseButton, { "aria-pressed": hasCase() });
	for (const button of [previousButton, nextButton])
		set(button, { "aria-disabled": !countHits() });
	for (const tab of TABS)
		set(tab.button, { "aria-pressed": tab.kind === state.kind });
	for (const { button, kind } of SIDES)
		set(button, { "aria-pressed": kind === state.widths });
	show(clearButton, state.pattern);
	show(resetButton, state.zoom || state.span);
}

// ---- Commands and their menu ----

// In menu order:
//	label	text in the menu; commands without one have only keys
//	keys	values of event.key
//	run	executes it
//	isOn	whether a switch is on
//	isThere	whether it applies now; if absent: always
const commands = [
	{ label: "Icicle (root on top)", keys: ["i"], isOn: () => state.icicle,
		run: () => go({ icicle: !state.icicle }) },
	{ label: "Sort by weight", keys: ["w"], isOn: isHeavy,
		run: toggleHeavy },
	{ label: "Fold direct recursion", keys: ["r"], isOn: () => state.fold === 1,
		run: () => go({ fold: state.fold === 1 ? 0 : 1 }) },
	{ label: "Fold all recursion", keys: ["R"], isOn: () => state.fold === 2,
		run: () => go({ fold: state.fold === 2 ? 0 : 2 }) },
	{ label: "Show thin rows", keys: ["a"], isOn: () => state.allRows,
		isThere: () => !isTable() && state.thinner > 0,
		run: () => go({ allRows: !state.allRows }) },
	{ label: "Flame graph", keys: ["f"], run: () => showView("flame") },
	{ label: "Bottom-up", keys: ["b"], run: () => showView("up") },
	{ label: "Sandwich of the selected function", keys: ["s"],
		run: () => showView("sandwich") },
	{ label: "Table of functions", keys: ["t"], run: () => showView("table") },
	{ label: "Chart of stacks over time", keys: ["T"], isThere: () => times,
		run: () => showView("chart") },
	{ label: "Reset zoom", keys: ["0"], isThere: () => state.zoom > 0 || state.span,
		run: () => goTo(0) },
	{ label: "Out of the zoom", keys: ["Escape"], isThere: isInside, run: goOut },
	{ label: "Search", keys: ["/", "F3"], run: openSearch },
	{ label: "Next match", keys: ["n"], isThere: countHits, run: () => stepTo(1) },
	{ label: "Previous match", keys: ["N"], isThere: countHits, run: () => stepTo(-1) },
	{ label: "Search for plain text", keys: ["p"], isOn: () => state.plain,
		run: togglePlain },
	{ label: "This menu", keys: ["?"], run: toggleMenu },
	{ label: "Show removed stacks", keys: ["g"], isOn: () => state.gone,
		isThere: () => isDifference && Number(meta.diff.vanished) > 0,
		run: () => go({ gone: !state.gone }) },
	{ label: "Before, after or both", keys: ["x"], isThere: () => isDifference, run: () =>
		go({ widths: WIDTHS[(WIDTHS.indexOf(state.widths) + 1) % 3] }) },
	{ label: "Dark theme", keys: ["d"], isOn: isDark, run: toggleTheme },
	{ label: "Copy name", keys: ["c"], run: copyName },
	{ label: "Copy stack", keys: ["C"], run: copyStack },
	{ label: "Open the link", keys: ["o"], isThere: () => anchorOf(current()),
		run: () => anchorOf(current()).click() },
];

// Choosing the view's default clears the override.
function toggleHeavy() {
	const heavy = !isHeavy();
	go({ heavy: heavy === (state.kind !== "flame") ? null : heavy });
}

const isOffered = (command) => !command.isThere || command.isThere();

// Returns the command for a key, or undefined.
const commandFor = (key) => (commands.find((command) =>
	(command.keys || []).includes(key) && isOffered(command)) || {}).run;

// The open menu, and the element that had the focus before.
let menu = null, opener = null;

function closeMenu() {
	if (!menu)
		return;
	const hadFocus = menu.contains(document.activeElement);
	for (const item of menu.querySelectorAll(".fg-item"))
		actions.delete(item);
	menu.remove();
	menu = null;
	keepInSight();
	set(menuButton, { "aria-expanded": false });
	if (hadFocus && svg.contains(opener))
		opener.focus({ preventScroll: true });
}

// Opens the main menu below its button.
function openMainMenu() {
	// it may be higher than the picture and extend below it
	makePage();
	menuButton.focus({ preventScroll: true });
	const [x, y] = menuButton.getAttribute("transform").match(/[\d.]+/g).map(Number);
	openMenu(commands.filter((command) => command.label && isOffered(command)),
		() => [x, y + CONTROL + 4]);
	set(menuButton, { "aria-expanded": true });
}

const keyOf = ({ keys }) => keys && !isTouched ? keys[0] : "";

// Opens a menu of the commands ITEMS where PLACE(HEIGHT) puts it, within the sides of the
// graph.
function openMenu(items, place) {
	closeMenu();
	const length = (item) => item.label.length + keyOf(item).length + 6;
	const line = CONTROL + 2, px = (2 + max(...items.map(length))) * letter;
	const height = items.length * line + 6, [x, y] = place(height);
	opener = document.activeElement;
	menu = make(bar, "g", { class: "fg-menu", role: "menu" });
	make(menu, "rect", { class: "fg-panel", width: px, height, rx: 4 });
	items.forEach((item, i) => {
		const entry = makeButton(item.label, item.label, () => {
			closeMenu();
			item.run();
		}, menu);
		set(entry, { role: item.isOn ? "menuitemcheckbox" : "menuitem",
			class: "fg-button fg-item", transform: `translate(3 ${3 + i * line})` });
		if (item.isOn)
			set(entry, { "aria-checked": item.isOn() });
		set(entry.querySelector("rect"), { width: px - 6 });
		set(entry.querySelector("text"), { x: 3 * letter, "text-anchor": "start" });
		make(entry, "text", { class: "fg-hint", x: px - letter - 6,
			y: CONTROL / 2 + 0.35 * em, "text-anchor": "end" })
			.textContent = keyOf(item);
		if (item.isOn && item.isOn())
			make(entry, "text", { x: letter, y: CONTROL / 2 + 0.35 * em })
				.textContent = "\u2713";
	});
	set(menu, { transform: `translate(${max(min(x, state.width - px - 4), 2)} ${y})` });
	menu.querySelector(".fg-item").focus({ preventScroll: true });
}

function toggleMenu() {
	if (menu)
		closeMenu();
	else
		openMainMenu();
}

// Moves up and down in the menu, around its ends; an infinite STEP goes to an end.
function moveInMenu(step) {
	const items = Array.from(menu.querySelectorAll(".fg-item")), n = items.length;
	const at = items.indexOf(document.activeElement) + step;
	items[isFinite(at) ? (at + n) % n : at < 0 ? 0 : n - 1].focus();
}
