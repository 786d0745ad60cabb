// SPDX-License-Identifier: ISC
// Title, facts and legend.

const header = ["fg-title", "fg-subtitle", "fg-info"].map(find).filter((e) => e)
	.map((element, i) => ({
		element, size: Number(element.getAttribute("font-size")) || em,
		text: i ? element.textContent : meta.title,
	}));
const legend = find("fg-legend");
const LEGEND_ROW = 1.5 * em, BETWEEN = 1.2 * em;

// What the legend explains, each a list of swatches and words that stay together, with
// its box: a swatch and the words after it, or a scale between its ends.
const meanings = [];
for (const part of legend ? legend.children : []) {
	const isWords = part.tagName === "text", latest = meanings[meanings.length - 1];
	const goesOn = latest && (isWords || !latest.isWhole);
	const meaning = goesOn ? latest : { parts: [], left: Infinity, right: 0, y: 0 };
	// what ends with words is whole, but for words that begin a scale
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

// Puts the meanings on rows as wide as the window; returns how much lower the legend
// ends than in the picture without script.
function flowLegend() {
	const rows = [], room = state.width - 20;
	for (const meaning of meanings) {
		const width = meaning.right - meaning.left, row = rows[rows.length - 1];
		if (row && row.width + BETWEEN + width <= room) {
			row.width += BETWEEN + width;
			row.list.push(meaning);
		} else {
			rows.push({ width, list: [meaning] });
		}
	}
	rows.forEach((row, k) => {
		let x = max((state.width - row.width) / 2, 4);
		for (const { parts, left, right, y } of row.list) {
			const down = meanings[0].y + k * LEGEND_ROW - y;
			for (const part of parts)
				set(part, { transform: `translate(${x - left} ${down})` });
			x += right - left + BETWEEN;
		}
	});
	const before = meanings.length && meanings[meanings.length - 1].y - meanings[0].y;
	return round(max(rows.length - 1, 0) * LEGEND_ROW - before);
}

function drawHeader() {
	for (const line of header) {
		const room = (state.width - 20) * em / line.size;
		set(line.element, { x: state.width / 2 });
		write(line.element, fitWidth(line.text, room));
	}
	state.lower = flowLegend();
}
