/* SPDX-License-Identifier: ISC */
/* Weights as widths; see widths.h. */
#include "widths.h"
#include "mem.h"

/* What NODE weighs before for itself, where its frame has no weight after: of a gap that
 * is its parent. */
static uint64_t
gone_self(const struct tree *t, const uint64_t *after, uint32_t node)
{
	uint32_t frame = node;

	if (node != TREE_ROOT && t->nodes[node].name == TREE_GAP)
		frame = t->nodes[node].parent;
	return after[frame] ? 0 : t->self[0][node];
}

uint64_t
widths_of_gone(const struct tree *t, uint64_t *const totals[TREE_COLUMNS])
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		sum += gone_self(t, totals[1], i);
	return sum;
}

void
widths_init(struct widths *w, const struct tree *t, const uint64_t *totals, int column,
	uint64_t whole)
{
	*w = (struct widths){ .self = t->self[column], .totals = totals, .whole = whole };
}

void
widths_release(struct widths *w)
{
	free(w->own_self);
	free(w->own_totals);
	*w = (struct widths){ .whole = 0 };
}

bool
widths_add_gone(struct widths *w, const struct tree *t, uint64_t gone)
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
