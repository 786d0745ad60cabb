// SPDX-License-Identifier: ISC
// Search by name.

// By the name alone. What is too narrow to draw counts as well.
function search(pattern) {
	look(pattern);
	countHits();
	redraw();
	remember("replaceState");
}

// What of the search is part of an address.
function addSearch(add) {
	add("search", state.pattern);
	add("case", !state.matchCase && "ignored");
}

function takeSearch(words) {
	state.matchCase = words.get("case") !== "ignored";
	look(words.get("search") || "");
}

// Finds the names that match.
function look(pattern) {
	state.pattern = pattern;
	state.complaint = "";
	state.hits = null;
	try {
		const re = pattern && new RegExp(pattern, state.matchCase ? "" : "i");
		if (re)
			state.hits = Uint8Array.from(names.text, (name) => Number(re.test(name)));
	} catch (error) {
		state.complaint = "Not a regular expression: " +
			error.message.replace(/^.*\/[a-z]*: /, "");
	}
	if (input && input.value !== pattern)
		input.value = pattern;
}

function countHits() {
	const { hits } = state, { n, name } = view;
	const seen = state.seen = newList(hits ? n + 1 : 0);
	if (!hits)
		return;
	for (let i = 1; i < n; i++)
		seen[i + 1] = seen[i] + (hits[name[i]] === 1 ? 1 : 0);
}

// The weight of the matching frames within Z. A match inside a match is part of it.
function matchedIn(z, column) {
	const { name, end, parent } = view, total = view.total[column], { hits } = state;
	let sum = weight(0);
	for (let a = z; a; a = parent[a])
		if (hits[name[a]] === 1)
			return total[z];
	for (let i = z + 1; i < end[z];) {
		if (hits[name[i]] === 1) {
			sum += total[i];
			i = end[i];
		} else {
			i++;
		}
	}
	return sum;
}

function matchedText() {
	const shares = (z) => view.total.map((total, column) =>
		share(matchedIn(z, column), z ? total[z] : wholes[column])).join(" \u2192 ");
	const zoomed = state.zoom ? ", " + shares(state.zoom) + " of the zoomed" : "";
	return "matched " + shares(0) + (state.zoom ? " of all" : "") + zoomed;
}

function toggleCase() {
	state.matchCase = !state.matchCase;
	search(state.pattern);
}
