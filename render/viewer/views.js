// SPDX-License-Identifier: ISC
// Views are trees as arrays over frames in preorder: the table's, the result of the stages, and
// those made from it by merging frames with equal names.

// An empty view of N frames, 0 is the root:
//	name, parent, depth	of each frame; the name GAP is not drawn
//	end			the index after the last frame of its subtree
//	self, total		exact weights by column
//	lead, width		of the last column, as doubles: a frame's weight before
//				its first child, and its total
//	visited			the child of a frame that the user visited last
//	whole			the weight that fills the graph when nothing is zoomed
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
		// fields that only some views use: browsers make faster code if all objects
		// have the same
		raw: null, sides: null, gone: false, widths: "", counted: null, run: null,
		source: null, at: null, ends: null, first: null, focus: 0, grain: 0,
		callSites: null, functions: null, folded: null,
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

// Adds up the totals and computes the widths.
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

// Computes the widths. Side by side there are two on one scale, and the larger one decides
// whether a frame is visible. Otherwise, in a difference, frames without weight after may keep
// their width before, and widen their ancestors.
function weigh(view) {
	const { n, name, parent, raw, total, callers } = view;
	const hasGone = state.gone && state.widths === "after", isBoth = state.widths === "both";
	const copy = (a) => hasGone ? Float64Array.from(a, Number) : asDoubles(a);
	const lead = view.lead = copy(raw[last]), width = view.width = copy(total[last]);
	const gone = new Float64Array(hasGone ? n : 1);
	for (let i = n - 1; hasGone && i >= 0; i--) {
		const own = total[1][name[i] === GAP ? parent[i] : i] ? 0 : Number(raw[0][i]);
		lead[i] += own;
		gone[i] += own;
		width[i] += gone[i];
		if (i && (parent[i] || !callers || i < callers))
			gone[parent[i]] += gone[i];
	}
	view.sides = isBoth && total.map((weights, c) =>
		({ lead: asDoubles(raw[c]), width: asDoubles(weights) }));
	if (isBoth)
		view.width = view.sides[0].width.map((w, i) => max(w, width[i]));
	view.whole = (view.split ? view.width[0] : isBoth ? max(...wholes) :
		wholes[last] + gone[0]) || 1;
	view.gone = state.gone;
	view.widths = state.widths;
	return view;
}

const once = (work) => {
	let result;
	return () => result || (result = work());
};

// All frames of the table; the result of the stages; and the view that is drawn.
const allFrames = completeView(decodeFrames());
let base = allFrames, view = allFrames;

// The first levels can be processes and the like, not functions.
const isRow = (depth) => depth <= meta.rows;

// By name, whether it belongs to a function.
const isCode = once(() => {
	const { name, depth } = allFrames, isCode = new Uint8Array(GAP + 2);
	depth.forEach((d, i) => isRow(d) || (isCode[name[i]] = 1));
	return isCode;
});

// The root of a sandwich has its function's name, other roots have none.
const nameOf = (i) => i || view.split ? names.text[view.name[i]] : "all";
const isWithin = (i, z) => i >= z && i < view.end[z];
const isCaller = (i) => view.split > 0 && view.depth[i] >= view.split;

// Frames that are callers have no self weight.
const isUp = () => state.kind === "up";
const hasSelf = (i) => !isUp() && !isCaller(i);

// The names from below the root to frame I. The path of a caller begins with an empty name.
function pathOf(i) {
	const path = isCaller(i) ? [""] : [];
	for (let at = i; at; at = view.parent[at])
		path.splice(isCaller(i) ? 1 : 0, 0, nameOf(at));
	return path;
}

// The frame at the end of PATH, or the last on the way that exists and is visible.
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

// ---- Merging frames of one name ----

// Callers are followed up to groups smaller than this part of the graph's full weight, and less
// far if that makes too many frames.
const GRAIN = 1 / 8192, MANY = 600000;

// The number of weights per frame.
const columnCount = wholes.length;

// By name, its alphabetical rank.
const ranks = once(() => {
	const { text } = names, ranks = newList(GAP);
	Array.from(text.keys()).sort((a, b) => text[a] < text[b] ? -1 : 1)
		.forEach((id, rank) => ranks[id] = rank);
	return ranks;
});

// By name, its function's name: an inlined copy belongs to the called function, if there is
// one.
const kin = once(() => {
	const { text } = names, called = new Map(text.map((name, id) => [name, id]));
	return newList(GAP).map((_, id) => {
		const isInlined = text[id].endsWith("_[i]"), plain = called.get(bare(text[id]));
		return isInlined && plain !== undefined ? plain : id;
	});
});

const scratch = once(() => [1, 1, 1].map(() => newList(allFrames.n)));

// Sort input: items, the weights by which heavier ones come first, and the ranks that break
// ties. There are many lists, mostly short: sorting them by numbers avoids the garbage of
// sort() and a comparison callback.
const toSort = once(() => {
	const room = max(allFrames.n, GAP);
	return { item: newList(room), weight: new Float64Array(room), rank: newList(room) };
});

// Sorts the first N.
function sortItems(n) {
	const { item, weight, rank } = toSort();
	if (n > 16) {
		const list = Array.from({ length: n }, (_, k) => k);
		list.sort((a, b) => weight[b] - weight[a] || rank[a] - rank[b]);
		item.set(list.map((k) => item[k]));
		return;
	}
	for (let k = 1; k < n; k++) {
		const i = item[k], w = weight[k], r = rank[k];
		let to = k;
		for (let j = k - 1; j >= 0; j--) {
			if (weight[j] > w || (weight[j] === w && rank[j] < r))
				break;
			item[to] = item[j];
			weight[to] = weight[j];
			rank[to] = rank[j];
			to = j;
		}
		item[to] = i;
		weight[to] = w;
		rank[to] = r;
	}
}

// Groups of items, which are frames; at first one group, SEEDS. next() removes the last group;
// add() collects its items again, each under some name; split() makes a group of each name, by
// counters: names are not hashed, and an item is moved only twice per level.
function newGrouping(seeds, columns, heavy) {
	const [items, spare, ids] = scratch(), found = newList(GAP);
	const count = newList(GAP), sums = columns.map(() => new Float64Array(GAP));
	const order = ranks(), main = sums[last], { item: sorted, weight, rank } = toSort();
	// of each group: its name, the frame below it, whether it is followed, its first item
	const groups = [], group = { from: 0, to: 0, isOpen: 0, below: 0, id: 0 };
	let top = seeds.length, n = 0, kinds = 0;
	items.set(seeds);
	return {
		items, group,
		add: (item, id) => {
			if (!count[id]++)
				found[kinds++] = id;
			for (let c = 0; c < columnCount; c++)
				sums[c][id] += columns[c][item];
			ids[n] = id;
			spare[n++] = item;
		},
		// The first in the order is the next group.
		split: (below, isOpen) => {
			for (let f = 0; f < kinds; f++) {
				const id = sorted[f] = found[f];
				weight[f] = heavy ? main[id] : 0;
				rank[f] = order[id];
			}
			sortItems(kinds);
			for (let f = kinds; f-- > 0;) {
				const id = sorted[f], many = count[id];
				groups.push(id, below, isOpen(sums, id), top);
				count[id] = top;
				top += many;
			}
			for (let k = 0; k < n; k++)
				items[count[ids[k]]++] = spare[k];
			for (; kinds > 0; count[found[kinds]] = 0)
				for (let c = 0, id = found[--kinds]; c < columnCount; c++)
					sums[c][id] = 0;
			n = 0;
		},
		next: () => {
			group.to = top;
			group.from = top = groups.pop() || 0;
			group.isOpen = groups.pop();
			group.below = groups.pop();
			group.id = groups.pop();
		},
		hasMore: () => groups.length > 0,
	};
}

// Turns groups into frames until none are left or there are MANY: EXPAND splits the callers of
// frame I of the group. Returns whether all were made.
function grow(view, { group, next, hasMore }, many, expand) {
	const { name, parent, depth } = view;
	let i = 0;
	for (next(); expand(i), hasMore() && view.n < many;) {
		next();
		i = view.n++;
		name[i] = group.id;
		parent[i] = group.below;
		depth[i] = group.below ? depth[group.below] + 1 : view.split || 1;
		view.rows = max(view.rows, depth[i] + 1);
	}
	return !hasMore();
}

// Copies frame I of a source to TO of VIEW, DEEPER by that many levels, without its parent.
function copyFrame(view, source, i, to, deeper) {
	const d = view.depth[to] = source.depth[i] + deeper;
	view.name[to] = source.name[i];
	view.rows = max(view.rows, d + 1);
	for (let c = 0; c < columnCount; c++)
		view.self[c][to] = source.self[c][i];
	if (source.run)
		view.run[to] = source.run[i];
}

// Adds the callees of frame SEED of SOURCE to frame TO of VIEW, its last, the heaviest first or
// by name. The callees of one frame have different names unless something was merged, so they
// need no groups.
function copyCallees(view, source, seed, top, heavy) {
	const { name, parent, depth, end, total } = source, until = end[seed];
	const [, place] = scratch(), weights = total[last], order = ranks();
	const { item, weight, rank } = toSort();
	place[seed] = top;
	for (let i = seed; i < until; i++) {
		const first = i + 1, stop = end[i];
		let many = 0, at = place[i] + 1;
		if (first < stop && end[first] === stop) {
			place[first] = at;
			continue;
		}
		for (let c = first; c < stop; c = end[c]) {
			item[many] = c;
			weight[many] = heavy ? Number(weights[c]) : 0;
			rank[many++] = order[name[c]];
		}
		sortItems(many);
		for (let k = 0; k < many; k++) {
			const c = item[k];
			place[c] = at;
			at += end[c] - c;
		}
	}
	for (let i = seed + 1; i < until; i++) {
		view.parent[place[i]] = place[parent[i]];
		copyFrame(view, source, i, place[i], view.depth[top] - depth[seed]);
	}
	view.n += until - seed - 1;
}

// Adds the callees of SEEDS, frames of SOURCE, to frame 0 of VIEW.
function addCallees(view, source, seeds, heavy) {
	const { name, self, total, run, end } = source;
	const grouping = newGrouping(seeds, total.map(asDoubles), heavy);
	const { group, items } = grouping;
	view.run = run && newList(view.name.length);
	grow(view, grouping, Infinity, (i) => {
		for (let k = group.from; k < group.to; k++) {
			const item = items[k];
			for (let c = 0; c < columnCount; c++)
				view.self[c][i] += self[c][item];
			if (run)
				view.run[i] = max(view.run[i], run[item]);
			if (group.to - group.from === 1 && !meta.flamechart) {
				copyCallees(view, source, item, i, heavy);
				continue;
			}
			for (let child = item + 1; child < end[item]; child = end[child])
				if (name[child] !== GAP)
					grouping.add(child, name[child]);
		}
		grouping.split(i, () => 1);
	});
}

// Chooses the groups of callers to follow: those that are wide enough in some column. PATH, to
// the zoomed frame, is always followed; above that frame, groups are compared with it.
function newGrain(view, path, columns, { items, group }) {
	let coarse, limits, met = 0, focus = 0;
	const measure = () => limits = columns.map((w) => {
		let sum = 0;
		for (let k = group.from; k < group.to; k++)
			sum += w[items[k]];
		return view.grain * sum;
	});
	return {
		isWide: (sums, id) => {
			for (let c = 0; c < columnCount; c++)
				if (sums[c][id] && sums[c][id] >= limits[c])
					return 1;
			return 0;
		},
		// Whether frame I of the group is on the way to the zoomed frame; must be
		// called for each frame.
		isOnWay: (i) => {
			if (!i)
				coarse = measure();
			else if (met === path.length && group.below < focus)
				limits = coarse;
			if (!i || group.below !== focus || names.text[group.id] !== path[met])
				return !i;
			focus = i;
			if (++met === path.length) {
				view.focus = i;
				measure();
			}
			return true;
		},
	};
}

// Adds the callers of SEEDS, frames of SOURCE, to frame 0 of VIEW, below them the seeds
// themselves unless the view is a sandwich. Each seed has its part of WEIGHTS. PATH has the
// names on the way to the zoomed frame. Returns whether there was room for all.
function addCallers(view, source, seeds, weights, { path, heavy }) {
	const { name, parent } = source, at = newList(source.n);
	const columns = weights.map(asDoubles), grouping = newGrouping(seeds, columns, heavy);
	const { group, items } = grouping;
	const { isOnWay, isWide } = newGrain(view, path, columns, grouping), functionOf = kin();
	let ended = 0;
	if (view.split)
		for (const i of seeds)
			at[i] = i;
	Object.assign(view, { source, at, ends: newList(seeds.length) });
	const isWhole = grow(view, grouping, view.n + MANY, (i) => {
		const isOpen = isOnWay(i) || group.isOpen, isName = i || view.split;
		view.first[i] = ended;
		for (let k = group.from; k < group.to; k++) {
			const item = items[k], caller = at[item] ? parent[at[item]] : item;
			if (isOpen && caller) {
				at[item] = caller;
				grouping.add(item,
					isName ? name[caller] : functionOf[name[caller]]);
				continue;
			}
			view.ends[ended++] = item;
			for (let c = 0; i && c < columnCount; c++)
				view.self[c][i] += weights[c][item];
		}
		grouping.split(i, isWide);
	});
	view.first[view.n] = ended;
	return isWhole;
}

// ---- Building views ----

const KINDS_OF_VIEW = ["flame", "up", "sandwich", "table"].concat(timeText ? "chart" : []);

// An empty view with the root NAME, to be filled by merging. With callers:
//	source, at	the merged frames, and for each the highest ancestor reached
//	ends, first	the merged frames by the frame of the view where their path ends:
//			those from its first to that of the next frame
//	grain, focus	the smallest groups to follow, as a part of the graph's full weight,
//			and the frame that can fill the graph
function emptyView(name, room = allFrames.n + GAP + MANY) {
	const view = newView(room);
	view.name[0] = name;
	return Object.assign(view, { n: 1, first: newList(room), grain: GRAIN });
}

function finishView(view) {
	const { n, parent, end } = view;
	for (let i = n - 1; i >= 0; i--) {
		end[i] = max(end[i], i + 1);
		end[parent[i]] = max(end[parent[i]], end[i]);
	}
	return completeView(view);
}

// The least number of nested direct calls to fold (recursion.h).
const TOWER = 10;

// By frame, its position in a run of frames with the same name.
function levelsOf({ n, name, parent, depth }) {
	const level = newList(n);
	for (let i = 1; i < n; i++) {
		const p = parent[i];
		level[i] = name[i] === name[p] && !isRow(depth[p]) ? level[p] + 1 : 1;
	}
	return level;
}

// By frame, the length of that run.
function heightsOf({ n, name, parent, depth }, level) {
	const high = level.slice();
	for (let i = n - 1; i > 0; i--) {
		const p = parent[i];
		if (name[i] === name[p] && !isRow(depth[p]))
			high[p] = high[i];
	}
	return high;
}

// Folding recursion: INTO has for each frame the ancestor that it continues in, or itself if it
// stays; RUN has the number of calls that a remaining frame stands for.

// Folds direct recursion in runs of at least LEAST calls.
function foldDirect(into, run, least) {
	const { n, name, parent } = base, level = levelsOf(base);
	const high = least ? heightsOf(base, level) : level;
	for (let i = 1; i < n; i++) {
		const caller = into[parent[i]], id = name[i];
		const isThere = id === GAP || (high[i] >= least && name[caller] === id);
		into[i] = isThere ? caller : i;
		if (isThere && run[caller] < level[i])
			run[caller] = level[i];
	}
}

// Folds indirect recursion, too. A module's name, "[cc1plus]", stands for many functions: those
// are folded only when adjacent.
function foldAll(into) {
	const { n, name, parent } = base, list = () => newList(n), depth = list();
	const isModule = names.text.map((text) => text[0] === "[" && /^\[.+\]$/.test(bare(text)));
	// the stack by depth, the latest frame of each name, and the previous values of both
	const stack = list(), latest = newList(GAP + 1), below = list(), before = list();
	for (let i = 1, at = 0; i < n; at = i++) {
		const id = name[i];
		for (; at !== parent[i]; at = parent[at])
			if (into[at] === at) {
				stack[depth[at]] = below[at];
				latest[name[at]] = before[at];
			}
		const caller = into[at], same = latest[id];
		const isThere = id === GAP || (name[same] === id &&
			depth[same] <= depth[caller] && stack[depth[same]] === same &&
			(same === caller || !isModule[id]));
		into[i] = id === GAP ? caller : same;
		if (!isThere) {
			into[i] = i;
			depth[i] = depth[caller] + 1;
			below[i] = stack[depth[i]];
			stack[depth[i]] = i;
			before[i] = latest[id];
			latest[id] = i;
		}
	}
}

// Merges frames that continue INTO others and frames of one name below one PARENT. WITHIN maps
// each of the N frames to its frame of the new tree. For these, ABOVE is the parent, KID the
// last child and SIBLING the previous one; MIXED marks those that stand for several frames.
// Callees of an unmixed frame have different names, unless AREMIXED is set; those of a mixed
// one are looked up in a hash table by caller and name.
function mergeFrames({ n, name, parent, into, areMixed }) {
	const within = newList(n), above = newList(n), called = newList(n);
	const kid = newList(n), sibling = newList(n), mixed = new Uint8Array(n);
	const bits = 32 - Math.clz32(2 * n), table = newList(1 << bits), mask = (1 << bits) - 1;
	const find = (p, id) => {
		let at = Math.imul(Math.imul(p, 0x2f0b4c47) + id, 0x9e3779b1) >>> 32 - bits;
		for (let k; (k = table[at]) && (above[k] !== p || called[k] !== id);)
			at = at + 1 & mask;
		return at;
	};
	const mix = (p) => {
		mixed[p] = 1;
		for (let k = kid[p]; k; k = sibling[k])
			table[find(p, called[k])] = k;
	};
	let many = 1;
	called[0] = GAP + 1;
	if (areMixed || meta.flamechart)
		mixed.fill(1);
	for (let i = 1; i < n; i++) {
		const p = within[parent[i]], id = name[i], isMixed = mixed[p];
		if (into[i] !== i) {
			within[i] = within[into[i]];
			if (id !== GAP && !mixed[within[i]])
				mix(within[i]);
			continue;
		}
		const at = isMixed ? find(p, id) : 0, same = isMixed ? table[at] : 0;
		within[i] = same || many;
		if (same) {
			if (!mixed[same])
				mix(same);
			continue;
		}
		if (isMixed)
			table[at] = many;
		above[many] = p;
		called[many] = id;
		sibling[many] = kid[p];
		kid[p] = many++;
	}
	return { within, many, above, called, kid, sibling, mixed };
}

// The positions of a merged tree's frames, with callees sorted by name or in a flame chart by
// time, and the sizes of their subtrees.
function placeMerged({ many, above, called, kid, sibling, mixed }) {
	const place = newList(many), next = newList(many), size = newList(many).fill(1);
	const { item, weight, rank } = toSort(), order = ranks(), isSorted = !meta.flamechart;
	for (let k = many - 1; k > 0; k--)
		size[above[k]] += size[k];
	next[0] = 1;
	for (let k = 0; k < many; k++) {
		const p = above[k];
		if (k && !(isSorted && mixed[p])) {
			place[k] = next[p];
			next[p] += size[k];
			next[k] = place[k] + 1;
		}
		if (!isSorted || !mixed[k])
			continue;
		let kids = 0, at = place[k] + 1;
		for (let c = kid[k]; c; c = sibling[c]) {
			item[kids] = c;
			weight[kids] = 0;
			rank[kids++] = order[called[c]];
		}
		sortItems(kids);
		for (let c = 0; c < kids; c++) {
			const one = item[c];
			place[one] = at;
			at += size[one];
			next[one] = place[one] + 1;
		}
	}
	return { place, size };
}

// The view of the tree that mergeFrames() makes of SOURCE, with the self weights in COLUMNS;
// RUN if its frames can stand for several calls.
function mergedView(source, columns, run) {
	const { n, name } = source, merged = mergeFrames(source);
	const { within, many, above, called } = merged, { place, size } = placeMerged(merged);
	const view = emptyView(GAP + 1, many);
	view.n = many;
	view.run = run && newList(many);
	for (let k = 1; k < many; k++) {
		const to = place[k], parent = view.parent[to] = place[above[k]];
		const depth = view.depth[to] = view.depth[parent] + 1;
		view.name[to] = called[k];
		view.end[to] = to + size[k];
		if (depth >= view.rows)
			view.rows = depth + 1;
	}
	view.end[0] = many;
	view.self.forEach((own, c) => {
		const column = columns[c];
		for (let i = 0; i < n; i++)
			if (column[i] && name[i] !== GAP)
				own[place[within[i]]] += column[i];
	});
	for (let i = run ? 0 : n; i < n; i++)
		if (run[i] > view.run[place[within[i]]])
			view.run[place[within[i]]] = run[i];
	return completeView(view);
}

// The view with recursion folded: DEGREE 1 direct, 2 all, 3 direct in runs of TOWER or more.
function fold(degree) {
	const { n, name, parent, self } = base, into = newList(n), run = newList(n);
	if (degree === 2)
		foldAll(into);
	else
		foldDirect(into, run, degree > 2 ? TOWER : 0);
	return mergedView({ n, name, parent, into }, self, run);
}

// As fold(), with the last result cached.
function folded(degree) {
	if (!base.folded || base.folded.degree !== degree)
		base.folded = { degree, view: fold(degree) };
	return base.folded.view;
}

// Merged from the leaves, callers on top.
function bottomUp(view, source, want) {
	const { n, name, self } = source, seeds = newList(n);
	let many = 0;
	for (let i = 1; i < n; i++)
		if (name[i] !== GAP && (self[0][i] || self[meta.columns - 1][i]))
			seeds[many++] = i;
	const isDone = addCallers(view, source, seeds.subarray(0, many), self, want);
	view.self.forEach((own, c) => own[0] = self[c][0]);
	finishView(view);
	return isDone;
}

// One function merged over all call sites, the outermost where it recurses: its callees below,
// its callers above.
function sandwich(view, source, want) {
	const { n, name, end, total } = source, { pivot } = want, seeds = [];
	for (let i = 1; i < n; i++)
		if (kin()[name[i]] === pivot) {
			seeds.push(i);
			i = end[i] - 1;
		}
	addCallees(view, source, seeds, want.heavy);
	view.callers = view.n;
	view.split = view.rows;
	const isDone = addCallers(view, source, seeds, total, want);
	finishView(view);
	view.raw = view.self.map((own) => own.slice(0, view.n));
	view.self.forEach((own, c) => own[0] = functions().self[c][pivot + 1]);
	weigh(view);
	return isDone;
}

// The functions, as children of the root: the frame of a name is its index + 1. Each has its
// number of call sites; none if its frames count for another name.
const functions = () => base.functions || (base.functions = listFunctions(base));

function listFunctions({ n, name, depth, end, self, total }) {
	const view = Object.assign(newView(GAP + 1), { n: 1 });
	view.name[0] = GAP + 1;
	const until = newList(GAP + 1), callSites = view.callSites = newList(GAP + 1);
	for (; view.n <= GAP; view.n++) {
		view.name[view.n] = view.n - 1;
		view.depth[view.n] = 1;
	}
	finishView(view);
	for (let c = 0; c < columnCount; c++) {
		view.self[c][0] = self[c][0];
		view.total[c][0] = total[c][0];
	}
	for (let i = 1; i < n; i++) {
		if (name[i] === GAP || isRow(depth[i]))
			continue;
		const id = kin()[name[i]], isInner = i < until[id];
		callSites[id + 1]++;
		if (!isInner)
			until[id] = end[i];
		for (let c = 0; c < columnCount; c++) {
			view.self[c][id + 1] += self[c][i];
			if (!isInner)
				view.total[c][id + 1] += total[c][i];
		}
	}
	return weigh(view);
}

function widestFirst(view, source) {
	addCallees(view, source, [0], true);
	return finishView(view);
}

const MAKERS = { flame: widestFirst, up: bottomUp, sandwich };

// Merged stacks have no natural order: they are sorted by weight unless the user wants the
// order of names.
const isHeavy = () => state.heavy === null ? state.kind !== "flame" : state.heavy;

// ---- Stages: filtering the profile ----

// Each stage has key(), "" if the stage has no effect, which changes whenever make(VIEW), the
// stage's output for the previous stage's view, would change. Names do not change, so that
// paths survive.
const stages = [];

// The last result, and its inputs.
let source = { view: base, degree: 0 }, made = {};

// The number of samples left: proportional to the weight left.
let samples = meta.samples;

function runStage(stage, view) {
	const key = stage.key();
	if (stage.from !== view || stage.last !== key)
		Object.assign(stage, { from: view, last: key,
			made: key ? stage.make(view) : view });
	return stage.made;
}

// All shares refer to the output of the stages.
function runStages() {
	const left = stages.reduce((view, stage) => runStage(stage, view), allFrames);
	if (left === base)
		return;
	const isAll = left === allFrames;
	base = left;
	source = { view: base, degree: 0 };
	made = {};
	wholes.forEach((_, c) =>
		wholes[c] = Number(isAll ? meta.total[c] : base.total[c][0]));
	samples = meta.samples && max(round(meta.samples * wholes[0] / Number(meta.total[0])), 1);
	weigh(base);
}

// Builds a view; if there are too many callers, again without the thinner ones.
function makeView(kind, name, want) {
	for (let grain = GRAIN; ; grain *= 8) {
		const view = Object.assign(emptyView(name), { grain });
		if (MAKERS[kind](view, source.view, want))
			return view;
	}
}

// Returns the view for some fields of state, zoomable to PATH.
function viewOf({ kind, pivot, fold: degree }, path) {
	runStages();
	const isSandwich = kind === "sandwich", isFlame = kind === "flame", heavy = isHeavy();
	const key = [kind, isSandwich && pivot, heavy, degree, last, isFlame || path].join("\n");
	if (kind === "table")
		return functions();
	if (kind === "chart")
		return chartView();
	if (source.degree !== degree)
		source = { degree, view: degree ? folded(degree) : base };
	if (isFlame && !heavy)
		return source.view;
	if (made.key !== key)
		made = { key, view: makeView(kind, isSandwich ? pivot : GAP + 1, { pivot, heavy,
			path: !isSandwich ? path : path[0] === "" ? path.slice(1) : [] }) };
	return made.view;
}

// Follows callers further if they are wide enough to be seen in the zoomed frame.
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

// The levels of recursion that frame I stands for, as a suffix of its name.
const runText = (i) => view.run && view.run[i] ? " \u00d7" + view.run[i] : "";

// The name with the largest self weight.
function heaviest() {
	const own = functions().self[last];
	return own.subarray(1).reduce((best, w, id) => w > own[best + 1] ? id : best, 0);
}
