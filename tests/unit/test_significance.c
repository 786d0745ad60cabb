/* SPDX-License-Identifier: ISC */
/* Tests of chance: what is more than sampling explains. */
#include "significance.h"
#include "stacks.h"
#include "unit.h"

#include <math.h>

static const double CONFIDENCE = 0.95;

static struct tree tree;

static uint32_t
add(const char *stack, uint64_t before, uint64_t after)
{
	return stacks_add(&tree, stack, before, after);
}

/* Tests with SAMPLES on each side. */
static struct significance
test(const char *norm, double samples)
{
	const double n[] = { samples, samples }, once[] = { 1, 1 };
	struct significance c;

	significance_init(&c, &tree, significance_read_norm(str_of(norm)));
	significance_set_samples(&c, n, once);
	if (c.is_known)
		significance_test(&c, CONFIDENCE, NULL);
	return c;
}

UNIT(a_large_change_is_none_by_chance_and_a_small_one_is)
{
	uint32_t big = add("a;big", 100, 400), small = add("a;small", 100, 104);
	struct significance c;

	add("a;rest", 800, 496);
	c = test("total", 1000);
	CHECK(c.is_known);
	CHECK(significance_is_change(&c, big, CONFIDENCE));
	CHECK(!significance_is_change(&c, small, CONFIDENCE));
	CHECK(!significance_is_change(&c, TREE_ROOT, CONFIDENCE));
	CHECK_U64(c.tested, 3);
	CHECK_U64(c.asked, 4);
	significance_release(&c);
}

/* The same weights from a hundredth of the samples prove nothing. */
UNIT(samples_decide_not_weights)
{
	uint32_t big = add("a;big", 100, 200);
	struct significance c;

	add("a;rest", 900, 800);
	c = test("total", 1000);
	CHECK(significance_is_change(&c, big, CONFIDENCE));
	significance_release(&c);
	c = test("total", 10);
	CHECK(!significance_is_change(&c, big, CONFIDENCE));
	significance_release(&c);
}

UNIT(without_samples_nothing_is_known)
{
	struct significance c;

	add("a", 100, 200);
	c = test("total", 0);
	CHECK(!c.is_known);
	significance_release(&c);
}

UNIT(a_side_without_weight_is_not_tested)
{
	struct significance c;

	add("a", 100, 0);
	c = test("total", 100);
	CHECK(!c.is_known);
	significance_release(&c);
}

/* As shares nothing changed; as weights all has. */
UNIT(the_norm_decides_what_is_compared)
{
	uint32_t one = add("a;one", 500, 1000);
	const double n[] = { 1000, 2000 }, once[] = { 1, 1 };
	const char *norms[] = { "total", "a", "none" };
	struct significance c;
	int i;

	add("a;two", 500, 1000);
	for (i = 0; i < 3; i++) {
		significance_init(&c, &tree, significance_read_norm(str_of(norms[i])));
		significance_set_samples(&c, n, once);
		significance_test(&c, CONFIDENCE, NULL);
		CHECK(significance_is_change(&c, one, CONFIDENCE) == (i == 2));
		significance_release(&c);
	}
}

UNIT(a_norm_that_is_no_frame_makes_nothing_known)
{
	struct significance c;

	add("a", 100, 200);
	c = test("nowhere", 100);
	CHECK(!c.is_known);
	significance_release(&c);
}

/* What is a change is so by the cut, too: the p-value of each test says the same. */
UNIT(the_cut_parts_changes_from_chance)
{
	uint64_t weight[TREE_COLUMNS];
	struct significance c;
	char name[] = "a;x";
	size_t i;

	for (i = 0; i < 20; i++) {
		name[2] = (char)('a' + i);
		add(name, 100, i % 3 ? 100 + 3 * i : 100);
	}
	c = test("total", 5000);
	CHECK(c.tested > 10 && c.cut > 0 && c.cut < 0.05);
	for (i = 0; i < c.metrics.n; i++) {
		if (c.p[i] > 1)
			continue;
		weight[0] = c.weight[0][i];
		weight[1] = c.weight[1][i];
		CHECK((significance_p(&c, weight) <= c.cut) ==
			significance_is_change(&c, i, CONFIDENCE));
	}
	significance_release(&c);
}

UNIT_MAIN
