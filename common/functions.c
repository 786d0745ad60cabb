/* SPDX-License-Identifier: ISC */
/* Stacks without their dimensions; see functions.h. */
#include "functions.h"
#include "dimensions.h"
#include "graft.h"
#include "mem.h"

/* The node for stacks without a function. */
static uint32_t
find_none(struct tree *own)
{
	uint32_t id;

	return intern_find(&own->names, DIMENSIONS_NO_FUNCTION, &id)
		? tree_child_id(own, TREE_ROOT, id)
		: TREE_ROOT;
}

static void
place(struct graft *g, size_t lead)
{
	uint32_t *depth = tree_depths(g->from), none = find_none(g->to), i;

	for (i = TREE_ROOT + 1; i < g->from->n; i++) {
		if (depth[i] == lead + 1)
			g->below[i] = TREE_ROOT;
		if (depth[i] <= lead)
			g->now[i] = none;
		else
			graft_node(g, i);
	}
	free(depth);
}

void
functions_init(struct functions *f, const struct tree *t, size_t lead)
{
	struct graft g;

	*f = (struct functions){ .tree = t };
	if (!lead)
		return;
	f->tree = &f->own;
	tree_init_view(&f->own, t);
	graft_add(&g, &f->own, t);
	g.distinct = graft_is_alike(t, lead);
	place(&g, lead);
	graft_weigh(&g);
	f->node = graft_end(&g);
}

void
functions_release(struct functions *f)
{
	tree_release_view(&f->own);
	free(f->node);
	*f = (struct functions){ .tree = NULL };
}

uint64_t *
functions_fold(const struct functions *f, const uint64_t *self, uint32_t *n)
{
	uint64_t *sum = mem_zero(f->node ? f->tree->n : *n, sizeof *sum);
	uint32_t i;

	if (!f->node) {
		memcpy(sum, self, *n * sizeof *self);
		return sum;
	}
	for (i = 0; i < *n; i++)
		sum[f->node[i]] += self[i];
	*n = f->tree->n;
	return sum;
}
