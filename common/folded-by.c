/* SPDX-License-Identifier: ISC */
/*
 * Stacks of several headers in one tree, and their dimensions; see folded.h.
 *
 * What all headers say stays. When one says others than those before, the frames of what they
 * do not share leave the stacks that are there and those that come, whose weights add up.
 */
#include "folded.h"
#include "mem.h"
#include "msg.h"

void
folded_by_release(struct folded_by *by)
{
	dimensions_release(&by->now);
	dimensions_release(&by->gone);
	*by = (struct folded_by){ .silent = false };
}

/* A tree on its way to other dimensions. */
struct change {
	const struct dimensions_map *map;
	struct tree *to;
	const struct tree *from;
	uint32_t *now, *depth; /* by node of FROM */
	uint32_t *last;	       /* by node of TO, in time order: its last child */
	size_t cap;
	bool in_order;
};

/* The last child of PARENT, TREE_ROOT without one. */
static uint32_t *
last_child(struct change *c, uint32_t parent)
{
	size_t had = c->cap;

	c->last = mem_grow(c->last, &c->cap, (size_t)parent + 1, sizeof *c->last);
	if (c->cap > had)
		memset(c->last + had, 0, (c->cap - had) * sizeof *c->last);
	return &c->last[parent];
}

/* The child of PARENT with the name ID, or a gap; in time order only the last child is one. */
static uint32_t
find_child(struct change *c, uint32_t parent, uint32_t id)
{
	uint32_t *last, node;

	if (!c->in_order)
		return tree_child_id(c->to, parent, id);
	last = last_child(c, parent);
	if (*last != TREE_ROOT && c->to->nodes[*last].name == id && id != TREE_GAP)
		return *last;
	node = id == TREE_GAP ? tree_append_gap(c->to, parent)
			      : tree_append(c->to, parent, intern_str(&c->to->names, id));
	*last_child(c, parent) = node;
	return node;
}

static uint32_t
add_frame(struct change *c, uint32_t parent, uint32_t id)
{
	return find_child(
		c, parent, parent == TREE_ROOT ? folded_shield(&c->to->names, id) : id);
}

/* The node of the leading frames that are left of those of NODE, which has all of them or is the
 * end of a stack. */
static uint32_t
lead(struct change *c, uint32_t node)
{
	uint32_t none = intern_id(&c->to->names, DIMENSIONS_NO_VALUE);
	uint32_t value[DIMENSIONS_MOST], to = TREE_ROOT;
	size_t i, n, have;

	i = c->depth[node] < c->map->from ? c->depth[node] : c->map->from;
	n = dimensions_there(c->map, i);
	for (have = i; i > 0; i--) {
		value[i - 1] = c->from->nodes[node].name;
		if (value[i - 1] == TREE_GAP)
			value[i - 1] = none;
		node = c->from->nodes[node].parent;
	}
	for (i = 0; i < n; i++)
		to = add_frame(
			c, to, c->map->place[i] < have ? value[c->map->place[i]] : none);
	return to;
}

static bool
has_weight(const struct tree *t, uint32_t node)
{
	const struct weight none = { 0 };
	int column;

	for (column = 0; column < t->columns; column++)
		if (weight_cmp(tree_weight(t, node, column), none) > 0)
			return true;
	return false;
}

/* Finds where NODE goes, whose parent is placed. */
static void
place(struct change *c, uint32_t node)
{
	const struct tree_node *n = &c->from->nodes[node];
	bool ends = has_weight(c->from, node);

	c->depth[node] = c->depth[n->parent] + 1;
	/* Where no dimension is left, what ends there goes to a frame that the others do not. */
	if (c->depth[node] == c->map->from + 1 && !c->map->n)
		c->now[node] = add_frame(c, TREE_ROOT, n->name);
	else if (c->depth[node] > c->map->from)
		c->now[node] = add_frame(c, c->now[n->parent], n->name);
	else if (ends || c->depth[node] == c->map->from)
		c->now[node] = lead(c, node);
	if (ends && c->now[node] == TREE_ROOT)
		c->now[node] = add_frame(
			c, TREE_ROOT, intern_id(&c->to->names, DIMENSIONS_NO_FUNCTION));
}

/* A stack of one frame that has no name gets one: a line cannot begin with its weight. */
static void
name_lone(struct change *c)
{
	const struct tree *to = c->to;
	uint32_t i, node;

	for (i = TREE_ROOT + 1; i < c->from->n && !c->map->n; i++) {
		node = c->now[i];
		if (node != TREE_ROOT && to->nodes[node].parent == TREE_ROOT &&
			to->nodes[node].name != TREE_GAP && has_weight(c->from, i) &&
			!intern_str(&to->names, to->nodes[node].name).n)
			c->now[i] = add_frame(c, TREE_ROOT,
				intern_id(&c->to->names, DIMENSIONS_NO_FUNCTION));
	}
}

/* Gives the weights of all nodes to where these went. What was added up stays, also of stacks that
 * are no longer in the tree. */
static void
move_weights(struct change *c)
{
	const struct tree *from = c->from;
	uint32_t i;
	int column;

	for (i = TREE_ROOT + 1; i < from->n; i++)
		for (column = 0; column < from->columns; column++)
			(void)tree_add_weight(
				c->to, c->now[i], column, tree_weight(from, i, column));
	memcpy(c->to->sum, from->sum, sizeof from->sum);
	memcpy(c->to->sum_nano, from->sum_nano, sizeof from->sum_nano);
}

/* So many nodes before a node is placed, what will be looked at is read. */
enum { AHEAD = 16 };

/* Has the memory read at which NODE will be looked for, if its parent is placed by now. */
static void
expect(const struct change *c, uint32_t node)
{
	uint32_t up;

	if (c->in_order || node >= c->from->n)
		return;
	up = c->now[c->from->nodes[node].parent];
	if (up != TREE_ROOT)
		tree_expect_id(c->to, up, c->from->nodes[node].name);
}

uint32_t *
folded_by_change(struct tree *t, const struct dimensions_map *map, bool in_order)
{
	struct tree from = *t;
	struct change c = { .map = map, .to = t, .from = &from, .in_order = in_order };
	uint32_t i;

	tree_init(t, from.columns);
	t->names = from.names;
	from.names = (struct intern){ 0 };
	(void)tree_set_scale(t, from.scale);
	c.now = mem_zero(from.n, sizeof *c.now);
	c.depth = mem_zero(from.n, sizeof *c.depth);
	for (i = TREE_ROOT + 1; i < from.n; i++) {
		expect(&c, i + AHEAD);
		place(&c, i);
	}
	name_lone(&c);
	move_weights(&c);
	free(c.depth);
	free(c.last);
	tree_release(&from);
	return c.now;
}

/* Adds the names of D that are none of KEPT. */
static void
add_gone(struct dimensions *gone, const struct dimensions *d,
	const struct dimensions *kept)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		if (dimensions_find(kept, d->name[i]) == kept->n)
			(void)dimensions_add(gone, d->name[i]);
}

struct dimensions_map
folded_by_join(struct folded_by *by, const struct dimensions *more)
{
	struct dimensions shared = { .n = 0 };
	struct dimensions_map map = dimensions_map(&by->now, &by->now);

	if (!more->said) {
		by->silent = true;
		return map;
	}
	if (!by->now.said)
		dimensions_copy(&by->now, more);
	if (dimensions_equal(&by->now, more))
		return dimensions_map(&by->now, &by->now);
	by->differs = true;
	dimensions_share(&shared, &by->now, more);
	add_gone(&by->gone, &by->now, &shared);
	add_gone(&by->gone, more, &shared);
	map = dimensions_map(&by->now, &shared);
	dimensions_copy(&by->now, &shared);
	dimensions_release(&shared);
	return map;
}

void
folded_by_put_rest(struct buf *b, struct str rest, bool more)
{
	if (more)
		buf_str(b, rest);
	else if (b->n)
		b->n--;
	if (!b->n)
		buf_str(b, DIMENSIONS_NO_FUNCTION);
	if (b->s[0] == '#') {
		buf_char(b, ' ');
		memmove(b->s + 1, b->s, b->n - 1);
		b->s[0] = ' ';
	}
}

bool
folded_by_changes(const struct dimensions_map *map)
{
	size_t i;

	for (i = 0; i < map->n; i++)
		if (map->place[i] != i)
			return true;
	return map->from != map->n;
}

bool
folded_by_is_apart(struct str name)
{
	return str_eq(name, STR("time")) || str_eq(name, STR("pid")) ||
		str_eq(name, STR("tid")) || str_eq(name, STR("cpu"));
}

/* Adds the names of D as words. */
static void
put_names(struct buf *b, const struct dimensions *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (i)
			buf_str(b, STR(", "));
		buf_visible(b, d->name[i], BUF_MARK, BUF_MOST);
	}
}

/* Whether stacks were reversed as a whole, the frames of the dimensions that others have too. */
static bool
is_turned_blindly(const struct folded_by *by)
{
	return by->turned && by->silent && by->now.n > 0;
}

bool
folded_by_settle(struct folded_by *by, struct folded_info *info)
{
	struct buf key = { 0 }, gone = { 0 };

	dimensions_put(&key, &by->now);
	/* Without stacks the header says what it said. */
	if (by->now.said || by->silent)
		folded_info_set(info, "by", buf_view(&key));
	put_names(&gone, &by->gone);
	if (by->differs && by->silent)
		msg_error("inputs have different dimensions, and some do not say theirs "
			  "(by= in the header): their stacks do not add up");
	else if (is_turned_blindly(by))
		msg_error("some inputs do not say their dimensions (by= in the header): "
			  "which frames are to be reversed is not known");
	else if (gone.n)
		msg_warn("inputs have different dimensions: keeping %s, summing %s away",
			by->now.n ? buf_cstr(&key) : "none", buf_cstr(&gone));
	buf_release(&key);
	buf_release(&gone);
	return !(by->differs && by->silent) && !is_turned_blindly(by);
}
