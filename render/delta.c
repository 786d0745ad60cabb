/* SPDX-License-Identifier: ISC */
/* Changes between two columns; see delta.h. */
#include "delta.h"
#include "mem.h"

#include <math.h>

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

/* What each node would have of T's first column by its share of the second,
 * which COUNTS are of. */
static uint64_t *
expect(const struct tree *t, const uint64_t *counts)
{
	uint64_t *expected = mem_resize(NULL, t->n, sizeof *expected);
	double times = t->sum[1] ? (double)t->sum[0] / (double)t->sum[1] : 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		expected[i] = (uint64_t)round((double)counts[i] * times);
	return expected;
}

void
delta_init(struct delta *d, const struct tree *t, uint64_t *const totals[TREE_COLUMNS],
	const struct delta_how *how)
{
	uint64_t *expected;
	uint32_t i;

	*d = (struct delta){ .tree = t,
		.totals = { totals[0], totals[1] },
		.before = totals[0],
		.after = totals[1],
		.sign = how->negate ? -1 : 1,
		.is_ratio = how->ratio };
	if (how->by_self) {
		d->before = d->own_before = whole_self(t, 0);
		d->after = d->own_after = whole_self(t, 1);
	}
	if (how->ratio) {
		expected = expect(t, d->after);
		free(d->own_after);
		d->after = d->before;
		d->own_after = d->own_before;
		d->before = d->own_before = expected;
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
	free(d->sure);
	*d = (struct delta){ .max = 0 };
}

/* Whether NODE has weight after and none before. */
static bool
is_new(const struct delta *d, uint32_t node)
{
	return !d->is_ratio && !d->totals[0][node] && d->totals[1][node];
}

/* Whether it has weight before and none after. */
static bool
is_gone(const struct delta *d, uint32_t node)
{
	return !d->is_ratio && d->totals[0][node] && !d->totals[1][node];
}

bool
delta_is_hushed(const struct delta *d, uint32_t node)
{
	return d->sure && !d->sure[node] && size_of(d, node);
}

/* How many steps the change of NODE is away from none. */
static int
steps_of(const struct delta *d, uint32_t node)
{
	uint64_t size = size_of(d, node);
	int steps;

	if (!d->max)
		return 0;
	if (size > d->max)
		size = d->max;
	steps = (int)((double)size / (double)d->max * DELTA_SAME + 0.5);
	return (d->after[node] < d->before[node]) != (d->sign < 0) ? -steps : steps;
}

unsigned
delta_colour(const struct delta *d, uint32_t node)
{
	bool is_sure = !d->sure || d->sure[node];

	if (is_gone(d, node))
		return is_sure ? DELTA_GONE : DELTA_GONE_GREY;
	if (!is_sure)
		return DELTA_SAME;
	return is_new(d, node) ? DELTA_NEW : (unsigned)(DELTA_SAME + steps_of(d, node));
}

void
delta_colours(struct colour colours[DELTA_COLOURS], bool negate)
{
	const struct colour less = { 90, 155, 213 }, same = { 224, 224, 224 },
			    more = { 230, 145, 56 };
	const struct colour fresh = { 250, 230, 40 }, gone = { 60, 150, 130 };
	int i;

	for (i = 0; i <= DELTA_SAME; i++) {
		colours[DELTA_SAME + i] = colour_mix(same, more, (double)i / DELTA_SAME);
		colours[DELTA_SAME - i] = colour_mix(same, less, (double)i / DELTA_SAME);
	}
	colours[DELTA_NEW] = negate ? gone : fresh;
	colours[DELTA_GONE] = negate ? fresh : gone;
	colours[DELTA_GONE_GREY] = colour_mix(same, gone, 0.5);
}

/* Whether the whole changed: it is none of the frames that are tested, and is held to
 * what they are. */
static bool
root_is_sure(const struct delta *d, const struct significance *c)
{
	const uint64_t weight[] = { d->before[TREE_ROOT], d->after[TREE_ROOT] };

	return (weight[0] || weight[1]) && significance_p(c, weight) <= c->cut;
}

/* Marks the frames whose metric, the total or the self weight, changed; of what is new or
 * gone it is the total. */
static void
mark(struct delta *d, const struct significance *c, double confidence)
{
	const struct tree *t = d->tree;
	bool by_self = d->before != d->totals[0];
	struct metric f = { .is_path = true };
	uint32_t i;

	d->sure = mem_zero(t->n, sizeof *d->sure);
	d->sure[TREE_ROOT] = root_is_sure(d, c);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		f.id = i;
		f.is_self = by_self && !is_new(d, i) && !is_gone(d, i);
		d->sure[i] = significance_is_change(
			c, metric_number(&c->metrics, f), confidence);
	}
}

void
delta_find_sure(struct delta *d, const struct delta_test *test)
{
	static const double once[TREE_COLUMNS] = { 1, 1 };
	struct significance c;

	significance_init(&c, d->tree, test->norms);
	significance_set_samples(&c, test->samples, once);
	if (c.is_known) {
		significance_test(&c, test->confidence, NULL);
		mark(d, &c, test->confidence);
		memcpy(d->samples, c.samples, sizeof d->samples);
		memcpy(d->of, c.of, sizeof d->of);
		d->of_adds = c.norm == SIGNIFICANCE_FRAME;
		/* few digits, which are the same on every machine */
		d->z = round(-1e6 * stats_normal_quantile(c.cut / 2)) / 1e6;
	}
	significance_release(&c);
}
