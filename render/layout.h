/* SPDX-License-Identifier: ISC */
/*
 * Lays out a tree as boxes, in units of its weights: pure integer arithmetic, independent of
 * pixels and documents.
 *
 * A frame's box is as wide as its total. From its left edge, the self weight comes first, with
 * nothing above it, then the children in the order of the walk. Frames too narrow to draw are
 * merged into strips: a strip stands for neighbours on one row, so that the outline stays true.
 *
 * Widths follow the weights of one column. In a difference they are the weights after, or
 * before for removed frames, so that these keep their place.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "tree.h"

/* Replaces the node in a strip. */
#define LAYOUT_STRIP UINT32_MAX

struct layout_box {
	uint64_t x, w;
	uint32_t node;	/* or LAYOUT_STRIP */
	uint32_t depth; /* 1 for the children of the root */
};

struct layout {
	struct layout_box
		*boxes; /* frames in the order of the walk; a strip after its frames */
	size_t n, cap;
	uint32_t depth; /* of the deepest box */
	uint32_t rows;	/* rows of frames with a weight, however narrow */
};

/* The weights that determine the widths. */
struct layout_widths {
	const uint64_t *self, *totals; /* by node; borrowed or the next two */
	uint64_t *own_self, *own_totals;
	uint64_t whole; /* of the picture */
};

/* Sets W to T's COLUMN, borrowed; WHOLE is 100 %. The caller releases W. */
void layout_widths_init(struct layout_widths *w, const struct tree *t,
	const uint64_t *totals, int column, uint64_t whole);
void layout_widths_release(struct layout_widths *w);

/* The total weight before of removed frames in T; TOTALS are T's. */
uint64_t layout_weight_of_gone(
	const struct tree *t, uint64_t *const totals[TREE_COLUMNS]);

/* Widens the layout for GONE, the result of layout_weight_of_gone. Returns false, without
 * changes, when GONE is 0 or the whole would overflow 64 bits. */
bool layout_widths_add_gone(struct layout_widths *w, const struct tree *t, uint64_t gone);

/* Lays out T in the order of W, with WIDTHS. Boxes of at least MIN (1 or more) are kept, and
 * strips of at least twice that; frames without weight and gaps get none. The root gets no box:
 * it begins at 0 and spans everything. The caller releases L. */
void layout_init(struct layout *l, const struct tree *t, const struct tree_walk *w,
	const struct layout_widths *widths, uint64_t min);

/* Leaves out the rows above the last one with a box or strip of at least WIDE, unless there are
 * at most FEW. */
void layout_cut(struct layout *l, uint64_t wide, uint32_t few);
void layout_release(struct layout *l);

#endif
