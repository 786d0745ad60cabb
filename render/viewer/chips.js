// SPDX-License-Identifier: ISC
// What of the profile is looked at: a row of chips, a press on one of which removes it, and
// the same as a command of fg-filter.

// What narrows the view down, in the order in which it does:
//	chips()		what it does now, a list of { label, remove, option }: words, what takes
//			it back, and the options of fg-filter that do it, quoted for a shell: ""
//			where it has none, null where none are needed
//	save(add)	writes it to an address, by add(key, value)
//	load(words)	takes it from an address, a URLSearchParams
// Those without chips only keep something in the address.
const sources = [];

// Recursion that is folded, with what fg-filter has for that.
const FOLDED = [["direct recursion", "--collapse-recursion"], ["all recursion", ""],
	["repeated frames", null]];
sources.push({
	chips: () => !state.fold ? [] : [{ label: FOLDED[state.fold - 1][0] + " folded",
		option: FOLDED[state.fold - 1][1], remove: () => go({ fold: 0 }) }],
	save: () => 0, load: () => 0,
});

const chipRow = make(bar, "g", { role: "group", "aria-label": "Shown" });
const CHIP_COLUMNS = 48;
const shownPart = make(bar, "text", { class: "fg-part" });

// The chips that are drawn.
let chips = [];

// An argument as a shell reads it.
const quote = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text :
	"'" + text.replace(/'/g, "'\\''") + "'";

// The picture has all stacks, and is an input itself where its file is known.
function fileName() {
	const name = alone ? decodeURIComponent(location.pathname.replace(/^.*\//, "")) : "";
	return quote(name.replace(/^-/, "./-") || "picture.svg");
}

const commandOf = (list) => "fg-filter " +
	list.map((chip) => chip.option).filter((s) => s).join(" ") +
	` ${fileName()} | fg-svg > view.svg`;

// What is in the row: the chips, and what copies their command.
function chipButtons() {
	const buttons = chips.map(({ label }, k) => [fit(label, CHIP_COLUMNS) + " \u00d7",
		"Remove: " + label, () => removeChip(k)]);
	if (chips.some(({ option }) => option) && chips.every(({ option }) => option !== ""))
		buttons.push(["Copy command", "Copy the command of fg-filter that shows this",
			() => copy(commandOf(chips))]);
	return buttons;
}

function removeChip(k) {
	const hadFocus = chipRow.contains(document.activeElement);
	chips[k].remove();
	if (hadFocus)
		(chipRow.childNodes[min(k, max(chips.length - 1, 0))] || menuButton)
			.focus({ preventScroll: true });
}

function makeChips() {
	for (const button of Array.from(chipRow.childNodes)) {
		actions.delete(button);
		button.remove();
	}
	for (const [label, hint, action] of chipButtons())
		set(makeButton(label, hint, action, chipRow), { class: "fg-button fg-chip" });
}

// Places the chips from X and Y on in lines of WIDTH; returns their height.
function placeChips(x, y, width) {
	const labels = (list) => list.map((chip) => chip.label).join("\n");
	const before = labels(chips);
	chips = sources.flatMap((source) => source.chips());
	if (labels(chips) !== before)
		makeChips();
	// how much is left
	const part = !chips.length || base === allFrames ? "" :
		`${human(base.total[last][0])}, ${share(wholes[last], meta.total[last])}: `;
	write(shownPart, part);
	set(shownPart, { x, y: y + CONTROL / 2 + 0.35 * em });
	let at = textWidth(part), line = 0;
	for (const button of chipRow.childNodes) {
		const text = button.querySelector("text").textContent;
		const wide = min(textWidth(text) + 16, width);
		if (at && at + wide > width) {
			at = 0;
			line++;
		}
		placeButton(button, x + at, y + line * (CONTROL + 6), wide);
		at += wide + GAP_X;
	}
	return chips.length ? (line + 1) * (CONTROL + 6) : 0;
}
