// SPDX-License-Identifier: ISC
// The bar: buttons and the search field.

// They stay in sight: the bar moves along when the page is scrolled (see keepInSight).
const bar = make(svg, "g", { class: "fg-bar" });
const barGround = make(bar, "rect", { class: "fg-ground" });
const CONTROL = max(22, round(1.8 * em));
const actions = new Map();

// A button: a box with a word that is clicked, or focused and pressed.
function makeButton(label, hint, action) {
	const button = make(bar, "g", { class: "fg-button", role: "button", tabindex: 0,
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

const resetButton = makeButton("Reset zoom", "Show the whole graph (Escape: one step back)",
	() => goTo(0));
const field = makeButton("", "Search by regular expression (/ or Ctrl-F)", openSearch);
field.setAttribute("role", "searchbox");
const fieldText = set(field.querySelector("text"), { x: 8, "text-anchor": "start" });
const clearButton = makeButton("\u00d7", "Clear the search (Escape)", () => search(""));
const caseButton = makeButton("Aa", "Match case (Ctrl-I)", toggleCase);

// Beside the title where there is room, else on a line below the header.
function placeControls() {
	const title = header[0], width = state.width, gap = 6;
	const reset = 10 * letter + 20, small = 2 * letter + 16;
	const free = (width - countColumns(title.element.textContent) * letter *
		title.size / em) / 2 - meta.pad[3] - 20;
	let length = min(max(0.2 * width, 150), 300);
	const beside = free >= length + small + gap && free >= reset;
	if (!beside)
		length = max(min(inside() - small - reset - 2 * gap, 400), 60);
	state.top = meta.pad[0] + (beside ? 0 : CONTROL + 8);
	state.barHeight = CONTROL + 10;
	const middle = title.element.getAttribute("y") - 0.35 * title.size;
	state.barTop = beside ? middle - state.barHeight / 2 : state.top - state.barHeight;
	const end = beside ? width - meta.pad[1] :
		meta.pad[3] + reset + gap + length + gap + small;
	placeButton(resetButton, meta.pad[3], 5, reset);
	placeButton(caseButton, end - small, 5, small);
	placeButton(field, end - small - gap - length, 5, length);
	set(fieldText, { x: 8 });
	placeButton(clearButton, end - small - gap - CONTROL, 5, CONTROL);
	state.fieldWidth = length;
	set(barGround, { width, height: state.barHeight });
}

function drawControls() {
	const room = state.fieldWidth - 16 - CONTROL;
	write(fieldText, input ? "" : fitWidth(state.pattern || PLACEHOLDER, room));
	set(fieldText, { class: state.pattern ? "" : "fg-hint" });
	set(field, { class: "fg-button fg-field" + (state.complaint ? " fg-bad" : "") });
	set(caseButton, { "aria-pressed": state.matchCase });
	show(clearButton, state.pattern);
	show(resetButton, state.zoom);
}

// SVG has no field to type into. Handling each key oneself would lose what keyboards
// do before a letter is there (dead keys, of which "^" is one in many countries,
// input methods, the keyboard of a phone, the clipboard, undo), and an input inside a
// foreignObject is misplaced by WebKit. So a real input of XHTML lies over the drawn
// field, beside the picture and not in it. It is made when it is first needed; a
// document that is nothing but the picture becomes a page around it then, as a
// document can have but one element.
const PLACEHOLDER = "Search (regexp)";
let input = null;

function makePage() {
	const html = document.createElementNS(XHTML, "html");
	const head = make(html, "head", {}, XHTML), body = make(html, "body", {}, XHTML);
	const x = window.scrollX, y = window.scrollY;
	html.className = "fg-page";
	html.style.setProperty("--fg-page", svg.style.getPropertyValue("--fg-page"));
	make(head, "meta", { name: "viewport", content: "width=device-width" }, XHTML);
	make(head, "title", {}, XHTML).textContent = meta.title;
	document.replaceChild(html, svg);
	body.appendChild(svg);
	window.scrollTo(x, y);
}

function makeInput() {
	if (document.documentElement === svg)
		makePage();
	const hint = field.getAttribute("aria-label");
	input = make(svg.parentNode, "input", { class: "fg-input", type: "text",
		spellcheck: "false", autocapitalize: "off", autocomplete: "off",
		"aria-label": hint, placeholder: PLACEHOLDER }, XHTML);
	svg.after(input);
	input.style.fontFamily = getComputedStyle(svg).fontFamily;
	input.value = state.pattern;
	on(input, "input", () => search(input.value));
	on(input, "keydown", onKey);
	set(field, { tabindex: -1, "aria-hidden": "true" });
	drawControls();
}

function openSearch() {
	if (!input)
		makeInput();
	placeInput();
	input.focus({ preventScroll: true });
	input.select();
}

// Lays the input over the field, whatever its position is counted from.
function placeInput() {
	if (!input)
		return;
	const target = field.querySelector("rect").getBoundingClientRect();
	const now = input.getBoundingClientRect(), scale = target.height / CONTROL;
	const shift = (side) =>
		(parseFloat(input.style[side]) || 0) + target[side] - now[side];
	Object.assign(input.style, {
		left: shift("left") + "px", top: shift("top") + "px",
		width: target.width - CONTROL * scale + "px", height: target.height + "px",
		fontSize: em * scale + "px",
	});
}
