// SPDX-License-Identifier: ISC
// Other views of the table than its own.

const KINDS_OF_VIEW = ["flame", "up", "sandwich", "table"];

// An empty view whose root is called NAME, to be filled by merge.js. Where it has callers:
//	source, at	the frames that are merged, and by those the last on their way up
//	ends, first	the frames whose way is seen, by the frame of the view where it ends:
//			those from its first to that of the next frame
//	grain, focus	how thin callers are that are followed, as a part of what fills the
//			graph, and the frame that this can be
function emptyView(name) {
	const room = table.n + GAP + MANY, view = newView(room);
	view.name[0] = name;
	return Object.assign(view, { n: 1, first: newList(room), focus: 0, grain: GRAIN });
}

function finishView(view) {
	const { n, parent, end } = view;
	for (let i = n - 1; i >= 0; i--) {
		end[i] = max(end[i], i + 1);
		end[parent[i]] = max(end[parent[i]], end[i]);
	}
	return completeView(view);
}

// The table with recursion folded: what is called from within itself goes on where it is
// in the stack already. DEGREE 1 is for a call of itself, 2 for others in between too.
function fold(degree) {
	const { n, name, parent, self } = table, list = () => newList(n);
	// of each frame: the one in the stack that it goes on in, what that is called by
	// (itself: nothing that is seen), and how deep that is
	const into = list(), up = list(), depth = list();
	// the stack by depth, the latest frame of each name, and what these were before
	const stack = list(), latest = newList(GAP + 1), below = list(), before = list();
	const own = self.map((column) => new Weights(n).fill(column[0], 0, 1));
	for (let i = 1, at = 0; i < n; at = i++) {
		const id = name[i];
		for (; at !== parent[i]; at = parent[at])
			if (into[at] === at) {
				stack[depth[at]] = below[at];
				latest[name[at]] = before[at];
			}
		const caller = into[at], same = degree > 1 ? latest[id] : caller;
		const isThere = id === GAP || (name[same] === id &&
			depth[same] <= depth[caller] && stack[depth[same]] === same);
		up[i] = i;
		into[i] = id === GAP ? caller : same;
		if (!isThere) {
			into[i] = i;
			up[i] = caller;
			depth[i] = depth[caller] + 1;
			below[i] = stack[depth[i]];
			stack[depth[i]] = i;
			before[i] = latest[id];
			latest[id] = i;
		}
		for (let c = 0; c <= last && id !== GAP; c++)
			own[c][into[i]] += self[c][i];
	}
	const view = emptyView(GAP + 1);
	addCallees(view, { n, name, parent: up, self: own, total: own }, [0],
		meta.flamechart ? null : false);
	return finishView(view);
}

// Merged from the functions where the weight is, their callers on them.
function bottomUp(view, source, place) {
	const { n, name, self } = source, seeds = newList(n);
	let many = 0;
	for (let i = 1; i < n; i++)
		if (name[i] !== GAP && (self[0][i] || self[last][i]))
			seeds[many++] = i;
	const isDone = addCallers(view, source, seeds.subarray(0, many), self, place);
	view.self.forEach((own, c) => own[0] = self[c][0]);
	finishView(view);
	return isDone;
}

// A function over all its places, the outermost where it is its own caller: what it calls
// below it, what calls it above.
function sandwich(view, source, place) {
	const { n, name, end, total } = source, { pivot } = place, seeds = [];
	for (let i = 1; i < n; i = name[i] === pivot ? end[i] : i + 1)
		if (name[i] === pivot)
			seeds.push(i);
	addCallees(view, source, seeds, place.heavy);
	view.callers = view.n;
	view.split = view.rows;
	const isDone = addCallers(view, source, seeds, total, place);
	finishView(view);
	view.raw = view.self.map((own) => own.slice(0, view.n));
	view.self.forEach((own, c) => own[0] = functions().self[c][pivot + 1]);
	weigh(view);
	return isDone;
}

// The functions, as children of the root: the frame of a name is one more than its index.
// Of each: at how many places it is.
const functions = once(() => {
	const { n, name, end, self, total } = table;
	const view = Object.assign(newView(GAP + 1), { n: 1 });
	view.name[0] = GAP + 1;
	const until = newList(GAP + 1), places = view.places = newList(GAP + 1);
	for (; view.n <= GAP; view.n++) {
		view.name[view.n] = view.n - 1;
		view.depth[view.n] = 1;
	}
	finishView(view);
	for (let c = 0; c < LANES; c++) {
		view.self[c][0] = self[c][0];
		view.total[c][0] = total[c][0];
	}
	for (let i = 1; i < n; i++) {
		const id = name[i], isInner = i < until[id];
		if (id === GAP)
			continue;
		places[id + 1]++;
		if (!isInner)
			until[id] = end[i];
		for (let c = 0; c < LANES; c++) {
			view.self[c][id + 1] += self[c][i];
			if (!isInner)
				view.total[c][id + 1] += total[c][i];
		}
	}
	return weigh(view);
});

function widestFirst(view, source) {
	addCallees(view, source, [0], true);
	return finishView(view);
}

const MAKERS = { flame: widestFirst, up: bottomUp, sandwich };

// The view that was made last, and the table it was made from.
let source = { view: table, degree: 0 }, made = {};

// Makes a view; where there are too many callers, again without the thinner ones.
function makeView(kind, name, place) {
	for (let grain = GRAIN; ; grain *= 8) {
		const view = Object.assign(emptyView(name), { grain });
		if (MAKERS[kind](view, source.view, place))
			return view;
	}
}

// The view that PLACE, which has fields of state, asks for; PATH can be zoomed there.
function viewOf({ kind, pivot, heavy, fold: degree }, path) {
	const isSandwich = kind === "sandwich", isFlame = kind === "flame";
	const key = [kind, isSandwich && pivot, heavy, degree, isFlame || path].join("\n");
	if (kind === "table")
		return functions();
	if (source.degree !== degree)
		source = { degree, view: degree ? fold(degree) : table };
	if (isFlame && !heavy)
		return source.view;
	if (made.key !== key)
		made = { key, view: makeView(kind, isSandwich ? pivot : GAP + 1, { pivot, heavy,
			path: !isSandwich ? path : path[0] === "" ? path.slice(1) : [] }) };
	return made.view;
}

// Follows callers further where they are wide enough to be seen in what is zoomed now.
function refine() {
	const { ends, focus, width, grain } = view, z = state.zoom;
	const whole = width[ends && isWithin(z, focus) ? focus : 0];
	if (!ends || width[z] > whole * grain * inside() / NARROW)
		return;
	const path = pathOf(z);
	view = viewOf(state, path);
	state.zoom = frameAt(path);
	findFrames();
}

// The name with the most weight of its own.
function heaviest() {
	const own = functions().self[last];
	return own.subarray(1).reduce((best, w, id) => w > own[best + 1] ? id : best, 0);
}
