/* SPDX-License-Identifier: ISC */
/*
 * --by time: a root frame for the time.
 *
 * Formats keep nodes of stacks, and use them for samples at any time. So their nodes have
 * a placeholder for the time, below which weight is never added; a sample goes to a node
 * with the same frames and its own time instead of the placeholder.
 */
#include "mem.h"
#include "sink.h"

#include <inttypes.h>
#include <string.h>

enum { SECOND = 1000000000 };

/* time:auto: the most buckets, and the shortest, in ns. */
enum { AUTO_TIMES = 256, AUTO_LEAST = SECOND / 1000 };
#define AUTO_LONGEST (UINT64_C(1) << 62)

/* The approximate size of a picture in bytes (svg.h, svg-data.h): without frames; per
 * name, apart from its letters; per frame; and per stack at a time. Times may take a
 * third of the rest. */
enum { BYTES_ALONE = 60000, BYTES_NAME = 2, BYTES_FRAME = 3, BYTES_CELL = 3 };

/* Frames cannot contain newlines. */
#define PLACE STR("\ntime")

uint32_t
collapse_time_place(struct collapse *c, uint32_t parent)
{
	return tree_child(&c->tree, parent, PLACE);
}

/* The length of the bucket for a sample at TIME. With time:auto at most AUTO_TIMES
 * buckets of this length precede TIME. Later samples get longer buckets, each twice as
 * long as the shorter ones, so that in the end all can be merged to one length. */
static uint64_t
bucket_at(const struct collapse *c, uint64_t time)
{
	uint64_t bucket = c->options->bucket;

	if (bucket != COLLAPSE_AUTO)
		return bucket;
	for (bucket = AUTO_LEAST; time / bucket >= AUTO_TIMES; bucket *= 2)
		;
	return bucket;
}

/* The frame of the bucket that begins at START, in seconds: padded to sort by time, with
 * only the decimals that buckets need. */
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
	int i = bucket == COLLAPSE_AUTO ? 1 : 0;

	while (bucket != COLLAPSE_AUTO &&
		(bucket % steps[i].unit || (!bucket && steps[i].unit > 1)))
		i++;
	if (steps[i].digits)
		snprintf(text, sizeof text, "%06" PRIu64 ".%0*" PRIu64 "s",
			start / SECOND, steps[i].digits, start % SECOND / steps[i].unit);
	else
		snprintf(text, sizeof text, "%06" PRIu64 "s", start / SECOND);
	return intern_id(&c->tree.names, str_of(text));
}

/* The entry of collapse_at_time for NODE. */
static struct collapse_when *
find(struct collapse *c, uint32_t node)
{
	return MEM_AT(c->when, c->when_cap, node);
}

uint32_t
collapse_at_time(struct collapse *c, uint32_t node, uint64_t time)
{
	uint64_t bucket = bucket_at(c, time);
	uint64_t start = bucket ? time - time % bucket : time;
	uint32_t place = intern_id(&c->tree.names, PLACE), at = node, to;
	size_t n = 0;

	/* Climb to a node known for this bucket, then descend. */
	while (at != TREE_ROOT && find(c, at)->start != start + 1) {
		*MEM_ADD(c->climb, n, c->climb_cap) = at;
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

/* The level of --by time in the tree, 1 for the children of the root; 0 without. */
static uint32_t
time_level(const struct collapse *c)
{
	uint32_t level = (uint32_t)dimensions_find(&c->dimensions, STR("time"));

	return level < c->dimensions.n ? level + 1 : 0;
}

/* Makes the frames at LEVEL of C's tree buckets of length BUCKET. */
static void
coarsen(struct collapse *c, uint32_t level, uint64_t bucket)
{
	struct graft g;
	uint32_t *depth, i;
	uint64_t start;

	graft_move(&g, &c->tree);
	depth = tree_depths(g.from);
	for (i = TREE_ROOT + 1; i < g.from->n; i++)
		if (depth[i] == level &&
			folded_time(intern_str(&c->tree.names, g.name[i]), &start))
			g.name[i] = name_bucket(c, start - start % bucket);
	free(depth);
	graft_nodes(&g);
	collapse_end_over(c, &g);
}

/* The number of nodes of T without the frames at LEVEL. */
static uint32_t
count_others(const struct tree *t, uint32_t level)
{
	uint32_t *depth = tree_depths(t), i, n;
	struct tree others;
	struct graft g;

	tree_init_view(&others, t);
	graft_add(&g, &others, t);
	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (depth[i] == level)
			g.name[i] = GRAFT_JOIN;
	graft_nodes(&g);
	free(graft_end(&g));
	free(depth);
	n = others.n;
	tree_release_view(&others);
	return n;
}

/* How many stacks at times a picture of C has room for. */
static uint64_t
find_room(const struct collapse *c, uint32_t level)
{
	uint64_t bytes =
		BYTES_ALONE + (uint64_t)BYTES_FRAME * count_others(&c->tree, level);
	uint32_t i;

	for (i = 0; i < c->tree.names.n; i++)
		bytes += BYTES_NAME + intern_str(&c->tree.names, i).n;
	return bytes / 3 / BYTES_CELL;
}

/* The start of the last bucket. */
static uint64_t
find_last(const struct collapse *c, uint32_t level)
{
	const struct tree *t = &c->tree;
	uint32_t *depth = tree_depths(t), i;
	uint64_t last = 0, start;

	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (depth[i] == level &&
			folded_time(intern_str(&t->names, t->nodes[i].name), &start) &&
			start > last)
			last = start;
	free(depth);
	return last;
}

void
collapse_settle_times(struct collapse *c)
{
	uint32_t level = time_level(c);
	uint64_t bucket, room;

	if (!level || c->options->bucket != COLLAPSE_AUTO)
		return;
	room = find_room(c, level);
	bucket = bucket_at(c, find_last(c, level));
	do {
		coarsen(c, level, bucket);
		bucket *= 2;
	} while (c->tree.stacks > room && bucket < AUTO_LONGEST);
}
