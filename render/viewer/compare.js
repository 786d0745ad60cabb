// SPDX-License-Identifier: ISC
// Compares two selections of times and threads: the kept one and the current one.

// A function changed if its samples differ by more than two runs of one program would. The test
// is fg-diff's for one run a side (significance.h): selections are scaled by the ratio that
// most self weights agree on; besides the sampling error, samples vary by a quarter, which
// gives a t-test with 8 degrees of freedom. The p-values are adjusted over all functions with a
// share of LEAST and SAMPLES (Benjamini and Hochberg).
const SPREAD = 0.25, LEAST = 0.01, SAMPLES = 5, ALPHA = 0.05;
// Only self weights of this many samples determine the ratio of the selections; the second
// limit applies if fewer than FEWEST reach the first.
const WITNESS = [20, 5], FEWEST = 3;

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const selection = () => ({ range: state.range, tracks: state.tracks });
const isComparing = () => state.kept !== null && !isSame(state.kept, selection());

// The two-sided p-value of T with 8 degrees of freedom.
function tails(t) {
	const sine = t / sqrt(8 + t * t), c = 1 - sine * sine;
	return 1 - sine * (1 + c / 2 + 3 * c * c / 8 + 5 * c * c * c / 16);
}

// The ratio of the second selection to the first: the weighted median over LIST, pairs of
// counts. Weights are capped at the upper quartile. 0 for fewer than MANY pairs.
function steadyRatio(list, many) {
	const means = list.map(([a, b]) => (a + b) / 2).sort((a, b) => a - b);
	const most = means[floor((list.length - 1) * 3 / 4)];
	const ratios = list.map(([a, b]) => ({ ratio: (b + 0.5) / (a + 0.5),
		weight: min((a + b) / 2, most) })).sort((a, b) => a.ratio - b.ratio);
	let left = ratios.reduce((sum, { weight }) => sum + weight, 0) / 2;
	const at = ratios.findIndex(({ weight }) => (left -= weight) <= 0);
	return list.length < many ? 0 : left ? ratios[at].ratio :
		sqrt(ratios[at].ratio * ratios[at + 1].ratio);
}

// The p-value of two sample counts; the second selection is RATIO times as large.
function test(counts, ratio) {
	const e0 = 2 / (1 + ratio), e1 = ratio * e0;
	const mean = (counts[0] + counts[1]) / 2, vary = mean + pow(SPREAD * mean, 2);
	return tails(abs(counts[1] / e1 - counts[0] / e0) / sqrt(vary * (1 / e0 + 1 / e1)));
}

// The largest p-value of LIST that is significant.
function findLimit(list) {
	return list.sort((a, b) => a - b).reduce((limit, p, i) =>
		p <= ALPHA * (i + 1) / list.length ? p : limit, -1);
}

// For "total" and "self": by function (name + 1), the shares and the p-value.
function compareFunctions() {
	const { range, tracks } = state.kept, [, ...rest] = stages;
	const kept = rest.reduce((view, stage) => stage.key() ? stage.make(view) : view,
		weighSelection(allFrames, range, tracks));
	const sides = [listFunctions(kept), functions()];
	const sums = sides.map((side) => Number(side.total[0][0]) || 1);
	const each = meta.samples / Number(meta.sum[0]);
	const all = ["total", "self"].flatMap((kind) => Array.from(newList(GAP + 1), (_, i) => {
		const weights = sides.map((side) => Number(side[kind][0][i]));
		const shares = weights.map((w, c) => w / sums[c]);
		const counts = weights.map((w) => w * each), mean = (counts[0] + counts[1]) / 2;
		return { shares, counts, mean, p: 2,
			isSelf: i && kind === "self" && min(...counts) > 0,
			isTested: i && max(...shares) >= LEAST && mean >= SAMPLES };
	}));
	const testBy = (ratio) => {
		const list = all.filter(({ isTested }) => isTested);
		for (const one of list)
			one.p = test(one.counts, ratio);
		const limit = findLimit(list.map(({ p }) => p));
		for (const one of all) {
			one.by = one.counts[1] / ratio - one.counts[0];
			one.isSure = one.p <= limit;
		}
	};
	const witnesses = (least) => all.filter(({ isSelf, isSure, mean }) =>
		isSelf && !isSure && mean >= least).map(({ counts }) => counts);
	const agreed = (many) => WITNESS.reduce((ratio, least) =>
		ratio || steadyRatio(witnesses(least), many), 0);
	const first = agreed(FEWEST);
	testBy(first || sums[1] / sums[0]);
	// the second round uses only unchanged functions
	if (first)
		testBy(agreed(1) || first);
	const most = max(...all.map(({ by, isTested }) => isTested ? abs(by) : 0));
	return { all, most };
}

let comparison = {};

// How the function of frame I changed; null without a comparison.
function changeOf(i) {
	const id = view.name[i];
	if (!isComparing() || id >= GAP)
		return null;
	if (comparison.base !== base || comparison.kept !== state.kept)
		comparison = { base, kept: state.kept, found: compareFunctions() };
	const { all, most } = comparison.found;
	const { shares, isSure, by } = all[kin()[id] + 1 + (isUp() ? GAP + 1 : 0)];
	return { shares, isSure, part: by / (most || 1) };
}

function comparedColor(i) {
	const change = changeOf(i);
	return meta.change.colors[KEEP +
		(change && change.isSure ? round(KEEP * change.part) : 0)];
}

function describeCompared(i) {
	const change = changeOf(i);
	const shares = change && change.shares.map((s) => share(s, 1)).join(" \u2192 ");
	return change ? [shares + (change.isSure ? "" : ", not significant")] : [];
}

// Keeps the current selection, or forgets the kept one.
function keepSelection() {
	go({ kept: state.kept ? null : selection() });
	if (state.kept)
		announce("Kept: select other times or threads to compare them with it");
}

const keptText = ({ range, tracks }) => [range && rangeText(range), tracks &&
	tracks.map(trackText).join(", ")].filter((s) => s).join(", ") || "all";

if (times) {
	commands.push({ label: "Keep selection to compare", keys: ["="], isOn: () => state.kept,
		run: keepSelection });
	sources.push({
		chips: () => state.kept ? [{ label: "against " + keptText(state.kept), option: "",
			remove: keepSelection }] : [],
		save: (add) => add("against", state.kept && JSON.stringify(state.kept)),
		load: (words) => state.kept = readKept(words.get("against")),
	});
}

// Parses the kept selection of a URL; null if malformed.
function readKept(text) {
	try {
		const { range, tracks } = JSON.parse(text);
		const isList = (list, test) => list === null ||
			(Array.isArray(list) && list.every(test));
		return isList(range, isFinite) && isList(tracks, (t) => times.tracks[t]) ?
			{ range, tracks } : null;
	} catch (error) {
		return null;
	}
}
