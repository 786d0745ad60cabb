/* SPDX-License-Identifier: ISC */
/* Tests of tested: significance of functions in a text with two columns. */
#include "stacks.h"
#include "tested.h"
#include "unit.h"

static struct tree tree;
static struct folded_info info;
static struct tested tested;

static void
set_up(const char *header)
{
	folded_info_parse(&info, str_of(header));
	stacks_add(&tree, "main;grown", 500, 700);
	stacks_add(&tree, "main;odd name #1", 200, 100);
	stacks_add(&tree, "main;rest", 300, 300);
}

static size_t
total_of(const char *name)
{
	return metric_find(&tested.metrics, str_of(name));
}

static const char *
add_test(const char *text)
{
	return folded_info_parse_test(&info, str_of(text));
}

UNIT(lines_list_the_changes)
{
	set_up("samples=1000 samples-before=1000 tests=12,3,3,0.9");
	CHECK(!add_test("total=1.5,0.01 name=grown"));
	CHECK(!add_test("self=1.5,0.2 name=grown"));
	CHECK(!add_test("total=2,0.0999 name=odd%20name%20#1"));
	CHECK(!add_test("total=2,0.05 name=not%20there"));
	tested_init(&tested, &tree, 0, &info, 0);
	CHECK(tested.kind == TESTED_KNOWN);
	CHECK(tested_is_change(&tested, total_of("grown")));
	CHECK(!tested_is_change(
		&tested, metric_self(&tested.metrics, (uint32_t)total_of("grown"))));
	CHECK(tested_is_change(&tested, total_of("odd name #1")));
	CHECK(!tested_is_change(&tested, total_of("rest")));
	tested_release(&tested);
	tested_init(&tested, &tree, 0, &info, 0.95);
	CHECK(!tested_is_change(&tested, total_of("odd name #1")));
	tested_release(&tested);
	folded_info_release(&info);
	tree_release(&tree);
}

/* Parts vary by less than the whole. Here |t| is 200 / 3 / sqrt(1.5 * 200 * 2 / 3) of
 * all, and 2 / 3 / sqrt(1.0075 * 3 * 2 / 3) of a part of 10 and 8. */
UNIT(a_part_is_tested_on_its_own)
{
	const uint64_t all[] = { 500, 700 }, part[] = { 8, 10 };
	struct significance_finding f;

	set_up("samples=1000 samples-before=1000 tests=12,3,3,0.95");
	CHECK(!add_test("total=1.5,0.0001 name=grown"));
	tested_init(&tested, &tree, 0, &info, 0);
	f = tested_judge(&tested, total_of("grown"), part);
	CHECK(f.phi > 1.0074 && f.phi < 1.0076);
	CHECK(tested_is_part(&tested, total_of("grown"), all));
	CHECK(!tested_is_part(&tested, total_of("grown"), part));
	tested_release(&tested);
	folded_info_release(&info);
	tree_release(&tree);
}

UNIT(exact_weights_change_when_they_differ)
{
	set_up("tests=exact");
	tested_init(&tested, &tree, 0, &info, 0);
	CHECK(tested.kind == TESTED_EXACT);
	CHECK(tested_is_change(&tested, total_of("grown")));
	CHECK(!tested_is_change(&tested, total_of("rest")));
	tested_release(&tested);
	folded_info_release(&info);
	tree_release(&tree);
}

UNIT(without_samples_nothing_is_known)
{
	set_up("tests=12,3,3,0.95");
	tested_init(&tested, &tree, 0, &info, 0);
	CHECK(tested.kind == TESTED_UNKNOWN);
	CHECK(!tested_is_change(&tested, total_of("grown")));
	tested_release(&tested);
	folded_info_release(&info);
	tree_release(&tree);
}

/* An unreadable design is ignored: the columns are tested as one run per side. */
UNIT(an_unreadable_design_is_ignored)
{
	static const char *const wrong[] = { "12,3,3", "12,3,3,1", "12,-3,3,0.95",
		"nan,3,3,0.95", "12,0,3,0.95", "12,3,3,0.95,1", "12,3,1e99,0.95", "" };
	size_t i;

	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		set_up("samples=1000 samples-before=1000");
		folded_info_set(&info, "tests", str_of(wrong[i]));
		CHECK(!add_test("total=1.5,0.0001 name=rest"));
		tested_init(&tested, &tree, 0, &info, 0);
		CHECK(tested.design.freedom == 8);
		CHECK(!tested_is_change(&tested, total_of("rest")));
		tested_release(&tested);
		folded_info_release(&info);
		tree_release(&tree);
	}
}

UNIT(malformed_tests_are_reported)
{
	static const char *const wrong[] = { "", "total=1.5,0.1", "both=1,0.1 name=f",
		"total=1,2 name=f", "total=0,0.1 name=f", "total=1,nan name=f",
		"total=inf,0.1 name=f", "total=1,-0.1 name=f", "total=1 name=f",
		"total=1,0.1 f", "total=1,0.1 name=f g", "total=0x1,0.1 name=f",
		"total=1.000000000000000000000000000000,0.1 name=f" };
	size_t i;

	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(add_test(wrong[i]));
	CHECK_U64(info.n_tests, 0);
}

UNIT(the_first_test_of_a_function_counts)
{
	set_up("samples=1000 samples-before=1000 tests=12,3,3,0.95");
	CHECK(!add_test("total=1.5,0.01 name=grown"));
	CHECK(!add_test("total=1.5,0.9 name=grown"));
	tested_init(&tested, &tree, 0, &info, 0);
	CHECK(tested_is_change(&tested, total_of("grown")));
	tested_release(&tested);
	folded_info_release(&info);
	tree_release(&tree);
}

UNIT(written_tests_read_back_and_decide_alike)
{
	const struct significance_design d = { { 2.77591334, 3.2240866 }, 12 };
	struct tested_metric close = { 1.23456789, 0.0500000001 };
	struct buf b = { 0 };

	tested_put_design(&info, &d, 0.95);
	CHECK(str_eq(folded_info_get(&info, "tests"), STR("12,2.77591,3.22409,0.95")));
	tested_put(&info, STR("odd name; 12"), true, close, 0.95);
	CHECK(info.tests[0].p > 1 - 0.95);
	folded_put_notes(&b, &info);
	CHECK_STR(buf_view(&b),
		STR("#fg-test self=1.23457,0.0500000001 name=odd%20name:%2012\n"));
	buf_release(&b);
	folded_info_release(&info);
}

UNIT(merged_stacks_have_no_tests)
{
	struct folded_info sum = { .n = 0 };

	folded_info_parse(&info, STR("tests=12,3,3,0.95 verdict=slower runs=3"));
	info.headed = true;
	CHECK(!add_test("total=1.5,0.01 name=grown"));
	CHECK(folded_info_merge(&sum, &info));
	CHECK_U64(sum.n_tests, 1);
	CHECK(folded_info_merge(&sum, &info));
	CHECK_U64(sum.n_tests, 0);
	CHECK(!folded_info_get(&sum, "tests").n && !folded_info_get(&sum, "verdict").n);
	CHECK_U64(folded_info_u64(&sum, "runs"), 6);
	folded_info_release(&sum);
	folded_info_release(&info);
}

UNIT_MAIN
