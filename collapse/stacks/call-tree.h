/* SPDX-License-Identifier: ISC */
/*
 * A tree of calls as text: one line for each frame, indented by how deep it is, with what it
 * weighs for itself or with all that is below it.
 *
 *	825 main
 *	  618 open
 *	  200 read
 *
 * Below a frame are those that it called or, with leaf_first, those that called it. A
 * frame's self weight is its total without the totals of the frames directly below it, so it
 * is known when the next line is not below it: only the path to the last line is kept.
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
	uint32_t node; /* of the sink, without */
	bool has_total;
	uint64_t total, below;
};

/* A zeroed one with names.c set is empty. */
struct call_tree {
	struct frame_names names;
	struct collapse_sample sample; /* who ran */
	bool leaf_first;
	bool samples; /* weights are numbers of them */
	bool rounded; /* totals are, so that those below may be more */
	struct call_tree_level *levels;
	size_t n, cap;
	uint32_t *ids;
	size_t id_n, id_cap;
};

/* Adds the frames of TEXT, which is one in the format's words. */
typedef void call_tree_add(struct frame_names *names, struct str text);

void call_tree_release(struct call_tree *t);

/* Sets t->names to the frames of TEXT; those that ADD gave for it are kept. */
void call_tree_name(struct call_tree *t, struct str text, call_tree_add *add);

/* Goes to a frame at DEPTH, the N IDS, innermost first: below the last one that is
 * less deep. */
void call_tree_enter(struct call_tree *t, size_t depth, const uint32_t *ids, size_t n);

/* The last frame weighs TOTAL with all that is below it. */
void call_tree_total(struct call_tree *t, uint64_t total);

/* Adds WEIGHT to the last frame's own. */
void call_tree_self(struct call_tree *t, uint64_t weight);

/* There is nothing more below any frame. */
void call_tree_end(struct call_tree *t);

#endif
