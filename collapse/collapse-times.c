/* SPDX-License-Identifier: ISC */
/*
 * --by time: a frame for the time among the frames above the stack.
 *
 * A format keeps the nodes of stacks, of which it does not know at which time they will be asked
 * for. So its nodes have a place for the time, a frame of which no weight is below, and a sample
 * goes to a node with the same frames and its own time at that place.
 */
#include "mem.h"
#include "sink.h"

#include <inttypes.h>
#include <string.h>

enum { SECOND = 1000000000 };

/* No frame has a newline. */
#define PLACE STR("\ntime")

uint32_t
collapse_time_place(struct collapse *c, uint32_t parent)
{
	return tree_child(&c->tree, parent, PLACE);
}

void
collapse_forget_times(struct collapse *c)
{
	if (c->when)
		memset(c->when, 0, c->when_cap * sizeof *c->when);
}

/* The frame of the bucket that begins at START: seconds, of so many digits that bytes sort as
 * time, and so many decimals as buckets begin at. */
static uint32_t
name_bucket(struct collapse *c, uint64_t start)
{
	static const struct {
		uint64_t unit;
		int digits;
	} steps[] = { { SECOND, 0 }, { SECOND / 1000, 3 }, { SECOND / 1000000, 6 },
		{ 1, 9 } };
	uint64_t bucket = c->options->bucket;
	char text[48];
	int i = 0;

	while (bucket % steps[i].unit || (!bucket && steps[i].unit > 1))
		i++;
	if (steps[i].digits)
		snprintf(text, sizeof text, "%06" PRIu64 ".%0*" PRIu64 "s",
			start / SECOND, steps[i].digits, start % SECOND / steps[i].unit);
	else
		snprintf(text, sizeof text, "%06" PRIu64 "s", start / SECOND);
	return intern_id(&c->tree.names, str_of(text));
}

/* What collapse_at_time knows of NODE. */
static struct collapse_when *
find(struct collapse *c, uint32_t node)
{
	size_t had = c->when_cap;

	c->when = mem_grow(c->when, &c->when_cap, (size_t)node + 1, sizeof *c->when);
	if (c->when_cap > had)
		memset(c->when + had, 0, (c->when_cap - had) * sizeof *c->when);
	return &c->when[node];
}

uint32_t
collapse_at_time(struct collapse *c, uint32_t node, uint64_t time)
{
	uint64_t bucket = c->options->bucket;
	uint64_t start = bucket ? time - time % bucket : time;
	uint32_t place = intern_id(&c->tree.names, PLACE), at = node, to;
	size_t n = 0;

	/* Up to what is known of this bucket, and down again. */
	while (at != TREE_ROOT && find(c, at)->start != start + 1) {
		c->climb = mem_grow(c->climb, &c->climb_cap, n + 1, sizeof *c->climb);
		c->climb[n++] = at;
		at = c->tree.nodes[at].parent;
	}
	to = at == TREE_ROOT ? TREE_ROOT : find(c, at)->node;
	while (n > 0) {
		at = c->climb[--n];
		to = tree_child_id(&c->tree, to,
			c->tree.nodes[at].name == place ? name_bucket(c, start)
							: c->tree.nodes[at].name);
		*find(c, at) = (struct collapse_when){ start + 1, to };
	}
	return to;
}
