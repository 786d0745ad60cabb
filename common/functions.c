/* SPDX-License-Identifier: ISC */
/* Stacks without their dimensions; see functions.h. */
#include "functions.h"
#include "dimensions.h"
#include "mem.h"

/* Where stacks without a function go. */
static uint32_t
find_none(struct tree *own)
{
	uint32_t id;

	return intern_find(&own->names, DIMENSIONS_NO_FUNCTION, &id)
		? tree_child_id(own, TREE_ROOT, id)
		: TREE_ROOT;
}

/* So many nodes before a node is looked for, its place is read. */
enum { AHEAD = 16 };

/* Finds where the nodes of T are. */
static void
place(struct functions *f, const struct tree *t, size_t lead)
{
	size_t *depth = mem_zero(t->n, sizeof *depth);
	uint32_t none = find_none(&f->own), i, up;

	f->node = mem_zero(t->n, sizeof *f->node);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (i + AHEAD < t->n && t->nodes[i + AHEAD].parent < i)
			tree_expect_id(&f->own, f->node[t->nodes[i + AHEAD].parent],
				t->nodes[i + AHEAD].name);
		up = t->nodes[i].parent;
		depth[i] = depth[up] + 1;
		up = depth[i] == lead + 1 ? TREE_ROOT : f->node[up];
		f->node[i] = depth[i] <= lead
			? none
			: tree_child_id(&f->own, up, t->nodes[i].name);
	}
	free(depth);
}

void
functions_init(struct functions *f, const struct tree *t, size_t lead)
{
	uint32_t i;
	int c;

	*f = (struct functions){ .tree = t };
	if (!lead)
		return;
	f->tree = &f->own;
	tree_init(&f->own, t->columns);
	intern_release(&f->own.names);
	f->own.names = t->names;
	f->own.scale = t->scale;
	place(f, t, lead);
	/* The sums are those of T. */
	for (i = TREE_ROOT + 1; i < t->n; i++)
		for (c = 0; c < t->columns; c++)
			if (t->self[c][i])
				(void)tree_add(&f->own, f->node[i], c, t->self[c][i]);
}

void
functions_release(struct functions *f)
{
	f->own.names = (struct intern){ .n = 0 };
	tree_release(&f->own);
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
