/* SPDX-License-Identifier: ISC */
/* What a report says; see report.h. */
#include "report.h"
#include "mem.h"
#include "stats.h"

#include <math.h>

/* Half of an interval with 95 % confidence, in standard errors. */
static const double CONFIDENCE = 1.96;

/* Marks the nodes that have no namesake above them: those whose totals add up
 * to the function's, recursion counted once. */
static void
mark_outermost(struct report *r)
{
	const struct tree *t = r->tree;
	const struct tree_walk *w = &r->walk;
	uint32_t *above = mem_zero(t->names.n, sizeof *above);
	uint32_t *path = mem_alloc(((size_t)w->n + 1) * sizeof *path);
	uint32_t i, depth = 0, name;

	r->outermost = mem_zero(t->n, sizeof *r->outermost);
	for (i = 0; i < w->n; i++) {
		while (depth >= w->depth[i])
			above[path[depth--]]--;
		name = t->nodes[w->node[i]].name;
		r->outermost[w->node[i]] = above[name]++ == 0;
		path[++depth] = name;
	}
	free(path);
	free(above);
}

static bool
has_weight(const struct report *r, const struct report_function *f)
{
	int c;

	for (c = 0; c < r->tree->columns; c++)
		if (f->total[c])
			return true;
	return false;
}

/* Adds the places of each name up. */
static void
sum_functions(struct report *r)
{
	const struct tree *t = r->tree;
	struct report_function *f;
	uint32_t i;
	int c;

	r->functions = mem_zero(t->names.n, sizeof *r->functions);
	for (i = 1; i < t->n; i++) {
		f = &r->functions[t->nodes[i].name];
		for (c = 0; c < t->columns; c++) {
			f->self[c] += t->self[c][i];
			f->total[c] += r->outermost[i] ? r->totals[c][i] : 0;
		}
	}
	for (i = 0; i < t->names.n; i++) {
		f = &r->functions[i];
		f->name = i;
		if (has_weight(r, f))
			r->functions[r->n++] = *f;
	}
}

/* In a header of two columns, keys of the first end in "-before". */
static double
count_samples(const struct tree *t, int column, const struct folded_info *info)
{
	uint64_t before = folded_info_u64(info, "samples-before");

	if (before && t->columns > 1 && column == 0)
		return (double)before;
	return (double)stats_samples(t, column, info);
}

void
report_init(struct report *r, const struct report_settings *set, const struct tree *t,
	const struct folded_info *info)
{
	int c;

	*r = (struct report){ .set = set, .tree = t, .info = info };
	r->unit = folded_info_get(info, "unit");
	if (!r->unit.n)
		r->unit = STR("samples");
	tree_walk_init(&r->walk, t, TREE_AS_ADDED);
	for (c = 0; c < t->columns; c++) {
		r->totals[c] = tree_totals(t, c);
		r->samples[c] = count_samples(t, c, info);
	}
	mark_outermost(r);
	sum_functions(r);
}

void
report_release(struct report *r)
{
	int c;

	tree_walk_release(&r->walk);
	for (c = 0; c < TREE_COLUMNS; c++)
		free(r->totals[c]);
	free(r->outermost);
	free(r->functions);
	*r = (struct report){ .set = NULL };
}

bool
report_is_diff(const struct report *r)
{
	return r->tree->columns > 1;
}

bool
report_has_error(const struct report *r)
{
	return r->samples[0] > 0 && (!report_is_diff(r) || r->samples[1] > 0);
}

double
report_share(const struct report *r, uint64_t weight, int column)
{
	uint64_t whole = r->tree->sum[column];

	return whole ? 100 * ((double)weight / (double)whole) : 0;
}

double
report_error(const struct report *r, uint64_t weight, int column)
{
	double samples = r->samples[column],
	       share = report_share(r, weight, column) / 100;

	if (samples <= 0)
		return 0;
	return 100 * CONFIDENCE * stats_share_error(share * samples, samples);
}

struct report_change
report_compare(const struct report *r, const uint64_t *weight)
{
	double before = report_share(r, weight[0], 0),
	       after = report_share(r, weight[1], 1);
	struct report_change change = { .points = after - before };

	if (before > 0)
		change.ratio = after / before;
	if (report_has_error(r))
		change.error = hypot(
			report_error(r, weight[0], 0), report_error(r, weight[1], 1));
	change.is_clear = fabs(change.points) > change.error;
	return change;
}

/* The nodes to begin from: the outermost ones of the names that are CHOSEN and
 * have enough weight for a row. */
static bool *
find_places(const struct report *r, const bool *chosen, struct calltree_limits *limits)
{
	const struct tree *t = r->tree;
	bool *wanted = mem_zero(t->n, sizeof *wanted), *heavy, visible;
	uint32_t i;
	int c;

	heavy = mem_zero(t->names.n, sizeof *heavy);
	for (i = 0; i < r->n; i++) {
		const struct report_function *f = &r->functions[i];

		for (visible = false, c = 0; c < t->columns; c++)
			visible |= f->total[c] && f->total[c] >= limits->least[c];
		heavy[f->name] = visible && chosen[f->name];
		limits->left_out += chosen[f->name] && !visible;
	}
	for (i = 1; i < t->n; i++)
		wanted[i] = r->outermost[i] && heavy[t->nodes[i].name];
	free(heavy);
	return wanted;
}

void
report_make_tree(const struct report *r, const bool *chosen, struct tree *made,
	struct calltree *ct)
{
	struct calltree_limits limits = { .depth = r->set->depth };
	struct calltree_places places = { r->tree, &r->walk, r->totals, NULL };
	bool *wanted;
	int c;

	/* A hair less, so that rounding hides nothing that has just this share. */
	for (c = 0; c < r->tree->columns; c++)
		limits.least[c] = (uint64_t)ceil(fmin(r->set->min_share / 100, 1) *
			(double)r->tree->sum[c] * (1 - 1e-15));
	if (r->set->kind == REPORT_TREE) {
		calltree_init(ct, r->tree, &limits);
		return;
	}
	places.wanted = wanted = find_places(r, chosen, &limits);
	if (r->set->kind == REPORT_CALLERS)
		calltree_put_callers(made, &places);
	else
		calltree_put_callees(made, &places);
	calltree_init(ct, made, &limits);
	free(wanted);
}
