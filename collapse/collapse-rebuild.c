/* SPDX-License-Identifier: ISC */
/* Empties or rebuilds the tree of the sink; see sink.h. */
#include "mem.h"
#include "sink.h"

void
collapse_forget(struct collapse *c)
{
	c->events[c->chosen - 1].wanted = false;
	tree_empty(&c->tree);
	c->samples = c->off_time = 0;
	c->line_n = 0;
	c->has_period = false;
	memset(c->column_samples, 0, sizeof c->column_samples);
	memset(c->ends, 0, sizeof c->ends);
	if (c->stuck)
		memset(c->stuck, 0, c->stuck_cap * sizeof *c->stuck);
	c->snapshot = 0;
	c->losses[COLLAPSE_NO_STACK] = c->losses[COLLAPSE_OVERFLOW] = 0;
	c->timeless = c->losses[COLLAPSE_TIMELESS] = 0;
	c->restarts++;
}

struct tree
collapse_start_over(struct collapse *c)
{
	struct tree was = c->tree;

	tree_init(&c->tree, was.columns);
	c->tree.names = was.names;
	c->tree.scale = was.scale;
	was.names = (struct intern){ 0 };
	return was;
}

void
collapse_end_over(struct collapse *c, struct tree *was, uint32_t *now)
{
	uint32_t n;
	size_t i;
	int column;

	/* Sums cannot overflow, as they do not change. */
	for (n = TREE_ROOT + 1; n < was->n; n++)
		for (column = 0; column < was->columns; column++)
			(void)tree_add(&c->tree, now[n], column, was->self[column][n]);
	for (i = 0; i < c->line_n; i++)
		c->lines[i].node = now[c->lines[i].node];
	if (c->when)
		memset(c->when, 0, c->when_cap * sizeof *c->when);
	free(now);
	tree_release(was);
}

uint32_t *
collapse_depths(const struct tree *t)
{
	uint32_t *depth = mem_zero(t->n, sizeof *depth), i;

	for (i = TREE_ROOT + 1; i < t->n; i++)
		depth[i] = depth[t->nodes[i].parent] + 1;
	return depth;
}
