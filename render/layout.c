/* SPDX-License-Identifier: ISC */
/* Lays out boxes; see layout.h. */
#include "layout.h"
#include "mem.h"

/* The self weight before of NODE, whose frame has no weight after; a gap counts to its parent. */
static uint64_t
gone_self(const struct tree *t, const uint64_t *after, uint32_t node)
{
	uint32_t frame = node;

	if (node != TREE_ROOT && t->nodes[node].name == TREE_GAP)
		frame = t->nodes[node].parent;
	return after[frame] ? 0 : t->self[0][node];
}

uint64_t
layout_weight_of_gone(const struct tree *t, uint64_t *const totals[TREE_COLUMNS])
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		sum += gone_self(t, totals[1], i);
	return sum;
}

void
layout_widths_init(struct layout_widths *w, const struct tree *t, const uint64_t *totals,
	int column, uint64_t whole)
{
	*w = (struct layout_widths){
		.self = t->self[column], .totals = totals, .whole = whole
	};
}

void
layout_widths_release(struct layout_widths *w)
{
	free(w->own_self);
	free(w->own_totals);
	*w = (struct layout_widths){ .whole = 0 };
}

bool
layout_widths_add_gone(struct layout_widths *w, const struct tree *t, uint64_t gone)
{
	const uint64_t *after = w->totals;
	uint64_t *self, *totals;
	uint32_t i;

	if (!gone || w->whole > UINT64_MAX - gone)
		return false;
	self = mem_alloc(t->n * sizeof *self);
	totals = mem_alloc(t->n * sizeof *totals);
	for (i = 0; i < t->n; i++)
		totals[i] = self[i] = w->self[i] + gone_self(t, after, i);
	for (i = t->n - 1; i > 0; i--)
		totals[t->nodes[i].parent] += totals[i];
	w->self = w->own_self = self;
	w->totals = w->own_totals = totals;
	w->whole += gone;
	return true;
}

/* The state of a row during the walk. */
struct row {
	uint64_t next;		   /* where the next child of the open frame begins */
	uint64_t strip, strip_end; /* the open strip; empty if they are equal */
};

static void
add_box(struct layout *l, struct layout_box box)
{
	l->boxes = mem_grow(l->boxes, &l->cap, l->n + 1, sizeof *l->boxes);
	l->boxes[l->n++] = box;
	if (box.depth > l->depth)
		l->depth = box.depth;
}

static void
end_strip(struct layout *l, struct row *row, uint32_t depth, uint64_t min)
{
	uint64_t w = row->strip_end - row->strip;

	if (w / 2 >= min)
		add_box(l, (struct layout_box){ row->strip, w, LAYOUT_STRIP, depth });
	row->strip = row->strip_end = 0;
}

/* Adds a narrow frame to the open strip, or begins another one when more than MIN lies
 * between. */
static void
add_to_strip(
	struct layout *l, struct row *row, const struct layout_box *narrow, uint64_t min)
{
	if (narrow->x - row->strip_end > min) {
		end_strip(l, row, narrow->depth, min);
		row->strip = narrow->x;
	}
	row->strip_end = narrow->x + narrow->w;
}

static uint32_t
deepest(const struct tree_walk *w)
{
	uint32_t i, depth = 0;

	for (i = 0; i < w->n; i++)
		if (w->depth[i] > depth)
			depth = w->depth[i];
	return depth;
}

void
layout_init(struct layout *l, const struct tree *t, const struct tree_walk *w,
	const struct layout_widths *widths, uint64_t min)
{
	const uint64_t *self = widths->self;
	uint32_t i, depth = deepest(w);
	struct row *rows = mem_zero((size_t)depth + 2, sizeof *rows), *row;
	struct layout_box box;

	*l = (struct layout){ 0 };
	rows[1].next = self[TREE_ROOT];
	for (i = 0; i < w->n; i++) {
		box.node = w->node[i];
		box.depth = w->depth[i];
		box.w = widths->totals[box.node];
		row = &rows[box.depth];
		box.x = row->next;
		row->next += box.w;
		row[1].next = box.x + self[box.node];
		if (box.w && t->nodes[box.node].name != TREE_GAP && box.depth > l->rows)
			l->rows = box.depth;
		if (box.w >= min && t->nodes[box.node].name != TREE_GAP)
			add_box(l, box);
		else if (box.w && t->nodes[box.node].name != TREE_GAP)
			add_to_strip(l, row, &box, min);
	}
	for (i = 1; i <= depth; i++)
		end_strip(l, &rows[i], i, min);
	free(rows);
}

void
layout_cut(struct layout *l, uint64_t wide, uint32_t few)
{
	uint32_t depth = 0;
	size_t i, n = 0;

	for (i = 0; i < l->n; i++)
		if (l->boxes[i].w >= wide && l->boxes[i].depth > depth)
			depth = l->boxes[i].depth;
	if (l->rows - depth <= few)
		return;
	for (i = 0; i < l->n; i++)
		if (l->boxes[i].depth <= depth)
			l->boxes[n++] = l->boxes[i];
	l->n = n;
	l->depth = depth;
}

void
layout_release(struct layout *l)
{
	free(l->boxes);
	*l = (struct layout){ 0 };
}
