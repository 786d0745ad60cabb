/* SPDX-License-Identifier: ISC */
/*
 * Folded recursion: functions that call themselves so often that their frames, one on another,
 * take most of the picture's height. They are drawn as one box; the script does the same
 * (viewer/views.js).
 */
#ifndef TOWERS_H
#define TOWERS_H

#include "tree.h"

/* This many nested frames of one name are folded. */
enum { TOWERS_HIGH = 10 };

struct towers {
	struct tree tree; /* the folded tree; its names are borrowed */
	struct tree_walk walk;
	uint64_t *totals;
	uint32_t *
		first; /* by node of it: its node in the whole tree, the outermost if folded */
	uint32_t *
		levels; /* by node of the whole tree: levels of the recursion it begins, or 0 */
};

struct towers_how {
	uint64_t wide; /* the least weight of the level from which frames are folded */
	size_t rows;   /* levels that are not functions */
};

/* Folds the recursion in T, which is not in time order; TOTALS are of its only column. Returns
 * false, with W empty, when there is none. T must outlive W, which the caller releases in any
 * case. */
bool towers_init(struct towers *w, const struct tree *t, const uint64_t *totals,
	const struct towers_how *how);
void towers_release(struct towers *w);

#endif
