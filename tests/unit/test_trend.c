/* SPDX-License-Identifier: ISC */
/* Tests of changes along a series of revisions: trend.h, on random samples. */
#include "trend.h"
#include "mem.h"
#include "random.h"
#include "unit.h"

enum { FUNCTIONS = 20 };

static const struct compare_options options = {
	.norms.norm = CHANGES_STEADY, .confidence = 0.95, .min_share = 0.01
};

static struct runs series;
static uint64_t state = 7;

/* A series of N runs of functions with some hundred samples each. */
static void
series_init(size_t n)
{
	static const struct runs_options plain = { .strip = false };
	struct runs_side *older = &series.side[RUNS_OLDER];
	char name[] = "main;a";
	size_t i;
	uint32_t f, node = 0;

	runs_init(&series, &plain);
	tree_add_column(&series.tree);
	for (f = 0; f < FUNCTIONS; f++) {
		name[5] = (char)('a' + f);
		node = tree_child(&series.tree, TREE_ROOT, STR("main"));
		(void)tree_child(&series.tree, node, str_of(name + 5));
	}
	older->runs = mem_zero(n, sizeof *older->runs);
	older->n = n;
	for (i = 0; i < n; i++) {
		older->runs[i].n = series.tree.n;
		older->runs[i].self = mem_zero(series.tree.n, sizeof(uint64_t));
		for (f = 0; f < FUNCTIONS; f++)
			older->runs[i].self[f + 2] = (uint64_t)(100 + 50 * f +
				sqrt(100 + 50 * f) * random_normal(&state));
	}
}

/* Multiplies the samples of function F by TIMES in the runs from FROM up to TO. */
static void
multiply(uint32_t f, double times, size_t from, size_t to)
{
	struct run *run = series.side[RUNS_OLDER].runs;
	size_t i;

	for (i = from; i < to; i++)
		run[i].self[f + 2] = (uint64_t)(times * (double)run[i].self[f + 2]);
}

static struct trend
divide(size_t each)
{
	struct runs_side *older = &series.side[RUNS_OLDER];
	struct trend t;
	size_t i;
	uint32_t k;

	for (i = 0; i < older->n; i++) {
		for (k = 1; k < older->runs[i].n; k++)
			older->runs[i].sum += (double)older->runs[i].self[k];
		older->runs[i].samples = older->runs[i].sum;
	}
	runs_make_series(&series);
	CHECK(!trend_init(&t, &series, &options, each));
	return t;
}

static void
release(struct trend *t)
{
	trend_release(t);
	runs_release(&series);
}

static struct str
cause(const struct trend *t, size_t point)
{
	const struct compare *c = &t->points[point].compare;

	return c->causes ? intern_str(&series.tree.names, c->rows[0].name) : STR("none");
}

UNIT(a_function_that_grew_is_found_at_its_revision)
{
	struct trend t;

	series_init(12);
	multiply(5, 1.6, 7, 12);
	t = divide(1);
	CHECK_U64(t.revisions, 12);
	CHECK_U64(t.n, 1);
	CHECK_U64(t.points[0].first, 0);
	CHECK_U64(t.points[0].at, 7);
	CHECK_U64(t.points[0].end, 12);
	CHECK_STR(cause(&t, 0), STR("f"));
	CHECK_U64(t.points[0].compare.causes, 1);
	CHECK(t.points[0].compare.rows[0].total.change > 0.4);
	release(&t);
}

UNIT(a_reverted_change_is_two)
{
	struct trend t;

	series_init(14);
	multiply(9, 1.5, 6, 9);
	t = divide(1);
	CHECK_U64(t.n, 2);
	CHECK_U64(t.points[0].at, 6);
	CHECK_U64(t.points[1].at, 9);
	CHECK_U64(t.points[1].first, 6);
	CHECK_STR(cause(&t, 0), STR("j"));
	CHECK_STR(cause(&t, 1), STR("j"));
	CHECK(t.points[1].compare.rows[0].total.change < -0.2);
	release(&t);
}

UNIT(changes_of_several_functions_have_their_places)
{
	struct trend t;

	series_init(15);
	multiply(2, 2, 4, 15);
	multiply(12, 1.5, 10, 15);
	t = divide(1);
	CHECK_U64(t.n, 2);
	CHECK_U64(t.points[0].at, 4);
	CHECK_STR(cause(&t, 0), STR("c"));
	CHECK_U64(t.points[1].at, 10);
	CHECK_STR(cause(&t, 1), STR("m"));
	CHECK(trend_largest(&t) == &t.points[1]);
	trend_select(&t, &t.points[1]);
	CHECK_U64(series.side[RUNS_BEFORE].n, 6);
	CHECK_U64(series.side[RUNS_AFTER].n, 5);
	release(&t);
}

UNIT(revisions_of_several_runs_are_not_divided)
{
	struct trend t;

	series_init(12);
	multiply(9, 1.5, 9, 12);
	t = divide(3);
	CHECK_U64(t.revisions, 4);
	CHECK_U64(t.n, 1);
	CHECK_U64(t.points[0].at, 3);
	release(&t);
}

UNIT(one_outlier_is_not_a_change)
{
	struct trend t;

	series_init(12);
	multiply(9, 3, 11, 12);
	t = divide(1);
	CHECK_U64(t.n, 0);
	CHECK(!trend_largest(&t));
	release(&t);
}

UNIT(of_a_hundred_series_without_a_change_at_most_five_have_one)
{
	size_t n, found = 0;
	struct trend t;

	for (n = 0; n < 100; n++) {
		series_init(6 + n % 10);
		t = divide(1);
		found += t.n > 0;
		release(&t);
	}
	CHECK(found <= 5);
}

UNIT(too_few_runs_are_refused)
{
	struct trend t;

	series_init(5);
	runs_make_series(&series);
	CHECK(trend_init(&t, &series, &options, 1));
	release(&t);
	series_init(7);
	runs_make_series(&series);
	CHECK(trend_init(&t, &series, &options, 2));
	release(&t);
}

UNIT_MAIN
