/* SPDX-License-Identifier: ISC */
/* Builds a tree from the nodes of another; see graft.h. */
#include "graft.h"
#include "folded.h"
#include "mem.h"

/* Memory is prefetched this many nodes before a node is placed. */
enum { AHEAD = 16 };

void
graft_add(struct graft *g, struct tree *to, const struct tree *from)
{
	uint32_t i;

	*g = (struct graft){ .from = from, .to = to };
	g->below = mem_alloc(from->n * sizeof *g->below);
	g->name = mem_alloc(from->n * sizeof *g->name);
	g->now = mem_zero(from->n, sizeof *g->now);
	for (i = 0; i < from->n; i++) {
		g->below[i] = from->nodes[i].parent;
		g->name[i] = from->nodes[i].name;
	}
}

void
graft_move(struct graft *g, struct tree *t)
{
	struct tree was;

	tree_start_over(t, &was);
	graft_add(g, t, &was);
	g->was = was;
	g->from = &g->was;
}

void
graft_rename(struct graft *g, void put(struct buf *b, struct str name))
{
	const uint32_t n = g->to->names.n;
	uint32_t *id = mem_alloc((size_t)n * sizeof *id), *name, i;
	struct buf b = { 0 };

	g->names = g->to->names;
	g->to->names = (struct intern){ .n = 0 };
	for (i = 0; i < n; i++)
		id[i] = TREE_GAP;
	for (name = g->name + 1; name < g->name + g->from->n; name++) {
		if (*name >= n)
			continue;
		if (id[*name] == TREE_GAP) {
			buf_clear(&b);
			put(&b, intern_str(&g->names, *name));
			id[*name] = intern_id(&g->to->names, buf_view(&b));
		}
		*name = id[*name];
	}
	buf_release(&b);
	free(id);
}

bool
graft_is_alike(const struct tree *t, size_t lead)
{
	uint32_t i;

	for (i = TREE_ROOT + 1; i < t->n && i <= lead; i++)
		if (t->nodes[i].parent != i - 1 || tree_weighs(t, i))
			return false;
	while (i < t->n && t->nodes[i].parent >= lead)
		i++;
	return i == t->n;
}

/* The last child of PARENT, TREE_ROOT without one. */
static uint32_t *
last_child(struct graft *g, uint32_t parent)
{
	return MEM_AT(g->last, g->cap, parent);
}

/* As graft_child, in time order. */
static uint32_t
append(struct graft *g, uint32_t parent, uint32_t id)
{
	uint32_t last = *last_child(g, parent), node;

	if (last != TREE_ROOT && g->to->nodes[last].name == id && id != TREE_GAP)
		return last;
	node = tree_append_id(g->to, parent, id);
	*last_child(g, parent) = node;
	return node;
}

uint32_t
graft_child(struct graft *g, uint32_t parent, uint32_t id)
{
	if (parent == TREE_ROOT && g->as_text)
		id = folded_shield(&g->to->names, id);
	if (g->in_order)
		return append(g, parent, id);
	return g->distinct ? tree_new_child_id(g->to, parent, id)
			   : tree_child_id(g->to, parent, id);
}

/* Prefetches the memory for looking up NODE, if its parent is placed. */
static void
expect(const struct graft *g, uint32_t node)
{
	if (!g->distinct && node < g->from->n && g->below[node] < node - AHEAD &&
		g->name[node] < GRAFT_JOIN)
		tree_expect_id(g->to, g->now[g->below[node]], g->name[node]);
}

void
graft_node(struct graft *g, uint32_t node)
{
	uint32_t place = g->now[g->below[node]];

	expect(g, node + AHEAD);
	g->now[node] = g->name[node] == GRAFT_JOIN ? place
						   : graft_child(g, place, g->name[node]);
}

void
graft_nodes(struct graft *g)
{
	uint32_t i;

	for (i = TREE_ROOT + 1; i < g->from->n; i++)
		graft_node(g, i);
}

void
graft_weigh(struct graft *g)
{
	tree_move_weights(g->to, g->from, g->now);
}

uint32_t *
graft_end(struct graft *g)
{
	uint32_t *now = g->now;

	if (g->from == &g->was)
		tree_release(&g->was);
	intern_release(&g->names);
	free(g->below);
	free(g->name);
	free(g->last);
	*g = (struct graft){ .now = NULL };
	return now;
}
