// SPDX-License-Identifier: ISC
// The field that is typed into.

// SVG has no field to type into. Handling each key oneself would lose what keyboards
// do before a letter is there (dead keys, of which "^" is one in many countries,
// input methods, the keyboard of a phone, the clipboard, undo), and an input inside a
// foreignObject is misplaced by WebKit. So a real input of XHTML lies over the drawn
// field, beside the picture and not in it. It is made when it is first needed; a
// document that is nothing but the picture becomes a page around it then, as a
// document can have but one element.
let input = null;

function makePage() {
	if (document.documentElement !== svg)
		return;
	const html = document.createElementNS(XHTML, "html");
	const head = make(html, "head", {}, XHTML), body = make(html, "body", {}, XHTML);
	const x = window.scrollX, y = window.scrollY;
	html.className = "fg-page";
	html.style.setProperty("--fg-page", svg.style.getPropertyValue("--fg-page"));
	make(head, "meta", { name: "viewport", content: "width=device-width" }, XHTML);
	make(head, "title", {}, XHTML).textContent = meta.title;
	document.replaceChild(html, svg);
	body.appendChild(svg);
	drawTheme();
	window.scrollTo(x, y);
}

function makeInput() {
	makePage();
	input = make(svg.parentNode, "input", { class: "fg-input", type: "text",
		spellcheck: "false", autocapitalize: "off", autocomplete: "off" },
		XHTML);
	svg.after(input);
	input.style.fontFamily = getComputedStyle(svg).fontFamily;
	input.value = state.pattern;
	on(input, "input", () => search(input.value));
	set(field, { tabindex: -1, "aria-hidden": "true" });
	drawTheme();
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
