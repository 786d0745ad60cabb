// SPDX-License-Identifier: ISC
// The Chart view: x is time, and each thread has a lane with its stacks.

const chartLabels = make(graph, "g", { class: "fg-lanes" });
const chartRuler = make(banner, "g", { class: "fg-ruler", "aria-hidden": true });
const isChart = () => state.kind === "chart";

// Where the steps put the frames of the table: INTO is the frame that each became; PARENT and
// DEPTH belong to that frame.
function placeAll() {
	const { n, name } = allFrames, none = { n, name, into: newList(n).map((_, i) => i),
		parent: allFrames.parent, depth: allFrames.depth };
	return state.steps.reduce((at, step) => {
		const { into, up } = placeFrames(at, step), depth = newList(n);
		for (let i = 1; i < n; i++)
			depth[i] = depth[up[i]] + 1;
		return { n, name, parent: up, depth,
			into: Int32Array.from(at.into, (i) => i < 0 ? i : into[i]) };
	}, none);
}

// The selection's cells that survive the steps, sorted by track, then time, then stack.
function sortCells({ into }) {
	const { track, time, starts, tracks, frame } = times, list = [];
	eachCell(state.range, state.tracks, (k) =>
		starts[time[k]] >= 0 && into[frame[k]] !== LOST && list.push(k));
	return [[time, starts.length], [track, tracks.length]].reduce((cells, [key, kinds]) => {
		const at = newList(kinds + 1), sorted = newList(cells.length);
		for (const k of cells)
			at[key[k] + 1]++;
		for (let i = 0; i < kinds; i++)
			at[i + 1] += at[i];
		for (const k of cells)
			sorted[at[key[k]]++] = k;
		return sorted;
	}, list);
}

// Calls TAKE for each track and time with the range of its cells and their weight.
function eachTime(cells, take) {
	const { track, time, weights } = times;
	for (let from = 0, to = 0, sum; from < cells.length; from = to) {
		for (sum = 0; to < cells.length && track[cells[to]] === track[cells[from]] &&
			time[cells[to]] === time[cells[from]]; to++)
			sum += Number(weights[cells[to]]);
		take(from, to, sum);
	}
}

// The weight of a thread that runs during a whole interval: its length if weights are times,
// else the largest weight found.
function fullWeight(cells) {
	let most = 0;
	eachTime(cells, (from, to, sum) => most = max(most, sum));
	return unitFamily !== TIMES ? most : times.step * pow(10, meta.scale) / meta.factor /
		TIMES.find((u) => u[0] === unit)[1];
}

// An empty chart; frames are added at its end:
//	start, width	in s
//	lanes		the track and the first row of each lane
const newChart = () => ({ n: 1, rows: 1, split: 0, callers: 0, whole: 0, gone: state.gone,
	widths: state.widths, visited: new Map(), lanes: [], name: [GAP + 1], parent: [0],
	depth: [0], start: [0], width: [0], self: [[weight(0)]], total: [[weight(0)]] });

function addToChart(chart, name, parent, depth, start, width) {
	chart.name.push(name);
	chart.parent.push(parent);
	chart.depth.push(depth);
	chart.start.push(start);
	chart.width.push(width);
	chart.self[0].push(weight(0));
	chart.total[0].push(weight(0));
	chart.rows = max(chart.rows, depth + 1);
	return chart.n++;
}

// Adds a lane's stacks from row BASE on, one after the other. Frames shared with the previous
// stack continue. Gaps mark the times when a frame or lane has no child.
function newLane(chart, placed, base, origin) {
	const { name, parent, depth, into } = placed, near = times.step / 1e6, way = [];
	// by level: the open frame, and the earliest start of its next child
	const open = [], free = [origin];
	let reached = origin;
	return (frame, x, length, w) => {
		for (let i = into[frame]; i; i = parent[i])
			way[depth[i] - 1] = name[i];
		way.length = depth[into[frame]];
		let level = 0;
		if (abs(reached - x) < near)
			while (level < min(way.length, open.length) &&
				chart.name[open[level]] === way[level])
				level++;
		for (open.length = level; level < way.length; level++) {
			const up = level ? open[level - 1] : 0, gap = x - free[level];
			if (gap > near)
				addToChart(chart, GAP, up, base + level, free[level], gap);
			open[level] = addToChart(chart, way[level], up, base + level, x, 0);
			free[level + 1] = x;
		}
		reached = x + length;
		open.forEach((i, level) => {
			chart.width[i] = reached - chart.start[i];
			chart.total[0][i] += w;
			free[level] = reached;
		});
		chart.self[0][open[open.length - 1] || 0] += w;
		chart.total[0][0] += w;
	};
}

// Adds a lane of CELLS from FROM to UNTIL; BASE is its lowest row.
function addLane(chart, placed, cells, full, base, origin) {
	const { frame, time, starts, step, weights } = times;
	const add = newLane(chart, placed, base, origin);
	eachTime(cells, (from, to, sum) => {
		let x = starts[time[cells[from]]];
		for (let k = from; k < to; k++) {
			const length = step * Number(weights[cells[k]]) / max(full, sum);
			add(frame[cells[k]], x, length, weights[cells[k]]);
			x += length;
		}
	});
}

// The heaviest thread gets the top lane. Memory limits the number of lanes.
function makeChart() {
	const placed = placeAll(), cells = sortCells(placed);
	const full = fullWeight(cells), chart = newChart();
	const [from, to] = state.range || [times.from, times.to], parts = [];
	const { track, sums } = times;
	for (let k = 0, begin = 0; k < cells.length; k++)
		if (k + 1 === cells.length || track[cells[k + 1]] !== track[cells[k]]) {
			parts.push(cells.subarray(begin, k + 1));
			begin = k + 1;
		}
	parts.sort((a, b) => sums[track[b[0]]] - sums[track[a[0]]]);
	let room = MANY / 8, shown = 0;
	while (shown < parts.length && (!shown || room > parts[shown].length))
		room -= parts[shown++].length;
	const list = parts.slice(0, shown);
	for (const part of state.icicle ? list : list.reverse()) {
		const base = chart.rows + 1;
		chart.lanes.push({ track: track[part[0]], row: base - 1 });
		addLane(chart, placed, part, full, base, from);
	}
	chart.missing = parts.length - shown;
	return finishChart(chart, from, to - from);
}

function finishChart(chart, from, length) {
	const { n, parent } = chart, end = chart.end = newList(n);
	for (let i = n - 1; i >= 0; i--) {
		end[i] = max(end[i], i + 1);
		end[parent[i]] = max(end[parent[i]], end[i]);
	}
	chart.start[0] = from;
	chart.width[0] = chart.whole = length;
	chart.lead = new Float64Array(n);
	return chart;
}

let chartMade = {};

function chartView() {
	const key = JSON.stringify([state.range, state.tracks, state.icicle, state.steps.map(
		({ kind, re }) => kind + re)]);
	if (chartMade.key !== key)
		chartMade = { key, view: makeChart() };
	return chartMade.view;
}

const lengthText = (s) => s >= 1 ? `${s.toFixed(3)} s` : s >= 1e-3 ? `${(1e3 * s).toFixed(3)} ms` :
	`${(1e6 * s).toFixed(1)} us`;

// When frame I ran, for the details.
const describeTime = (i) => !isChart() ? [] :
	["start " + inSeconds(view.start[i]), "duration " + lengthText(view.width[i])];

function drawChart() {
	const lanes = isChart() && !state.zoom ? view.lanes : [];
	renderList(chartLabels, "text", lanes, (text, { track, row }) => {
		set(text, { class: "fg-hint", x: meta.pad[3],
			y: rowTop(row) + (meta.frameheight - 1) / 2 + 0.35 * em });
		write(text, fitWidth(trackText(track), inside()));
	});
	const { start, width } = view, z = state.zoom;
	drawTicks(chartRuler, isChart() ? listTicks(start[z], start[z] + width[z], meta.pad[3],
		inside()) : [], state.top - 4 - 0.2 * em);
}
