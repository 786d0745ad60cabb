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

void
collapse_end_over(struct collapse *c, struct graft *g)
{
	uint32_t *now;
	size_t i;

	graft_weigh(g);
	now = graft_end(g);
	for (i = 0; i < c->line_n; i++)
		c->lines[i].node = now[c->lines[i].node];
	if (c->when)
		memset(c->when, 0, c->when_cap * sizeof *c->when);
	free(now);
}
