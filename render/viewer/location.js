// SPDX-License-Identifier: ISC
// What is seen, as the fragment of an address: the view, the names on the path to the
// zoomed frame, and the search. So links still work when the picture is made anew.

const RECURSION = ["", "direct", "all"], ORDERS = ["name", "weight"];

function fragment() {
	const words = new URLSearchParams();
	const add = (key, value) => value && words.append(key, value);
	add("view", state.kind !== "flame" && state.kind);
	add("of", state.kind === "sandwich" && names.text[state.pivot]);
	add("sort", isTable() && sortOf() !== HABIT && state.sort);
	add("order", state.heavy !== null && ORDERS[Number(state.heavy)]);
	add("recursion", RECURSION[state.fold]);
	add("root", state.icicle !== meta.inverted && (state.icicle ? "top" : "bottom"));
	add("rows", state.allRows && "all");
	add("vanished", state.gone !== Boolean(meta.diff && meta.diff.gone) &&
		(state.gone ? "drawn" : "hidden"));
	add("path", pathOf(state.zoom).join(";"));
	for (const source of sources)
		source.save(add);
	return String(words).replace(/%3B/g, ";");
}

// Shows what FRAGMENT says, or the nearest to it that exists.
function showFragment(fragment) {
	const words = new URLSearchParams(fragment.replace(/^#/, ""));
	const path = words.get("path");
	for (const source of sources)
		source.load(words);
	changeState({
		kind: words.get("view") || "flame",
		pivot: kin()[names.text.indexOf(words.get("of"))] ?? -1,
		sort: words.get("sort") || "",
		heavy: [false, true][ORDERS.indexOf(words.get("order"))] ?? null,
		fold: max(RECURSION.indexOf(words.get("recursion")), 0),
		allRows: words.get("rows") === "all",
		gone: words.has("vanished") ? isDifference && words.get("vanished") === "drawn" :
			Boolean(meta.diff && meta.diff.gone),
		icicle: words.has("root") ? words.get("root") === "top" : meta.inverted,
	}, path ? path.split(";") : []);
}

// Changes what is seen: CHANGE has fields of state, PATH leads to the zoomed frame in the
// new view.
function changeState(change, path) {
	const isSame = !change.kind || change.kind === state.kind;
	const chosenPath = isSame && isChosen() && pathOf(state.selected);
	Object.assign(state, change);
	if (!KINDS_OF_VIEW.includes(state.kind) || (state.kind === "sandwich" && state.pivot < 0))
		state.kind = "flame";
	view = viewOf(state, path);
	if (view.gone !== state.gone)
		weigh(view);
	state.zoom = frameAt(path);
	state.selected = chosenPath ? frameAt(chosenPath) : -1;
	findFrames();
	draw();
}

// Makes CHANGE for the user, who can undo it, by the browser's Back where the page is ours.
// Another kind of view is seen whole, else the zoom stays.
function go(change) {
	const here = fragment(), path = "kind" in change ? [] : pathOf(state.zoom);
	if ("zoom" in change) {
		if (change.zoom === state.zoom || (change.zoom && !view.width[change.zoom]))
			return;
		state.zoom = change.zoom;
		layOut();
		redraw();
	} else {
		changeState(change, path);
		showFocus();
	}
	state.history.push(here);
	remember("pushState", 0);
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
	for (const key of ["path", "search", "case", "plain"])
		words.delete(key);
	return { view: String(words), path };
}

// Whether Escape leads anywhere.
function isInside() {
	return state.zoom > 0 || state.kind !== "flame" || state.steps.length > 0;
}

// To what was seen before the last zoom, step or view, but never further in: to the nearest
// frame around the zoomed one that the user came by, or the whole graph; then to the flame
// graph; then without the last step.
function goOut() {
	const here = viewOfFragment(fragment()), { history: past, zoom } = state;
	const isAround = ({ view, path }) => view === here.view && path !== here.path &&
		(!path || here.path.startsWith(path + ";"));
	const before = past.map(viewOfFragment), at = before.findLastIndex(isAround);
	const latest = before[past.length - 1];
	if (zoom && at < 0)
		goTo(0);
	else if (zoom && at < past.length - 1)
		goTo(frameAt(before[at].path.split(";")));
	else if (zoom || (latest && latest.view !== here.view && !latest.path))
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
