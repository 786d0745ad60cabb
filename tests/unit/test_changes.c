/* SPDX-License-Identifier: ISC */
/* Tests of changes in functions over several runs: changes.h. */
#include "changes.h"
#include "mem.h"
#include "stacks.h"
#include "unit.h"

#include <math.h>

static struct tree tree;

/* Two runs per side, each half of a column. */
enum { RUNS = 4 };

static uint64_t half[TREE_COLUMNS][64];
static struct changes_run runs[RUNS];

static void
split(double per_sample)
{
	uint32_t i;
	int side, run;

	CHECK(tree.n <= 64);
	for (side = 0; side < TREE_COLUMNS; side++)
		for (i = 0; i < tree.n; i++)
			half[side][i] = tree.self[side][i] / 2;
	for (run = 0; run < RUNS; run++)
		runs[run] =
			(struct changes_run){ half[run / 2], tree.n, 0, per_sample, 1 };
}

static const size_t TWO[] = { 2, 2, 0 };

/* Compares by NORM; the caller releases the result. */
static struct changes
compare(const char *norm, const bool *is_wanted)
{
	struct changes_how how = { .norms = changes_read_norm(str_of(norm)),
		.min_share = 0.01,
		.is_wanted = is_wanted };
	struct changes c;

	split(1);
	CHECK(!changes_init(&c, &tree, runs, TWO, &how));
	return c;
}

/* Nine of ten functions are unchanged, and one has twice as much. */
static void
grow_one(void)
{
	char stack[] = "main;f0";
	int i;

	for (i = 0; i < 10; i++) {
		stack[6] = (char)('0' + i);
		stacks_add(&tree, stack, 200, i ? 200 : 400);
	}
}

static double
ratio(const struct changes *c, const char *name)
{
	struct significance_finding f =
		changes_find(c, metric_find(&c->metrics, str_of(name)));

	return f.rate[1] / f.rate[0];
}

UNIT(most_functions_determine_the_norm)
{
	struct changes c;

	grow_one();
	c = compare("steady", NULL);
	CHECK(fabs(ratio(&c, "f0") - 2) < 1e-2);
	CHECK(fabs(ratio(&c, "f5") - 1) < 1e-2);
	changes_release(&c);
	c = compare("total", NULL);
	CHECK(fabs(ratio(&c, "f0") - 2 / 1.1) < 1e-9);
	CHECK(fabs(ratio(&c, "main") - 1) < 1e-9);
	changes_release(&c);
	c = compare("f0", NULL);
	CHECK(fabs(ratio(&c, "f0") - 1) < 1e-9);
	CHECK(fabs(ratio(&c, "f1") - 0.5) < 1e-9);
	changes_release(&c);
	c = compare("none", NULL);
	CHECK(fabs(ratio(&c, "main") - 1.1) < 1e-9);
	changes_release(&c);
}

UNIT(totals_and_selves_of_nearly_the_same_are_one_test)
{
	struct changes c;
	uint32_t f0, main;

	grow_one();
	c = compare("none", NULL);
	f0 = metric_find(&c.metrics, STR("f0"));
	main = metric_find(&c.metrics, STR("main"));
	/* main, and each function's total, which equals its self weight */
	CHECK_U64(c.significance.tested, 11);
	CHECK_U64(c.asked, 11);
	CHECK(changes_is_tested(&c, f0));
	CHECK(changes_is_tested(&c, metric_self(&c.metrics, f0)));
	CHECK(changes_find(&c, f0).adjusted ==
		changes_find(&c, metric_self(&c.metrics, f0)).adjusted);
	CHECK(!changes_is_tested(&c, metric_self(&c.metrics, main)));
	changes_release(&c);
}

UNIT(small_functions_are_not_tested)
{
	struct changes c;

	grow_one();
	stacks_add(&tree, "main;tiny", 8, 90);
	stacks_add(&tree, "main;tinier", 4, 6);
	c = compare("none", NULL);
	CHECK(changes_is_tested(&c, metric_find(&c.metrics, STR("tiny"))));
	CHECK(!changes_is_tested(&c, metric_find(&c.metrics, STR("tinier"))));
	CHECK(ratio(&c, "tinier") == 1.5);
	changes_release(&c);
}

UNIT(only_chosen_functions_are_tested)
{
	bool *is_wanted;
	struct changes c;

	grow_one();
	is_wanted = mem_zero(tree.names.n, sizeof *is_wanted);
	is_wanted[intern_id(&tree.names, STR("f3"))] = true;
	c = compare("steady", is_wanted);
	CHECK_U64(c.significance.tested, 1);
	CHECK(changes_is_tested(&c, metric_find(&c.metrics, STR("f3"))));
	CHECK(fabs(ratio(&c, "f3") - 1) < 1e-2);
	changes_release(&c);
	free(is_wanted);
}

/* With one run per side, kernel functions are not tested: they vary too much. */
UNIT(one_run_does_not_test_the_kernel)
{
	static const size_t one[] = { 1, 1, 0 };
	struct changes_how how = { .norms.norm = CHANGES_NONE, .min_share = 0.01 };
	struct changes c;

	grow_one();
	stacks_add(&tree, "main;read;entry_SYSCALL_64_after_hwframe;clear", 100, 900);
	split(1);
	runs[1] = runs[2];
	CHECK(!changes_init(&c, &tree, runs, one, &how));
	CHECK(!changes_is_tested(&c, metric_find(&c.metrics, STR("clear"))));
	CHECK(changes_is_tested(&c, metric_find(&c.metrics, STR("read"))));
	changes_release(&c);
	runs[1] = runs[0];
	CHECK(!changes_init(&c, &tree, runs, TWO, &how));
	CHECK(changes_is_tested(&c, metric_find(&c.metrics, STR("clear"))));
	changes_release(&c);
}

UNIT(a_norm_that_is_not_everywhere_is_refused)
{
	struct changes_how how = { .norms = changes_read_norm(STR("gone")),
		.min_share = 0.01 };
	struct changes c;

	grow_one();
	stacks_add(&tree, "gone", 50, 0);
	split(1);
	CHECK(changes_init(&c, &tree, runs, TWO, &how) != NULL);
	changes_release(&c);
}

/* One of four functions grew by half. The others vary by some percent, so that each
 * run's median is the one nearest to it, until that is excluded. */
UNIT(changed_functions_do_not_determine_the_norm)
{
	static const uint64_t samples[][RUNS] = { { 820, 818, 1270, 1272 },
		{ 735, 670, 770, 700 }, { 705, 740, 672, 768 }, { 380, 400, 395, 383 } };
	struct changes_how how = { .norms.norm = CHANGES_STEADY, .min_share = 0.01 };
	uint64_t self[RUNS][5] = { { 0 } };
	char name[] = "f0";
	struct changes c;
	int i, run;

	for (i = 0; i < 4; i++) {
		name[1] = (char)('0' + i);
		stacks_add(&tree, name, samples[i][0] + samples[i][1],
			samples[i][2] + samples[i][3]);
		for (run = 0; run < RUNS; run++)
			self[run][i + 1] = samples[i][run];
	}
	for (run = 0; run < RUNS; run++)
		runs[run] = (struct changes_run){ self[run], 5, 0, 1, 1 };
	CHECK(!changes_init(&c, &tree, runs, TWO, &how));
	CHECK(c.norm == CHANGES_STEADY);
	CHECK(changes_find(&c, metric_find(&c.metrics, STR("f0"))).adjusted < 0.05);
	CHECK(fabs(ratio(&c, "f0") / 1.552 - 1) < 0.03);
	CHECK(changes_find(&c, metric_find(&c.metrics, STR("f1"))).adjusted > 0.05);
	changes_release(&c);
}

/* If too few functions can agree, the total is the norm. */
UNIT(two_functions_cannot_agree)
{
	struct changes c;

	stacks_add(&tree, "a", 100, 100);
	stacks_add(&tree, "b", 100, 300);
	c = compare("steady", NULL);
	CHECK(c.norm == CHANGES_TOTAL);
	CHECK(fabs(ratio(&c, "b") - 1.5) < 1e-9);
	changes_release(&c);
}

UNIT_MAIN
