// SPDX-License-Identifier: ISC
// Frames of one name made one: what all other views are built by.

// A group of callers that is a smaller part than this of what fills the graph is not
// followed further; of a larger one where that makes too many frames.
const GRAIN = 1 / 8192, MANY = 600000;

// How many weights a frame has.
const LANES = wholes.length;

const once = (work) => {
	let result;
	return () => result || (result = work());
};

// By name, its place in the order of names.
const ranks = once(() => {
	const { text } = names, ranks = newList(GAP);
	Array.from(text.keys()).sort((a, b) => text[a] < text[b] ? -1 : 1)
		.forEach((id, rank) => ranks[id] = rank);
	return ranks;
});

const scratch = once(() => [1, 1, 1].map(() => newList(table.n)));

// Items, which are frames, in groups; at first one, of SEEDS. Those of the last
// group are taken out, met again, each under some name, and dealt out into groups, one
// for each name, by counters: no name is hashed, and an item is touched but twice a level.
function newDeck(seeds, columns, heavy) {
	const [items, spare, ids] = scratch(), found = newList(GAP);
	const count = newList(GAP), sums = columns.map(() => new Float64Array(GAP));
	const byName = (a, b) => ranks()[a] - ranks()[b];
	const compare = heavy ? (a, b) => sums[last][b] - sums[last][a] || byName(a, b) : byName;
	// of each group: its name, the frame below it, whether it is followed, its first item
	const groups = [], group = { from: 0, to: 0, isOpen: 0, below: 0, id: 0 };
	let top = seeds.length, n = 0, kinds = 0;
	items.set(seeds);
	return {
		items, group,
		meet: (item, id) => {
			if (!count[id]++)
				found[kinds++] = id;
			for (let c = 0; c < LANES; c++)
				sums[c][id] += columns[c][item];
			ids[n] = id;
			spare[n++] = item;
		},
		// The first of the order is the next that is taken. Without order: as met.
		deal: (below, isOpen) => {
			if (heavy !== null && kinds > 1)
				found.subarray(0, kinds).sort(compare);
			for (let f = kinds; f-- > 0;) {
				const id = found[f], many = count[id];
				groups.push(id, below, isOpen(sums, id), top);
				count[id] = top;
				top += many;
			}
			for (let k = 0; k < n; k++)
				items[count[ids[k]]++] = spare[k];
			for (; kinds > 0; count[found[kinds]] = 0)
				for (let c = 0, id = found[--kinds]; c < LANES; c++)
					sums[c][id] = 0;
			n = 0;
		},
		take: () => {
			group.to = top;
			group.from = top = groups.pop() || 0;
			group.isOpen = groups.pop();
			group.below = groups.pop();
			group.id = groups.pop();
		},
		hasMore: () => groups.length > 0,
	};
}

// Makes frames of groups until there are none, or MANY: EXPAND deals out what is above
// frame I of the group. Returns whether all were made.
function grow(view, { group, take, hasMore }, many, expand) {
	const { name, parent, depth } = view;
	let i = 0;
	for (take(); expand(i), hasMore() && view.n < many;) {
		take();
		i = view.n++;
		name[i] = group.id;
		parent[i] = group.below;
		depth[i] = group.below ? depth[group.below] + 1 : view.split || 1;
		view.rows = max(view.rows, depth[i] + 1);
	}
	return !hasMore();
}

// Puts what SEEDS, frames of SOURCE, call on frame 0 of VIEW.
function addCallees(view, source, seeds, heavy) {
	const { n, name, parent, self, total } = source;
	const kid = newList(n), next = newList(n);
	const deck = newDeck(seeds, total.map(asDoubles), heavy), { group, items } = deck;
	for (let i = n - 1; i > 0; i--) {
		next[i] = kid[parent[i]];
		kid[parent[i]] = i;
	}
	grow(view, deck, Infinity, (i) => {
		for (let k = group.from; k < group.to; k++) {
			const item = items[k];
			for (let c = 0; c < LANES; c++)
				view.self[c][i] += self[c][item];
			for (let child = kid[item]; child; child = next[child])
				if (name[child] !== GAP)
					deck.meet(child, name[child]);
		}
		deck.deal(i, () => 1);
	});
}

// Which groups of callers are followed: those that are wide enough in some column, and
// within what is zoomed, whose PATH is followed in any case, those wide enough of that.
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
			for (let c = 0; c < LANES; c++)
				if (sums[c][id] && sums[c][id] >= limits[c])
					return 1;
			return 0;
		},
		// Whether frame I of the group is on the way to what is zoomed; asked for each.
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

// Puts what calls SEEDS, frames of SOURCE, on frame 0 of VIEW: in a sandwich the callers of
// that, else the seeds first. Each has its part of WEIGHTS. PATH has the names on the way
// to what is zoomed. Returns whether all could be done.
function addCallers(view, source, seeds, weights, { path, heavy }) {
	const { name, parent } = source, at = newList(source.n);
	const columns = weights.map(asDoubles), deck = newDeck(seeds, columns, heavy);
	const { group, items } = deck, { isOnWay, isWide } = newGrain(view, path, columns, deck);
	let ended = 0;
	if (view.split)
		for (const i of seeds)
			at[i] = i;
	Object.assign(view, { source, at, ends: newList(seeds.length) });
	const isWhole = grow(view, deck, view.n + MANY, (i) => {
		const isOpen = isOnWay(i) || group.isOpen;
		view.first[i] = ended;
		for (let k = group.from; k < group.to; k++) {
			const item = items[k], caller = at[item] ? parent[at[item]] : item;
			if (isOpen && caller) {
				at[item] = caller;
				deck.meet(item, name[caller]);
				continue;
			}
			view.ends[ended++] = item;
			for (let c = 0; i && c < LANES; c++)
				view.self[c][i] += weights[c][item];
		}
		deck.deal(i, isWide);
	});
	view.first[view.n] = ended;
	return isWhole;
}
