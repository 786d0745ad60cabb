/* SPDX-License-Identifier: ISC */
/* The stack tree; see tree.h. */
#include "tree.h"
#include "mem.h"
#include "msg.h"
#include "count-sort.h"

enum { BATCH = 32 };

/* A slot of the hash table. KEY is the node's, so that most failed probes need not read the node.
 * It follows from the names alone: the places of a stack's nodes are known before the first of them
 * is found. NODE 0, the root, is never a child: free. */
struct tree_slot {
	uint32_t key, node;
};

/* Makes T an empty tree with room for CAP nodes. */
static void
init(struct tree *t, int columns, size_t cap)
{
	*t = (struct tree){ .columns = 1, .n = 1 };
	t->nodes = mem_grow(NULL, &t->cap, cap, sizeof *t->nodes);
	/* Not 0: the hash of an empty name is 0, and all nodes with only such names would get the
	 * key 0. */
	t->nodes[TREE_ROOT] = (struct tree_node){ 0, TREE_GAP, 1 };
	t->self[0] = mem_zero(t->cap, sizeof *t->self[0]);
	if (columns == 2)
		tree_add_column(t);
}

void
tree_init(struct tree *t, int columns)
{
	init(t, columns, 1024);
}

void
tree_release(struct tree *t)
{
	intern_release(&t->names);
	free(t->nodes);
	free(t->self[0]);
	free(t->self[1]);
	free(t->nano[0]);
	free(t->nano[1]);
	free(t->slots);
	*t = (struct tree){ 0 };
}

void
tree_init_view(struct tree *view, const struct tree *t)
{
	tree_init(view, t->columns);
	view->names = t->names;
	view->scale = t->scale;
}

void
tree_release_view(struct tree *view)
{
	view->names = (struct intern){ .n = 0 };
	tree_release(view);
}

void
tree_start_over(struct tree *t, struct tree *was)
{
	*was = *t;
	init(t, was->columns, was->n);
	t->names = was->names;
	t->scale = was->scale;
	t->slots = was->slots;
	t->slot_mask = was->slot_mask;
	if (t->slots)
		memset(t->slots, 0, ((size_t)t->slot_mask + 1) * sizeof *t->slots);
	was->names = (struct intern){ .n = 0 };
	was->slots = NULL;
	was->slot_mask = 0;
}

size_t
tree_bytes(const struct tree *t)
{
	size_t weight = sizeof *t->self[0] + (t->nano[0] ? sizeof *t->nano[0] : 0);

	return t->cap * (sizeof *t->nodes + (size_t)t->columns * weight) +
		((size_t)t->slot_mask + 1) * sizeof *t->slots + intern_bytes(&t->names);
}

void
tree_freeze(struct tree *t)
{
	free(t->slots);
	t->slots = NULL;
	t->slot_mask = 0;
}

void
tree_add_column(struct tree *t)
{
	if (t->columns == 2)
		return;
	t->self[1] = mem_zero(t->cap, sizeof *t->self[1]);
	if (t->nano[0])
		t->nano[1] = mem_zero(t->cap, sizeof *t->nano[1]);
	t->columns = 2;
}

static uint32_t
add_node(struct tree *t, struct tree_node node)
{
	size_t had = t->cap;
	int c;

	if (t->n == UINT32_MAX)
		msg_die("more than 2^32 distinct stacks");
	t->nodes = mem_grow(t->nodes, &t->cap, (size_t)t->n + 1, sizeof *t->nodes);
	for (c = 0; c < t->columns && t->cap > had; c++) {
		t->self[c] = mem_resize(t->self[c], t->cap, sizeof *t->self[c]);
		memset(t->self[c] + had, 0, (t->cap - had) * sizeof *t->self[c]);
		if (!t->nano[c])
			continue;
		t->nano[c] = mem_resize(t->nano[c], t->cap, sizeof *t->nano[c]);
		memset(t->nano[c] + had, 0, (t->cap - had) * sizeof *t->nano[c]);
	}
	t->nodes[t->n] = node;
	return t->n++;
}

/* The key of the child with a name of HASH below a node with KEY. */
static uint32_t
child_key(uint32_t key, uint32_t hash)
{
	uint64_t k = ((uint64_t)key << 32 | hash) * 0x9e3779b97f4a7c15;

	return (uint32_t)(k >> 32);
}

/* Inserts the node S into the table, which has room. */
static void
put_slot(struct tree *t, struct tree_slot s)
{
	uint32_t at;

	for (at = s.key & t->slot_mask; t->slots[at].node;)
		at = (at + 1) & t->slot_mask;
	t->slots[at] = s;
}

/* Doubles the table, or creates it. Slots hold only half of the hash; the rest is computed from the
 * names. */
static void
rehash(struct tree *t)
{
	uint32_t old = t->slots ? t->slot_mask + 1 : 0, size = old ? old * 2 : 1024;
	struct tree_slot *slots = t->slots;
	uint32_t i;

	while (!old && size && size / 8 <= t->n / 5)
		size *= 2;
	if (!size)
		msg_die("more than 2^31 distinct stacks");
	t->slots = mem_zero(size, sizeof *t->slots);
	t->slot_mask = size - 1;
	for (i = 0; i < old; i++)
		if (slots[i].node)
			put_slot(t, slots[i]);
	for (i = TREE_ROOT + 1; !old && i < t->n; i++)
		put_slot(t, (struct tree_slot){ t->nodes[i].key, i });
	free(slots);
}

/* Makes room for N more nodes. At most 5 of 8 slots are used: n counts every slot, and some nodes
 * without one. */
static void
make_room(struct tree *t, size_t n)
{
	while (!t->slots || (t->n + n) / 5 >= t->slot_mask / 8)
		rehash(t);
}

static uint32_t
insert(struct tree *t, uint32_t at, struct tree_node n)
{
	uint32_t node = add_node(t, n);

	t->slots[at] = (struct tree_slot){ n.key, node };
	return node;
}

/* A lookup of a name below PARENT. */
struct seek {
	struct str name;
	uint32_t parent, hash, key;
};

static bool
is_sought(const struct tree *t, const struct seek *s, struct tree_slot slot,
	struct tree_node node)
{
	return slot.node && slot.key == s->key && node.parent == s->parent &&
		str_eq(intern_str(&t->names, node.name), s->name);
}

static uint32_t
seek_child(struct tree *t, const struct seek *s)
{
	uint32_t at, node;

	for (at = s->key & t->slot_mask; (node = t->slots[at].node);
		at = (at + 1) & t->slot_mask)
		if (is_sought(t, s, t->slots[at], t->nodes[node]))
			return node;
	return insert(t, at,
		(struct tree_node){ s->parent,
			intern_id_hashed(&t->names, s->name, s->hash), s->key });
}

uint32_t
tree_child(struct tree *t, uint32_t parent, struct str name)
{
	uint32_t hash = (uint32_t)str_hash(name);
	struct seek s = { name, parent, hash, child_key(t->nodes[parent].key, hash) };

	make_room(t, 1);
	return seek_child(t, &s);
}

/* The same for the id NAME and the child's key KEY. */
static inline uint32_t
seek_id(struct tree *t, uint32_t parent, uint32_t name, uint32_t key)
{
	uint32_t at, node;

	for (at = key & t->slot_mask; (node = t->slots[at].node);
		at = (at + 1) & t->slot_mask)
		if (t->slots[at].key == key && t->nodes[node].parent == parent &&
			t->nodes[node].name == name)
			return node;
	return insert(t, at, (struct tree_node){ parent, name, key });
}

uint32_t
tree_child_id(struct tree *t, uint32_t parent, uint32_t name)
{
	make_room(t, 1);
	return seek_id(t, parent, name,
		child_key(t->nodes[parent].key, t->names.names[name].hash));
}

uint32_t
tree_new_child_id(struct tree *t, uint32_t parent, uint32_t name)
{
	uint32_t key = child_key(t->nodes[parent].key, t->names.names[name].hash);

	if (t->slots)
		tree_freeze(t);
	return add_node(t, (struct tree_node){ parent, name, key });
}

void
tree_expect_id(const struct tree *t, uint32_t parent, uint32_t name)
{
	uint32_t key = child_key(t->nodes[parent].key, t->names.names[name].hash);

	if (t->slots)
		__builtin_prefetch(&t->slots[key & t->slot_mask]);
}

/* The keys of names on a path, and the matching slots. */
struct guess {
	uint32_t key[BATCH];
	struct tree_slot slot[BATCH];
	struct tree_node node[BATCH];
};

/* Predicts the nodes of N names, at most BATCH, below PARENT; G->key holds their hashes, which
 * become keys. The reads in each loop are independent of each other, so memory accesses overlap;
 * correct predictions are kept. */
static inline void
guess_nodes(struct tree *t, uint32_t parent, struct guess *g, size_t n)
{
	uint32_t key = t->nodes[parent].key;
	size_t i;

	make_room(t, n);
	for (i = 0; i < n; i++)
		g->key[i] = key = child_key(key, g->key[i]);
	for (i = 0; i < n; i++)
		g->slot[i] = t->slots[g->key[i] & t->slot_mask];
	for (i = 0; i < n; i++)
		g->node[i] = t->nodes[g->slot[i].node];
}

void
tree_path(
	struct tree *t, uint32_t parent, const struct str *name, uint32_t *node, size_t n)
{
	uint32_t hash[BATCH];
	struct guess g;
	size_t part, j;

	for (; n; n -= part, name += part, node += part) {
		part = n < BATCH ? n : BATCH;
		for (j = 0; j < part; j++)
			g.key[j] = hash[j] = (uint32_t)str_hash(name[j]);
		guess_nodes(t, parent, &g, part);
		for (j = 0; j < part; j++) {
			struct seek s = { name[j], parent, hash[j], g.key[j] };

			node[j] = parent = is_sought(t, &s, g.slot[j], g.node[j])
				? g.slot[j].node
				: seek_child(t, &s);
		}
	}
}

uint32_t
tree_path_ids(
	struct tree *t, uint32_t parent, const uint32_t *name, uint32_t *node, size_t n)
{
	struct guess g;
	size_t part, j;

	for (; n; n -= part) {
		part = n < BATCH ? n : BATCH;
		for (j = 0; j < part; j++)
			g.key[j] = t->names.names[name[n - 1 - j]].hash;
		guess_nodes(t, parent, &g, part);
		for (j = 0; j < part; j++) {
			uint32_t id = name[n - 1 - j];
			bool known = g.slot[j].node && g.slot[j].key == g.key[j] &&
				g.node[j].parent == parent && g.node[j].name == id;

			parent =
				known ? g.slot[j].node : seek_id(t, parent, id, g.key[j]);
			if (node)
				node[n - 1 - j] = parent;
		}
	}
	return parent;
}

/* A key for the next node that no lookup will match. */
static uint32_t
own_key(const struct tree *t)
{
	return child_key(t->n, 0);
}

uint32_t
tree_append_id(struct tree *t, uint32_t parent, uint32_t name)
{
	return add_node(t, (struct tree_node){ parent, name, own_key(t) });
}

uint32_t
tree_append(struct tree *t, uint32_t parent, struct str name)
{
	return tree_append_id(t, parent, intern_id(&t->names, name));
}

/* Weights, their scale and their sums. */

/* Counts NODE, which gets weight, unless it has some already. */
static void
count_stack(struct tree *t, uint32_t node)
{
	t->stacks += !tree_weighs(t, node);
}

bool
tree_add(struct tree *t, uint32_t node, int column, uint64_t weight)
{
	if (weight > UINT64_MAX - t->sum[column])
		return false;
	if (weight)
		count_stack(t, node);
	t->sum[column] += weight;
	t->self[column][node] += weight;
	return true;
}

void
tree_empty(struct tree *t)
{
	int c;

	t->stacks = 0;
	for (c = 0; c < t->columns; c++) {
		memset(t->self[c], 0, t->n * sizeof *t->self[c]);
		if (t->nano[c])
			memset(t->nano[c], 0, t->n * sizeof *t->nano[c]);
		t->sum[c] = 0;
		t->sum_nano[c] = 0;
	}
}

bool
tree_set_scale(struct tree *t, unsigned decimals)
{
	uint64_t times;
	uint32_t i;
	int c;

	if (decimals <= t->scale)
		return true;
	if (decimals > TREE_SCALE_MAX)
		return false;
	times = weight_units(decimals - t->scale);
	for (c = 0; c < t->columns; c++)
		if (t->sum[c] > UINT64_MAX / times)
			return false;
	for (c = 0; c < t->columns; c++) {
		t->sum[c] *= times;
		for (i = 0; i < t->n; i++)
			t->self[c][i] *= times;
	}
	t->scale = decimals;
	return true;
}

struct weight
tree_weight(const struct tree *t, uint32_t node, int column)
{
	if (t->nano[column])
		return (struct weight){ t->self[column][node], t->nano[column][node] };
	return weight_of(t->self[column][node], t->scale);
}

struct weight
tree_sum(const struct tree *t, int column)
{
	if (t->nano[column])
		return (struct weight){ t->sum[column], t->sum_nano[column] };
	return weight_of(t->sum[column], t->scale);
}

uint64_t
tree_whole_sum(const struct tree *t, int column)
{
	uint32_t i;

	for (i = 0; (t->scale || t->nano[column]) && i < t->n; i++)
		if (tree_weight(t, i, column).nano)
			return 0;
	return tree_sum(t, column).whole;
}

/* Stores the decimals of all weights in the separate arrays. */
static void
set_decimals_apart(struct tree *t)
{
	struct weight w;
	uint32_t i;
	int c;

	for (c = 0; c < t->columns; c++) {
		uint32_t *nano = mem_zero(t->cap, sizeof *nano);

		for (i = 0; i < t->n; i++) {
			w = tree_weight(t, i, c);
			t->self[c][i] = w.whole;
			nano[i] = w.nano;
		}
		w = tree_sum(t, c);
		t->sum[c] = w.whole;
		t->sum_nano[c] = w.nano;
		t->nano[c] = nano;
	}
	t->wanted = t->scale;
	t->scale = 0;
}

bool
tree_add_weight(struct tree *t, uint32_t node, int column, struct weight w)
{
	unsigned decimals = w.nano ? weight_decimals(w) : 0;
	struct weight sum = tree_sum(t, column), self;
	uint64_t value;

	if (!weight_add(&sum, w))
		return false;
	if (!t->nano[0] && tree_set_scale(t, decimals) &&
		weight_scaled(w, t->scale, &value) && tree_add(t, node, column, value))
		return true;
	if (!t->nano[0])
		set_decimals_apart(t);
	if (decimals > t->wanted)
		t->wanted = decimals;
	if (w.whole || w.nano)
		count_stack(t, node);
	self = tree_weight(t, node, column);
	(void)weight_add(&self, w);
	t->self[column][node] = self.whole;
	t->nano[column][node] = self.nano;
	t->sum[column] = sum.whole;
	t->sum_nano[column] = sum.nano;
	return true;
}

/* Adds the weight of NODE in FROM to that of TO. */
static void
move_weight(struct tree *t, uint32_t to, const struct tree *from, uint32_t node)
{
	struct weight w;
	int c;

	count_stack(t, to);
	for (c = 0; c < t->columns; c++) {
		if (!t->nano[c]) {
			t->self[c][to] += from->self[c][node];
			continue;
		}
		w = tree_weight(t, to, c);
		(void)weight_add(&w, tree_weight(from, node, c));
		t->self[c][to] = w.whole;
		t->nano[c][to] = w.nano;
	}
}

void
tree_move_weights(struct tree *t, const struct tree *from, const uint32_t *now)
{
	uint32_t i;

	if (from->nano[0])
		set_decimals_apart(t);
	t->wanted = from->wanted;
	for (i = TREE_ROOT; i < from->n; i++)
		if (tree_weighs(from, i))
			move_weight(t, now[i], from, i);
	memcpy(t->sum, from->sum, sizeof t->sum);
	memcpy(t->sum_nano, from->sum_nano, sizeof t->sum_nano);
}

void
tree_drop(struct tree *t, uint32_t node, int column, uint64_t *dropped)
{
	*dropped += t->self[column][node];
	t->sum[column] -= t->self[column][node];
	t->self[column][node] = 0;
}

/* Whether all weights of COLUMN, rounded, fit with a scale of D. */
static bool
column_fits(const struct tree *t, int column, unsigned d)
{
	uint64_t sum = 0, value;
	uint32_t i;

	for (i = 0; i < t->n; i++, sum += value)
		if (!weight_scaled(tree_weight(t, i, column), d, &value) ||
			value > UINT64_MAX - sum)
			return false;
	return true;
}

static bool
is_fitting(const struct tree *t, unsigned d)
{
	int c;

	for (c = 0; c < t->columns; c++)
		if (!column_fits(t, c, d))
			return false;
	return true;
}

uint64_t
tree_settle(struct tree *t)
{
	unsigned scale = t->wanted;
	uint64_t rounded = 0;
	bool fits;
	struct weight w;
	uint32_t i;
	int c;

	if (!t->nano[0])
		return 0;
	while (scale && !is_fitting(t, scale))
		scale--;
	for (c = 0; c < t->columns; c++) {
		t->sum[c] = 0;
		fits = column_fits(t, c, scale);
		for (i = 0; i < t->n; i++) {
			w = tree_weight(t, i, c);
			rounded += w.nano && weight_decimals(w) > scale;
			/* Rounded up, they would overflow: round down. */
			if (!fits || !weight_scaled(w, scale, &t->self[c][i]))
				t->self[c][i] = w.whole;
			t->sum[c] += t->self[c][i];
		}
		free(t->nano[c]);
		t->nano[c] = NULL;
	}
	t->scale = scale;
	return rounded;
}

uint64_t *
tree_totals(const struct tree *t, int column)
{
	uint64_t *total = mem_alloc(t->n * sizeof *total);
	uint32_t i;

	memcpy(total, t->self[column], t->n * sizeof *total);
	for (i = t->n - 1; i > 0; i--)
		total[t->nodes[i].parent] += total[i];
	return total;
}

uint32_t *
tree_depths(const struct tree *t)
{
	uint32_t *depth = mem_zero(t->n, sizeof *depth), i;

	for (i = TREE_ROOT + 1; i < t->n; i++)
		depth[i] = depth[t->nodes[i].parent] + 1;
	return depth;
}

static int
by_name(const void *a, const void *b)
{
	const struct intern_name *x = a, *y = b;

	return str_cmp((struct str){ x->s, x->n }, (struct str){ y->s, y->n });
}

/* The rank of each name in byte order, by id. */
static uint32_t *
rank_names(const struct intern *names)
{
	uint32_t *rank = mem_alloc((size_t)names->n * sizeof *rank), i;
	struct intern_name *sorted = mem_alloc((size_t)names->n * sizeof *sorted);

	/* The copies hold their id in place of the hash. */
	for (i = 0; i < names->n; i++) {
		sorted[i] = names->names[i];
		sorted[i].hash = i;
	}
	if (names->n)
		qsort(sorted, names->n, sizeof *sorted, by_name);
	for (i = 0; i < names->n; i++)
		rank[sorted[i].hash] = i;
	free(sorted);
	return rank;
}

/* All nodes except the root, in W->node, stably sorted by the rank of their names. */
static void
sort_by_name(struct tree_walk *w, const struct tree *t)
{
	uint32_t *rank = rank_names(&t->names), *key, *from, i;

	key = mem_alloc((size_t)t->n * sizeof *key);
	from = mem_alloc((size_t)t->n * sizeof *from);
	for (i = 1; i < t->n; i++) {
		from[i - 1] = i;
		key[i] = t->nodes[i].name == TREE_GAP ? 0 : rank[t->nodes[i].name];
	}
	count_sort(w->node, from, w->n, key, t->names.n ? t->names.n : 1);
	free(from);
	free(key);
	free(rank);
}

/* Turns FIRST and CHILD, the children of each node one after the other, into a walk. */
static void
descend(struct tree_walk *w, const struct tree *t, uint32_t *first, const uint32_t *child)
{
	uint32_t at = TREE_ROOT, depth = 0, n = 0;

	/* first[] advances as children are visited; a node is finished when its range, which ends
	 * at the start of the next one's, is used up. */
	for (;;) {
		while (first[2 * (size_t)at] == first[2 * (size_t)at + 1]) {
			if (at == TREE_ROOT)
				return;
			at = t->nodes[at].parent;
			depth--;
		}
		at = child[first[2 * (size_t)at]++];
		w->node[n] = at;
		w->depth[n++] = ++depth;
	}
}

void
tree_walk_init(struct tree_walk *w, const struct tree *t, enum tree_order order)
{
	uint32_t *range, *child, *parent, i;

	*w = (struct tree_walk){ .n = t->n - 1 };
	w->node = mem_alloc((size_t)t->n * sizeof *w->node);
	w->depth = mem_alloc((size_t)t->n * sizeof *w->depth);
	child = mem_alloc((size_t)t->n * sizeof *child);
	parent = mem_alloc((size_t)t->n * sizeof *parent);
	range = mem_zero((size_t)t->n + 1, 2 * sizeof *range);
	for (i = 0; i < t->n; i++)
		parent[i] = t->nodes[i].parent;
	for (i = 1; i < t->n; i++)
		range[2 * (size_t)parent[i] + 1]++;
	for (i = 1; i < t->n; i++) {
		range[2 * (size_t)i] = range[2 * (size_t)i - 1];
		range[2 * (size_t)i + 1] += range[2 * (size_t)i];
	}
	if (order == TREE_BY_NAME)
		sort_by_name(w, t);
	else
		for (i = 1; i < t->n; i++)
			w->node[i - 1] = i;
	count_sort(child, w->node, w->n, parent, t->n);
	descend(w, t, range, child);
	free(range);
	free(parent);
	free(child);
}

void
tree_walk_release(struct tree_walk *w)
{
	free(w->node);
	free(w->depth);
	*w = (struct tree_walk){ 0 };
}

bool *
tree_outermost(const struct tree *t, const struct tree_walk *w, size_t lead)
{
	bool *outermost = mem_zero(t->n, sizeof *outermost);
	uint32_t *above = mem_zero(t->names.n, sizeof *above);
	uint32_t *path = mem_alloc(((size_t)w->n + 1) * sizeof *path);
	uint32_t i, depth = 0, name;

	for (i = 0; i < w->n; i++) {
		if (w->depth[i] <= lead)
			continue;
		while (depth >= w->depth[i] - lead)
			above[path[depth--]]--;
		name = t->nodes[w->node[i]].name;
		outermost[w->node[i]] = above[name]++ == 0;
		path[++depth] = name;
	}
	free(path);
	free(above);
	return outermost;
}

/* The limit of bytes for texts whose lines are longer than LONG on average. */
static const uint64_t MANY = UINT64_C(4) << 30;
enum { LONG = 32 * 1024 };

bool
tree_length_add(struct tree_length *length, size_t n)
{
	length->bytes += n;
	length->lines++;
	return length->bytes <= MANY || length->bytes / length->lines <= LONG;
}

/* Whether nodes and names are already numbered in the order of the walk W by name. */
static bool
is_numbered(const struct tree *t, const struct tree_walk *w)
{
	uint32_t names = 0, i;

	for (i = 0; i < w->n; i++) {
		if (w->node[i] != i + 1 || t->nodes[i + 1].name > names)
			return false;
		names += t->nodes[i + 1].name == names;
	}
	return names == t->names.n;
}

void
tree_sort(struct tree *t)
{
	struct tree from = *t;
	uint32_t *now, node, i;
	struct tree_walk w;
	int c;

	tree_walk_init(&w, &from, TREE_BY_NAME);
	if (is_numbered(t, &w)) {
		tree_walk_release(&w);
		return;
	}
	now = mem_zero(from.n, sizeof *now);
	tree_init(t, from.columns);
	for (i = 0; i < w.n; i++) {
		node = w.node[i];
		now[node] = tree_child(t, now[from.nodes[node].parent],
			intern_str(&from.names, from.nodes[node].name));
	}
	t->scale = from.scale;
	t->stacks = from.stacks;
	for (c = 0; c < from.columns; c++) {
		for (i = 0; i < from.n; i++)
			t->self[c][now[i]] = from.self[c][i];
		t->sum[c] = from.sum[c];
	}
	tree_walk_release(&w);
	tree_release(&from);
	free(now);
}
