// SPDX-License-Identifier: ISC
// Theme, pointer, keys and printer; and the start.

// ---- Dark or light: the system's theme, unless the user chooses ----

const THEME = "fg-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

// Returns the user's choice, stored for other pictures of this origin where possible. With
// CHOICE, changes it.
function keepTheme(choice) {
	try {
		if (choice === undefined)
			return localStorage.getItem(THEME);
		localStorage.setItem(THEME, choice);
	} catch (error) {
		// a sandbox, or storage is disabled
	}
	return choice;
}

state.theme = keepTheme();

function isDark() {
	return state.theme ? state.theme === "dark" : system.matches;
}

// Leaves the page's other pictures alone, and the page unless it is ours.
function drawTheme() {
	for (const element of [svg, input, alone && document.documentElement])
		if (element)
			element.classList.toggle("fg-dark", isDark());
}

// A choice that equals the system's theme follows the system again.
function toggleTheme() {
	const dark = !isDark();
	state.theme = keepTheme(dark === system.matches ? "" : dark ? "dark" : "light");
	drawTheme();
}


// The position of an event in the picture; null on the controls.
function pointOf(event) {
	if (event.target.closest(".fg-button, .fg-top, .fg-foot, .fg-head, .fg-pinned"))
		return null;
	const { left, top, scale } = bounds();
	return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
}

function hoverAt(point) {
	const box = point && boxAt(point.x, point.y);
	if (box !== state.hover) {
		drawHover(box);
		awaitCard(box, point);
	}
}

// Touch cannot hover: the first tap selects, the second zooms.
function press(box, event) {
	const i = frameOf(box), isStrip = box.until && describeStrip(box).n > 1;
	const anchor = !event.ctrlKey && !event.metaKey && anchorOf(i);
	if (state.touched && i !== state.selected)
		choose(i);
	else if (isStrip)
		goToPart(view.parent[box.frame], box.left, box.right);
	else if (anchor && !state.touched)
		anchor.click();
	else
		goTo(i);
}

// Looks the box up before drawing: afterwards, the lookup would force a layout of the page.
function onClick(event) {
	const button = event.target.closest(".fg-button, .fg-key"), point = pointOf(event);
	const box = point && boxAt(point.x, point.y);
	if (state.dragged)
		return;
	// a press beside an open menu only closes it
	if (menu && !menu.contains(event.target)) {
		closeMenu();
		if (button !== menuButton)
			hoverAt(point);
		return;
	}
	if (!button && !state.touched)
		state.selected = -1;
	if (button)
		actions.get(button)(event);
	else if (box && event.shiftKey)
		drawCard(box, point.x, point.y, true);
	else if (box)
		press(box, event);
	else if (!event.target.closest(".fg-foot, .fg-pinned"))
		unchoose();
	if (box && !state.touched)
		hoverAt(point);
}

// The first click of the two has zoomed; the same frame is still under the pointer.
function onDoubleClick(event) {
	const point = pointOf(event), box = point && boxAt(point.x, point.y);
	if (box && !state.touched)
		copy(nameOf(frameOf(box)));
}

// Opens the frame's menu. Shift opens the browser's.
function onContextMenu(event) {
	const point = pointOf(event), box = point && boxAt(point.x, point.y);
	if (!box || event.shiftKey || !hasSteps(frameOf(box)))
		return;
	event.preventDefault();
	openFrameMenu(frameOf(box), event.clientX, event.clientY);
}

function leaveField() {
	if (input.value)
		search("");
	else
		input.blur();
}

// Keys are ours if the picture has the focus or is the whole document.
function hasKeys() {
	const { activeElement } = document;
	return alone || activeElement === input || svg.contains(activeElement);
}

// Without a focused element, letters go to the picture under the pointer.
function isPointed() {
	const { activeElement, body } = document;
	return (!activeElement || activeElement === body) && svg.matches(":hover");
}

const MENU_STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

// What a key does in the menu; other keys close it.
function menuAction(key) {
	if (key in MENU_STEPS)
		return () => moveInMenu(MENU_STEPS[key]);
	if (key === "Tab")
		closeMenu();
	return key === "Escape" || key === "?" ? closeMenu : null;
}

// The function for a key, if any.
function keyAction(event) {
	const { key, target } = event, inField = target === input;
	const control = event.ctrlKey || event.metaKey, small = key.toLowerCase();
	// by key position: Alt may change the letter
	if (event.altKey)
		return inField && event.code === "KeyR" ? togglePlain : null;
	if (!hasKeys())
		return !control && key.length < 2 && isPointed() ? commandFor(key) : null;
	if (control && small === "i")
		return toggleCase;
	// a second Ctrl-F is the browser's own
	if (control && small === "f" && !inField)
		return openSearch;
	if (control && small === "c" && !inField && getSelection().isCollapsed)
		return copyName;
	if (control)
		return null;
	if (inField)
		return { Escape: leaveField, F3: openSearch,
			Enter: () => stepTo(event.shiftKey ? -1 : 1, true) }[key];
	if ((key === "Enter" || key === " ") && actions.has(target))
		return () => actions.get(target)(event);
	const action = menu && menuAction(key);
	if (action || (menu && key === "Tab"))
		return action;
	closeMenu();
	if (key === "Escape" && state.pattern && !state.pinned)
		return () => search("");
	return commandFor(key);
}

function onKey(event) {
	const action = event.key && !event.isComposing && keyAction(event);
	if (!action)
		return;
	event.preventDefault();
	event.stopPropagation();
	action();
}

// Prints all rows at their current width, without controls.
function print(isPrinting) {
	state.printing = isPrinting;
	draw();
	if (isPrinting)
		set(svg, { viewBox: `0 0 ${state.width} ${state.height}` });
	else if (meta.fluid)
		svg.removeAttribute("viewBox");
}

function listen() {
	on(svg, "pointerdown", (event) => {
		state.touched = event.pointerType === "touch";
		startDrag(event);
	}, { capture: true });
	on(svg, "pointermove", (event) =>
		event.pointerType === "touch" || moveDrag(event) || hoverAt(pointOf(event)));
	on(svg, "pointerup", endDrag);
	on(svg, "pointercancel", cancelDrag);
	on(svg, "selectstart", (event) => state.drag && event.preventDefault());
	on(svg, "wheel", onWheel, { passive: false });
	on(svg, "pointerleave", () => hoverAt(null));
	on(svg, "click", onClick);
	on(svg, "dblclick", onDoubleClick);
	on(svg, "contextmenu", onContextMenu);
	// a double click would select a word somewhere
	on(svg, "mousedown", (event) =>
		event.detail > 1 && pointOf(event) && event.preventDefault());
	on(tree, "focusin", () => state.selected < 0 && choose(state.zoom));
	on(window, "keydown", onKey);
	on(system, "change", drawTheme);
	on(window, "scroll", keepInSight, { capture: true, passive: true });
	on(window, "resize", keepInSight);
	if (meta.fluid)
		new ResizeObserver(onResize).observe(svg);
	on(window, "pagehide", keepAddress);
	on(window, "beforeprint", () => print(true));
	on(window, "afterprint", () => print(false));
	if (alone)
		on(window, "popstate", onPopState);
}

// ---- The start ----

function start() {
	const ground = find("fg-bg").getAttribute("fill");
	if (!ground.startsWith("url"))
		svg.style.setProperty("--fg-page", ground);
	const fill = ground.startsWith("url") ? "#f4f4f0" : ground;
	set(bannerGround, { fill });
	set(footGround, { fill });
	set(headGround, { fill });
	set(tableView, { fill: meta.uicolor });
	set(banner, { fill: meta.uicolor });
	set(edge, { fill: meta.uicolor });
	set(foot, { fill: meta.uicolor });
	set(svg, { role: "group", class: "fg fg-live" });
	drawTheme();
	// so that the menu covers the foot
	svg.append(banner);
	// Phones scale only a page to its width, and an object in another page scrolls only as
	// a page.
	if (alone && (isTouched || (meta.fluid && window.top !== window))) {
		makePage();
		followWindow();
	}
	// keep a scroll position that the browser has restored
	showFragment(alone ? location.hash : "", alone && !window.scrollY);
	staticLayer.remove();
	listen();
	// Prepared while idle, after the first paint: the details need them, and the first
	// hover should not wait.
	setTimeout(() => {
		whenIdle(functions);
		whenIdle(rehearse);
	}, 100);
}

start();
})();
