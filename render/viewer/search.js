// SPDX-License-Identifier: ISC
// Search by name: the matching names and frames, their share, and the field.


// Time limit for matching names, in ms: some expressions never terminate.
const PATIENCE = 500;
// Results are read out once they have been stable for this long, in ms.
const CALM = 600;

// Matches names only, without figures, and includes frames too narrow to draw.
function search(pattern) {
	findNames(pattern);
	findFrames();
	drawMatchTimes();
	(isTable() ? redraw : drawHits)();
	drawControls();
	drawMatched();
	say(state.complaint || (state.hits ? countText() + ", " + matchedText() : ""), CALM);
	remember("replaceState", PAUSE);
}

// Adds the search to a URL.
function saveSearch(add) {
	add("search", state.pattern);
	add("case", state.matchCase !== null && (state.matchCase ? "matched" : "ignored"));
	add("plain", state.plain && "yes");
}

function loadSearch(words) {
	state.matchCase = words.has("case") ? words.get("case") !== "ignored" : null;
	state.plain = words.has("plain");
	findNames(words.get("search") || "");
}

sources.push({ chips: () => [], save: saveSearch, load: loadSearch });

// Whether case matters: unless the user has chosen, if the pattern has a capital letter that is
// not part of an escape.
const hasCase = () => state.matchCase === null ?
	/\p{Lu}/u.test(state.plain ? state.pattern : state.pattern.replace(/\\./g, "")) :
	state.matchCase;

// The pattern as a regular expression.
const expression = () => state.plain ? literal(state.pattern) : state.pattern;

function findNames(pattern) {
	state.pattern = pattern;
	state.complaint = "";
	state.hits = null;
	try {
		if (pattern)
			state.hits = tryNames(new RegExp(expression(), hasCase() ? "" : "i"));
		if (pattern && !state.hits)
			state.complaint = `Stopped after ${PATIENCE / 1000} s: ` +
				"this expression takes too long";
	} catch (error) {
		state.complaint = "Invalid regular expression: " +
			error.message.replace(/^.*\/[a-z]*: /, "");
	}
	if (input && input.value !== pattern)
		input.value = pattern;
}

// The length and index of each name in one number, the shortest first.
let lengths = null;

// Matches all names with RE; null if that takes too long. A single match cannot be interrupted,
// but expressions that backtrack without end take longer with each letter, mostly by a factor,
// so short names come first.
function tryNames(re) {
	const hits = new Uint8Array(GAP + 2), begun = performance.now();
	lengths = lengths ||
		Float64Array.from(names.text, (name, i) => name.length * GAP + i).sort();
	for (let at = 0; at < GAP; at++) {
		const i = lengths[at] % GAP;
		hits[i] = isCode()[i] && re.test(names.text[i]);
		if (performance.now() - begun > PATIENCE)
			return null;
	}
	return hits;
}

function findFrames() {
	const { hits } = state, { n, name, width } = view;
	if (!hits)
		return;
	if (!state.seen || state.seen.length <= n)
		state.seen = newList(n + 1);
	const { seen } = state;
	let sum = 0;
	for (let i = 0; i < n; i++)
		seen[i + 1] = hits[name[i]] && width[i] > 0 ? ++sum : sum;
	state.matched = wholes.map((whole, column) =>
		share(sumHits(base, 0, base.n, column), whole));
}

const isHit = (i) => state.hits !== null && state.hits[view.name[i]] === 1;
// The number of matching frames from FROM to UNTIL; and of all.
const countIn = (from, until) => state.hits ? state.seen[until] - state.seen[from] : 0;

function countHits() {
	return countIn(0, view.n);
}

// The weight of the matches from frame FROM to UNTIL of the view FRAMES. Nested matches count
// once.
function sumHits(frames, from, until, column) {
	const { name, end } = frames, total = frames.total[column], { hits } = state;
	let sum = weight(0);
	for (let i = from; i < until;) {
		if (hits[name[i]] === 1) {
			sum += total[i];
			i = end[i];
		} else {
			i++;
		}
	}
	return sum;
}

// By frame of the view's source: whether it or one of its ancestors matches.
function aboveMatches() {
	const { n, name, parent } = view.source, { hits } = state, above = new Uint8Array(n);
	for (let i = 1; i < n; i++)
		above[i] = hits[name[i]] | above[parent[i]];
	return above;
}

// The weight of the matching callers from frame FROM to UNTIL, computed from the merged source
// frames: some callers are too thin to be followed.
function sumCallers(from, until, column, above) {
	const { source, ends, first } = view;
	const weights = (isUp() ? source.self : source.total)[column];
	let sum = weight(0);
	for (let k = first[from]; k < first[until]; k++)
		if (above[ends[k]])
			sum += weights[ends[k]];
	return sum;
}

// The matching share of frame Z, from its frames FROM to UNTIL, by column.
function matchedIn(z, from, until) {
	const isFromEnds = isUp() || (view.split && until > view.callers);
	const above = isFromEnds && aboveMatches();
	let at = z;
	while (at && !isHit(at))
		at = view.parent[at];
	return view.total.map((total, column) => {
		const sum = isHit(at) ? total[z] : isFromEnds ?
			sumCallers(from, until, column, above) : sumHits(view, from, until, column);
		return share(sum, total[z]);
	}).join(" \u2192 ");
}

function matchedText() {
	const all = "matched " + state.matched.join(" \u2192 "), { zoom } = state;
	if (zoom)
		return `${all} of all, ${matchedIn(zoom, zoom, view.end[zoom])} of zoomed frame`;
	if (!view.split)
		return all;
	const middle = view.callers, callees = matchedIn(0, 1, middle);
	const callers = matchedIn(0, middle, view.n);
	return `${all} of all, ` + (callers === callees ? callers + " of callers and callees" :
		`${callers} of the callers, ${callees} of the callees`);
}

// The number of matches, and which one is selected.
function countText() {
	const n = countHits(), { selected } = state;
	const at = selected < 0 || !isHit(selected) ? 0 :
		(isTable() ? picked.frames : sortMatches()).indexOf(selected);
	const digits = (n) => group(String(n));
	return selected >= 0 && isHit(selected) ?
		`${digits(at + 1)} of ${digits(n)}` :
		digits(n) + (n === 1 ? " match" : " matches");
}

// The matching frames by weight, those in the zoomed frame first. The order stays while the
// user steps through the matches.
let ordered = {};

function sortMatches() {
	const { hits, zoom, selected } = state, { n, name, width } = view;
	if (ordered.hits === hits && ordered.width === width && selected >= 0 && isHit(selected))
		return ordered.frames;
	const frames = newList(countHits());
	for (let i = 0, k = 0; i < n; i++)
		if (hits[name[i]] && width[i] > 0)
			frames[k++] = i;
	frames.sort((a, b) =>
		isWithin(b, zoom) - isWithin(a, zoom) || width[b] - width[a] || a - b);
	ordered = { hits, width, frames };
	return frames;
}

// Selects the next match by weight, or with STEP -1 the previous one. KEEP leaves the focus in
// the search field.
function stepTo(step, keep) {
	const n = countHits();
	if (isTable())
		moveInTable(step, keep);
	if (isTable() || !n)
		return;
	const frames = sortMatches(), at = frames.indexOf(state.selected);
	visit(frames[(at < 0 && step < 0 ? n : at + step + n) % n], keep);
}

// Selects FRAME even if it is too thin to draw, and zooms out if it is elsewhere.
function visit(frame, keep) {
	let z = state.zoom;
	while (!isWithin(frame, z) && !isWithin(z, frame))
		z = view.parent[z];
	// a zoom may rebuild the view
	const path = pathOf(frame);
	goTo(z);
	choose(frameAt(path), keep, true);
	const { name, parts } = describe(null);
	say([countText()].concat(keep ? [name, ...parts] : []).join(", "), CALM);
}

function toggleCase() {
	state.matchCase = !hasCase();
	search(state.pattern);
}

function togglePlain() {
	state.plain = !state.plain;
	search(state.pattern);
}

// ---- The field ----

// SVG has no text field. Handling each key here would lose dead keys ("^" is one in many
// countries), input methods, a phone's keyboard, the clipboard and undo, and WebKit misplaces
// an input inside a foreignObject. So a real XHTML input lies over the drawn field, beside the
// picture and not in it. It is created when first needed; a document that is only the picture
// then becomes a page around it, as a document has one root element.
let input = null;

function makePage() {
	if (document.documentElement !== svg)
		return;
	const html = document.createElementNS(XHTML, "html");
	const head = make(html, "head", {}, XHTML), body = make(html, "body", {}, XHTML);
	const x = window.scrollX, y = window.scrollY;
	html.className = "fg-page";
	html.style.setProperty("--fg-page", svg.style.getPropertyValue("--fg-page"));
	make(head, "meta", { name: "viewport", content: "width=device-width" }, XHTML);
	make(head, "title", {}, XHTML).textContent = meta.title;
	document.replaceChild(html, svg);
	body.appendChild(svg);
	drawTheme();
	window.scrollTo(x, y);
	forgetBounds();
}

function makeInput() {
	makePage();
	input = make(svg.parentNode, "input", { class: "fg-input", type: "text",
		spellcheck: "false", autocapitalize: "off", autocomplete: "off" },
		XHTML);
	svg.after(input);
	input.style.fontFamily = getComputedStyle(svg).fontFamily;
	input.value = state.pattern;
	on(input, "input", () => search(input.value));
	set(field, { tabindex: -1, "aria-hidden": "true" });
	drawTheme();
	drawControls();
}

function openSearch() {
	if (!input)
		makeInput();
	placeInput();
	input.focus({ preventScroll: true });
	input.select();
}

// Lays the input over the field, whatever its offset parent is.
function placeInput() {
	if (!input)
		return;
	const target = field.querySelector("rect").getBoundingClientRect();
	const now = input.getBoundingClientRect(), scale = target.height / CONTROL;
	const shift = (side) =>
		(parseFloat(input.style[side]) || 0) + target[side] - now[side];
	Object.assign(input.style, {
		left: shift("left") + "px", top: shift("top") + "px",
		width: target.width - CONTROL * scale + "px", height: target.height + "px",
		fontSize: em * scale + "px",
	});
}
