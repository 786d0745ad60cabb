/* SPDX-License-Identifier: ISC */
/*
 * The changes between the two columns of a tree, by the total or the self weight of each frame,
 * and whether they are more than chance (tested.h). In a ratio, a change is the difference
 * between a frame's first column and its share of the second.
 */
#ifndef DELTA_H
#define DELTA_H

#include "colour.h"
#include "tested.h"
#include "tree.h"

/* The colours of a difference: steps from much less through grey, for no change, to much more;
 * then new frames, removed frames, and removed frames where that may be chance. */
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
	bool *is_row; /* by node: the root, or in a level of a dimension */
	size_t rows;
	uint64_t max; /* the largest change of any other frame */
	int sign;     /* -1 to show less as more */
	bool is_ratio;

	/* By node: whether it changed by more than chance; NULL: show all. */
	bool *sure;
	struct tested tested; /* zeroed: not requested */
	double t;	      /* the threshold of a frame's test; 0: nothing was tested */
};

struct delta_how {
	bool by_self; /* self weights, not totals */
	bool negate;  /* more is shown as less */
	bool ratio;   /* the columns are two things, not before and after */
	size_t rows;  /* levels that are not functions */
};

/* Compares the columns of T, of which TOTALS are borrowed for D's life. The
 * caller releases D. */
void delta_init(struct delta *d, const struct tree *t,
	uint64_t *const totals[TREE_COLUMNS], const struct delta_how *how);
void delta_release(struct delta *d);

/* Finds the changes that are more than chance, if INFO, the header of the tree, has the data
 * for a test. CONFIDENCE as in tested_init. */
void delta_find_sure(struct delta *d, const struct folded_info *info, double confidence);

/* Whether NODE's change is hidden, since it may be chance. */
bool delta_is_hushed(const struct delta *d, uint32_t node);

/* The index of NODE's colour: no change is in the middle of the steps; a change of max, or a
 * larger one at the root, is at an end. */
unsigned delta_colour(const struct delta *d, uint32_t node);

/* The colours, distinct for every kind of colour blindness. NEGATE swaps new and removed;
 * delta_colour swaps less and more. */
void delta_colours(struct colour colours[DELTA_COLOURS], bool negate);

#endif
