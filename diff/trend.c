/* SPDX-License-Identifier: ISC */
/* Finds changes along a series of revisions; see trend.h. */
#include "trend.h"
#include "mem.h"

#include <math.h>

/* One outlier is not a change: both parts need at least three runs. */
enum { LEAST_RUNS = 3 };

/* The mean samples a run that a function needs to be tested. */
static const double LEAST_SAMPLES = 5;

/* Half of the allowed error is for functions and half for the total, each divided between the two
 * ways to split a stretch. */
enum { FAMILIES = 2, WAYS = 2 };

/* Runs, or revisions, from FROM up to TO. */
struct stretch {
	size_t from, to;
};

/* The tested counts of functions, by row, then by run. */
struct search {
	struct trend *t;
	size_t rows, runs;
	double *count, *size;
	double *log; /* by run: of its total */
	unsigned char *kind;
	double whole;
	double alpha;
	bool *is_cut;	  /* by revision: it differs from the previous one */
	bool *is_chosen;  /* by row: tested in the current stretch */
	size_t functions; /* the number of these */
};

static size_t
length(struct stretch s)
{
	return s.to - s.from;
}

/* Whether ROW has enough samples in S, and its share in as many consecutive runs as the least part
 * has. */
static bool
is_large(const struct search *x, size_t row, struct stretch s)
{
	const double *count = x->count + row * x->runs;
	double sum = 0, in = 0, of = 0, least = x->t->options->min_share * x->whole;
	bool has_share = false;
	size_t i;

	for (i = s.from; i < s.to; i++) {
		sum += count[i];
		in += count[i];
		of += x->size[i];
		if (i - s.from >= LEAST_RUNS) {
			in -= count[i - LEAST_RUNS];
			of -= x->size[i - LEAST_RUNS];
		}
		has_share |= i - s.from + 1 >= LEAST_RUNS && in >= least * of;
	}
	return has_share && sum >= LEAST_SAMPLES * (double)length(s);
}

static void
choose(struct search *x, struct stretch s)
{
	size_t i;

	x->functions = 0;
	for (i = 0; i < x->rows; i++) {
		x->is_chosen[i] = is_large(x, i, s);
		x->functions += x->is_chosen[i];
	}
}

/* Copies VALUE, by run, for the runs of ALL: those of PART last. */
static void
copy_parts(double *to, const double *value, struct stretch all, struct stretch part)
{
	size_t head = part.from - all.from, tail = all.to - part.to;

	memcpy(to, value + all.from, head * sizeof *to);
	memcpy(to + head, value + part.to, tail * sizeof *to);
	memcpy(to + head + tail, value + part.from, length(part) * sizeof *to);
}

/* The least p-value of a function for "PART equals the rest of ALL". */
static double
test_functions(const struct search *x, struct stretch all, struct stretch part)
{
	const size_t n[] = { length(all) - length(part), length(part), 0 };
	double *size = mem_alloc(length(all) * sizeof *size), least = 1;
	struct significance s;
	size_t i;

	significance_init(&s, x->rows, n);
	copy_parts(size, x->size, all, part);
	significance_set_sizes(&s, size);
	memcpy(s.kind, x->kind, x->rows);
	for (i = 0; i < x->rows; i++)
		copy_parts(s.count + i * s.all, x->count + i * x->runs, all, part);
	significance_test(&s, x->is_chosen);
	for (i = 0; i < x->rows; i++)
		if (x->is_chosen[i])
			least = fmin(least, s.found[i].p);
	significance_release(&s);
	free(size);
	return least;
}

/* The p-value of "the totals of PART equal those of the rest of ALL". */
static double
test_total(const struct search *x, struct stretch all, struct stretch part)
{
	struct stats_runs in = { 0 }, out = { 0 };
	size_t i;

	for (i = all.from; i < all.to; i++)
		stats_runs_add(i >= part.from && i < part.to ? &in : &out, x->log[i]);
	return in.n > 1 && out.n > 1 ? stats_runs_p(&in, &out) : 1;
}

/* A part of a stretch that differs from its rest. */
struct part {
	struct stretch runs;
	double p; /* adjusted for all tests */
};

/* Tests PART, one of N, and keeps it if it differs more than BEST. */
static void
try(const struct search *x, struct stretch all, struct stretch part, double n,
	struct part *best)
{
	double p = 1;

	if (x->functions)
		p = (double)x->functions * test_functions(x, all, part);
	p = fmin(p, test_total(x, all, part)) * n * FAMILIES * WAYS;
	if (p < best->p)
		*best = (struct part){ part, p };
}

/* Finds the place in ALL where the runs from there on differ most from those before. */
static struct part
find_split(const struct search *x, struct stretch all)
{
	struct part best = { all, 1 };
	size_t each = x->t->each, at, n = 0;
	struct stretch part = all;
	int pass;

	for (pass = 0; pass < 2; pass++)
		for (at = all.from + each; at + LEAST_RUNS <= all.to; at += each) {
			part.from = at;
			if (at - all.from < LEAST_RUNS)
				continue;
			if (pass)
				try(x, all, part, (double)n, &best);
			else
				n++;
		}
	return best;
}

/* The next longer part to test: every length of short ones, and four per doubling. */
static size_t
lengthen(size_t revisions)
{
	size_t step = 1;

	while (step * 8 <= revisions)
		step *= 2;
	return revisions + step;
}

/* Finds the part within ALL that differs most from the runs around it. */
static struct part
find_bump(const struct search *x, struct stretch all)
{
	struct part best = { all, 1 };
	size_t each = x->t->each, revisions, at, runs, n = 0;
	int pass;

	for (pass = 0; pass < 2; pass++)
		for (revisions = 1; revisions * each + 2 * each <= length(all);
			revisions = lengthen(revisions)) {
			runs = revisions * each;
			if (runs < LEAST_RUNS)
				continue;
			for (at = all.from + each; at + runs < all.to; at += each) {
				if (at - all.from < LEAST_RUNS ||
					all.to - at - runs < LEAST_RUNS)
					continue;
				if (pass)
					try(x, all, (struct stretch){ at, at + runs },
						(double)n, &best);
				else
					n++;
			}
		}
	return best;
}

/* Divides ALL, then its parts. */
static void
divide(struct search *x, struct stretch all)
{
	struct part split, bump;
	struct stretch part;

	choose(x, all);
	split = find_split(x, all);
	bump = find_bump(x, all);
	part = bump.p < split.p ? bump.runs : split.runs;
	if (fmin(bump.p, split.p) > x->alpha)
		return;
	x->is_cut[part.from / x->t->each] = true;
	divide(x, (struct stretch){ all.from, part.from });
	divide(x, part);
	if (part.to == all.to)
		return;
	x->is_cut[part.to / x->t->each] = true;
	divide(x, (struct stretch){ part.to, all.to });
}

/* The revisions from the last cut before AT up to the next one after it. */
static struct stretch
look_around(const struct search *x, size_t at)
{
	struct stretch s = { at - 1, at + 1 };

	while (s.from > 0 && !x->is_cut[s.from])
		s.from--;
	while (s.to < x->t->revisions && !x->is_cut[s.to])
		s.to++;
	return s;
}

/* Moves each cut to where its neighbours differ most; removes one that they do not need. Returns
 * whether one was removed. */
static bool
refine(struct search *x)
{
	size_t each = x->t->each, at, to;
	struct stretch s;
	struct part best;

	for (at = 1; at < x->t->revisions; at++) {
		if (!x->is_cut[at])
			continue;
		s = look_around(x, at);
		s = (struct stretch){ s.from * each, s.to * each };
		choose(x, s);
		best = find_split(x, s);
		to = best.runs.from / each;
		x->is_cut[at] = false;
		if (best.p > x->alpha)
			return true;
		x->is_cut[to] = true;
		at = to > at ? to : at;
	}
	return false;
}

static void
release_points(struct trend *t)
{
	while (t->n)
		compare_release(&t->points[--t->n].compare);
}

/* Compares the runs on both sides of the cut AT. Removes the cut and returns false if nothing
 * changed. */
static bool
compare_at(struct search *x, size_t at, const char **wrong)
{
	struct stretch s = look_around(x, at);
	struct trend *t = x->t;
	struct trend_point *p;

	t->points = mem_grow(t->points, &t->cap, t->n + 1, sizeof *t->points);
	p = &t->points[t->n++];
	*p = (struct trend_point){ .first = s.from, .at = at, .end = s.to };
	trend_select(t, p);
	*wrong = compare_init(&p->compare, t->runs, t->options);
	if (*wrong || p->compare.n || p->compare.total.is_change)
		return true;
	x->is_cut[at] = false;
	return false;
}

/* Compares both sides of each cut. */
static const char *
compare_all(struct search *x)
{
	const char *wrong = NULL;
	size_t at;

	for (at = 1; at < x->t->revisions && !wrong; at++) {
		if (!x->is_cut[at] || compare_at(x, at, &wrong))
			continue;
		release_points(x->t);
		at = 0;
	}
	return wrong;
}

/* Takes the counts from C. */
static void
search_init(struct search *x, struct trend *t, const struct changes *c)
{
	const struct significance *s = &c->significance;
	size_t i;

	*x = (struct search){ .t = t,
		.runs = s->all,
		.alpha = 1 - t->options->confidence,
		.whole = c->whole };
	x->count = mem_alloc((s->n * s->all + 1) * sizeof *x->count);
	x->size = mem_alloc(s->all * sizeof *x->size);
	x->log = mem_alloc(s->all * sizeof *x->log);
	x->kind = mem_alloc(s->n + 1);
	x->is_chosen = mem_zero(s->n + 1, sizeof *x->is_chosen);
	x->is_cut = mem_zero(t->revisions + 1, sizeof *x->is_cut);
	memcpy(x->size, s->size, s->all * sizeof *x->size);
	for (i = 0; i < s->all; i++)
		x->log[i] = log(t->runs->series.runs[i].sum);
	for (i = 0; i < s->n; i++) {
		if (!c->is_tested[i])
			continue;
		memcpy(x->count + x->rows * s->all, s->count + i * s->all,
			s->all * sizeof *x->count);
		x->kind[x->rows++] = s->kind[i];
	}
}

static void
search_release(struct search *x)
{
	free(x->count);
	free(x->size);
	free(x->log);
	free(x->kind);
	free(x->is_chosen);
	free(x->is_cut);
}

static const char *
search(struct trend *t, const struct changes *c)
{
	struct search x;
	const char *wrong;

	search_init(&x, t, c);
	choose(&x, (struct stretch){ 0, x.runs });
	t->tests = x.functions;
	divide(&x, (struct stretch){ 0, x.runs });
	while (refine(&x))
		;
	wrong = compare_all(&x);
	search_release(&x);
	return wrong;
}

/* Counts the samples of functions in all runs. */
static const char *
count(const struct trend *t, struct changes *c)
{
	const struct runs_side *all = &t->runs->series;
	const size_t cut[] = { 0, all->n / 2, all->n };
	const size_t n[] = { cut[1], cut[2] - cut[1], 0 };
	struct changes_run *run = mem_alloc(all->n * sizeof *run);
	bool *is_wanted = NULL;
	const char *wrong = compare_find_wanted(t->options, t->runs, &is_wanted);
	const struct changes_how how = { t->options->norms, 0, false, is_wanted,
		t->runs->by.now.n };
	size_t i;

	for (i = 0; i < all->n; i++)
		run[i] = (struct changes_run){ all->runs[i].self, all->runs[i].n,
			all->runs[i].scale, all->runs[i].sum / all->runs[i].samples, 1 };
	runs_select(t->runs, cut);
	if (!wrong)
		wrong = changes_init(c, &t->runs->tree, run, n, &how);
	free(run);
	free(is_wanted);
	return wrong;
}

/* Whether the runs can be tested. */
static const char *
check(const struct runs_side *all, size_t each)
{
	size_t i;

	if (all->n % each)
		return "the number of files is not a multiple of --each";
	if (all->n < 2 * each || all->n < 2 * LEAST_RUNS)
		return "a trend needs at least two revisions and six runs";
	for (i = 0; i < all->n; i++)
		if (!(all->runs[i].sum > 0))
			return "a run has no stack with a weight";
		else if (!(all->runs[i].samples > 0))
			return "a run has no samples= in its header";
	return NULL;
}

const char *
trend_init(struct trend *t, struct runs *r, const struct compare_options *o, size_t each)
{
	const char *wrong = check(&r->series, each);
	struct changes c = { .row = NULL };

	*t = (struct trend){
		.runs = r, .options = o, .each = each, .revisions = r->series.n / each
	};
	if (wrong)
		return wrong;
	wrong = count(t, &c);
	if (!wrong)
		wrong = search(t, &c);
	changes_release(&c);
	return wrong;
}

void
trend_release(struct trend *t)
{
	release_points(t);
	free(t->points);
	*t = (struct trend){ .runs = NULL };
}

void
trend_select(const struct trend *t, const struct trend_point *p)
{
	const size_t cut[] = { p->first * t->each, p->at * t->each, p->end * t->each };

	runs_select(t->runs, cut);
}

/* The size of the change at P. A new name alone costs nothing. */
static double
size_of(const struct trend_point *p)
{
	double size = p->compare.total.is_change ? fabs(p->compare.total.excess) : 0;
	const struct compare_row *r;
	size_t i;

	for (i = 0; i < p->compare.causes; i++) {
		r = &p->compare.rows[i];
		if (r->renamed == i)
			size = fmax(size, fabs(r->own_excess));
	}
	return size;
}

const struct trend_point *
trend_largest(const struct trend *t)
{
	const struct trend_point *largest = NULL;
	size_t i;

	for (i = 0; i < t->n; i++)
		if (!largest || size_of(&t->points[i]) > size_of(largest))
			largest = &t->points[i];
	return largest;
}
