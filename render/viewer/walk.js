// SPDX-License-Identifier: ISC
// The chosen frame: keys walk from it, and a tap chooses.

// What gets the focus is read out. Frames have no elements, so two that lie where
// the chosen frame does take turns, and each step moves the focus.
const tree = make(graph, "g", { role: "tree", "aria-label": "Frames" });
const turns = [0, 1].map(() =>
	make(tree, "rect", { role: "treeitem", tabindex: 0, fill: "none", display: "none" }));

show(turns[0], true);
// the tree tells the names, and the figures with them
set(labels, { "aria-hidden": true });

// The box that is seen for frame I.
const boxOf = (i) => (state.rows[view.depth[i]] || []).find((box) =>
	i >= box.frame && i < (box.until || box.frame + 1) && box.right - box.left >= THIN);
const frameOf = (box) => box.until ? describeStrip(box).widest : box.frame;
const chosen = () => state.selected < 0 ? state.zoom : state.selected;

// A chosen frame that is not drawn any more gives way to its nearest parent that is.
function drawChosen() {
	if (isList())
		return;
	while (state.selected > 0 && !boxOf(state.selected))
		state.selected = view.parent[state.selected];
	const i = chosen(), { x, w } = edges(boxOf(i)), { name, parts } = describe(null);
	set(turns[0], {
		x, y: rowTop(view.depth[i]), width: max(w, 2), height: meta.frameheight - 1,
		"aria-selected": state.selected >= 0, "aria-level": view.depth[i] + 1,
		"aria-expanded": view.end[i] > i + 1, "aria-label": [name, ...parts].join(", "),
	});
}

// What was last visited is kept by the frame below, and for a sandwich's callers apart.
const slot = (i, callers) => callers ? ~i : i;

// Makes frame I the chosen one. What is too thin to be drawn is made wider. The focus
// comes along, unless what has it is to KEEP it.
function choose(i, keep) {
	if (isList()) {
		chooseRow(i, keep);
		return;
	}
	const parent = view.parent[i];
	for (const wide of [parent, i])
		if (!boxOf(i))
			goTo(wide);
	state.selected = i;
	if (i)
		view.visited.set(slot(parent, isCaller(i)), i);
	turns.reverse();
	drawChosen();
	drawHover(null);
	show(turns[0], true);
	if (!keep)
		turns[0].focus({ preventScroll: true });
	show(turns[1], false);
	drawCount();
	showRow(view.depth[i]);
}

function unchoose() {
	state.selected = -1;
	drawChosen();
	drawHover(state.hover);
	drawCount();
}

// The child of I that was last visited, or the first of the widest.
function childOf(i, callers) {
	let child = view.visited.get(slot(i, callers)), most = 0;
	for (let c = child ? view.n : i + 1; c < view.end[i]; c = view.end[c])
		if (view.width[c] > most && isCaller(c) === callers && view.name[c] !== GAP) {
			most = view.width[c];
			child = c;
		}
	return child;
}

// Above or below frame I, as it is drawn.
function vertical(i, up) {
	const isOutward = view.split ? !i || up === isCaller(i) : up !== state.icicle;
	return isOutward ? childOf(i, view.split > 0 && up) : i ? view.parent[i] : -1;
}

function beside(i, step) {
	const row = state.rows[view.depth[i]], box = row[row.indexOf(boxOf(i)) + step];
	return box && box.right - box.left >= THIN ? frameOf(box) : -1;
}

// The end of the widest way, as far as it is drawn.
function farthest(i) {
	let next = i;
	while (next >= 0 && boxOf(next)) {
		i = next;
		next = childOf(i, isCaller(i));
	}
	return i;
}

// Where the keys lead from frame I. The first of them chooses what is zoomed.
const STEPS = {
	ArrowUp: (i) => vertical(i, true), ArrowDown: (i) => vertical(i, false),
	ArrowLeft: (i) => beside(i, -1), ArrowRight: (i) => beside(i, 1),
	Home: () => state.zoom, End: farthest,
};

for (const key of Object.keys(STEPS))
	offer({ keys: [key], isThere: () => state.kind !== "table", run: () => {
		const next = state.selected < 0 ? state.zoom : STEPS[key](state.selected);
		if (next >= 0)
			choose(next);
	} });

const isChosen = () => state.selected >= 0;

offer(
	{ keys: ["Enter"], isThere: isChosen, run: () => goTo(state.selected) },
	{ keys: ["Escape"], isThere: isChosen, run: unchoose },
);
