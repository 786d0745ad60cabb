// SPDX-License-Identifier: ISC
// Colour schemes and the legend; a click on an entry dims all other frames.

const readDigits = (text) => {
	const { read, hasMore } = reader(text), list = [];
	while (hasMore())
		list.push(read(Number));
	return list;
};

// Colours by name; the legend's colours are numbered from 1.
function byName(by, colors, of, { keys, inlined, legend }) {
	const entryOf = readDigits(keys);
	return { by, color: (i) => colors[of[view.name[i]]], legend, inlined,
		key: (i) => entryOf[of[view.name[i]]] };
}

// By self weight, in steps from grey to red. Every fourth step halves the weight, down from the
// hottest function.
const WARMTH = ["#cfcfc4", "#d9c9a8", "#e2c08c", "#e9b46f", "#efa457", "#f3914c", "#f57c4a",
	"#f7694f", "#f85f58"];
const hottest = () => Number(functions().self[last][heaviest() + 1]) || 1;

function heatOf(i) {
	const id = kin()[view.name[i]], own = Number(functions().self[last][id + 1]) || 0;
	return WARMTH[round((WARMTH.length - 1) * sqrt(min(own / hottest(), 1)))];
}

// Of each scheme: its name in the URL, the colour of frame I, the legend as colours and words,
// and, if the legend can be clicked, the entry of frame I.
const COLORINGS = [
	byName(meta.colorby, meta.colors, names.color, meta),
	...meta.other ? [byName(meta.other.by, meta.other.fills, readDigits(meta.other.of),
		meta.other)] : [],
	{ by: "self", color: heatOf,
		legend: [WARMTH[0], "self 0 %", WARMTH[4], "", WARMTH[8], "most"] },
	...meta.diff ? [{ by: "change", color: changeColor }] : [],
	{ by: "search", color: (i) => isHit(i) ? meta.searchcolor : meta.rootcolor,
		legend: [meta.searchcolor, "match", meta.rootcolor, "other"] },
];
const USUAL = meta.diff ? "change" : meta.colorby;
let present = COLORINGS[0];

// The user's choice, or the picture's default.
function coloring() {
	const by = state.coloring || USUAL;
	if (present.by !== by)
		present = COLORINGS.find((one) => one.by === by) || COLORINGS[0];
	return present;
}

function colorOf(i) {
	const { by, color } = coloring();
	if (isComparing())
		return comparedColor(i);
	return i || view.split || by === "change" ? color(i) : meta.rootcolor;
}

// Whether frame I belongs to none of the clicked entries.
function isDimmed(i) {
	const { only } = state, { key, inlined } = coloring();
	return only.length > 0 && i > 0 && Boolean(key) && !only.includes(key(i)) &&
		!(only.includes(inlined) && nameOf(i).endsWith("_[i]"));
}

const colorBy = (by) => go({ coloring: by === USUAL ? "" : by, only: [] });

commands.push({ label: "Next colouring", keys: ["k"], run: () => {
	const { by } = COLORINGS[(COLORINGS.indexOf(coloring()) + 1) % COLORINGS.length];
	colorBy(by);
	announce("Colour by " + by);
} });
for (const { by } of COLORINGS)
	commands.push({ label: "Colour by " + by, keys: [""], run: () => colorBy(by),
		isOn: () => coloring().by === by });


// The static picture's legend; and the one on display.
const usualMeanings = meanings.slice();
let shownBy = "";

function makeMeaning(fill, words) {
	const group = make(legend, "g"), side = round(em);
	const parts = [make(group, "rect", { y: round(0.15 * em) - em, width: side, height: side,
		fill }), make(group, "text", { x: 1.4 * em })];
	write(parts[1], words);
	return { parts, left: 0, y: 0,
		right: 1.4 * em + parts[1].getComputedTextLength() };
}

function pressKey(key, { shiftKey }) {
	const { only } = state, others = only.filter((other) => other !== key);
	go({ only: !shiftKey ? only.length === 1 && others.length === 0 ? [] : [key] :
		others.length < only.length ? others : [...only, key] });
}

// Makes entry K of the legend clickable.
function makeKey({ parts }, k) {
	const group = make(legend, "g", { class: "fg-key", role: "button", tabindex: 0 });
	const { textContent } = parts[parts.length - 1];
	group.append(...parts);
	make(group, "title").textContent = `Show only ${textContent} (Shift: this too)`;
	actions.set(group, (event) => pressKey(k + 1, event));
}

// Draws the legend of the current scheme.
function drawLegend() {
	const { by, key, legend: list = [] } = coloring();
	if (shownBy !== by) {
		legend.textContent = "";
		const isUsual = by === USUAL && usualMeanings.length;
		meanings.splice(0, Infinity, ...isUsual ? usualMeanings : list.flatMap((fill, k) =>
			k % 2 ? [] : [makeMeaning(fill, list[k + 1])]));
		if (isUsual)
			legend.append(...meanings.flatMap(({ parts }) => parts));
		if (key)
			meanings.forEach(makeKey);
		shownBy = by;
	}
	legend.querySelectorAll(".fg-key").forEach((group, k) => {
		const isOn = state.only.includes(k + 1);
		set(group, { "aria-pressed": isOn,
			class: state.only.length && !isOn ? "fg-key fg-off" : "fg-key" });
	});
}

sources.push({
	chips: () => [],
	save: (add) => {
		const { by, legend: list } = coloring();
		add("color", by !== USUAL && by);
		for (const key of state.only)
			add("only", list[2 * key - 1]);
	},
	load: (words) => {
		const by = words.get("color");
		state.coloring = COLORINGS.some((one) => one.by === by) ? by : "";
		const { key, legend: list } = coloring();
		state.only = key ? words.getAll("only").map((word) => (list.indexOf(word) + 1) / 2)
			.filter((n) => n > 0) : [];
	},
});
