/* SPDX-License-Identifier: ISC */
/* Recursion as one box; see towers.h. */
#include "towers.h"
#include "mem.h"

/* How many frames of its name stand on each other up to each node; the first ROWS levels are no
 * functions. */
static uint32_t *
count_levels(const struct tree *t, size_t rows)
{
	uint32_t *level = mem_zero(t->n, sizeof *level), i;
	uint32_t *depth = mem_zero(t->n, sizeof *depth);
	const struct tree_node *n;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		n = &t->nodes[i];
		depth[i] = depth[n->parent] + 1;
		level[i] = 1;
		if (depth[n->parent] > rows && n->name == t->nodes[n->parent].name)
			level[i] += level[n->parent];
	}
	free(depth);
	return level;
}

/* How many there are in all: a frame has one child of its name at most. */
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

/* Whether a tower is WIDE where it becomes one. */
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

/* Adds the nodes of T to the tree of W. */
static void
fold(struct towers *w, const struct tree *t, const uint32_t *level)
{
	uint32_t *now = mem_zero(t->n, sizeof *now), *height = find_heights(t, level);
	uint32_t i, up;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		up = t->nodes[i].parent;
		if (level[i] > 1 && height[i] >= TOWERS_HIGH) {
			now[i] = now[up];
			w->levels[w->first[now[i]]]++;
		} else {
			now[i] = tree_child_id(&w->tree, now[up], t->nodes[i].name);
		}
		if (!w->first[now[i]])
			w->first[now[i]] = i;
	}
	for (i = TREE_ROOT; i < t->n; i++)
		(void)tree_add(&w->tree, now[i], 0, t->self[0][i]);
	for (i = TREE_ROOT + 1; i < t->n; i++)
		w->levels[i] += w->levels[i] > 0;
	free(height);
	free(now);
}

bool
towers_init(struct towers *w, const struct tree *t, const uint64_t *totals,
	const struct towers_how *how)
{
	uint32_t *level = count_levels(t, how->rows);
	bool has = has_tower(t, level, totals, how->wide);

	*w = (struct towers){ .totals = NULL };
	if (has) {
		tree_init(&w->tree, 1);
		intern_release(&w->tree.names);
		w->tree.names = t->names;
		(void)tree_set_scale(&w->tree, t->scale);
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
		w->tree.names = (struct intern){ .n = 0 };
		tree_release(&w->tree);
		tree_walk_release(&w->walk);
	}
	free(w->totals);
	free(w->first);
	free(w->levels);
	*w = (struct towers){ .totals = NULL };
}
