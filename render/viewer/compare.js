// SPDX-License-Identifier: ISC
// Two selections of times and threads compared: one that was kept, and the one that is seen.

// A function changed where its share of one selection and that of the other differ by more than
// two draws from one program do, as fg-diff tests one run a side (significance.h): samples vary
// by a quarter besides the sampling error, which is a t-test with 8 degrees of freedom. The
// p-values are adjusted for all functions with a share of LEAST and SAMPLES (Benjamini and
// Hochberg).
const SPREAD = 0.25, LEAST = 0.01, SAMPLES = 5, ALPHA = 0.05;

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const selection = () => ({ range: state.range, tracks: state.tracks });
const isComparing = () => state.kept !== null && !isSame(state.kept, selection());

// The chance that |t| is as large or larger.
function tails(t) {
	const sine = t / sqrt(8 + t * t), c = 1 - sine * sine;
	return 1 - sine * (1 + c / 2 + 3 * c * c / 8 + 5 * c * c * c / 16);
}

// The p-value of two counts of samples out of SIZES.
function test(counts, sizes) {
	const all = sizes[0] + sizes[1], [e0, e1] = sizes.map((n) => 2 * n / all);
	const mean = (counts[0] + counts[1]) / 2, vary = mean + pow(SPREAD * mean, 2);
	return tails(abs(counts[1] / e1 - counts[0] / e0) / sqrt(vary * (1 / e0 + 1 / e1)));
}

// The largest p-value of LIST that is significant.
function findLimit(list) {
	return list.sort((a, b) => a - b).reduce((limit, p, i) =>
		p <= ALPHA * (i + 1) / list.length ? p : limit, -1);
}

// Of "total" and "self": by function, one more than its name, the shares and the p-value.
function compareFunctions() {
	const { range, tracks } = state.kept, [, ...rest] = stages;
	const kept = rest.reduce((view, stage) => stage.key() ? stage.make(view) : view,
		weighSelection(allFrames, range, tracks));
	const sides = [listFunctions(kept), functions()];
	const sums = sides.map((side) => Number(side.total[0][0]) || 1);
	const sizes = sums.map((sum) => sum * meta.samples / Number(meta.sum[0]));
	const found = { most: 0 }, list = [];
	for (const kind of ["total", "self"])
		found[kind] = Array.from(newList(GAP + 1), (_, i) => {
			const shares = sides.map((side, c) => Number(side[kind][0][i]) / sums[c]);
			const counts = shares.map((share, c) => share * sizes[c]);
			const isTested = i && max(...shares) >= LEAST &&
				counts[0] + counts[1] >= 2 * SAMPLES;
			const p = isTested ? test(counts, sizes) : 2;
			if (isTested)
				list.push(p);
			found.most = max(found.most, i && abs(shares[1] - shares[0]));
			return { shares, p };
		});
	return Object.assign(found, { limit: findLimit(list) });
}

let comparison = {};

// How function of frame I changed; null where nothing is compared.
function changeOf(i) {
	const id = view.name[i];
	if (!isComparing() || id >= GAP)
		return null;
	if (comparison.base !== base || comparison.kept !== state.kept)
		comparison = { base, kept: state.kept, found: compareFunctions() };
	const { found } = comparison, kind = isUp() ? "self" : "total";
	const { shares, p } = found[kind][kin()[id] + 1];
	return { shares, isSure: p <= found.limit, part: (shares[1] - shares[0]) / found.most };
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

// Keeps the selection, or forgets what was kept.
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
		load: (words) => state.kept = takeKept(words.get("against")),
	});
}

// What an address says was kept; null for anything else.
function takeKept(text) {
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
