/* SPDX-License-Identifier: ISC */
/* Changes between two columns; see delta.h. */
#include "delta.h"
#include "mem.h"
#include "stats.h"

#include <math.h>

/* The self weights of a column; gaps count towards their parents. */
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

/* The absolute change of NODE. */
static uint64_t
size_of(const struct delta *d, uint32_t node)
{
	uint64_t a = d->before[node], b = d->after[node];

	return a > b ? a - b : b - a;
}

/* Computes the first column of each node in T if it had the same share there as in the second
 * column, COUNTS. */
static uint64_t *
expect(const struct tree *t, const uint64_t *counts)
{
	uint64_t *expected = mem_resize(NULL, t->n, sizeof *expected);
	double times = t->sum[1] ? (double)t->sum[0] / (double)t->sum[1] : 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		expected[i] = stats_count((double)counts[i] * times);
	return expected;
}

/* By node of T, whether it is the root or in the first ROWS levels. */
static bool *
find_rows(const struct tree *t, size_t rows)
{
	bool *is_row = mem_zero(t->n, sizeof *is_row);
	uint32_t *depth = tree_depths(t), i;

	for (i = TREE_ROOT; i < t->n; i++)
		is_row[i] = depth[i] <= rows;
	free(depth);
	return is_row;
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
		.is_ratio = how->ratio,
		.is_row = find_rows(t, how->rows),
		.rows = how->rows };
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
		if (!d->is_row[i] && t->nodes[i].name != TREE_GAP &&
			size_of(d, i) > d->max)
			d->max = size_of(d, i);
}

void
delta_release(struct delta *d)
{
	free(d->own_before);
	free(d->own_after);
	free(d->sure);
	free(d->is_row);
	tested_release(&d->tested);
	*d = (struct delta){ .max = 0 };
}

static bool
is_new(const struct delta *d, uint32_t node)
{
	return !d->is_ratio && !d->totals[0][node] && d->totals[1][node];
}

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

/* The number of colour steps from no change to NODE's change. */
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
	const struct colour less = { 150, 186, 200 }, same = { 174, 174, 174 },
			    more = { 241, 112, 66 };
	const struct colour fresh = { 236, 208, 32 }, gone = { 97, 152, 220 };
	int i;

	for (i = 0; i <= DELTA_SAME; i++) {
		colours[DELTA_SAME + i] = colour_mix(same, more, (double)i / DELTA_SAME);
		colours[DELTA_SAME - i] = colour_mix(same, less, (double)i / DELTA_SAME);
	}
	colours[DELTA_NEW] = negate ? gone : fresh;
	colours[DELTA_GONE] = negate ? fresh : gone;
	colours[DELTA_GONE_GREY] = colour_mix(same, gone, 0.5);
}

/* The metric that NODE is part of; for new and removed frames, the total. */
static size_t
metric_of(const struct delta *d, uint32_t node)
{
	uint32_t name = d->tree->nodes[node].name;
	bool by_self = d->before != d->totals[0] && !is_new(d, node) && !is_gone(d, node);

	return by_self ? metric_self(&d->tested.metrics, name) : name;
}

/* The finding of NODE's metric. */
static struct significance_finding
judge(const struct delta *d, uint32_t node)
{
	bool is_whole = is_new(d, node) || is_gone(d, node);
	const uint64_t weight[] = { is_whole ? d->totals[0][node] : d->before[node],
		is_whole ? d->totals[1][node] : d->after[node] };

	return tested_judge(&d->tested, metric_of(d, node), weight);
}

/* Marks the frames of functions that changed, and those that changed by more than chance
 * themselves. */
static void
mark_frames(struct delta *d, bool *has_marks)
{
	uint32_t i;
	size_t metric;

	for (i = TREE_ROOT + 1; i < d->tree->n; i++) {
		if (d->is_row[i])
			continue;
		metric = metric_of(d, i);
		d->sure[i] = tested_is_change(&d->tested, metric) &&
			judge(d, i).p <= 1 - d->tested.confidence;
		has_marks[metric] |= d->sure[i];
	}
}

/* Where a function changed but none of its parts by more than chance alone, marks those that
 * changed in the same direction. */
static void
mark_parts(struct delta *d, const bool *has_marks)
{
	const struct tested *k = &d->tested;
	struct significance_finding part, whole;
	size_t metric;
	uint32_t i;

	for (i = TREE_ROOT + 1; i < d->tree->n; i++) {
		metric = metric_of(d, i);
		if (d->is_row[i] || has_marks[metric] || !tested_is_change(k, metric))
			continue;
		part = judge(d, i);
		whole = tested_judge(k, metric,
			(const uint64_t[]){ k->weight[0][metric], k->weight[1][metric] });
		d->sure[i] =
			(part.rate[1] - part.rate[0]) * (whole.rate[1] - whole.rate[0]) >
			0;
	}
}

/* The whole and the values of a dimension are not functions. One has changed if a child with
 * nearly all of its weight has. */
static void
mark_rows(struct delta *d)
{
	static const double MOST = 0.95;
	const struct tree *t = d->tree;
	uint32_t i, up;

	for (i = t->n - 1; i > TREE_ROOT; i--) {
		up = t->nodes[i].parent;
		if (d->is_row[up] &&
			(double)d->totals[0][i] >= MOST * (double)d->totals[0][up] &&
			(double)d->totals[1][i] >= MOST * (double)d->totals[1][up])
			d->sure[up] |= d->is_row[i]
				? d->sure[i]
				: tested_is_change(&d->tested, t->nodes[i].name);
	}
}

void
delta_find_sure(struct delta *d, const struct folded_info *info, double confidence)
{
	bool *has_marks;

	tested_init(&d->tested, d->tree, d->rows, info, confidence);
	if (d->tested.kind != TESTED_KNOWN)
		return;
	d->sure = mem_zero(d->tree->n, sizeof *d->sure);
	has_marks = mem_zero(d->tested.metrics.n + 1, sizeof *has_marks);
	mark_frames(d, has_marks);
	mark_parts(d, has_marks);
	free(has_marks);
	mark_rows(d);
	/* few digits, equal on every machine */
	d->t = folded_round(stats_t_quantile(
		0.5 + d->tested.confidence / 2, d->tested.design.freedom));
}
