/* SPDX-License-Identifier: ISC */
/* Changes between two columns; see delta.h. */
#include "delta.h"
#include "mem.h"
#include "palette.h"

/* The self weights of a column, gaps counted to the frames they are in. */
static uint64_t *
whole_self(const struct tree *t, int column)
{
	uint64_t *self = mem_resize(NULL, t->n, sizeof *self);
	uint32_t i;

	memcpy(self, t->self[column], t->n * sizeof *self);
	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (t->nodes[i].name == TREE_GAP)
			self[t->nodes[i].parent] += self[i];
	return self;
}

/* The change of NODE without its sign. */
static uint64_t
size_of(const struct delta *d, uint32_t node)
{
	uint64_t a = d->before[node], b = d->after[node];

	return a > b ? a - b : b - a;
}

void
delta_init(struct delta *d, const struct tree *t, uint64_t *const totals[TREE_COLUMNS],
	bool by_self, bool negate)
{
	uint32_t i;

	*d = (struct delta){
		.before = totals[0], .after = totals[1], .sign = negate ? -1 : 1
	};
	if (by_self) {
		d->before = d->own_before = whole_self(t, 0);
		d->after = d->own_after = whole_self(t, 1);
	}
	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (t->nodes[i].name != TREE_GAP && size_of(d, i) > d->max)
			d->max = size_of(d, i);
}

void
delta_release(struct delta *d)
{
	free(d->own_before);
	free(d->own_after);
	*d = (struct delta){ 0 };
}

unsigned
delta_colour(const struct delta *d, uint32_t node)
{
	uint64_t size = size_of(d, node);
	int steps;

	if (!d->max)
		return PALETTE_SAME;
	if (size > d->max)
		size = d->max;
	steps = (int)((double)size / (double)d->max * PALETTE_SAME + 0.5);
	if ((d->after[node] < d->before[node]) != (d->sign < 0))
		steps = -steps;
	return (unsigned)(PALETTE_SAME + steps);
}
