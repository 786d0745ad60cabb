// SPDX-License-Identifier: ISC
// The Table view: functions with self and total. Only the rows in the window exist.

const tableView = make(svg, "g", { class: "fg-list", role: "table", "aria-label": "Functions" });
const tableRows = make(tableView, "g", { role: "rowgroup" });
const tableHead = make(tableView, "g", { class: "fg-head", role: "row" });
const headGround = make(tableHead, "rect", { class: "fg-ground", y: -2, height: CONTROL + 4 });
const ROW = max(round(1.8 * em), 16), HEAD = CONTROL + 4, SWATCH = round(0.7 * em);
graph.after(tableView);

const isTable = () => state.kind === "table";

// Columns, from left to right: name in the URL, heading, width in letters, rank (the lowest
// stay if there is not room for all), and for frame I the value to sort by, the text, and the
// weight of the bar behind it, if any. A second press reverses the order.
const COLUMNS = [];

function addColumn(by, head, letters, rank, value, format, bar) {
	const cell = make(tableHead, "g", { role: "columnheader" });
	const button = makeButton(head, "Sort by " + by, () =>
		go({ sort: (sortOf() === by ? "-" : "") + by }), cell);
	set(button, { class: "fg-button fg-sort" });
	COLUMNS.push({ by, head, letters: max(letters, head.length + 3), rank, value, format, bar,
		cell, button });
}

// The default order.
const HABIT = isDifference ? "self-change" : "self";
const sortOf = () => state.sort || HABIT;

const weightIn = (by, c) => (i) => view[by][c][i];
const figureIn = (by, c) => (i) => human(view[by][c][i], true);

function addShares(by, word, k) {
	const at = weightIn(by, 0);
	const error = (i) => {
		const p = min(Number(at(i)) / wholes[0], 1);
		return (196 * sqrt(p * (1 - p) / samples)).toFixed(2);
	};
	addColumn(by, word + " %", 9, k, at, (i) => share(at(i), wholes[0]).slice(0, -2), at);
	if (meta.samples > 0)
		addColumn(by, "\u00b1 points", 9, 4 + k, at, error);
	addColumn(by, word, 15, 2 + k, at, figureIn(by, 0));
}

function addRatio(by, word, k) {
	meta.diff.ratio.forEach((kind, c) => addColumn(by + (c === last ? "" : "-" + kind),
		word + " " + kind, 14, (c === last ? 2 : 4) + k, weightIn(by, c), figureIn(by, c)));
	const per = (i) => Number(view[by][0][i]) / Number(view[by][1][i]) || 0;
	addColumn(by + "-ratio", word + " ratio", 12, k, per, (i) => per(i).toFixed(2));
}

// The largest changes come first, in either direction.
function addChanges(by, word, k) {
	const change = (i) => view[by][1][i] - view[by][0][i], size = (i) => magnitude(change(i));
	addColumn(by + "-before", word + " before", 13, 6 + k, weightIn(by, 0), figureIn(by, 0));
	addColumn(by, word + " after", 13, 4 + k, weightIn(by, 1), figureIn(by, 1));
	addColumn(by + "-change", word + " change", 13, k, size, (i) =>
		(change(i) > 0 ? "+" : "") + human(change(i), true), change);
	if (marks)
		addColumn(by + "-change", "Significant", 11, 2 + k, size, (i) =>
			!change(i) ? "" : isSure(i, by) ? "yes" : "no");
}

["Self", "Total"].forEach((word, k) => {
	const add = isDifference ? addChanges : meta.diff ? addRatio : addShares;
	add(word.toLowerCase(), word, k);
});
addColumn("name", "Function", 18, -1, (i) => -ranks()[i - 1], (i) => spell(nameOf(i)));

// The sorted functions, and the matching ones.
let sorted = {}, picked = {};

function sortRows() {
	const { hits } = state, sort = sortOf(), by = sort.replace(/^-/, "");
	const { value } = COLUMNS.find((column) => column.by === by) || COLUMNS[0];
	if (sorted.sort !== sort || sorted.of !== functions()) {
		const values = Float64Array.from(newList(GAP + 1), (_, i) => i && Number(value(i)));
		const frames = newList(GAP).map((_, k) => k + 1)
			.filter((i) => functions().callSites[i]).sort((a, b) =>
				values[b] - values[a] || ranks()[a - 1] - ranks()[b - 1]);
		sorted = { sort, of: functions(),
			frames: sort.startsWith("-") ? frames.reverse() : frames };
	}
	if (picked.sorted !== sorted || picked.hits !== hits || picked.only !== state.only)
		picked = { sorted, hits, only: state.only, frames: sorted.frames.filter((i) =>
			(!hits || hits[i - 1]) && !isDimmed(i)) };
	return picked.frames;
}

const tableHeight = () => HEAD + sortRows().length * ROW;
const rowY = (k) => state.top + HEAD + k * ROW;

// Places and returns the columns that fit; the main sort column has an arrow.
function placeColumns() {
	let x = meta.pad[3], by = sortOf().replace(/^-/, "");
	return COLUMNS.filter((column) => {
		const { cell, button, head, letters } = column, isName = column.by === "name";
		const needs = COLUMNS.reduce((n, c) =>
			n + (c.rank > column.rank ? 0 : c.letters), 0);
		const isThere = needs * letter <= inside(), label = button.querySelector("text");
		show(cell, isThere);
		if (!isThere)
			return false;
		const width = isName ? state.width - meta.pad[1] - x : letters * letter;
		const isBy = column.by === by, isUpward = (sortOf() === by) === isName;
		const arrow = isBy ? isUpward ? "\u25b4" : "\u25be" : "";
		set(cell, { "aria-sort": isBy ? isUpward ? "ascending" : "descending" : "none" });
		column.left = x;
		column.at = { x: isName ? x + SWATCH + 12 : x + width - letter,
			"text-anchor": isName ? "start" : "end" };
		column.width = width;
		placeButton(button, x, 0, width);
		set(label, column.at);
		set(label, { x: column.at.x - x });
		write(label, isName ? head + " " + arrow : arrow + head);
		by = isBy ? "" : by;
		x += width;
		return true;
	});
}

// A bar behind a figure, relative to the largest of its column, or to the whole if that is
// smaller.
function barOf(column, i) {
	const { bar, left, width } = column, w = Number(bar(i));
	if (column.of !== functions())
		Object.assign(column, { of: functions(), most: functions().callSites.reduce(
			(most, _, f) => f ? max(most, abs(Number(bar(f)))) : most, 0) });
	const kind = !meta.diff || (marks && !isSure(i, column.by.split("-")[0])) ? "" :
		w < 0 ? " fg-less" : " fg-more";
	return { class: "fg-meter" + kind, x: left + 4, y: 2, height: ROW - 4,
		width: (width - 8) * abs(w) / column.most || 0 };
}

function showTableRow(row, k, columns) {
	const i = picked.frames[k], name = columns[columns.length - 1];
	const bars = columns.filter(({ bar }) => bar).map((column) => barOf(column, i));
	if (!row.firstChild) {
		make(row, "g");
		make(row, "g");
	}
	set(row, { role: "row", class: "fg-row" + (i === state.selected ? " fg-on" : ""),
		tabindex: -1, "aria-rowindex": k + 2, transform: `translate(0 ${rowY(k)})` });
	renderList(row.firstChild, "rect", [{ class: "fg-line", width: state.width, height: ROW },
		...bars, { x: name.left + 6, y: (ROW - SWATCH) / 2, width: SWATCH, height: SWATCH,
			fill: colorOf(i) }], set);
	renderList(row.lastChild, "text", columns, (text, { at, width, format }) => {
		set(text, { role: "cell", y: ROW / 2 + 0.3 * em, ...at });
		write(text, fitWidth(format(i), width));
	});
}

// Draws the rows in the window, or the first ones for a printer; returns whether the view is
// the table.
function drawTable() {
	show(tableView, isTable());
	show(graph, !isTable());
	show(edge, !isTable());
	if (!isTable())
		return false;
	const { top, scale } = bounds(), n = sortRows().length, columns = placeColumns();
	const rowAt = (y) => max(floor(((y - top) / scale - rowY(0)) / ROW), 0);
	const first = state.printing ? 0 : rowAt(0);
	const end = min(state.printing ? 500 : rowAt(window.innerHeight) + 1, n);
	set(headGround, { width: state.width });
	set(tableView, { "aria-rowcount": n + 1 });
	renderList(tableRows, "g", Array.from(newList(max(end - first, 0)).keys()), (row, k) =>
		showTableRow(row, first + k, columns));
	return true;
}

// The row at Y, as a box.
function tableBoxAt(y) {
	const frame = picked.frames[floor((y - rowY(0)) / ROW)];
	return !frame ? null : state.hover && state.hover.frame === frame ? state.hover :
		{ frame, until: 0 };
}

// Selects the row of frame I and focuses it, unless KEEP leaves the focus in the search field.
function chooseRow(i, keep) {
	state.selected = i;
	showAt(rowY(picked.frames.indexOf(i)));
	redraw();
	drawHover(null);
	if (!keep)
		tableRows.querySelector(".fg-on").focus({ preventScroll: true });
}

function moveInTable(step, keep) {
	const { frames } = picked, k = frames.indexOf(state.selected) + step;
	if (frames.length)
		chooseRow(frames[min(max(k, 0), frames.length - 1)], keep);
}

for (const [key, step] of Object.entries({ ArrowUp: -1, ArrowDown: 1, PageUp: -20, PageDown: 20,
	Home: -GAP, End: GAP }))
	commands.push({ keys: [key], isThere: isTable, run: () => moveInTable(step) });
