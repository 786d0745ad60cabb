/* SPDX-License-Identifier: ISC */
/*
 * What changed between the two columns of a tree, frame by frame: by the total
 * of each frame, or by its self weight. Of a ratio, where each frame has more of
 * the first column than its share of the second would give it.
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

struct delta_how {
	bool by_self; /* self weights, not totals */
	bool negate;  /* more is shown as less */
	bool ratio;   /* the columns are two things, not before and after */
};

/* Compares the columns of T, of which TOTALS are borrowed for D's life. The
 * caller releases D. */
void delta_init(struct delta *d, const struct tree *t,
	uint64_t *const totals[TREE_COLUMNS], const struct delta_how *how);
void delta_release(struct delta *d);

/* The index of NODE's colour (palette_diff): no change in the middle, a change
 * of max or, at the root, more, at an end. */
unsigned delta_colour(const struct delta *d, uint32_t node);

#endif
