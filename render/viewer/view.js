// SPDX-License-Identifier: ISC
// Views: arrays over frames in preorder, and what is asked of them.

// An empty view of N frames, of which 0 is the root:
//	name, parent, depth	of each frame; a name of GAP is drawn as nothing
//	end			of its subtree, the index after the last frame in it
//	self, total		exact weights, by column
//	lead, width		of the last column, in doubles: what a frame has before
//				its first child, and in all
//	visited			the child of a frame that the user last went to (walk.js)
//	whole			what fills the graph when nothing is zoomed
//	split, callers		0, or in a sandwich the depth of the root's callers, one more
//				than that of the deepest callee, and the first of them: they
//				come after the callees, and their callers have depths from
//				there on
function newView(n) {
	const columns = () => meta.total.map(() => new Weights(n));
	return {
		n, rows: 1, whole: wholes[last], split: 0, callers: 0, visited: new Map(),
		self: columns(), total: columns(), lead: null, width: null,
		name: newList(n), parent: newList(n),
		depth: newList(n), end: newList(n),
	};
}

function decodeFrames() {
	const view = newView(meta.frames + 1);
	const { name, parent, depth, end, self } = view;
	const { read, hasMore } = reader(frameText);
	let at = 0, i = 1;
	name[0] = GAP + 1;
	meta.rootself.forEach((w, column) => self[column][0] = weight(w));
	for (; i < view.n && hasMore(); i++) {
		const first = read(Number), head = first ? 0 : read(Number);
		for (let up = head >> 1; up > 0; up--) {
			end[at] = i;
			at = parent[at];
		}
		parent[i] = at;
		depth[i] = depth[at] + 1;
		name[i] = first ? first - 1 : read(Number);
		if (head & 1)
			for (const column of self)
				column[i] = read(weight);
		at = i;
	}
	view.n = i;
	for (end[0] = i; at; at = parent[at])
		end[at] = i;
	return view;
}

const asDoubles = (a) => isBig ? Float64Array.from(a, Number) : a;

// Works out what follows from the tree and its own weights.
function completeView(view) {
	const { n, name, parent, depth, self, total, callers } = view;
	view.raw = self.map((own) => meta.flamechart ? own.slice() : own);
	self.forEach((own, column) => {
		const sum = total[column];
		sum.set(own.subarray(0, n));
		for (let i = n - 1; i > 0; i--) {
			if (parent[i] || !callers || i < callers)
				sum[parent[i]] += sum[i];
			// set() above has put the gap's weight in its own total
			if (name[i] === GAP)
				own[parent[i]] += own[i];
		}
	});
	for (let i = 1; i < n; i++)
		if (depth[i] >= view.rows && name[i] !== GAP)
			view.rows = depth[i] + 1;
	return weigh(view);
}

// Gives the frames their widths. In a difference what has no weight after may be as wide
// as it was before, and so are the frames that it is in.
function weigh(view) {
	const { n, name, parent, raw, total, callers } = view;
	const copy = (a) => state.gone ? Float64Array.from(a, Number) : asDoubles(a);
	const lead = view.lead = copy(raw[last]), width = view.width = copy(total[last]);
	const gone = new Float64Array(state.gone ? n : 1);
	for (let i = n - 1; state.gone && i >= 0; i--) {
		const own = total[1][name[i] === GAP ? parent[i] : i] ? 0 : Number(raw[0][i]);
		lead[i] += own;
		gone[i] += own;
		width[i] += gone[i];
		if (i && (parent[i] || !callers || i < callers))
			gone[parent[i]] += gone[i];
	}
	view.whole = view.split ? width[0] : wholes[last] + gone[0];
	view.gone = state.gone;
	return view;
}

// All frames, as the table has them; and what of them is shown, and how.
const table = completeView(decodeFrames());
let view = table;

// The root has the name of the function that a view is about, or none.
const nameOf = (i) => i || view.split ? names.text[view.name[i]] : "all";
const isWithin = (i, z) => i >= z && i < view.end[z];
const isCaller = (i) => view.split > 0 && view.depth[i] >= view.split;

// Bottom-up, and of callers, no weights are a frame's own.
const isUp = () => state.kind === "up";
const hasSelf = (i) => !isUp() && !isCaller(i);

// The names from below the root to frame I. A caller's begin with an empty one.
function pathOf(i) {
	const path = isCaller(i) ? [""] : [];
	for (let at = i; at; at = view.parent[at])
		path.splice(isCaller(i) ? 1 : 0, 0, nameOf(at));
	return path;
}

// The frame at the end of PATH, or the last on the way that is there and can be seen.
function frameAt(path) {
	const callers = path[0] === "";
	let at = 0;
	for (const name of callers ? path.slice(1) : path) {
		let child = at + 1;
		while (child < view.end[at] &&
			(nameOf(child) !== name || isCaller(child) !== callers))
			child = view.end[child];
		if (child >= view.end[at] || !view.width[child])
			break;
		at = child;
	}
	return at;
}
