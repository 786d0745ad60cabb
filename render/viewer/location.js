// SPDX-License-Identifier: ISC
// The visible part as the fragment of a URL: the view, the names on the path to the zoomed
// frame, and the search. As names are stored, links still work in a new version of the picture.

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

// Parses the part of the zoomed frame from a URL.
function readSpan(text) {
	const [, from, to] = /^([\d.]+)-([\d.]+)$/.exec(text) || [];
	return validSpan([Number(from), Number(to)]);
}

// Limits SPAN to a part that can be shown; null for all.
function validSpan(span) {
	const [from, to] = span ? [max(span[0], 0), min(span[1], 1)] : [0, 1];
	return to - from >= 1e-9 && to - from < 1 - 1e-9 ? [from, to] : null;
}

// Shows FRAGMENT, or the nearest state that exists.
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

// Changes the state: CHANGE has its fields, PATH leads to the zoomed frame in the new view.
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

// Makes a CHANGE that the user can undo, with the browser's Back if the page is ours. Another
// kind of view starts unzoomed, else the zoom stays. ISSAME: undone in one step with the
// previous change.
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

// The table has no zoom: opens the function's sandwich there.
const goTo = (frame) => go(!isTable() ? { zoom: frame } :
	{ kind: "sandwich", pivot: view.name[frame] });

// Browsers are slow to write a URL: it is written after the next paint, and while the user
// types after a pause, in ms.
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

// Writes the URL of the visible part. History may be unavailable, for example in a sandbox.
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

// Keeps only the view and its zoom in the fragment.
function viewOfFragment(fragment) {
	const words = new URLSearchParams(fragment), path = words.get("path") || "";
	const span = readSpan(words.get("range"));
	for (const key of ["path", "range", "search", "case", "plain"])
		words.delete(key);
	return { view: String(words), path, span };
}

// Whether Escape has an effect.
function isInside() {
	return state.zoom > 0 || state.span !== null || state.kind !== "flame" ||
		state.steps.length > 0;
}

// Goes back to the state before the last zoom, step or view, but never further in: to the
// nearest ancestor of the zoomed frame that the user visited, or the whole graph; then to the
// flame graph; then undoes the last step.
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

// Back or Forward, or a URL typed by the user.
function onPopState() {
	toKeep = null;
	state.history.length = min((history.state || { fg: 0 }).fg, state.history.length);
	showFragment(location.hash);
}
