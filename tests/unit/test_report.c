/* SPDX-License-Identifier: ISC */
/* Tests of report: weights of functions, their order, and the error of shares. */
#include "unit.h"
#include "report.h"

#include <math.h>

static struct profile profile;
static struct report_settings set;
static struct report summary;

static void
add(const char *stack, uint64_t before, uint64_t after)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	if (!profile.tree.n)
		tree_init(&profile.tree, after ? 2 : 1);
	while (rest.n)
		node = tree_child(&profile.tree, node, str_cut(&rest, ';'));
	tree_add(&profile.tree, node, 0, before);
	if (profile.tree.columns > 1)
		tree_add(&profile.tree, node, 1, after);
}

static void
make(void)
{
	report_init(&summary, &set, &profile);
	report_sort(&summary);
}

static const char *
order(void)
{
	static char names[64];
	struct str name;
	uint32_t i;
	size_t n = 0;

	for (i = 0; i < summary.shown; i++) {
		name = intern_str(&profile.tree.names, summary.functions[i].name);
		n += (size_t)snprintf(
			names + n, sizeof names - n, "%.*s ", (int)name.n, name.s);
	}
	return names;
}

static bool
is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

UNIT(recursion_counts_once_in_totals)
{
	add("f;g;f;g;f", 10, 0);
	add("f;f", 5, 0);
	add("g;f", 1, 0);
	make();
	CHECK_STR(str_of(order()), STR("f g "));
	CHECK_U64(summary.functions[0].self[0], 16);
	CHECK_U64(summary.functions[0].total[0], 16);
	CHECK_U64(summary.functions[1].self[0], 0);
	CHECK_U64(summary.functions[1].total[0], 11);
}

UNIT(functions_are_ordered_by_self_total_or_name)
{
	add("c;a", 5, 0);
	add("c;b", 7, 0);
	add("c;d", 5, 0);
	make();
	CHECK_STR(str_of(order()), STR("b a d c "));
	report_release(&summary);
	set.sort = REPORT_BY_TOTAL;
	make();
	CHECK_STR(str_of(order()), STR("c b a d "));
	report_release(&summary);
	set.sort = REPORT_BY_NAME;
	make();
	CHECK_STR(str_of(order()), STR("a b c d "));
}

/* Any number of functions is a prefix of the whole order. */
UNIT(the_top_is_the_beginning_of_all)
{
	static const struct report_function *f;
	static uint32_t all[500];
	char name[16];
	uint32_t i;

	for (i = 0; i < 500; i++) {
		snprintf(name, sizeof name, "f%u", (unsigned)(i * 7919 % 500));
		add(name, i * 7919 % 101 + 1, 0);
	}
	make();
	for (i = 0; i < 500; i++)
		all[i] = summary.functions[i].name;
	for (set.top = 1; set.top <= 500; set.top += 7) {
		report_release(&summary);
		make();
		CHECK_U64(summary.shown, set.top);
		CHECK_U64(summary.n, 500);
		for (i = 0, f = summary.functions; i < set.top; i++)
			CHECK_U64(f[i].name, all[i]);
	}
}

UNIT(two_columns_are_ordered_by_change_either_way)
{
	add("a", 50, 60);
	add("b", 30, 10);
	add("c", 20, 30);
	make();
	CHECK_STR(str_of(order()), STR("b a c "));
}

/* 200 of 1000: 1.96 * sqrt(0.2 * 0.8 / 1000). */
UNIT(errors_are_1_96_standard_errors_in_points)
{
	folded_info_set_u64(&profile.info, "samples", 1000);
	add("a", 200, 0);
	add("b", 800, 0);
	make();
	CHECK(report_has_error(&summary));
	CHECK(is_near(report_share(&summary, 200, 0), 20));
	CHECK(is_near(report_error(&summary, 200, 0), 196 * sqrt(0.16 / 1000)));
	CHECK(is_near(report_error(&summary, 1000, 0), 0));
}

/* The error depends on samples, not on weights. */
UNIT(periods_are_not_samples)
{
	folded_info_set(&profile.info, "unit", STR("ns"));
	folded_info_set_u64(&profile.info, "samples", 100);
	add("a", 50000000, 0);
	add("b", 50000000, 0);
	make();
	CHECK(is_near(report_error(&summary, 50000000, 0), 9.8));
}

UNIT(without_samples_there_is_no_error)
{
	folded_info_set(&profile.info, "unit", STR("bytes"));
	add("a", 50, 0);
	make();
	CHECK(!report_has_error(&summary));
	CHECK(is_near(report_error(&summary, 25, 0), 0));
}

UNIT(each_column_has_its_own_samples)
{
	folded_info_set_u64(&profile.info, "samples", 400);
	folded_info_set_u64(&profile.info, "samples-before", 100);
	add("a", 50, 200);
	add("b", 50, 200);
	make();
	CHECK(is_near(summary.samples[0], 100));
	CHECK(is_near(summary.samples[1], 400));
	CHECK(is_near(report_error(&summary, 50, 0), 9.8));
	CHECK(is_near(report_error(&summary, 200, 1), 4.9));
}

UNIT(changes_of_shares_are_marked_when_significant)
{
	const uint64_t grown[] = { 100, 600 }, new[] = { 0, 5 };
	struct report_change change;
	uint32_t a, c;

	folded_info_set_u64(&profile.info, "samples", 2000);
	folded_info_set_u64(&profile.info, "samples-before", 1000);
	folded_info_set(&profile.info, "tests", STR("12,3,3,0.95"));
	CHECK(!folded_info_parse_test(&profile.info, STR("total=4,0.001 name=a")));
	add("a", 100, 600);
	add("b", 900, 1395);
	add("c", 0, 5);
	make();
	a = intern_id(&profile.tree.names, STR("a"));
	c = intern_id(&profile.tree.names, STR("c"));
	change = report_compare(&summary, report_part(&summary, a, false, grown));
	CHECK(is_near(change.points, 20));
	CHECK(is_near(change.ratio, 3));
	CHECK(change.is_clear);
	change = report_compare(&summary, report_part(&summary, c, false, new));
	CHECK(is_near(change.ratio, 0));
	CHECK(is_near(change.points, 0.25));
	CHECK(!change.is_clear);
}

UNIT(places_are_outermost_ones)
{
	bool *places, *chosen;
	uint32_t i, n = 0;

	add("f;g;f;g", 1, 0);
	add("g", 1, 0);
	make();
	chosen = mem_zero(profile.tree.names.n, sizeof *chosen);
	chosen[intern_id(&profile.tree.names, STR("g"))] = true;
	places = report_find_places(&summary, chosen);
	for (i = 0; i < profile.tree.n; i++)
		n += places[i];
	CHECK_U64(n, 2);
	free(places);
	free(chosen);
}

UNIT_MAIN
