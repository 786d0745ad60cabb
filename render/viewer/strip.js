// SPDX-License-Identifier: ISC
// The timeline strip above the graph: when each thread ran, and the selection of times and
// threads. As a heat map (FlameScope) it has a column for each second or longer period, divided
// into cells: activity that recurs every second shows as a line.

const still = find("fg-still");
if (still)
	still.remove();
const strip = make(banner, "g", { class: "fg-timeline", display: "none" });
const stripGround = make(strip, "rect", { fill: "none", "pointer-events": "all" });
const activity = make(strip, "g", { "aria-hidden": true });
const ranMatches = make(strip, "path", { class: "fg-ran", fill: meta.searchcolor });
// dims the parts that are not selected
const shades = make(strip, "g", { class: "fg-shade", "fill-opacity": 0.7 });
const cursorBox = make(strip, "path", { class: "fg-cursor", fill: "none" });
const ruler = make(strip, "g", { class: "fg-ruler", "aria-hidden": true });
const laneLabels = make(strip, "g", {});
const slider = make(strip, "rect", { role: "slider", tabindex: 0, fill: "none",
	"aria-label": "Timeline", "aria-orientation": "horizontal" });

// The strip's geometry: ROWS, HIGH px each, from X on and WIDTH wide, with COLUMNS; the range
// FROM to TO in seconds; the lanes, or in a heat map the PERIOD of a column.
const lanes = { x: 0, y: 0, width: 0, high: 0, rows: 0, columns: 0, from: 0, to: 1, list: [],
	period: 0, key: "" };
const LANES = 5, COLUMN = 2, HEAT_ROWS = 20, HEAT = 8;

// The tracks, the heaviest first; those without a lane of their own share the last.
function listLanes(most) {
	const order = Array.from(times.tracks.keys())
		.sort((a, b) => times.sums[b] - times.sums[a] || a - b);
	const own = order.length <= most ? order : order.slice(0, most - 1);
	const list = own.map((t) => ({ tracks: [t], label: trackText(t) }));
	const rest = order.slice(own.length);
	return rest.length ? list.concat({ tracks: rest, label: `${rest.length} more` }) : list;
}


// The colours of the legend; each represents all its shades.
const kindColors = legend ? Array.from(legend.querySelectorAll("rect"), (e) =>
	e.getAttribute("fill")) : [];
if (!kindColors.length)
	kindColors.push(meta.colors[0]);

const rgbOf = (color) => (color.length < 5 ? color.replace(/\w/g, "$&$&") : color)
	.match(/\w\w/g).map((hex) => parseInt(hex, 16));

// By colour of a name, the nearest colour of the legend.
const kindsOfColors = once(() => {
	const kinds = kindColors.map(rgbOf);
	return meta.colors.map((color) => {
		const far = kinds.map((kind) => rgbOf(color).reduce((sum, v, c) =>
			sum + pow(v - kind[c], 2), 0));
		return far.indexOf(min(...far));
	});
});

const partOf = (s) => (s - lanes.from) / (lanes.to - lanes.from);
const columnOf = (s) => min(floor(partOf(s) * lanes.columns + 1e-6), lanes.columns - 1);
const xOf = (s) => lanes.x + partOf(s) * lanes.width;
const secondsAt = (x) => lanes.from + (x - lanes.x) / lanes.width * (lanes.to - lanes.from);

// For a heat map: the seconds of a cell, the row of a start time, and the start time of a row
// and column.
const cellLength = () => lanes.period / lanes.rows;
const rowOf = (s) => floor((s - lanes.from + 1e-9) % lanes.period / cellLength() + 1e-6);
const startOf = (row, column) => lanes.from + column * lanes.period + row * cellLength();

// The lane of each track, and the column of each time; -1 if unknown.
const laneOfTracks = () => {
	const of = newList(times.tracks.length);
	lanes.list.forEach(({ tracks }, l) => tracks.forEach((t) => of[t] = l));
	return of;
};
const columnOfTimes = () => Int32Array.from(times.starts, (s) => s >= 0 ? columnOf(s) : -1);

// Adds up the weights by lane, column and kind, where KIND(K) returns the kind of cell K, from
// 0 to KINDS - 1, or a negative number to skip it.
function sumActivity(kinds, kind) {
	const lane = laneOfTracks(), column = columnOfTimes(), { columns, rows, period } = lanes;
	const sums = new Float64Array(rows * columns * kinds);
	const { n, track, time, weights, starts } = times;
	for (let k = 0; k < n; k++) {
		const c = column[time[k]], s = kind(k);
		if (c >= 0 && s >= 0)
			sums[((period ? rowOf(starts[time[k]]) : lane[track[k]]) * columns + c) *
				kinds + s] += Number(weights[k]);
	}
	return sums;
}

// By lane, the weight that fills its height: equal for all lanes of one track.
function findScales(sums, kinds) {
	const { columns, list } = lanes;
	const most = list.map((_, l) => {
		let most = 0;
		for (let c = 0; c < columns; c++) {
			let sum = 0;
			for (let s = 0; s < kinds; s++)
				sum += sums[(l * columns + c) * kinds + s];
			most = max(most, sum);
		}
		return most;
	});
	const single = max(...most.filter((_, l) => list[l].tracks.length < 2), 0);
	return most.map((w, l) => (list[l].tracks.length < 2 ? single : w) || 1);
}

// A column of the lane L from the share BELOW to BELOW + PART of its height.
function columnPath(l, c, below, part) {
	const wide = lanes.width / lanes.columns, x = lanes.x + c * wide;
	const gap = lanes.period ? 0 : 2, high = lanes.high - gap;
	const foot = lanes.y + (l + 1) * lanes.high - gap / 2 - below * high;
	const w = (wide < 4 ? wide : wide - 0.5).toFixed(2);
	return part * high < 0.05 ? "" : `M${x.toFixed(2)} ${foot.toFixed(1)}h${w}` +
		`v${(-part * high).toFixed(1)}h-${w}z`;
}

function drawActivity() {
	const { color } = names, { frame } = times, { name } = allFrames, kinds = kindColors.length;
	const kindOf = kindsOfColors();
	const sums = sumActivity(kinds, (k) => frame[k] ? kindOf[color[name[frame[k]]]] : 0);
	const scales = lanes.scales = findScales(sums, kinds), paths = kindColors.map(() => []);
	for (let l = 0, at = 0; l < lanes.list.length; l++)
		for (let c = 0; c < lanes.columns; c++)
			for (let s = 0, below = 0; s < kinds; s++, at++) {
				const part = sums[at] / scales[l];
				paths[s].push(columnPath(l, c, below, part));
				below += part;
			}
	renderList(activity, "path", paths.map((path, s) =>
		({ fill: kindColors[s], "fill-opacity": 1, d: path.join("") })), set);
}

// The cells with the indices CELLS, as a path.
const cellPath = (cells) => cells.map((at) =>
	columnPath(floor(at / lanes.columns), at % lanes.columns, 0, 1)).join("");

// Draws the heat map of the selected tracks: darker means more activity.
function drawHeat() {
	const levels = Array.from({ length: HEAT }, () => []);
	const { tracks } = state, { track } = times;
	const sums = sumActivity(1, (k) => tracks && !tracks.includes(track[k]) ? -1 : 0);
	const most = sums.reduce((a, b) => max(a, b), 0);
	sums.forEach((sum, at) => sum && levels[ceil(HEAT * sum / most) - 1].push(at));
	renderList(activity, "path", levels.map((cells, level) => ({ fill: "#c0392b",
		"fill-opacity": (level + 1) / HEAT, d: cellPath(cells) })), set);
}

// Shows when the matches ran: the matching share at the foot of each column.
function drawMatchTimes() {
	const { hits } = state, { n, name, parent } = allFrames, path = [];
	if (!times || !lanes.columns || (lanes.hits === hits && lanes.hitsKey === lanes.key))
		return;
	Object.assign(lanes, { hits, hitsKey: lanes.key });
	if (hits && !lanes.period) {
		const above = new Uint8Array(n), { frame } = times;
		for (let i = 1; i < n; i++)
			above[i] = hits[name[i]] | above[parent[i]];
		sumActivity(1, (k) => above[frame[k]] - 1).forEach((sum, at) => {
			const l = floor(at / lanes.columns);
			path.push(columnPath(l, at % lanes.columns, 0, sum / lanes.scales[l]));
		});
	}
	set(ranMatches, { d: path.join("") });
}


// The shortest of 1, 2, 5, 10, .. s that is at least SECONDS.
function niceStep(seconds) {
	const ten = pow(10, floor(Math.log10(seconds)));
	return [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= seconds * 0.999);
}

// SECONDS in s, ms or us, with the precision that a distance of STEP needs.
function tickText(seconds, step) {
	const [unit, size] = step >= 0.1 ? ["s", 1] : step >= 1e-4 ? ["ms", 1e-3] : ["us", 1e-6];
	return group(String(Number((seconds / size).toFixed(step >= size ? 0 : 1)))) + " " + unit;
}

// The ticks of a ruler of WIDTH px from X on.
function listTicks(from, to, x, width) {
	const step = niceStep((to - from) * 9 * letter / width), ticks = [];
	for (let k = ceil(from / step - 1e-6); k * step <= to; k++)
		ticks.push({ x: x + (k * step - from) / (to - from) * width,
			text: tickText(k * step, step) });
	return ticks.filter((tick) => tick.x + tick.text.length * letter + 3 < x + width);
}

function drawTicks(parent, ticks, y) {
	renderList(parent, "text", ticks, (text, tick) => {
		set(text, { x: tick.x + 3, y, "font-size": 0.9 * em });
		write(text, tick.text);
	});
}

function drawRuler() {
	const ticks = listTicks(lanes.from, lanes.to, lanes.x, lanes.width);
	const foot = lanes.y + lanes.rows * lanes.high;
	drawTicks(ruler, ticks, foot + em);
	set(rulerLines, { d: ticks.map(({ x }) =>
		`M${round(x) + 0.5} ${lanes.y}V${foot + 0.9 * em}`).join("") });
}

const rulerLines = make(strip, "path", { class: "fg-ticks", stroke: "#888",
	"stroke-opacity": 0.5, fill: "none", "aria-hidden": true });


// The pending selection of the keys and the pointer: a range, and a lane or -1 for all.
let cursor = null, drag = null;

function drawSelection() {
	const { range, tracks } = state, { x, y, width, high, list, period } = lanes, rects = [];
	const bottom = lanes.rows * high;
	if (range && !period) {
		const from = max(xOf(range[0]), x), to = min(xOf(range[1]), x + width);
		rects.push({ x, y, width: max(from - x, 0), height: bottom },
			{ x: to, y, width: max(x + width - to, 0), height: bottom });
	}
	list.forEach((lane, l) => {
		if (tracks && !lane.tracks.some((t) => tracks.includes(t)))
			rects.push({ x, y: y + l * high, width, height: high });
	});
	renderList(shades, "rect", rects, set);
	const at = drag ? drag.range : cursor && cursor.range;
	const lane = cursor && !drag ? cursor.lane : -1;
	set(cursorBox, { d: period ? heatPath(at || range) : !at ? "" :
		`M${xOf(at[0])} ${y + max(lane, 0) * high}H${xOf(at[1])}` +
		`v${lane < 0 ? bottom : high}H${xOf(at[0])}z` });
	const shown = at || range || [times.from, times.to];
	const about = lane >= 0 ? list[lane].label : !tracks ? "all threads" :
		tracks.length === 1 ? trackText(tracks[0]) : tracks.length + " threads";
	set(slider, { x, y, width, height: bottom, "aria-valuemin": times.from,
		"aria-valuemax": times.to, "aria-valuenow": shown[0],
		"aria-valuetext": `${inSeconds(shown[0])} to ${inSeconds(shown[1])}, ${about}` });
}

// The cells of a heat map in RANGE.
function heatPath(range) {
	const cells = Array.from(newList(range ? lanes.rows * lanes.columns : 0).keys());
	return cellPath(cells.filter((at) =>
		isInRange(startOf(floor(at / lanes.columns), at % lanes.columns), range)));
}

// Selects the lane L; ADD toggles it in the selection.
function selectLane(l, add) {
	const { tracks } = lanes.list[l], before = state.tracks || [];
	const isOn = tracks.every((t) => before.includes(t));
	const isAlone = isOn && before.length === tracks.length;
	const next = !add ? isAlone ? [] : tracks : isOn ?
		before.filter((t) => !tracks.includes(t)) : before.concat(tracks);
	go({ tracks: next.length ? next.slice().sort((a, b) => a - b) : null });
}

// The range from A to B, in either order, extended to whole times.
function wholeTimes(a, b) {
	const { from, to, step } = times, low = min(a, b);
	const high = max(a, b) + (lanes.period && cellLength() * 0.999);
	const snap = (s, how) => from + how((s - from) / step) * step;
	return [max(snap(low, floor), from), min(snap(high, ceil), to)];
}


// Places the strip from X and Y on; returns its height.
function placeStrip(x, y, room) {
	show(strip, times && !state.printing);
	if (!times || state.printing)
		return 0;
	const list = listLanes(window.innerHeight < 500 ? 2 : LANES);
	const names = list.map(({ label }) => textWidth(label) + 8);
	const labelled = min(max(9 * letter, ...names), room / 4);
	const key = [x, y, room, list.length, state.heat, state.heat && state.tracks].join();
	if (key !== lanes.key) {
		const width = room - labelled;
		Object.assign(lanes, { key, x: x + labelled, y: y + 4, width, list },
			state.heat ? heatShape() : laneShape(list, width));
		set(stripGround, { x, y: lanes.y, width: room, height: lanes.rows * lanes.high });
		(state.heat ? drawHeat : drawActivity)();
		drawRuler();
		const marks = state.heat ? [0, lanes.rows - 1].map((row) => ({ row, label: "+" +
			tickText(row * cellLength(), cellLength()) })) :
			list.map(({ label }, row) => ({ label, row }));
		renderList(laneLabels, "text", marks, (text, { label, row }) => {
			set(text, { class: "fg-lane", x,
				y: lanes.y + (row + 0.5) * lanes.high + 0.35 * em });
			write(text, fitWidth(label, labelled - 6));
		});
	}
	drawMatchTimes();
	drawSelection();
	return 4 + lanes.rows * lanes.high + 1.3 * em;
}

function laneShape(list, width) {
	const { from, to, step } = times;
	return { from, to, period: 0, rows: list.length, high: list.length < 2 ? 28 : 16,
		columns: max(min(round((to - from) / step), floor(width / COLUMN)), 1) };
}

// Cells are as long as times, or longer if a second has too many to fit.
function heatShape() {
	const { from, to, step } = times;
	const period = [1, 10, 60, 600].find((s) => s >= 5 * step) || 3600;
	const first = floor(from / period) * period, columns = ceil((to - first) / period - 1e-6);
	const rows = min(max(round(period / step), 1), HEAT_ROWS);
	return { from: first, to: first + columns * period, period, rows, columns,
		high: max(80 / rows, 2) };
}


// The position of an event in the strip.
function pointIn(event) {
	const { left, top } = bannerGround.getBoundingClientRect(), { scale } = bounds();
	return { x: (event.clientX - left) / scale,
		lane: floor(((event.clientY - top) / scale - lanes.y) / lanes.high) };
}

function onStripDown(event) {
	const { x, lane } = pointIn(event);
	if (event.button || lane < 0 || lane >= lanes.rows)
		return;
	drag = { from: x, lane, add: event.shiftKey, range: null };
	cursor = null;
	strip.setPointerCapture(event.pointerId);
}

function onStripMove(event) {
	if (!drag)
		return;
	const { x, lane } = pointIn(event), { from } = drag;
	const clamp = (x) => min(max(x, lanes.x), lanes.x + lanes.width - 1);
	const cellAt = (x, row) => startOf(min(max(row, 0), lanes.rows - 1),
		columnOf(secondsAt(clamp(x))));
	const isStill = abs(x - from) < 4 && (!lanes.period || lane === drag.lane);
	drag.range = from < lanes.x || isStill ? null : lanes.period ?
		wholeTimes(cellAt(from, drag.lane), cellAt(x, lane)) :
		wholeTimes(secondsAt(clamp(from)), secondsAt(clamp(x)));
	drawSelection();
}

function onStripUp() {
	const { range, lane, add } = drag || {};
	if (!drag)
		return;
	drag = null;
	if (range)
		go({ range });
	else if (!lanes.period)
		selectLane(lane, add);
}

// Moves the cursor, or with WIDEN its end, by BY of the smallest visible steps.
function moveCursor(by, widen) {
	const { from, to, step } = times, columns = (to - from) / lanes.columns;
	const unit = max(step, round(columns / step) * step);
	const { range, lane } = cursor || { range: state.range || [from, from + unit], lane: -1 };
	const wide = range[1] - range[0];
	const end = min(max(range[1] + by * unit, range[0] + unit), to);
	const begin = min(max(range[0] + by * unit, from), to - wide);
	cursor = { lane, range: widen ? [range[0], end] : !cursor && !state.range ? range :
		[begin, begin + wide] };
}

function moveLane(by) {
	const { range, lane } = cursor ||
		{ range: state.range || [times.from, times.to], lane: -1 };
	cursor = { range, lane: min(max(lane + by, -1), (lanes.period ? 0 : lanes.rows) - 1) };
}

function selectCursor() {
	const { range, lane } = cursor || {};
	if (!cursor)
		return;
	const isAll = range[0] <= times.from && range[1] >= times.to;
	cursor = null;
	go({ range: isAll ? null : range, tracks: lane < 0 ? state.tracks :
		lanes.list[lane].tracks });
}

const STRIP_KEYS = {
	ArrowLeft: (event) => moveCursor(-1, event.shiftKey),
	ArrowRight: (event) => moveCursor(1, event.shiftKey),
	ArrowUp: () => moveLane(-1), ArrowDown: () => moveLane(1),
	Enter: selectCursor,
	Escape: () => {
		const hadCursor = cursor;
		cursor = null;
		if (!hadCursor && isSelecting())
			go({ range: null, tracks: null });
	},
};

function onStripKey(event) {
	if (!(event.key in STRIP_KEYS) || event.ctrlKey || event.altKey || event.metaKey)
		return;
	event.preventDefault();
	event.stopPropagation();
	STRIP_KEYS[event.key](event);
	drawSelection();
}

if (times) {
	commands.push({ label: "Timeline as a heat map", keys: ["H"], isOn: () => state.heat,
		run: () => go({ heat: !state.heat }) });
	on(strip, "pointerdown", onStripDown);
	on(strip, "pointermove", onStripMove);
	on(strip, "pointerup", onStripUp);
	on(strip, "pointercancel", () => drag = null);
	on(slider, "keydown", onStripKey);
}
