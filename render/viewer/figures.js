// SPDX-License-Identifier: ISC
// Weights, shares and changes in words.

const TIMES = [["ns", 1e-9], ["us", 1e-6], ["ms", 1e-3], ["s", 1]];
const BYTES = [["bytes", 1], ["KiB", 1024], ["MiB", 1048576], ["GiB", 1073741824]];
const unit = meta.countname;

// "1234567.50" as "1,234,567.5".
function group(s) {
	const parts = s.split(".");
	const rest = (parts[1] || "").replace(/0+$/, "");
	return parts[0].replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? "." + rest : "");
}

const magnitude = (w) => w < 0 ? -w : w;

// A weight in its own unit.
function plain(w) {
	const sign = w < 0 ? "\u2212" : "";
	if (meta.factor !== 1)
		return sign + group(abs(toUnits(w)).toFixed(2));
	const s = String(magnitude(w)).padStart(meta.scale + 1, "0");
	return sign + group(s.slice(0, s.length - meta.scale) + "." +
		s.slice(s.length - meta.scale));
}

const toUnits = (w) => Number(w) / pow(10, meta.scale) * meta.factor;

const kin = [TIMES, BYTES].find((units) => units.some((u) => u[0] === unit));

const counted = (n, noun) => n + " " +
	(n === "1" ? noun.replace(/^(sample|unit|byte|cycle|instruction|object)s$/, "$1") : noun);

// A weight for people: in the unit that suits its size where there are several,
// else with its unit, unless it is BARE.
function human(w, bare) {
	if (!kin)
		return bare ? plain(w) : counted(plain(w), unit);
	let value = toUnits(magnitude(w)) * kin.find((u) => u[0] === unit)[1];
	const fits = kin.filter((u) => value >= u[1]).pop() || kin[0];
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

// How far off the share of all may be since only samples were taken: 95 % of such
// shares are within it, in percentage points. What is seen in few samples says little.
function sampling(part) {
	const p = min(Number(part) / wholes[0], 1), n = max(round(p * meta.samples), 1);
	const far = (196 * sqrt(p * (1 - p) / meta.samples)).toFixed(2);
	return !meta.samples || !p ? [] :
		[n < 10 ? `only ${n} sample${n > 1 ? "s" : ""}: may be chance` :
			`\u00b1 ${far} by sampling (95 % sure)`];
}

// Two weights, the change, and how many times as much it is.
function change([before, after]) {
	const difference = after - before, times = Number(after) / Number(before);
	const ratio = !before ? "new" : !after ? "gone" :
		"\u00d7 " + (times < 10 ? times.toFixed(2) : group(times.toFixed(1)));
	const sign = difference > 0 ? "+" : "";
	return human(before, true) + " \u2192 " + human(after) +
		(difference ? ` (${sign}${human(difference, true)}, ${ratio})` : " (no change)");
}

// What the weights of frame I are of: its own total; bottom-up the self weight of the
// function at the root of its callers; in a sandwich calls of and by the function.
function roleOf(i) {
	let about = view.split ? 0 : i;
	while (isUp() && view.depth[about] > 1)
		about = view.parent[about];
	const name = fit(bare(nameOf(about)), 40), isPart = !hasSelf(i) && about !== i;
	const wholes = [];
	if (state.zoom && isWithin(i, state.zoom))
		wholes.push([state.zoom, "the zoomed"]);
	if (about !== i && (about !== state.zoom || !about))
		wholes.push([about, isPart ? "it" : name]);
	return {
		word: ["total", "self"][isUp() && i ? 1 : 0] + (isPart ? " of " + name : ""),
		shares: (column) => wholes.map(([z, what]) =>
			share(view.total[column][i], view.total[column][z]) + " of " + what),
		self: (text) => hasSelf(i) ? ["self " + text] : [],
	};
}

function figures(i) {
	const total = view.total[0][i], self = view.self[0][i], role = roleOf(i);
	const isAll = !i && !view.split;
	return [role.word + " " + amount(weight(isAll ? meta.total[0] : total)),
		isAll ? share(1, 1) + " of all" :
			share(total, wholes[0]) + " of all", ...isAll ? [] : sampling(total),
		...role.shares(0), ...role.self(amount(self) + ", " + share(self, wholes[0]))];
}

// Of a ratio: both columns, and how much of the first comes to one of the second.
function ratios(i) {
	const kinds = meta.diff.ratio, at = view.total.map((column) => column[i]);
	const per = ([a, b]) => (Number(a) / Number(b)).toFixed(2), { word } = roleOf(i);
	return (word === "total" ? [] : [word]).concat(
		at.map((w, n) => `${plain(w)} ${kinds[n]}, ${share(w, wholes[n])}`),
		`${per(at)} ${kinds.join(" / ")} (${per(meta.sum)} in all)`);
}

function differences(i) {
	const at = (columns) => columns.map((column) => column[i]), role = roleOf(i);
	const shares = at(view.total).map((total, column) => share(total, wholes[column]));
	const isDifferent = (i || view.split) && view.total[0][i] !== view.total[1][i];
	return [role.word + " " + change(at(view.total)), shares.join(" \u2192 ") + " of all",
		...role.shares(last), ...role.self(change(at(view.self))),
		...isDifferent && !isSure(i) ? ["may be chance"] : []];
}

// What the function of frame I is at all its places, when it has several.
function everywhere(i) {
	const id = view.name[i], places = id > GAP ? 0 : functions().places[id + 1];
	const all = (whole, c) => share(functions().total[c][id + 1], whole);
	return places > 1 ? [`at its ${group(String(places))} places together ` +
		wholes.map(all).join(" \u2192 ")] : [];
}

// The frames of a strip, which are neighbours: how many, how much, the largest.
function describeStrip(box) {
	let n = 0, sum = 0, widest = box.frame;
	for (let i = box.frame; i < box.until; i = view.end[i]) {
		if (view.width[i] > view.width[widest])
			widest = i;
		sum += view.width[i];
		n++;
	}
	return { n, sum, widest };
}
