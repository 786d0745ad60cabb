/* SPDX-License-Identifier: ISC */
/*
 * Joins stacks of several headers in one tree, and their dimensions; see folded.h.
 *
 * Dimensions that all headers share stay. When a header brings different ones, the frames of those
 * not shared are removed from the stacks in the tree and from the new ones, and the weights add up.
 */
#include "folded.h"
#include "graft.h"
#include "mem.h"
#include "msg.h"

void
folded_by_release(struct folded_by *by)
{
	dimensions_release(&by->now);
	dimensions_release(&by->gone);
	*by = (struct folded_by){ .silent = false };
}

/* A tree that gets other dimensions. */
struct change {
	const struct dimensions_map *map;
	struct graft graft;
	uint32_t *depth; /* by node of the former tree */
	uint32_t none;	 /* the id of the name for a missing value */
};

/* The node for the remaining leading frames of NODE, which has all leading frames or ends a
 * stack. */
static uint32_t
lead(struct change *c, uint32_t node)
{
	const struct tree_node *nodes = c->graft.from->nodes;
	uint32_t value[DIMENSIONS_MOST], to = TREE_ROOT;
	size_t i, n, have;

	i = c->depth[node] < c->map->from ? c->depth[node] : c->map->from;
	n = dimensions_there(c->map, i);
	for (have = i; i > 0; i--) {
		value[i - 1] = nodes[node].name;
		if (value[i - 1] == TREE_GAP)
			value[i - 1] = c->none;
		node = nodes[node].parent;
	}
	for (i = 0; i < n; i++)
		to = graft_child(&c->graft, to,
			c->map->place[i] < have ? value[c->map->place[i]] : c->none);
	return to;
}

/* Places NODE, whose parent is placed. */
static void
place(struct change *c, uint32_t node)
{
	struct graft *g = &c->graft;
	bool ends = c->depth[node] <= c->map->from && tree_weighs(g->from, node);

	/* Without remaining dimensions, a stack that ends there gets a frame of its own. */
	if (c->depth[node] == c->map->from + 1 && !c->map->n)
		g->below[node] = TREE_ROOT;
	if (c->depth[node] > c->map->from)
		graft_node(g, node);
	else if (ends || c->depth[node] == c->map->from)
		g->now[node] = lead(c, node);
	if (ends && g->now[node] == TREE_ROOT)
		g->now[node] = graft_child(
			g, TREE_ROOT, intern_id(&g->to->names, DIMENSIONS_NO_FUNCTION));
}

/* Whether NODE is an outermost frame without a name. */
static bool
is_nameless(const struct tree *t, uint32_t node)
{
	return node != TREE_ROOT && t->nodes[node].parent == TREE_ROOT &&
		t->nodes[node].name != TREE_GAP &&
		!intern_str(&t->names, t->nodes[node].name).n;
}

/* Names single frames without a name: a line cannot start with its weight. */
static void
name_lone(struct graft *g)
{
	uint32_t i;

	for (i = TREE_ROOT + 1; i < g->from->n; i++)
		if (is_nameless(g->to, g->now[i]) && tree_weighs(g->from, i))
			g->now[i] = graft_child(g, TREE_ROOT,
				intern_id(&g->to->names, DIMENSIONS_NO_FUNCTION));
}

/* Whether some name of T changes when it becomes an outermost frame. */
static bool
has_shielded(const struct tree *t)
{
	uint32_t i = 0;

	while (i < t->names.n && !str_starts(intern_str(&t->names, i), STR("#")))
		i++;
	return i < t->names.n;
}

uint32_t *
folded_by_change(struct tree *t, const struct dimensions_map *map, bool in_order)
{
	struct change c = { .map = map, .depth = tree_depths(t) };
	bool distinct = !in_order && graft_is_alike(t, map->from) && !has_shielded(t);
	uint32_t i;

	graft_move(&c.graft, t);
	c.graft.distinct = distinct;
	c.graft.in_order = in_order;
	c.graft.as_text = true;
	c.none = intern_id(&t->names, DIMENSIONS_NO_VALUE);
	for (i = TREE_ROOT + 1; i < c.graft.from->n; i++)
		place(&c, i);
	if (!map->n)
		name_lone(&c.graft);
	graft_weigh(&c.graft);
	free(c.depth);
	return graft_end(&c.graft);
}

/* Adds the names of D that are not in KEPT. */
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

/* Whether whole stacks were reversed, including the frames of dimensions that other inputs
 * declare. */
static bool
is_reversed_blindly(const struct folded_by *by)
{
	return by->turned && by->silent && by->now.n > 0;
}

bool
folded_by_settle(struct folded_by *by, struct folded_info *info)
{
	struct buf key = { 0 }, gone = { 0 };

	dimensions_put(&key, &by->now);
	/* Without stacks the header keeps its value. */
	if (by->now.said || by->silent)
		folded_info_set(info, "by", buf_view(&key));
	put_names(&gone, &by->gone);
	if (by->differs && by->silent)
		msg_error("inputs have different dimensions, and some do not say theirs "
			  "(by= in the header): their stacks do not add up");
	else if (is_reversed_blindly(by))
		msg_error("some inputs do not say their dimensions (by= in the header): "
			  "which frames are to be reversed is not known");
	else if (gone.n)
		msg_warn("inputs have different dimensions: keeping %s, summing %s away",
			by->now.n ? buf_cstr(&key) : "none", buf_cstr(&gone));
	buf_release(&key);
	buf_release(&gone);
	return !(by->differs && by->silent) && !is_reversed_blindly(by);
}
