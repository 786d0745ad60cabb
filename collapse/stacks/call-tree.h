/* SPDX-License-Identifier: ISC */
/*
 * A call tree as text: a line for each frame, indented by its depth, with its self weight
 * or its total.
 *
 *	825 main
 *	  618 open
 *	  200 read
 *
 * Below a frame are its callees, or with leaf_first its callers. A frame's self weight is
 * its total minus the totals directly below it, and is known when the next line is no
 * deeper: only the path to the last line is kept.
 */
#ifndef CALL_TREE_H
#define CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "frame-names.h"

struct call_tree_level {
	size_t depth;
	size_t end;    /* of its frames in ids, with leaf_first */
	uint32_t node; /* in the sink, without leaf_first */
	bool has_total;
	uint64_t total, below;
};

/* Empty when zeroed, with names.c set. */
struct call_tree {
	struct frame_names names;
	struct collapse_sample sample; /* the thread */
	bool leaf_first;
	bool samples; /* weights are numbers of samples */
	bool rounded; /* totals are rounded, so sums below may be larger */
	uint64_t cut; /* self weight of frames with others below them */
	struct call_tree_level *levels;
	size_t n, cap;
	uint32_t *ids;
	size_t id_n, id_cap;
};

/* Adds the frames of TEXT, a frame in the format's own syntax. */
typedef void call_tree_add(struct frame_names *names, struct str text);

void call_tree_release(struct call_tree *t);

/* Sets t->names to the frames of TEXT, which ADD returns once and are then remembered. */
void call_tree_name(struct call_tree *t, struct str text, call_tree_add *add);

/* Enters a frame at DEPTH, the N IDS, innermost first, below the last frame that is less
 * deep. */
void call_tree_enter(struct call_tree *t, size_t depth, const uint32_t *ids, size_t n);

/* Sets the last frame's total weight. */
void call_tree_total(struct call_tree *t, uint64_t total);

/* Adds WEIGHT to the last frame's self weight. */
void call_tree_self(struct call_tree *t, uint64_t weight);

/* Ends all frames. */
void call_tree_end(struct call_tree *t);

#endif
