/* SPDX-License-Identifier: ISC */
/* The places of functions, joined: callers and callees; see calltree.h. */
#include "calltree.h"
#include "mem.h"

static struct str
name_of(const struct tree *t, uint32_t node)
{
	return intern_str(&t->names, t->nodes[node].name);
}

/* Past tree_add: places lie within each other, so their sum may leave 64 bits,
 * while that of one root is at most that of the tree. */
static void
add(struct tree *to, uint32_t node, int column, uint64_t weight)
{
	to->self[column][node] += weight;
}

static void
init_like(struct tree *to, const struct tree *t)
{
	tree_init(to, t->columns);
	to->scale = t->scale;
}

void
calltree_put_callers(struct tree *to, const struct calltree_places *places)
{
	const struct tree *t = places->tree;
	uint32_t i, node, at;
	int c;

	init_like(to, t);
	for (i = 1; i < t->n; i++) {
		if (!places->wanted[i])
			continue;
		at = TREE_ROOT;
		for (node = i; node != TREE_ROOT; node = t->nodes[node].parent)
			at = tree_child(to, at, name_of(t, node));
		for (c = 0; c < t->columns; c++)
			add(to, at, c, places->totals[c][i]);
	}
}

/* Adds to TO what is at FROM in the walk and below it. PATH has room for the
 * depth of the walk. */
static void
put_subtree(struct tree *to, const struct calltree_places *places, uint32_t from,
	uint32_t *path)
{
	const struct tree *t = places->tree;
	const struct tree_walk *w = places->walk;
	uint32_t i, depth = 0;
	int c;

	path[0] = TREE_ROOT;
	for (i = from; i == from || (i < w->n && w->depth[i] > w->depth[from]); i++) {
		depth = w->depth[i] - w->depth[from] + 1;
		path[depth] = tree_child(to, path[depth - 1], name_of(t, w->node[i]));
		for (c = 0; c < t->columns; c++)
			add(to, path[depth], c, t->self[c][w->node[i]]);
	}
}

void
calltree_put_callees(struct tree *to, const struct calltree_places *places)
{
	const struct tree_walk *w = places->walk;
	uint32_t *path, i, deepest = 0;

	init_like(to, places->tree);
	for (i = 0; i < w->n; i++)
		deepest = w->depth[i] > deepest ? w->depth[i] : deepest;
	path = mem_alloc(((size_t)deepest + 1) * sizeof *path);
	for (i = 0; i < w->n; i++)
		if (places->wanted[w->node[i]])
			put_subtree(to, places, i, path);
	free(path);
}
