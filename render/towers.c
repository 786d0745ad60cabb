/* SPDX-License-Identifier: ISC */
/* Folds recursion into one box; see towers.h. */
#include "towers.h"
#include "graft.h"
#include "mem.h"
#include "shape.h"

/* The number of levels of each: a frame has at most one child of its name. */
static uint32_t *
find_heights(const struct tree *t, const uint32_t *level)
{
	uint32_t *height = mem_zero(t->n, sizeof *height), i, *up;

	memcpy(height, level, t->n * sizeof *height);
	for (i = t->n - 1; i > TREE_ROOT; i--) {
		up = &height[t->nodes[i].parent];
		if (level[i] > 1 && height[i] > *up)
			*up = height[i];
	}
	return height;
}

/* Whether recursion is WIDE at the level where it is high enough to fold. */
static bool
has_tower(const struct tree *t, const uint32_t *level, const uint64_t *totals,
	uint64_t wide)
{
	uint32_t i;

	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (level[i] == TOWERS_HIGH && totals[i] >= wide)
			return true;
	return false;
}

/* Whether node I is above another one of its folded recursion. */
static bool
is_above(const uint32_t *level, const uint32_t *height, uint32_t i)
{
	return level[i] > 1 && height[i] >= TOWERS_HIGH;
}

/* Adds the nodes of T to the tree of W. */
static void
fold(struct towers *w, const struct tree *t, const uint32_t *level)
{
	uint32_t *height = find_heights(t, level), *now, i;
	struct graft g;

	graft_add(&g, &w->tree, t);
	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (is_above(level, height, i))
			g.name[i] = GRAFT_JOIN;
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (is_above(level, height, i))
			w->levels[w->first[now[i]]]++;
		else if (!w->first[now[i]])
			w->first[now[i]] = i;
	}
	for (i = TREE_ROOT + 1; i < t->n; i++)
		w->levels[i] += w->levels[i] > 0;
	free(height);
	free(now);
}

bool
towers_init(struct towers *w, const struct tree *t, const uint64_t *totals,
	const struct towers_how *how)
{
	uint32_t *level = shape_levels(t, how->rows);
	bool has = has_tower(t, level, totals, how->wide);

	*w = (struct towers){ .totals = NULL };
	if (has) {
		tree_init_view(&w->tree, t);
		w->first = mem_zero(t->n, sizeof *w->first);
		w->levels = mem_zero(t->n, sizeof *w->levels);
		fold(w, t, level);
		tree_walk_init(&w->walk, &w->tree, TREE_BY_NAME);
		w->totals = tree_totals(&w->tree, 0);
	}
	free(level);
	return has;
}

void
towers_release(struct towers *w)
{
	if (w->totals) {
		tree_release_view(&w->tree);
		tree_walk_release(&w->walk);
	}
	free(w->totals);
	free(w->first);
	free(w->levels);
	*w = (struct towers){ .totals = NULL };
}
