// SPDX-License-Identifier: ISC
// Stays visible above the graph: the controls, title and captions, the legend.

const banner = make(svg, "g", { class: "fg-top" });
const bannerGround = make(banner, "rect", { class: "fg-ground" });


const about = make(banner, "g", {});
// all of them, if there is not enough room
const wholeTitle = make(about, "title");
const title = about.appendChild(find("fg-title"));
const info = about.appendChild(find("fg-info"));
const subtitle = find("fg-subtitle");
const facts = meta.facts.split(" \u00b7 ");
const LINE = 1.5 * em, BETWEEN = 1.2 * em;

for (const text of [title, info, subtitle])
	if (text)
		set(about.appendChild(text), { "font-size": em, "text-anchor": "start" });
const subtitleText = subtitle ? subtitle.textContent : "";
write(wholeTitle, [meta.title, subtitleText, meta.facts].filter((s) => s).join("\n"));

const titleWidth = () => boldWidth(meta.title);
const joinFacts = (n) => facts.slice(0, n).join(" \u00b7 ");
const aboutWidth = (n) => titleWidth() + BETWEEN + textWidth(joinFacts(n));

// These have a line of their own if needed; the others are dropped first.
const MAIN_FACTS = min(facts.length, 3);

// Writes the title and, behind or below it, as many captions as fit. Returns the number of
// lines.
function placeAbout(x, y, room) {
	const behind = aboutWidth(MAIN_FACTS) <= room, base = y + LINE / 2 + 0.35 * em;
	const indent = behind ? titleWidth() + BETWEEN : 0;
	let n = facts.length;
	while (n > 1 && indent + textWidth(joinFacts(n)) > room)
		n--;
	set(title, { x, y: base });
	write(title, titleWidth() <= room ? meta.title : fitWidth(meta.title, room / 1.2));
	set(info, { x: x + indent, y: behind ? base : base + LINE });
	write(info, fitWidth(joinFacts(n), room - indent));
	return behind ? 1 : 2;
}


const legend = banner.appendChild(find("fg-legend") || make(svg, "g", { class: "fg-legend" }));

// The legend's entries, each a list of swatches and words that stay together, with its box: a
// swatch and its words, or a scale between its ends.
const meanings = [];
for (const part of legend.children) {
	const isWords = part.tagName === "text", latest = meanings[meanings.length - 1];
	const goesOn = latest && (isWords || !latest.isWhole);
	const meaning = goesOn ? latest : { parts: [], left: Infinity, right: 0, y: 0 };
	// words end an entry unless they begin a scale
	meaning.isWhole = isWords && goesOn;
	const { x, width } = part.getBBox();
	meaning.parts.push(part);
	meaning.left = min(meaning.left, x);
	meaning.right = max(meaning.right, x + width);
	if (isWords)
		meaning.y = Number(part.getAttribute("y"));
	if (!goesOn)
		meanings.push(meaning);
}

const legendWidth = () => meanings.reduce((sum, { left, right }) =>
	sum + right - left + BETWEEN, 0);

// Puts the entries in lines from X on, ROOM wide; returns the number of lines.
function placeLegend(x, y, room) {
	let at = x, lines = meanings.length ? 1 : 0;
	for (const { parts, left, right, y: base } of meanings) {
		if (at > x && at + right - left > x + room) {
			at = x;
			lines++;
		}
		const down = y + (lines - 0.5) * LINE + 0.35 * em - base;
		for (const part of parts)
			set(part, { transform: `translate(${at - left} ${down})` });
		at += right - left + BETWEEN;
	}
	return lines;
}

// ---- The whole header ----

// Places the controls; title and captions beside them if they fit, else below; the legend
// beside those, or below. Captions give way to the legend, except for the main ones.
function placeHeader() {
	const x = meta.pad[3], room = inside();
	const controls = state.printing ? { bottom: 0, free: 0 } : placeControls();
	const besides = aboutWidth(facts.length) + 2 * BETWEEN <= controls.free;
	const legendRoom = legendWidth();
	let y = controls.bottom + 2, left = room - legendRoom;
	if (besides)
		placeAbout(controls.left + BETWEEN, controls.middle - LINE / 2, controls.free);
	if (besides || left < aboutWidth(MAIN_FACTS))
		left = room;
	if (!besides) {
		if (left < room)
			placeLegend(x + left + BETWEEN, y, legendRoom);
		y += placeAbout(x, y, left) * LINE;
	}
	if (subtitle) {
		set(subtitle, { x, y: y + LINE / 2 + 0.35 * em });
		write(subtitle, fitWidth(subtitleText, room));
		y += LINE;
	}
	if (left === room)
		y += placeLegend(x, y, room) * LINE;
	// chips come and go: the strip does not move
	y += placeStrip(x, y, room);
	if (!state.printing)
		y += placeChips(x, y, room);
	if (isChart())
		y += LINE;
	state.barHeight = ceil(y + 3);
	state.top = state.barHeight + 2;
	set(bannerGround, { width: state.width, height: state.barHeight });
}
