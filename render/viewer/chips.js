// SPDX-License-Identifier: ISC
// The filters in effect: a row of chips that a click removes, and the equivalent fg-filter
// command.

// The filters of the view, in the order in which they apply:
//	chips()		those in effect, a list of { label, remove, option }: text, function to
//			remove it, and its fg-filter options, quoted for a shell: "" if it has
//			none, null if none are needed
//	save(add)	writes it to the URL by add(key, value)
//	load(words)	reads it from the URL, a URLSearchParams
// Filters without chips only keep state in the URL.
const sources = [];

// Folded recursion, and the fg-filter option for it.
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

let chips = [];

// Quotes an argument for the shell.
const quote = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text :
	"'" + text.replace(/'/g, "'\\''") + "'";

// The picture contains every stack, so its own file, where known, is the command's input.
function fileName() {
	const name = alone ? decodeURIComponent(location.pathname.replace(/^.*\//, "")) : "";
	return quote(name.replace(/^-/, "./-") || "picture.svg");
}

const commandOf = (list) => "fg-filter " +
	list.map((chip) => chip.option).filter((s) => s).join(" ") +
	` ${fileName()} | fg-svg > view.svg`;

// The chips, and the button that copies their command.
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

// Places the chips in lines of WIDTH, starting at X and Y; returns their height.
function placeChips(x, y, width) {
	const labels = (list) => list.map((chip) => chip.label).join("\n");
	const before = labels(chips);
	chips = sources.flatMap((source) => source.chips());
	if (labels(chips) !== before)
		makeChips();
	// the share of the profile that remains
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
