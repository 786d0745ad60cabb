/* SPDX-License-Identifier: ISC */
/*
 * Towers: functions that call themselves so often that their frames, each on the one
 * before, take most of the picture's height. They are drawn as one box; the script does the same
 * (viewer/views.js).
 */
#ifndef TOWERS_H
#define TOWERS_H

#include "tree.h"

/* So many frames of one name on each other are one. */
enum { TOWERS_HIGH = 10 };

struct towers {
	struct tree
		tree; /* in which the frames of a tower are one; its names are borrowed */
	struct tree_walk walk;
	uint64_t *totals;
	uint32_t
		*first; /* by node of it: that of the whole tree, of a tower the lowest */
	uint32_t *
		levels; /* by node of the whole tree, the lowest of a tower: how many; else 0 */
};

struct towers_how {
	uint64_t
		wide; /* the weight of the level from which on frames are a tower, at least */
	size_t rows; /* levels that are no functions */
};

/* Folds the towers of T, which is not in time order; TOTALS are those of its only column. False,
 * and W is empty, when there are none. T must outlive W, which the caller releases in any case. */
bool towers_init(struct towers *w, const struct tree *t, const uint64_t *totals,
	const struct towers_how *how);
void towers_release(struct towers *w);

#endif
