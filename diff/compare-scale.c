/* SPDX-License-Identifier: ISC */
/* Making what was before as heavy as what is after; see compare.h. */
#include "compare.h"
#include "mem.h"

/* What the function that is the norm weighs in COLUMN. */
static uint64_t
norm_weight(const struct compare *c, int column)
{
	const struct tree *t = &c->tree;
	struct figures f;
	uint64_t *weight, found = 0;
	size_t number;

	figures_init(&f, t);
	number = figures_find(&f, c->options->norms.frame);
	weight = mem_alloc(f.n * sizeof *weight);
	figures_fill(&f, t->self[column], t->n, weight);
	if (number < f.n)
		found = weight[number];
	free(weight);
	figures_release(&f);
	return found;
}

const char *
compare_scale(struct compare *c)
{
	struct tree *t = &c->tree;
	uint64_t from = t->sum[COMPARE_BEFORE], to = t->sum[COMPARE_AFTER], sum = 0;
	uint32_t i;

	if (c->options->norms.norm == CHANCE_FRAME) {
		from = norm_weight(c, COMPARE_BEFORE);
		to = norm_weight(c, COMPARE_AFTER);
		if (!from || !to)
			return "the frame that is to be the norm does not occur on both sides";
	}
	if (!from)
		return NULL;
	for (i = 1; i < t->n; i++) {
		if (!weight_times(t->self[COMPARE_BEFORE][i], to, from,
			    &t->self[COMPARE_BEFORE][i]) ||
			t->self[COMPARE_BEFORE][i] > UINT64_MAX - sum)
			return "the weights before, made to the norm, leave 64 bits";
		sum += t->self[COMPARE_BEFORE][i];
	}
	t->sum[COMPARE_BEFORE] = sum;
	return NULL;
}
