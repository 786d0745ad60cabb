// SPDX-License-Identifier: ISC
// Steps that keep a part of the stacks or change them, as in fg-filter. Each has an expression
// that is matched with names, and its own rule for the matching frames.

// Of each kind of step:
//	word	text of its chip, before the name
//	label	text in a frame's menu
//	options	its fg-filter options; the expression follows each
//	place	for frame I below frame P; OVER: I or a caller of it matches, ABOVE: P or
//		a caller of it matches. Returns the frame that gets I's self weight, and
//		its parent; or LOST if the weight is dropped
const LOST = -1;
const EDITS = {
	focus: {
		label: "Only stacks with it",
		word: "stacks with", options: ["--focus"],
		place: (i, p, over) => [over ? i : LOST, p],
	},
	ignore: {
		label: "No stacks with it",
		word: "no stacks with", options: ["--ignore"],
		place: (i, p, over) => [over ? LOST : i, p],
	},
	root: {
		label: "Only it and its callees",
		word: "from", options: ["--root"],
		place: (i, p, over, above) => [over ? i : LOST, over && !above ? 0 : p],
	},
	callers: {
		label: "Only it and its callers",
		word: "callers of", options: ["--focus", "--trim-below"],
		place: (i, p, over, above, into) => [above ? into[p] : over ? i : LOST, p],
	},
	fold: {
		label: "Fold its callees into it",
		word: "folded into", options: ["--trim-below"],
		place: (i, p, over, above, into) => [above ? into[p] : i, p],
	},
	hide: {
		label: "Hide it, keep its callees",
		word: "hidden", options: ["--hide"],
		place: (i, p, over, above, into, hit) => hit ? [into[p], into[p]] : [i, into[p]],
	},
};

const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const INLINED = "(_\\[i\\])?";

// An expression that matches only the function of name ID, including its inlined copies.
// Unprintable characters are escaped.
function exactly(id) {
	const own = kin()[id];
	const hasCopies = kin().some((plain, copy) => plain === own && copy !== own);
	return "^" + literal(names.text[own]).replace(/\\\\x([0-9a-f]{2})/g, "(?:$&|\\x$1)") +
		(hasCopies ? INLINED : "") + "$";
}

// The subject of an expression: the name, if it matches only that one.
function plainly(re) {
	const text = re.replace(INLINED + "$", "$");
	return /^\^(\\[^\w]|[^\\^$.*+?()[\]{}|])*\$$/.test(text) ?
		text.slice(1, -1).replace(/\\(.)/g, "$1") : re;
}

// Creates a step; undefined if the expression is invalid or does not terminate.
function newStep(kind, re) {
	const [, flags, rest] = /^(?:\(\?(i)\))?(.*)$/s.exec(re);
	try {
		const hits = tryNames(new RegExp(rest, flags || ""));
		if (hits && Object.keys(EDITS).includes(kind))
			return { kind, re, hits };
	} catch (error) {
		// reported below
	}
	announce(`Left out of the view: ${kind} ${re}`);
}

// Where STEP puts each frame of VIEW: INTO gets its self weight; UP is its new parent. Steps
// apply to functions.
function placeFrames({ n, name, parent, depth }, { kind, hits }) {
	const { place } = EDITS[kind], into = new Int32Array(n), up = newList(n);
	const over = new Uint8Array(n);
	into[0] = place(0, 0, 0, 0, into, 0)[0];
	for (let i = 1; i < n; i++) {
		const p = parent[i], hit = isRow(depth[i]) ? 0 : hits[name[i]];
		over[i] = over[p] | hit;
		[into[i], up[i]] = place(i, p, over[i], over[p], into, hit);
		// frames that begin a stack stay below its rows
		for (let at = up[i] ? 0 : p; at; at = parent[at])
			if (isRow(depth[at])) {
				up[i] = at;
				break;
			}
	}
	return { into, up };
}

// Applies STEP to VIEW. Frames without weight are left out.
function applyStep(view, step) {
	const { n, name, self } = view, { into, up } = placeFrames(view, step);
	const own = self.map(() => new Weights(n)), stays = newList(n);
	for (let i = 0; i < n; i++)
		if (name[i] !== GAP && into[i] !== LOST)
			own.forEach((column, c) => column[into[i]] += self[c][i]);
	const total = own.map((column) => column.slice());
	for (let i = n - 1; i > 0; i--)
		for (const column of total)
			column[up[i]] += column[i];
	for (let i = 1; i < n; i++)
		stays[i] = name[i] === GAP || total.every((column) => !column[i]) ? 0 : i;
	return mergedView({ n, name, parent: up, into: stays, areMixed: true }, own);
}

stages.push({
	key: () => state.steps.map(({ kind, re }) => kind + " " + re).join("\n"),
	make: (view) => state.steps.reduce(applyStep, view),
});

sources.push({
	chips: () => state.steps.map(({ kind, re }, k) => ({
		label: `${EDITS[kind].word} ${plainly(re)}`,
		remove: () => go({ steps: state.steps.filter((_, j) => j !== k) }),
		option: EDITS[kind].options.map((option) => `${option} ${quote(re)}`).join(" "),
	})),
	save: (add) => state.steps.forEach(({ kind, re }) => add("step", kind + " " + re)),
	load: (words) => {
		state.steps = words.getAll("step").map((step) => {
			const [, kind, re] = /^(\w*) ?(.*)$/s.exec(step);
			return newStep(kind, re);
		}).filter((step) => step);
	},
});


const hasSteps = (i) => i > 0 || view.split > 0;

const addStep = (kind, re) => {
	const step = newStep(kind, re);
	if (step)
		go({ steps: state.steps.concat(step) });
};

// Opens the menu of frame I at a point of the window.
function openFrameMenu(i, clientX, clientY) {
	makePage();
	const name = spell(nameOf(i)), re = exactly(view.name[i]);
	const at = new DOMPoint(clientX, clientY).matrixTransform(bar.getScreenCTM().inverse());
	const scale = bounds().scale, room = (window.innerHeight - clientY) / scale;
	const items = [
		...isTable() ? [] : [{ label: "Zoom into " + fit(name, 40), keys: ["Enter"],
			run: () => goTo(i) }],
		...!isCode()[view.name[i]] ? [] : [...Object.keys(EDITS).map((kind) =>
			({ label: EDITS[kind].label, run: () => addStep(kind, re) })),
		{ label: "Its callers and callees", keys: ["s"],
			run: () => go({ kind: "sandwich", pivot: view.name[i] }) }],
		{ label: "Copy name", keys: ["c"], run: () => copy(nameOf(i)) },
		...isTable() ? [] : [{ label: "Copy stack", keys: ["C"],
			run: () => copy(stackOf(i)) }],
	];
	openMenu(items, (height) => [at.x, at.y - max(min(height - room + 4, height), 0)]);
}

function openMenuHere() {
	const { top, left, scale } = bounds(), [x, y] = placeOfCurrent();
	openFrameMenu(current(), left + x * scale, top + y * scale);
}

commands.push({ label: "Menu of the frame", keys: ["m", "ContextMenu"],
	isThere: () => hasSteps(current()), run: openMenuHere });
