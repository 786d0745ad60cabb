/* SPDX-License-Identifier: ISC */
/*
 * A tree as boxes: where each frame lies, in the unit of its weights. Pure
 * arithmetic on whole numbers; knows neither pixels nor documents.
 *
 * A frame's box is as wide as its total. From the left edge of it come first
 * its self weight, on which nothing stands, and then its children in the order
 * of the walk. Frames that are too narrow to draw leave strips: a strip stands
 * for neighbours on one row, so that the outline of the whole stays true.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "tree.h"

/* Stands in place of a node for a strip. */
#define LAYOUT_STRIP UINT32_MAX

struct layout_box {
	uint64_t x, w;
	uint32_t node;	/* or LAYOUT_STRIP */
	uint32_t depth; /* 1 for the children of the root */
};

struct layout {
	struct layout_box
		*boxes; /* frames as they are walked; a strip after its frames */
	size_t n, cap;
	uint32_t depth; /* of the deepest box */
};

/* The column that gives the widths. */
struct layout_weights {
	const uint64_t *self, *totals; /* by node */
};

/* Lays out T, walked as W says, as wide as WEIGHTS say. Boxes and strips of at
 * least MIN, which is 1 or more, are kept; frames without weight and gaps have
 * none. The caller releases L. The root has no box here: it begins at 0 and spans
 * everything. */
void layout_init(struct layout *l, const struct tree *t, const struct tree_walk *w,
	const struct layout_weights *weights, uint64_t min);
void layout_release(struct layout *l);

#endif
