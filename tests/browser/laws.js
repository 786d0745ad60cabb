// SPDX-License-Identifier: ISC
// Invariants of the boxes in every view: read from all rows of the page, without knowledge of
// the data.
"use strict";

// Paths that are boxes, without marks and the paths below boxes.
const BOXES = ".fg-graph:not([display]) path:not(.fg-mark):not(.fg-under)";
// Tolerance for rounding edges, in px.
const SLACK = 1;

// As for a printer, the page draws all rows and not only those near the window.
const printed = (body) => `
	dispatchEvent(new Event("beforeprint"));
	try { ${body} } finally { dispatchEvent(new Event("afterprint")); }`;

const ROOT_Y = `Number(document.querySelector("[role=treeitem]:not([display])").getAttribute("y"))`;

// Rows of boxes from the top, each from left to right: y, boxes as [x, width], and labels as
// [x, width, text]; STRAYS are labels outside of any row.
const readRows = (page) => page.run(printed(`
	const rows = new Map(), strays = [];
	for (const path of document.querySelectorAll(${JSON.stringify(BOXES)}))
		for (const m of path.getAttribute("d").matchAll(/M([-\\d.]+) ([-\\d.]+)h([\\d.]+)v([\\d.]+)/g)) {
			const [x, y, w, h] = m.slice(1).map(Number);
			if (!rows.has(y))
				rows.set(y, { y, height: h, boxes: [], labels: [] });
			rows.get(y).boxes.push([x, w]);
		}
	const sorted = Array.from(rows.values()).sort((a, b) => a.y - b.y);
	for (const row of sorted)
		row.boxes.sort((a, b) => a[0] - b[0]);
	for (const text of document.querySelectorAll(".fg-graph:not([display]) text")) {
		const box = text.getBBox(), middle = box.y + box.height / 2;
		const row = sorted.find((r) => r.y <= middle && middle <= r.y + r.height);
		(row ? row.labels : strays).push([box.x, box.width, text.textContent]);
	}
	return { rows: sorted, strays, rootY: ${ROOT_Y} };`));

const isWithin = ([x, w], [px, pw]) => px - SLACK <= x && x + w <= px + pw + SLACK;

// The box of ROW around the middle of [x, w].
function boxAround(row, [x, w]) {
	let low = 0, high = row.boxes.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (row.boxes[middle][0] <= x + w / 2)
			low = middle;
		else
			high = middle - 1;
	}
	return row.boxes[low];
}

const overlaps = (rows) => rows.flatMap((row) => row.boxes.filter(([x], i) =>
	i > 0 && x < row.boxes[i - 1][0] + row.boxes[i - 1][1] - 0.01).map((box) => [row.y, ...box]));

// Boxes without a parent. Rows over the whole width are roots and ancestors of a zoomed frame;
// rows above them stand on the row below, rows below hang from the row above.
function orphans(rows, width) {
	const isWhole = (row) => row.boxes.length === 1 && row.boxes[0][1] >= width - SLACK;
	const first = rows.findIndex(isWhole), end = rows.length - 1;
	const lastWhole = end - rows.slice().reverse().findIndex(isWhole);
	return rows.flatMap((row, i) => {
		const parents = i < first ? rows[i + 1] : i > lastWhole ? rows[i - 1] : null;
		return parents ? row.boxes.filter((box) => !isWithin(box, boxAround(parents, box)))
			.map((box) => [row.y, ...box]) : [];
	});
}

const looseLabels = (rows) => rows.flatMap((row) => row.labels.filter((label) =>
	!isWithin(label, boxAround(row, label))));

// Rows whose distance from the first is not a multiple of the row height.
function uneven(rows) {
	const step = Math.min(...rows.slice(1).map((row, i) => row.y - rows[i].y));
	return rows.filter((row) => rows.length > 1 &&
		Math.abs((row.y - rows[0].y) / step % 1) > 0.001).map((row) => row.y);
}

// Boxes of a row must not overlap and each must be inside of one in the row nearer to the root,
// so that the widths of children add up to at most their parent's; labels must be inside boxes.
// Returns the number of boxes, 0 for a view without any.
async function checkLaws(stage, page, what) {
	const { rows, strays } = await readRows(page);
	const edges = rows.flatMap((row) => row.boxes.flatMap(([x, w]) => [x, x + w]));
	const width = edges.reduce((a, b) => Math.max(a, b), 0) - edges.reduce((a, b) => Math.min(a, b), 0);
	stage.check(`${what}: boxes over each other`, overlaps(rows).slice(0, 3), []);
	stage.check(`${what}: boxes outside their parents`, orphans(rows, width).slice(0, 3), []);
	stage.check(`${what}: rows off their lines`, uneven(rows), []);
	stage.check(`${what}: labels outside their boxes`, looseLabels(rows).slice(0, 3), []);
	stage.check(`${what}: labels in no row`, strays.slice(0, 3), []);
	return edges.length / 2;
}

const number = (text, word) => {
	const m = new RegExp(`${word} ([\\d,]+)`).exec(text);
	return m ? Number(m[1].replace(/,/g, "")) : 0;
};

// Total and self of the box at [x, y] of the picture, from the details.
async function weightsAt(page, x, y) {
	const lines = await page.run(`
		const svg = document.querySelector("svg.fg"), box = svg.getBoundingClientRect();
		svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
			clientX: box.left + ${x}, clientY: box.top + ${y} }));
		await null;
		return Array.from(document.querySelectorAll(".fg-details tspan"), (e) => e.textContent).join(" ");`);
	return { total: number(lines, "total"), self: number(lines, "self") };
}

// For the COUNT widest boxes with children (above, or below for a root on top): the totals of
// the children and the box's self weight add up to its total, except for children too thin to
// draw, at most half a px beside each drawn one. For weights without unit.
async function checkWeights(stage, page, what, { count = 12, isIcicle = false } = {}) {
	const { rows, rootY } = await readRows(page), found = [];
	// printed pages have no buttons above the boxes
	const shift = await page.run(`return ${ROOT_Y}`) - rootY;
	rows.forEach((row, i) => {
		const next = rows[isIcicle ? i + 1 : i - 1];
		for (const box of next ? row.boxes : [])
			found.push({ row, box, next, children: next.boxes.filter((b) =>
				boxAround(row, b) === box) });
	});
	const widest = found.filter((f) => f.children.length && f.children.length < 60)
		.sort((a, b) => b.box[1] - a.box[1]).slice(0, count);
	const wrong = [];
	for (const { row, box, next, children } of widest) {
		const at = (r, [x, w]) => weightsAt(page, x + w / 2,
			r.y + shift + r.height / 2);
		const { total, self } = await at(row, box);
		let sum = self;
		for (const child of children)
			sum += (await at(next, child)).total;
		const thin = total / box[1] * 0.5 * (children.length + 1);
		if (!total || sum > total || sum < total - thin)
			wrong.push([row.y, ...box, total, self, sum]);
	}
	stage.check(`${what}: children and self do not add up`, wrong, []);
	return widest.length;
}

module.exports = { checkLaws, checkWeights };
