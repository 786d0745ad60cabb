// SPDX-License-Identifier: ISC
// Differences: what is new, gone, or more than chance.

const isDifference = Boolean(meta.diff && !meta.diff.ratio);

// The frames of the table that were found to have changed by more than chance when the
// picture was drawn; null where nothing could be tested.
function decodeMarks() {
	const marks = new Uint8Array(table.n);
	const { read, hasMore } = reader(texts("fg-marks").join(""));
	for (let i = 0; hasMore() && i < table.n;) {
		i += read(Number);
		marks[i] = 1;
	}
	return marks;
}

const marks = isDifference && meta.diff.z > 0 ? decodeMarks() : null;

const isNew = (i) => isDifference && !view.total[0][i] && view.total[1][i] > 0;
const isGone = (i) => isDifference && view.total[0][i] > 0 && !view.total[1][i];

// Frames that were put together in the page are tested here: two shares, pooled, with
// Yates' correction, held to what the tests of the table's frames came to.
function isSure(i) {
	if (!marks || view === table)
		return !marks || marks[i] === 1;
	const { samples, ofadds, z, self } = meta.diff, all = meta.diff.of;
	const by = self && hasSelf(i) && !isNew(i) && !isGone(i) ? view.self : view.total;
	const [a, b] = by.map((weights, k) => {
		const n = round(Number(weights[i]) * samples[k] / Number(meta.sum[k]));
		return { n, out: round(ofadds ? n + all[k] : all[k]) };
	});
	const share = (a.n + b.n) / (a.out + b.out), both = 1 / a.out + 1 / b.out;
	const far = abs(b.n / b.out - a.n / a.out) - both / 2;
	return share > 0 && share < 1 && far >= z * sqrt(share * (1 - share) * both);
}

const KEEP = 8;

// The colour of a frame of two columns, whose index counts up from much less over none,
// which is KEEP, to much more.
function changeColor(i) {
	const { diff } = meta, sure = isSure(i);
	if (isGone(i))
		return sure ? diff.gonecolor : diff.gonegrey;
	if (!sure)
		return diff.colors[KEEP];
	if (isNew(i))
		return diff.newcolor;
	const by = diff.self && hasSelf(i) ? view.self : view.total, most = Number(diff.max[0]);
	const times = last ? 1 : Number(meta.sum[0]) / Number(meta.sum[1]);
	const change = (Number(by[last][i]) - round(Number(by[1 - last][i]) * times)) *
		(diff.negate ? -1 : 1);
	const steps = most ? min(round(KEEP * abs(change) / most), KEEP) : 0;
	return diff.colors[change < 0 ? KEEP - steps : KEEP + steps];
}

offer({ label: "Vanished stacks at their width before", keys: ["g"], isOn: () => state.gone,
	isThere: () => isDifference && Number(meta.diff.vanished) > 0,
	run: () => go({ gone: !state.gone }) });
