// SPDX-License-Identifier: ISC
// The Table view: functions with self and total. Only the rows in the window are made.

const tableView = make(svg, "g", { class: "fg-list", role: "table", "aria-label": "Functions" });
const tableRows = make(tableView, "g", { role: "rowgroup" });
const tableHead = make(tableView, "g", { class: "fg-head", role: "row" });
const headGround = make(tableHead, "rect", { class: "fg-ground", y: -2, height: CONTROL + 4 });
const ROW = max(round(1.8 * em), 16), HEAD = CONTROL + 4;
graph.after(tableView);

const isTable = () => state.kind === "table";

// Columns, from left to right: what the address calls it, the heading, the width in
// letters, the rank (where there is no room for all the lowest stay), and of frame I the
// value to sort by and the text. A second press reverses the order.
const COLUMNS = [];

function addColumn(by, head, letters, rank, value, tell) {
	const cell = make(tableHead, "g", { role: "columnheader" });
	const button = makeButton(head, "Sort by " + by, () =>
		go({ sort: (state.sort === by ? "-" : "") + by }), cell);
	set(button, { class: "fg-button fg-sort" });
	COLUMNS.push({ by, head, letters, rank, value, tell, cell, button });
}

["Self", "Total"].forEach((word, k) => {
	const by = word.toLowerCase(), ratio = meta.diff && meta.diff.ratio;
	const at = (c) => (i) => view[by][c][i], figure = (c) => (i) => human(at(c)(i), true);
	const change = (i) => at(1)(i) - at(0)(i);
	const error = (i) => {
		const p = min(Number(at(0)(i)) / wholes[0], 1);
		return (196 * sqrt(p * (1 - p) / meta.samples)).toFixed(2);
	};
	const per = (i) => Number(at(0)(i)) / Number(at(1)(i)) || 0;
	const add = (suffix, head, letters, rank, value, tell) =>
		addColumn(by + suffix, head, max(letters, head.length + 3), rank + k, value, tell);
	if (!meta.diff) {
		add("", word, 10, 0, at(0), (i) => share(at(0)(i), wholes[0]));
		if (meta.samples > 0)
			add("", "\u00b1", 7, 4, at(0), error);
		add("", unitFamily ? "" : unit, 15, 2, at(0), figure(0));
		return;
	}
	(ratio || ["before", "after"]).forEach((kind, c) =>
		add(c === last ? "" : "-" + kind, word + " " + kind, 14, c === last ? 2 : 4, at(c),
			figure(c)));
	if (ratio)
		add("-ratio", word + " ratio", 12, 0, per, (i) => per(i).toFixed(2));
	else
		add("-change", word + " change", 14, 0, change, (i) =>
			(change(i) > 0 ? "+" : "") + human(change(i), true));
});
addColumn("name", "Function", 18, -1, (i) => -ranks()[i - 1], nameOf);

// The functions in their order, and those of them that match.
let sorted = {}, picked = {};

function sortRows() {
	const { sort, hits } = state, by = sort.replace(/^-/, "");
	const { value } = COLUMNS.find((column) => column.by === by) || COLUMNS[0];
	if (sorted.sort !== sort) {
		const values = Float64Array.from(newList(GAP + 1), (_, i) => i && Number(value(i)));
		const frames = newList(GAP).map((_, k) => k + 1).sort((a, b) =>
			values[b] - values[a] || ranks()[a - 1] - ranks()[b - 1]);
		sorted = { sort, frames: sort.startsWith("-") ? frames.reverse() : frames };
	}
	if (picked.sorted !== sorted || picked.hits !== hits)
		picked = { sorted, hits,
			frames: sorted.frames.filter((i) => !hits || hits[i - 1]) };
	return picked.frames;
}

const tableHeight = () => HEAD + sortRows().length * ROW;
const rowY = (k) => state.top + HEAD + k * ROW;

// Places the columns that there is room for, and returns them; the first that the rows are
// sorted by has an arrow.
function placeColumns() {
	let x = meta.pad[3], by = state.sort.replace(/^-/, "");
	return COLUMNS.filter((column) => {
		const { cell, button, head, letters } = column, isName = column.by === "name";
		const needs = COLUMNS.reduce((n, c) =>
			n + (c.rank > column.rank ? 0 : c.letters), 0);
		const isThere = needs * letter <= inside(), label = button.querySelector("text");
		show(cell, isThere);
		if (!isThere)
			return false;
		const width = isName ? state.width - meta.pad[1] - x : letters * letter;
		const isBy = column.by === by, isUpward = (state.sort === by) === isName;
		const arrow = isBy ? isUpward ? "\u25b4" : "\u25be" : "";
		set(cell, { "aria-sort": isBy ? isUpward ? "ascending" : "descending" : "none" });
		column.at = { x: isName ? x + 6 : x + width - letter,
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

function showTableRow(row, k, columns) {
	const i = picked.frames[k], name = columns[columns.length - 1];
	// under the name a bar, as long as the share
	const bar = (weights, opacity) => ({ x: name.at.x, y: ROW - 4, height: 3, fill: colorOf(i),
		width: name.width * min(Number(weights[i]) / wholes[last], 1) || 0,
		"fill-opacity": opacity });
	if (!row.firstChild) {
		make(row, "g");
		make(row, "g");
	}
	set(row, { role: "row", class: "fg-row" + (i === state.selected ? " fg-on" : ""),
		tabindex: -1, "aria-rowindex": k + 2, transform: `translate(0 ${rowY(k)})` });
	renderList(row.firstChild, "rect", [{ class: "fg-line", width: state.width, height: ROW },
		bar(view.width, 0.4), bar(view.self[last], 1)], set);
	renderList(row.lastChild, "text", columns, (text, { at, width, tell }) => {
		set(text, { role: "cell", y: ROW / 2 + 0.3 * em, ...at });
		write(text, fitWidth(tell(i), width));
	});
}

// Draws the rows in the window, or the first for a printer; returns whether the view is
// the table.
function drawTable() {
	show(tableView, isTable());
	show(graph, !isTable());
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

// Selects the row of frame I, and moves the focus there unless the search field KEEPs it.
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
