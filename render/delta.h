/* SPDX-License-Identifier: ISC */
/*
 * What changed between the two columns of a tree, frame by frame: by the total
 * of each frame, or by its self weight, and whether that is more than chance (tested.h). Of a
 * ratio, where each frame has more of the first column than its share of the second
 * would give it.
 */
#ifndef DELTA_H
#define DELTA_H

#include "colour.h"
#include "tested.h"
#include "tree.h"

/* The colours of a difference: steps from much less over no change, which is grey, to
 * much more; then of frames that have no weight before, of those that have none after,
 * and of these where that may be chance. */
enum {
	DELTA_STEPS = 17,
	DELTA_SAME = DELTA_STEPS / 2,
	DELTA_NEW = DELTA_STEPS,
	DELTA_GONE,
	DELTA_GONE_GREY,
	DELTA_COLOURS
};

struct delta {
	const struct tree *tree;	      /* not owned */
	const uint64_t *totals[TREE_COLUMNS]; /* by node; not owned */
	const uint64_t *before, *after; /* by node; borrowed or own_before, own_after */
	uint64_t *own_before, *own_after;
	bool *is_row; /* by node: it is the root, or of a level that is no function */
	size_t rows;
	uint64_t max; /* the largest change of any other frame */
	int sign;     /* -1 to show less as more */
	bool is_ratio;

	/* By node: whether it changed by more than chance; NULL: all are shown. */
	bool *sure;
	struct tested tested; /* zeroed: nobody asked */
	double t; /* what the test of a frame has to come to; 0: nothing was tested */
};

struct delta_how {
	bool by_self; /* self weights, not totals */
	bool negate;  /* more is shown as less */
	bool ratio;   /* the columns are two things, not before and after */
	size_t rows;  /* levels that are no functions */
};

/* Compares the columns of T, of which TOTALS are borrowed for D's life. The
 * caller releases D. */
void delta_init(struct delta *d, const struct tree *t,
	uint64_t *const totals[TREE_COLUMNS], const struct delta_how *how);
void delta_release(struct delta *d);

/* Finds out which changes are more than chance, where that can be told, from INFO, the header of
 * the tree. CONFIDENCE as tested_init has it. */
void delta_find_sure(struct delta *d, const struct folded_info *info, double confidence);

/* Whether what NODE changed by is not shown, since it may be chance. */
bool delta_is_hushed(const struct delta *d, uint32_t node);

/* The index of NODE's colour: no change in the middle of the steps, a change
 * of max or, at the root, more, at an end. */
unsigned delta_colour(const struct delta *d, uint32_t node);

/* The colours, which stay apart for every kind of colour blindness. NEGATE exchanges
 * those of new and of gone; that of less and more is delta_colour's. */
void delta_colours(struct colour colours[DELTA_COLOURS], bool negate);

#endif
