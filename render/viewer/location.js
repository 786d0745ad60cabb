// SPDX-License-Identifier: ISC
// What is seen, as the fragment of an address: the view, the names on the path to the
// zoomed frame, and the search. So links still work when the picture is made anew.

const RECURSION = ["none", "direct", "all", "tall"], ORDERS = ["name", "weight"];

function fragment() {
	const words = new URLSearchParams();
	const add = (key, value) => value && words.append(key, value);
	add("view", state.kind !== "flame" && state.kind);
	add("of", state.kind === "sandwich" && names.text[state.pivot]);
	add("sort", isTable() && sortOf() !== HABIT && state.sort);
	add("order", state.heavy !== null && ORDERS[Number(state.heavy)]);
	add("recursion", state.fold !== meta.fold && RECURSION[state.fold]);
	add("root", state.icicle !== meta.inverted && (state.icicle ? "top" : "bottom"));
	add("rows", state.allRows && "all");
	add("vanished", state.gone !== Boolean(meta.diff && meta.diff.gone) &&
		(state.gone ? "drawn" : "hidden"));
	add("widths", state.widths !== "after" && state.widths);
	add("path", pathOf(state.zoom).join(";"));
	add("range", state.span && state.span.map((part) => part.toFixed(9)).join("-"));
	for (const source of sources)
		source.save(add);
	return String(words).replace(/%3B/g, ";");
}

// The part of a frame that an address has.
function readSpan(text) {
	const [, from, to] = /^([\d.]+)-([\d.]+)$/.exec(text) || [];
	return validSpan([Number(from), Number(to)]);
}

// A part that can be shown; null for all.
function validSpan(span) {
	const [from, to] = span ? [max(span[0], 0), min(span[1], 1)] : [0, 1];
	return to - from >= 1e-9 && to - from < 1 - 1e-9 ? [from, to] : null;
}

// Shows what FRAGMENT says, or the nearest to it that exists.
function showFragment(fragment, needsFocus) {
	const words = new URLSearchParams(fragment.replace(/^#/, ""));
	const path = words.get("path");
	for (const source of sources)
		source.load(words);
	changeState({
		kind: words.get("view") || "flame",
		pivot: kin()[names.text.indexOf(words.get("of"))] ?? -1,
		span: readSpan(words.get("range")),
		sort: words.get("sort") || "",
		heavy: [false, true][ORDERS.indexOf(words.get("order"))] ?? null,
		fold: words.has("recursion") ? max(RECURSION.indexOf(words.get("recursion")), 0) :
			meta.fold,
		allRows: words.get("rows") === "all",
		gone: words.has("vanished") ? isDifference && words.get("vanished") === "drawn" :
			Boolean(meta.diff && meta.diff.gone),
		widths: (isDifference && WIDTHS.find((how) => how === words.get("widths"))) ||
			WIDTHS[0],
		icicle: words.has("root") ? words.get("root") === "top" : meta.inverted,
	}, path ? path.split(";") : [], needsFocus);
}

// Changes what is seen: CHANGE has fields of state, PATH leads to the zoomed frame in the
// new view.
function changeState(change, path, needsFocus) {
	const isSame = !change.kind || change.kind === state.kind;
	const chosenPath = isSame && isChosen() && pathOf(state.selected);
	Object.assign(state, change);
	if (!KINDS_OF_VIEW.includes(state.kind) || (state.kind === "sandwich" && state.pivot < 0))
		state.kind = "flame";
	last = state.widths === "before" ? 0 : meta.wide;
	view = viewOf(state, path);
	if (view.gone !== state.gone || view.widths !== state.widths)
		weigh(view);
	state.zoom = frameAt(path);
	state.selected = chosenPath ? frameAt(chosenPath) : -1;
	findFrames();
	draw(needsFocus);
}

// Makes CHANGE for the user, who can undo it, by the browser's Back where the page is ours.
// Another kind of view is seen whole, else the zoom stays. What is the SAME step as the last is
// undone with it.
function go(change, isSame) {
	const here = fragment(), path = "kind" in change ? [] : pathOf(state.zoom);
	if ("zoom" in change) {
		const { zoom } = change, span = validSpan(change.span);
		if ((zoom === state.zoom && String(span) === String(state.span)) ||
			(zoom && !view.width[zoom]))
			return;
		Object.assign(state, { zoom, span });
		layOut();
		redraw();
	} else {
		changeState({ span: "kind" in change ? null : state.span, ...change }, path, true);
	}
	if (!isSame)
		state.history.push(here);
	remember(isSame ? "replaceState" : "pushState", 0);
}

// In the table of functions there is nothing to zoom.
const goTo = (frame) => go(!isTable() ? { zoom: frame } :
	{ kind: "sandwich", pivot: view.name[frame] });

// Browsers take their time to write an address: it is kept after the next paint, and while
// the user types after a pause, ms.
const PAUSE = 150;
let toKeep = null;

function remember(how, delay) {
	if (toKeep && (how === "pushState" || toKeep.how === "pushState"))
		keepAddress();
	clearTimeout(toKeep && toKeep.timer);
	const kept = toKeep = { how, words: fragment(), fg: state.history.length, timer: 0 };
	const later = () => kept.timer = setTimeout(() => kept === toKeep && keepAddress(), delay);
	if (delay)
		later();
	else
		requestAnimationFrame(later);
}

// Keeps the address of what is seen. Sandboxes, among others, have no history.
function keepAddress() {
	if (!toKeep)
		return;
	const { how, words, fg, timer } = toKeep;
	clearTimeout(timer);
	toKeep = null;
	if (alone)
		try {
			history[how]({ fg }, "",
				words ? "#" + words : location.pathname + location.search);
		} catch (error) {
			state.noHistory = true;
		}
}

function goBack() {
	keepAddress();
	if (alone && !state.noHistory)
		history.back();
	else
		showFragment(state.history.pop());
}

// The fragment without what is not about the view and its zoom, and that.
function viewOfFragment(fragment) {
	const words = new URLSearchParams(fragment), path = words.get("path") || "";
	const span = readSpan(words.get("range"));
	for (const key of ["path", "range", "search", "case", "plain"])
		words.delete(key);
	return { view: String(words), path, span };
}

// Whether Escape leads anywhere.
function isInside() {
	return state.zoom > 0 || state.span !== null || state.kind !== "flame" ||
		state.steps.length > 0;
}

// To what was seen before the last zoom, step or view, but never further in: to the nearest
// frame around the zoomed one that the user came by, or the whole graph; then to the flame
// graph; then without the last step.
function goOut() {
	const here = viewOfFragment(fragment()), { history: past, span } = state;
	const isWider = (wide) => span && (!wide || wide[1] - wide[0] > span[1] - span[0]);
	const isAround = ({ view, path, span: wide }) => view === here.view &&
		(path === here.path ? isWider(wide) : !path || here.path.startsWith(path + ";"));
	const before = past.map(viewOfFragment), at = before.findLastIndex(isAround);
	const latest = before[past.length - 1];
	const isZoomed = state.zoom > 0 || span;
	if (isZoomed && at < 0)
		goTo(0);
	else if (isZoomed && at < past.length - 1)
		go({ zoom: frameAt(before[at].path.split(";")), span: before[at].span });
	else if (isZoomed || (latest && latest.view !== here.view && !latest.path))
		goBack();
	else if (state.kind !== "flame")
		go({ kind: "flame" });
	else
		go({ steps: state.steps.slice(0, -1) });
}

// Back or Forward, or an address typed by the user.
function onPopState() {
	toKeep = null;
	state.history.length = min((history.state || { fg: 0 }).fg, state.history.length);
	showFragment(location.hash);
}
