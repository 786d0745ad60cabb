// SPDX-License-Identifier: ISC
// Names, weights, shares and changes as text.

const ANNOTATIONS = { i: "inlined", j: "JIT", k: "kernel", w: "waker" };
const ANNOTATED = /_\[([kwij])\]$/;
const bare = (name) => name.replace(ANNOTATED, "");
const spell = (name) => name.replace(ANNOTATED, (_, letter) => ` (${ANNOTATIONS[letter]})`);


const TIMES = [["ns", 1e-9], ["us", 1e-6], ["ms", 1e-3], ["s", 1]];
const BYTES = [["bytes", 1], ["KiB", 1024], ["MiB", 1048576], ["GiB", 1073741824]];
const unit = meta.countname;

// Formats "1234567.50" as "1,234,567.5".
function group(s) {
	const parts = s.split(".");
	const rest = (parts[1] || "").replace(/0+$/, "");
	return parts[0].replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? "." + rest : "");
}

const magnitude = (w) => w < 0 ? -w : w;

// Formats a weight in its own unit.
function plain(w) {
	const sign = w < 0 ? "\u2212" : "";
	if (meta.factor !== 1)
		return sign + group(abs(toUnits(w)).toFixed(2));
	const s = String(magnitude(w)).padStart(meta.scale + 1, "0");
	return sign + group(s.slice(0, s.length - meta.scale) + "." +
		s.slice(s.length - meta.scale));
}

// As plain(), with three decimals, or three digits below 1.
function rounded(w) {
	const value = abs(toUnits(w));
	return meta.scale < 4 || meta.factor !== 1 || !value ? plain(w) :
		(w < 0 ? "\u2212" : "") +
		group(value.toFixed(min(max(2 - floor(log10(value)), 3), meta.scale)));
}

const toUnits = (w) => Number(w) / pow(10, meta.scale) * meta.factor;

const unitFamily = [TIMES, BYTES].find((units) => units.some((u) => u[0] === unit));

const counted = (n, noun) => n + " " +
	(n === "1" ? noun.replace(/^(sample|unit|byte|cycle|instruction|object)s$/, "$1") : noun);

// Formats a weight in the unit that suits its size, if there are several, else in its own unit,
// which ISBARE leaves out.
function human(w, isBare) {
	if (!unitFamily)
		return isBare ? rounded(w) : counted(rounded(w), unit);
	let value = toUnits(magnitude(w)) * unitFamily.find((u) => u[0] === unit)[1];
	const fits = unitFamily.filter((u) => value >= u[1]).pop() || unitFamily[0];
	value /= fits[1];
	const digits = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
	return (w < 0 ? "\u2212" : "") + counted(group(value.toFixed(digits)), fits[0]);
}

function amount(w) {
	const long = counted(plain(w), unit), short = human(w);
	return short === long ? short : short + " (" + long + ")";
}

function share(part, whole) {
	const percent = whole ? 100 * Number(part) / Number(whole) : 0;
	const isTiny = percent && percent < 0.01;
	return (isTiny ? percent.toPrecision(2) : percent.toFixed(2)) + " %";
}

// The 95 % confidence interval of a share, in percentage points; a warning below 10
// samples.
function sampling(part) {
	const p = min(Number(part) / wholes[0], 1), n = max(round(p * samples), 1);
	const far = (196 * sqrt(p * (1 - p) / samples)).toFixed(2);
	return !samples || !p ? [] :
		[n < 10 ? `only ${n} sample${n > 1 ? "s" : ""}: unreliable` :
			`\u00b1 ${far} points (95 % confidence)`];
}

function change([before, after]) {
	const difference = after - before, times = Number(after) / Number(before);
	const ratio = !before ? "new" : !after ? "gone" :
		"\u00d7 " + (times < 10 ? times.toFixed(2) : group(times.toFixed(1)));
	const sign = difference > 0 ? "+" : "";
	return human(before, true) + " \u2192 " + human(after) +
		(difference ? ` (${sign}${human(difference, true)}, ${ratio})` : " (no change)");
}

// The meaning of frame I's weights: its own total; bottom-up, a part of the root function's
// self weight; in a sandwich, a part of its function's total.
function roleOf(i) {
	let about = view.split ? 0 : i;
	while (isUp() && view.depth[about] > 1)
		about = view.parent[about];
	const name = fit(bare(nameOf(about)), 40), isPart = !hasSelf(i) && about !== i;
	const wholes = [];
	if (state.zoom && isWithin(i, state.zoom))
		wholes.push([state.zoom, "zoomed frame"]);
	if (about !== i && (about !== state.zoom || !about))
		wholes.push([about, isPart ? "it" : name]);
	return {
		word: ["total", "self"][isUp() && i ? 1 : 0] + (isPart ? " of " + name : ""),
		shares: (column) => wholes.map(([z, what]) =>
			share(view.total[column][i], view.total[column][z]) + " of " + what),
		self: (text) => hasSelf(i) ? ["self " + text] : [],
	};
}

function describeWeights(i) {
	const total = view.total[0][i], self = view.self[0][i], role = roleOf(i);
	const isAll = !i && !view.split, isWhole = isAll && base === allFrames;
	return [role.word + " " + amount(weight(isWhole ? meta.total[0] : total)),
		isAll ? share(1, 1) + " of all" :
			share(total, wholes[0]) + " of all", ...isAll ? [] : sampling(total),
		...role.shares(0), ...role.self(amount(self) + ", " + share(self, wholes[0]))];
}

// Describes a ratio: both columns, and the first divided by the second.
function describeRatio(i) {
	const kinds = meta.diff.ratio, at = view.total.map((column) => column[i]);
	const per = ([a, b]) => (Number(a) / Number(b)).toFixed(2), { word } = roleOf(i);
	return (word === "total" ? [] : [word]).concat(
		at.map((w, n) => `${plain(w)} ${kinds[n]}, ${share(w, wholes[n])}`),
		`${per(at)} ${kinds.join(" / ")} (${per(meta.sum)} in all)`);
}

function describeChange(i) {
	const at = (columns) => columns.map((column) => column[i]), role = roleOf(i);
	const shares = at(view.total).map((total, column) => share(total, wholes[column]));
	const selves = at(view.self);
	const isDifferent = (i || view.split) && view.total[0][i] !== view.total[1][i];
	return [...!i && !view.split ? verdict : [], role.word + " " + change(at(view.total)),
		shares.join(" \u2192 ") + " of all",
		...role.shares(last), ...selves.some(Number) ? role.self(change(selves)) : [],
		...isDifferent && !isSure(i) ? ["not significant"] : []];
}

// The share of all call sites of frame I's function, if there are several.
function describeCallSites(i) {
	const id = i || view.split ? kin()[view.name[i]] : GAP;
	const callSites = id === GAP ? 0 : functions().callSites[id + 1];
	const all = (whole, c) => share(functions().total[c][id + 1], whole);
	return callSites > 1 ? [`all ${group(String(callSites))} call sites: ` +
		wholes.map(all).join(" \u2192 ")] : [];
}

// The neighbouring frames of a strip: their number, weight and largest frame.
function describeStrip(box) {
	const weights = weightsAt(box.right);
	let n = 0, sum = 0, widest = box.frame;
	for (let i = box.frame; i < box.until; i = view.end[i]) {
		if (weights[i] > weights[widest])
			widest = i;
		sum += weights[i];
		n++;
	}
	return { n, sum, widest };
}


const isDifference = Boolean(meta.diff && !meta.diff.ratio);

// The frames of the table with significant changes, as of when the picture was drawn; null if
// nothing could be tested.
function decodeMarks() {
	const marks = new Uint8Array(allFrames.n);
	const { read, hasMore } = reader(texts("fg-marks").join(""));
	for (let i = 0; hasMore() && i < allFrames.n;) {
		i += read(Number);
		marks[i] = 1;
	}
	return marks;
}

const marks = isDifference && meta.diff.t > 0 ? decodeMarks() : null;

// The dispersions of functions whose total or self weight changed; for inlined copies the
// largest.
const dispersions = once(() => [meta.diff.totals, meta.diff.selves].map((list) => {
	const phi = new Map();
	for (let k = 0; k < list.length; k += 2)
		phi.set(kin()[list[k]], max(list[k + 1], phi.get(kin()[list[k]]) || 0));
	return phi;
}));

const isNew = (i) => isDifference && !view.total[0][i] && view.total[1][i] > 0;
const isGone = (i) => isDifference && view.total[0][i] > 0 && !view.total[1][i];

// Frames merged by the viewer are tested here, as parts of their function's total or self
// weight: that must have changed significantly, and the frame by more than chance. BY selects
// "self" or "total" where both are shown.
function isSure(i, by) {
	if (!marks || view === allFrames || (!i && !view.split))
		return !marks || marks[i] === 1;
	const { samples, size, t, self } = meta.diff;
	let about = isCaller(i) ? 0 : i;
	while (isUp() && view.depth[about] > 1)
		about = view.parent[about];
	const bySelf = by ? by === "self" :
		isUp() || (self && hasSelf(i) && !isNew(i) && !isGone(i));
	const id = kin()[view.name[about]], phi = dispersions()[Number(bySelf)].get(id);
	if (!phi)
		return false;
	const rates = (columns, at) => columns.map((weights, k) =>
		Number(weights[at]) * samples[k] / Number(meta.sum[k]) / size[k]);
	const mean = ([a, b]) => (a * size[0] + b * size[1]) / (size[0] + size[1]);
	const part = rates(bySelf && !isUp() ? view.self : view.total, i);
	const whole = mean(rates(functions()[bySelf ? "self" : "total"], id + 1));
	const varies = 1 + (phi - 1) * mean(part) / whole;
	const error = sqrt(varies * mean(part) * (1 / size[0] + 1 / size[1]));
	return error > 0 && abs(part[1] - part[0]) >= t * error;
}

const KEEP = 8;

// The colour of a frame of two columns. The index runs from a large decrease over no change,
// KEEP, to a large increase.
function changeColor(i) {
	const { diff } = meta, sure = isSure(i);
	if (isGone(i))
		return sure ? diff.gonecolor : diff.gonegrey;
	if (!sure)
		return diff.colors[KEEP];
	if (isNew(i))
		return diff.newcolor;
	const by = diff.self && hasSelf(i) ? view.self : view.total, most = Number(diff.max[0]);
	const times = meta.wide ? 1 : Number(meta.sum[0]) / Number(meta.sum[1]);
	const change = (Number(by[meta.wide][i]) - round(Number(by[1 - meta.wide][i]) * times)) *
		(diff.negate ? -1 : 1);
	const steps = most ? min(round(KEEP * abs(change) / most), KEEP) : 0;
	return diff.colors[change < 0 ? KEEP - steps : KEEP + steps];
}
