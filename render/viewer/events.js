// SPDX-License-Identifier: ISC
// Pointer and keys.

// Where in the picture an event is; null on the controls.
function pointOf(event) {
	if (event.target.closest(".fg-bar, .fg-foot"))
		return null;
	const { left, top, scale } = bounds();
	return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
}

function hoverAt(point) {
	const box = point && boxAt(point.x, point.y);
	if (box !== state.hover)
		drawHover(box);
}

// The place is looked up before anything is drawn: to ask for it afterwards would
// make the browser lay out the page at once.
function onClick(event) {
	const button = event.target.closest(".fg-button"), point = pointOf(event);
	const box = point && boxAt(point.x, point.y);
	if (!button || !menu || !menu.contains(button))
		closeMenu();
	if (button)
		actions.get(button)();
	else if (box)
		goTo(box.until ? describeStrip(box).widest : box.frame);
	if (box)
		hoverAt(point);
}

function leaveField() {
	if (input.value)
		search("");
	else
		input.blur();
}

// What a key does: a function, or nothing.
function keyAction(event) {
	const { key, target } = event, inField = target === input;
	const control = event.ctrlKey || event.metaKey, letter = (key || "").toLowerCase();
	if (event.altKey || !key)
		return null;
	if (control && letter === "i")
		return toggleCase;
	// a second Ctrl-F is the browser's own
	if (control && letter === "f" && !inField)
		return openSearch;
	if (control)
		return null;
	if (inField)
		return key === "Escape" ? leaveField : key === "F3" ? openSearch : null;
	if (menu && key === "Escape")
		return closeMenu;
	if (menu && (key === "ArrowDown" || key === "ArrowUp"))
		return () => walkMenu(key === "ArrowUp" ? -1 : 1);
	if (key === "Escape" && state.pattern)
		return () => search("");
	if ((key === "Enter" || key === " ") && actions.has(target))
		return actions.get(target);
	return commandFor(key);
}

function onKey(event) {
	const action = !event.isComposing && keyAction(event);
	if (!action)
		return;
	event.preventDefault();
	event.stopPropagation();
	action();
}

function listen() {
	on(svg, "pointermove", (event) => hoverAt(pointOf(event)));
	on(svg, "pointerleave", () => drawHover(null));
	on(svg, "click", onClick);
	on(alone ? window : svg, "keydown", onKey);
	on(window, "scroll", keepInSight, { capture: true, passive: true });
	on(window, "resize", keepInSight);
	if (meta.fluid)
		new ResizeObserver(onResize).observe(svg);
	for (const type of ["beforeprint", "afterprint"])
		on(window, type, () => {
			state.printing = type === "beforeprint";
			drawGraph();
		});
	if (alone)
		on(window, "popstate", onPopState);
}
