/* SPDX-License-Identifier: ISC */
/*
 * A tree as boxes: where each frame lies, in the unit of its weights. Pure
 * arithmetic on whole numbers; knows neither pixels nor documents.
 *
 * A frame's box is as wide as its total. From the left edge of it come first
 * its self weight, on which nothing stands, and then its children in the order
 * of the walk. Frames that are too narrow to draw leave strips: a strip stands
 * for neighbours on one row, so that the outline of the whole stays true.
 *
 * The weights are those of one column, or of a difference those after and, for frames
 * that have none, those before, so that removed frames keep their place.
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
	uint32_t rows;	/* of frames that have a weight, however narrow */
};

/* The weights that give boxes their widths. */
struct layout_widths {
	const uint64_t *self, *totals; /* by node; borrowed or the next two */
	uint64_t *own_self, *own_totals;
	uint64_t whole; /* of the picture */
};

/* Those of T's COLUMN, borrowed; WHOLE is what is 100 %. The caller releases W. */
void layout_widths_init(struct layout_widths *w, const struct tree *t,
	const uint64_t *totals, int column, uint64_t whole);
void layout_widths_release(struct layout_widths *w);

/* The weights before of the frames of T that have none after; TOTALS are T's. */
uint64_t layout_weight_of_gone(
	const struct tree *t, uint64_t *const totals[TREE_COLUMNS]);

/* Makes room for GONE, which is layout_weight_of_gone. False, and nothing changes, when
 * there is none or the whole would overflow 64 bits. */
bool layout_widths_add_gone(struct layout_widths *w, const struct tree *t, uint64_t gone);

/* Lays out T, walked as W says, as wide as WIDTHS say. Boxes and strips of at
 * least MIN, which is 1 or more, are kept; frames without weight and gaps have
 * none. The caller releases L. The root has no box here: it begins at 0 and spans
 * everything. */
void layout_init(struct layout *l, const struct tree *t, const struct tree_walk *w,
	const struct layout_widths *widths, uint64_t min);

/* Leaves out the rows above the last that has a box or strip of WIDE or more, unless they
 * are FEW or less. */
void layout_cut(struct layout *l, uint64_t wide, uint32_t few);
void layout_release(struct layout *l);

#endif
