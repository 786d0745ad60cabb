/* SPDX-License-Identifier: ISC */
/*
 * What changed between the two columns of a tree, frame by frame: by the total
 * of each frame, or by its self weight.
 */
#ifndef DELTA_H
#define DELTA_H

#include "tree.h"

struct delta {
	const uint64_t *before, *after; /* by node; borrowed or own_before, own_after */
	uint64_t *own_before, *own_after;
	uint64_t max; /* the largest change of any frame */
	int sign;     /* -1 to show less as more */
};

/* Compares the totals BEFORE and AFTER of the nodes of T, which are borrowed
 * for D's life, or its self weights when BY_SELF. The caller releases D. */
void delta_init(struct delta *d, const struct tree *t,
	uint64_t *const totals[TREE_COLUMNS], bool by_self, bool negate);
void delta_release(struct delta *d);

/* The index of NODE's colour (palette_diff): no change in the middle, a change
 * of max or, at the root, more, at an end. */
unsigned delta_colour(const struct delta *d, uint32_t node);

#endif
