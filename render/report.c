/* SPDX-License-Identifier: ISC */
/* What a report says; see report.h. */
#include "report.h"
#include "mem.h"
#include "stats.h"

#include <math.h>

/* Half of an interval with 95 % confidence, in standard errors. */
static const double CONFIDENCE = 1.96;

/* That a change is none by chance. */
static const double SURE = 0.95;

/* Marks the nodes that have no namesake above them: those whose totals add up
 * to the function's, recursion counted once. */
static void
mark_outermost(struct report *s)
{
	const struct tree *t = s->tree;
	const struct tree_walk *w = &s->walk;
	uint32_t *above = mem_zero(t->names.n, sizeof *above);
	uint32_t *path = mem_alloc(((size_t)w->n + 1) * sizeof *path);
	uint32_t i, depth = 0, name;

	s->outermost = mem_zero(t->n, sizeof *s->outermost);
	for (i = 0; i < w->n; i++) {
		while (depth >= w->depth[i])
			above[path[depth--]]--;
		name = t->nodes[w->node[i]].name;
		s->outermost[w->node[i]] = above[name]++ == 0;
		path[++depth] = name;
	}
	free(path);
	free(above);
}

static bool
has_weight(const struct report *s, const struct report_function *f)
{
	int c;

	for (c = 0; c < s->tree->columns; c++)
		if (f->total[c])
			return true;
	return false;
}

/* Adds the places of each name up. */
static void
sum_functions(struct report *s)
{
	const struct tree *t = s->tree;
	struct report_function *f;
	uint32_t i;
	int c;

	s->functions = mem_zero(t->names.n, sizeof *s->functions);
	for (i = 1; i < t->n; i++) {
		f = &s->functions[t->nodes[i].name];
		for (c = 0; c < t->columns; c++) {
			f->self[c] += t->self[c][i];
			f->total[c] += s->outermost[i] ? s->totals[c][i] : 0;
		}
	}
	for (i = 0; i < t->names.n; i++) {
		f = &s->functions[i];
		f->name = i;
		if (has_weight(s, f))
			s->functions[s->n++] = *f;
	}
}

/* Tests two columns as fg-diff does, as shares of the total. */
static void
find_changes(struct report *s)
{
	static const double once[TREE_COLUMNS] = { 1, 1 };
	struct str names = folded_info_get(s->info, "ratio");

	s->ratio[0] = str_cut(&names, ',');
	s->ratio[1] = names;
	if (report_is_ratio(s) || !report_has_error(s))
		return;
	significance_init(
		&s->significance, s->tree, significance_read_norm(STR("total")));
	significance_set_samples(&s->significance, s->samples, once);
	s->tests = s->significance.is_known;
	if (s->tests)
		significance_test(&s->significance, SURE, NULL);
}

void
report_init(struct report *s, const struct report_settings *set,
	const struct profile *profile)
{
	const struct folded_info *info = &profile->info;
	const struct tree *t = &profile->tree;
	int c;

	*s = (struct report){ .set = set, .tree = t, .info = info };
	s->unit = folded_info_unit(info);
	tree_walk_init(&s->walk, t, TREE_AS_ADDED);
	for (c = 0; c < t->columns; c++) {
		s->totals[c] = tree_totals(t, c);
		s->samples[c] = (double)folded_info_samples(info, t, c);
	}
	mark_outermost(s);
	sum_functions(s);
	if (report_is_diff(s))
		find_changes(s);
}

void
report_release(struct report *s)
{
	int c;

	tree_walk_release(&s->walk);
	for (c = 0; c < TREE_COLUMNS; c++)
		free(s->totals[c]);
	free(s->outermost);
	free(s->functions);
	significance_release(&s->significance);
	*s = (struct report){ .set = NULL };
}

bool
report_is_diff(const struct report *s)
{
	return s->tree->columns > 1;
}

bool
report_is_ratio(const struct report *s)
{
	return report_is_diff(s) && s->ratio[1].n > 0;
}

struct str
report_side(const struct report *s, int column)
{
	enum { FEW = 20 };

	if (report_is_ratio(s) && s->ratio[column].n && s->ratio[column].n <= FEW)
		return s->ratio[column];
	if (report_is_ratio(s))
		return column ? STR("second") : STR("first");
	return column ? STR("after") : STR("before");
}

bool
report_has_error(const struct report *s)
{
	return s->samples[0] > 0 && (!report_is_diff(s) || s->samples[1] > 0);
}

double
report_share(const struct report *s, uint64_t weight, int column)
{
	uint64_t whole = s->tree->sum[column];

	return whole ? 100 * ((double)weight / (double)whole) : 0;
}

double
report_error(const struct report *s, uint64_t weight, int column)
{
	double samples = s->samples[column],
	       share = report_share(s, weight, column) / 100;

	if (samples <= 0)
		return 0;
	return 100 * CONFIDENCE * stats_share_error(share * samples, samples);
}

struct report_change
report_compare(const struct report *s, const uint64_t *weight)
{
	double before = report_share(s, weight[0], 0),
	       after = report_share(s, weight[1], 1);
	struct report_change change = { .points = after - before };

	if (report_is_ratio(s)) {
		change.points = before - after;
		change.ratio = weight[1] ? (double)weight[0] / (double)weight[1] : 0;
	} else if (before > 0) {
		change.ratio = after / before;
	}
	if (report_has_error(s))
		change.error = hypot(
			report_error(s, weight[0], 0), report_error(s, weight[1], 1));
	change.is_clear = s->tests
		? significance_p(&s->significance, weight) <= s->significance.cut
		: fabs(change.points) > change.error;
	return change;
}

bool *
report_find_places(const struct report *s, const bool *chosen)
{
	const struct tree *t = s->tree;
	bool *places = mem_zero(t->n, sizeof *places);
	uint32_t i;

	for (i = 1; i < t->n; i++)
		places[i] = s->outermost[i] && chosen[t->nodes[i].name];
	return places;
}

void
report_make_tree(const struct report *s, const bool *places, struct calltree *ct)
{
	struct calltree_limits limits = { .depth = s->set->depth };
	struct calltree_source source = { s->tree, s->totals, places,
		s->set->kind == REPORT_CALLERS };
	int c;

	/* A hair less, so that rounding hides nothing that has just this share. */
	for (c = 0; c < s->tree->columns; c++)
		limits.least[c] = (uint64_t)ceil(fmin(s->set->min_share / 100, 1) *
			(double)s->tree->sum[c] * (1 - 1e-15));
	calltree_init(ct, &source, &limits);
}

/* A function with what it is ordered by. */
struct entry {
	double change;	 /* of two columns, in points, either way */
	uint64_t first;	 /* weight that counts, and the other */
	uint64_t second; /* where the first is the same */
	struct str name;
	uint32_t at; /* in the functions */
};

static int
by_weight(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->change > y->change || x->change < y->change)
		return x->change > y->change ? -1 : 1;
	if (x->first != y->first)
		return x->first > y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second > y->second ? -1 : 1;
	return str_cmp(x->name, y->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static struct entry
make_entry(const struct report *s, uint32_t at)
{
	const struct report_function *f = &s->functions[at];
	bool total = s->set->sort == REPORT_BY_TOTAL;
	int last = s->tree->columns - 1;
	struct entry e = { .at = at, .name = intern_str(&s->tree->names, f->name) };

	e.first = total ? f->total[last] : f->self[last];
	e.second = total ? f->self[last] : f->total[last];
	if (report_is_diff(s))
		e.change = fabs(report_compare(s, total ? f->total : f->self).points);
	return e;
}

/* Lets the entry at I of a heap of N, the last in order on top, sink to its place. */
static void
sink(struct entry *heap, size_t n, size_t i, int (*order)(const void *, const void *))
{
	struct entry e = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && order(&heap[child], &heap[child + 1]) < 0)
			child++;
		if (order(&heap[child], &e) <= 0)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = e;
}

/* Puts the first WANT functions into BEST, in order. Most profiles have many more
 * functions than anybody wants to see: those never get past the first comparison. */
static void
pick(const struct report *s, struct entry *best, uint32_t want)
{
	int (*order)(const void *, const void *) =
		s->set->sort == REPORT_BY_NAME ? by_name : by_weight;
	struct entry e;
	uint32_t i;
	size_t k;

	for (i = 0; i < want; i++)
		best[i] = make_entry(s, i);
	for (k = want / 2; want < s->n && k-- > 0;)
		sink(best, want, k, order);
	for (; i < s->n; i++) {
		e = make_entry(s, i);
		if (order(&e, &best[0]) >= 0)
			continue;
		best[0] = e;
		sink(best, want, 0, order);
	}
	qsort(best, want, sizeof *best, order);
}

void
report_sort(struct report *s)
{
	uint32_t want = s->set->top && s->set->top < s->n ? (uint32_t)s->set->top : s->n;
	struct entry *best = mem_alloc(want * sizeof *best);
	struct report_function *sorted = mem_alloc(s->n * sizeof *sorted);
	bool *taken = mem_zero(s->n, sizeof *taken);
	uint32_t i, n = want;

	pick(s, best, want);
	for (i = 0; i < want; i++) {
		sorted[i] = s->functions[best[i].at];
		taken[best[i].at] = true;
	}
	for (i = 0; i < s->n; i++)
		if (!taken[i])
			sorted[n++] = s->functions[i];
	s->shown = want;
	free(s->functions);
	s->functions = sorted;
	free(taken);
	free(best);
}
