// SPDX-License-Identifier: ISC
// What can be asked for by a key or in the menu, which so tells the keys too.

// Commands, in the order of the menu:
//	label	in the menu; one without is not there
//	keys	as event.key has them
//	run	does it
//	isOn	whether it is on, of what is on or off
//	isThere	whether it makes sense now; without it: always
const commands = [];

function offer(...more) {
	commands.push(...more);
}

const isOffered = (command) => !command.isThere || command.isThere();

// What the key runs; undefined when it is nobody's.
const commandFor = (key) => (commands.find((command) =>
	command.keys.includes(key) && isOffered(command)) || {}).run;

let menu = null;

function closeMenu() {
	if (!menu)
		return;
	const hadFocus = menu.contains(document.activeElement);
	menu.remove();
	menu = null;
	keepInSight();
	set(menuButton, { "aria-expanded": false });
	if (hadFocus)
		menuButton.focus({ preventScroll: true });
}

// The menu hangs on its button.
function openMenu() {
	const items = commands.filter((command) => command.label && isOffered(command));
	// it may be higher than the picture, and then is drawn beyond it
	makePage();
	const width = 2 + max(...items.map((item) => item.label.length + item.keys[0].length + 6));
	const line = CONTROL + 2, px = width * letter;
	menu = make(bar, "g", { class: "fg-menu", role: "menu" });
	make(menu, "rect", { class: "fg-panel", width: px, height: items.length * line + 6,
		rx: 4 });
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
			.textContent = item.keys[0];
		if (item.isOn && item.isOn())
			make(entry, "text", { x: letter, y: CONTROL / 2 + 0.35 * em })
				.textContent = "\u2713";
	});
	const [x, y] = menuButton.getAttribute("transform").match(/[\d.]+/g).map(Number);
	const at = max(min(x, state.width - px - 4), 2);
	set(menu, { transform: `translate(${at} ${y + CONTROL + 4})` });
	set(menuButton, { "aria-expanded": true });
	menu.querySelector(".fg-item").focus({ preventScroll: true });
}

function toggleMenu() {
	if (menu)
		closeMenu();
	else
		openMenu();
}

// Up and down in the menu, round its ends, or with an endless STEP to one of them.
function walkMenu(step) {
	const items = Array.from(menu.querySelectorAll(".fg-item")), n = items.length;
	const at = items.indexOf(document.activeElement) + step;
	items[isFinite(at) ? (at + n) % n : at < 0 ? 0 : n - 1].focus();
}

offer(
	{ label: "Root at the top", keys: ["i"], isOn: () => state.icicle,
		run: () => go({ icicle: !state.icicle }) },
	{ label: "Widest first", keys: ["w"], isOn: () => state.heavy,
		run: () => go({ heavy: !state.heavy }) },
	{ label: "Fold direct recursion", keys: ["r"], isOn: () => state.fold === 1,
		run: () => go({ fold: state.fold === 1 ? 0 : 1 }) },
	{ label: "Fold all recursion", keys: ["R"], isOn: () => state.fold === 2,
		run: () => go({ fold: state.fold === 2 ? 0 : 2 }) },
	{ label: "Flame graph", keys: ["f"], run: () => showView("flame") },
	{ label: "Bottom-up", keys: ["b"], run: () => showView("up") },
	{ label: "Sandwich of the chosen function", keys: ["s"], run: () => showView("sandwich") },
	{ label: "Table of functions", keys: ["t"], run: () => showView("table") },
	{ label: "Reset zoom", keys: ["0"], isThere: () => state.zoom > 0, run: () => goTo(0) },
	{ label: "One step back", keys: ["Escape"], isThere: () => state.trail.length > 0,
		run: goBack },
	{ label: "Search", keys: ["/", "F3"], run: openSearch },
	{ label: "Next match", keys: ["n"], isThere: countHits, run: () => stepTo(1) },
	{ label: "Match before", keys: ["N"], isThere: countHits, run: () => stepTo(-1) },
	{ label: "Search for plain text", keys: ["p"], isOn: () => state.plain,
		run: togglePlain },
	{ label: "This menu", keys: ["?"], run: toggleMenu },
);
