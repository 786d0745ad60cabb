// SPDX-License-Identifier: ISC
// When and in which thread stacks ran: the table's times, and the stage that applies the
// selection of times and threads.

// The times of the table (svg-data.h); null if there are none:
//	tracks, sums	the values of each track, a list, and the track's weight
//	starts, step	in s: where each time begins (NaN: not known), and how long it is
//	from, to	the first start, and the end of the last time
//	n		the number of cells; of each:
//	frame, track, time, weights
function decodeTimes() {
	const lines = timeText.split("\n"), cells = lines.pop(), { read } = reader(lines[1]);
	const many = read(Number), unit = (read(Number), read(weight));
	let before = "";
	const values = lines.slice(2).map((line, i) => {
		const { read, rest } = reader(line), shared = read(Number);
		return before = (i === many ? "" : before).slice(0, shared) + unescape(rest());
	});
	const starts = Float64Array.from(values.slice(many), parseFloat);
	const known = starts.filter((start) => start >= 0);
	const step = findStep(known);
	return { ...decodeCells(cells, starts.length, unit, many), starts, step,
		tracks: values.slice(0, many).map((s) => s.split(";").slice(0, -1)),
		from: known[0] || 0, to: (known[known.length - 1] || 0) + step };
}

// The distance of times: the shortest one if all are its multiples, else the median.
function findStep(starts) {
	const gaps = Array.from(starts.subarray(1), (start, i) => start - starts[i])
		.sort((a, b) => a - b);
	const least = gaps[0], middle = gaps[gaps.length >> 1];
	const isEven = gaps.every((gap) => abs(gap / least - round(gap / least)) < 0.01);
	return (isEven ? least : middle) || 1;
}

function decodeCells(text, count, unit, many) {
	const { read, hasMore } = reader(text), room = text.length, self = allFrames.raw[0];
	const frame = newList(room), track = newList(room), time = newList(room);
	const weights = new Weights(room), sums = new Float64Array(many);
	let n = 0;
	for (let i = 0; i < allFrames.n && hasMore(); i++) {
		let left = self[i];
		if (!left)
			continue;
		for (let more = read(Number), slot = -1; more >= 0; more--, n++) {
			slot += 1 + read(Number);
			frame[n] = i;
			track[n] = slot / count;
			time[n] = slot % count;
			weights[n] = more ? read(weight) * unit : left;
			left -= weights[n];
			sums[track[n]] += Number(weights[n]);
		}
	}
	return { n, sums, frame: frame.slice(0, n), track: track.slice(0, n),
		time: time.slice(0, n), weights: weights.slice(0, n) };
}

const times = timeText ? decodeTimes() : null;

// Starts are decimal fractions.
const isInRange = (start, [from, to]) =>
	start > from - times.step / 1000 && start < to - times.step / 1000;

// Calls TAKE with each cell of the selected tracks in RANGE, null for all times.
function eachCell(range, tracks, take) {
	const { n, track, time, starts } = times;
	const isTrack = new Uint8Array(times.tracks.length).fill(!tracks);
	const isTime = Uint8Array.from(starts, (start) => !range || isInRange(start, range));
	for (const t of tracks || [])
		isTrack[t] = 1;
	for (let k = 0; k < n; k++)
		if (isTrack[track[k]] && isTime[time[k]])
			take(k);
}

// The self weights of VIEW, all frames, in a selection.
function weighCells(view, range, tracks) {
	const { frame, weights } = times, own = new Weights(view.n);
	eachCell(range, tracks, (k) => own[frame[k]] += weights[k]);
	return own;
}

// VIEW, all frames, with the weights of a selection.
function weighSelection(view, range, tracks) {
	const { n, name, depth } = view, kept = { ...view, visited: new Map(), functions: null,
		self: [weighCells(view, range, tracks)], total: [new Weights(n)] };
	completeView(kept);
	// only the rows that still have weight
	kept.rows = 1;
	for (let i = 1; i < n; i++)
		if (kept.width[i] && depth[i] >= kept.rows && name[i] !== GAP)
			kept.rows = depth[i] + 1;
	return kept;
}

const isSelecting = () => times && (state.range || state.tracks);

stages.unshift({
	key: () => isSelecting() ? JSON.stringify([state.range, state.tracks]) : "",
	make: (view) => weighSelection(view, state.range, state.tracks),
});

// ---- The selection in words, as fg-filter options and in the URL ----

const inSeconds = (s) => Number(s.toFixed(9)) + "s";
const rangeText = ([from, to]) => inSeconds(from) + ".." + inSeconds(to);
const trackText = (t) => times.tracks[t].join(" ") || "all";

// The dimensions of tracks.
const TRACKS = ["pid", "tid", "cpu"];
const trackKeys = (meta.by || "").split(",").map(decodeURIComponent)
	.filter((name) => TRACKS.includes(name));

// Tuples of several dimensions cannot be selected by one dimension at a time.
function tracksOption(tracks) {
	return trackKeys.length > 1 && tracks.length > 1 ? "" : tracks.flatMap((t) =>
		times.tracks[t].map((value, d) => "--where " + quote(trackKeys[d] + "=" + value)))
		.join(" ");
}

function timeChips() {
	const { range, tracks } = state, list = [];
	if (tracks)
		list.push({ label: tracks.length === 1 ? trackText(tracks[0]) :
			tracks.length + " of " + times.tracks.length + " tracks",
		remove: () => go({ tracks: null }), option: tracksOption(tracks) });
	if (range)
		list.push({ label: rangeText(range), remove: () => go({ range: null }),
			option: "--where time=" + rangeText(range) });
	return list;
}

function saveTimes(add) {
	add("timeline", state.heat && "heat");
	add("time", state.range && rangeText(state.range));
	for (const t of state.tracks || [])
		add("track", times.tracks[t].join(";"));
}

// Ignores values that the picture does not have.
function loadTimes(words) {
	const range = (words.get("time") || "").split("..").map(parseFloat);
	const all = times.tracks.map((values) => values.join(";"));
	const tracks = words.getAll("track").map((text) => all.indexOf(text)).filter((t) => t >= 0);
	state.heat = words.get("timeline") === "heat";
	state.range = range[0] < range[1] ? range : null;
	state.tracks = tracks.length ? tracks : null;
}

if (times)
	sources.unshift({ chips: timeChips, save: saveTimes, load: loadTimes });
