/* SPDX-License-Identifier: ISC */
/* Statistics against published values: stats.h. What it does to whole profiles is in
 * test_compare.c. */
#include "mem.h"
#include "stats.h"
#include "unit.h"

#include <math.h>

/* Whether A is B to within DIGITS after the point, as a printed table has it. */
static bool
near(double a, double b, int digits)
{
	bool is = fabs(a - b) <= 0.5000001 * pow(10, -digits);

	if (!is)
		printf("%.17g is not %.17g to %d digits\n", a, b, digits);
	return is;
}

/* Abramowitz and Stegun, table 26.1 and 26.5; far tails by their asymptotic series. */
UNIT(normal_distribution_is_that_of_the_tables)
{
	CHECK(near(1 - stats_normal_tail(0.5), 0.691462461274013, 15));
	CHECK(near(1 - stats_normal_tail(1), 0.841344746068543, 15));
	CHECK(near(1 - stats_normal_tail(2), 0.977249868051821, 15));
	CHECK(near(stats_normal_tail(4) * 1e5, 3.16712418, 8));
	CHECK(near(stats_normal_tail(10) * 1e24, 7.619853, 6));
	CHECK(near(stats_normal_quantile(0.5), 0, 12));
	CHECK(near(stats_normal_quantile(0.975), 1.959963985, 9));
	CHECK(near(stats_normal_quantile(0.995), 2.575829304, 9));
	CHECK(near(stats_normal_quantile(0.999), 3.090232306, 9));
	CHECK(near(stats_normal_quantile(0.1), -1.281551566, 9));
	CHECK(near(stats_normal_quantile(1e-10), -6.361340902, 9));
}

/* The t distribution's percentage points, Abramowitz and Stegun, table 26.10. */
UNIT(t_distribution_is_that_of_the_tables)
{
	static const struct {
		double df, p90, p975, p995;
	} table[] = { { 1, 3.078, 12.706, 63.657 }, { 2, 1.886, 4.303, 9.925 },
		{ 3, 1.638, 3.182, 5.841 }, { 5, 1.476, 2.571, 4.032 },
		{ 10, 1.372, 2.228, 3.169 }, { 30, 1.310, 2.042, 2.750 },
		{ 120, 1.289, 1.980, 2.617 } };
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		CHECK(near(stats_t_quantile(0.9, table[i].df), table[i].p90, 3));
		CHECK(near(stats_t_quantile(0.975, table[i].df), table[i].p975, 3));
		CHECK(near(stats_t_quantile(0.995, table[i].df), table[i].p995, 3));
		CHECK(near(stats_t_tail(stats_t_quantile(0.3, table[i].df), table[i].df),
			0.7, 12));
	}
	/* With one degree of freedom it is Cauchy's distribution. */
	CHECK(near(stats_t_tail(1, 1), 0.25, 14));
	CHECK(near(stats_t_tail(1000, 1), atan(1e-3) / acos(-1), 14));
	CHECK(near(stats_t_tail(1.96, 1e7), stats_normal_tail(1.96), 7));
	CHECK(near(stats_t_tail(0, 4), 0.5, 14));
}

UNIT(a_share_has_the_standard_error_of_the_binomial)
{
	CHECK(near(stats_share_error(50, 100), 0.05, 15));
	CHECK(near(stats_share_error(10, 1000), 0.0031464265445104546, 15));
	CHECK(stats_share_error(0, 100) == 0 && stats_share_error(100, 100) == 0);
	CHECK(stats_share_error(5, 0) == 0 && stats_share_error(7, 5) == 0);
}

/* Two of the examples that the tests are taught with, and what follows by hand. */
UNIT(exact_test_of_two_shares)
{
	/* Fisher's lady: 3 of 4 cups against 1 of 4; one tail is 17 / 70. */
	CHECK(near(
		stats_shares_p((struct stats_part){ 1, 4 }, (struct stats_part){ 3, 4 }),
		34 / 70.0, 13));
	/* Fisher's twins: 10 of 13 against 2 of 17; one tail is 0.000465. */
	CHECK(near(stats_shares_p(
			   (struct stats_part){ 10, 13 }, (struct stats_part){ 2, 17 }),
		2 * 0.00046518094336290, 15));
	/* All 10 on one side of two equally long profiles. */
	CHECK(near(stats_shares_p(
			   (struct stats_part){ 0, 1e9 }, (struct stats_part){ 10, 1e9 }),
		2 * pow(0.5, 10), 9));
	CHECK(stats_shares_p(
		      (struct stats_part){ 7, 50 }, (struct stats_part){ 7, 50 }) == 1);
}

UNIT(sides_can_change_places)
{
	static const struct stats_part a[] = { { 3, 40 }, { 500, 9000 }, { 1e6, 1e8 },
		{ 0, 12 } };
	struct stats_part b = { 25, 200 };
	size_t i;

	for (i = 0; i < 4; i++)
		CHECK(near(stats_shares_p(a[i], b), stats_shares_p(b, a[i]), 12));
}

/* Where the exact test hands over to the normal one, both say about the same. */
UNIT(exact_and_pooled_test_meet)
{
	struct stats_part a = { 1995, 100000 }, b = { 2150, 100000 };
	struct stats_part c = { 2005, 100000 }, d = { 2160, 100000 };
	double exact = stats_shares_p(a, b), pooled = stats_shares_p(c, d);

	CHECK(exact > 0.01 && exact < 0.03);
	CHECK(fabs(exact / pooled - 1) < 0.05);
}

/* Fisher's test of 2 x 2 tables too large for factorials. */
UNIT(exact_test_of_large_profiles)
{
	double p = stats_shares_p(
		(struct stats_part){ 100, 1e15 }, (struct stats_part){ 150, 1e15 });

	/* Two Poisson counts: the binomial tail of 150 or more of 250. */
	CHECK(near(p, 2 * 9.3e-4, 4));
	CHECK(stats_shares_p((struct stats_part){ 5e17, 1e18 },
		      (struct stats_part){ 50, 100 }) > 0.9);
	CHECK(stats_shares_p((struct stats_part){ 1e18, 1e19 },
		      (struct stats_part){ 2e18, 1e19 }) == 0);
}

UNIT(tests_of_nothing_say_nothing)
{
	CHECK(stats_shares_p((struct stats_part){ 0, 0 }, (struct stats_part){ 5, 10 }) ==
		1);
	CHECK(stats_shares_p((struct stats_part){ 0, 9 }, (struct stats_part){ 0, 10 }) ==
		1);
	CHECK(stats_shares_p(
		      (struct stats_part){ 9, 9 }, (struct stats_part){ 10, 10 }) == 1);
	CHECK(stats_shares_p(
		      (struct stats_part){ 90, 9 }, (struct stats_part){ 5, 10 }) >= 0);
}

/* No table with the same margins has a smaller p-value. */
UNIT(least_p_is_the_least)
{
	double least =
		stats_least_p((struct stats_part){ 4, 30 }, (struct stats_part){ 5, 50 });
	double p, found = 1;
	int i;

	for (i = 0; i <= 9; i++) {
		p = stats_shares_p(
			(struct stats_part){ i, 30 }, (struct stats_part){ 9 - i, 50 });
		CHECK(p >= least * (1 - 1e-12));
		found = fmin(found, p);
	}
	CHECK(near(least, found, 12));
	CHECK(stats_least_p((struct stats_part){ 1, 30 }, (struct stats_part){ 0, 30 }) >
		0.999999);
}

/* Newcombe, Statistics in Medicine 17 (1998), 857, table I, method 3. */
UNIT(wilsons_interval_is_that_of_the_paper)
{
	static const struct {
		double x, n, low, high;
	} table[] = { { 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 },
		{ 0, 20, 0, 0.1611 }, { 1, 29, 0.0061, 0.1718 } };
	struct stats_interval in;
	size_t i;

	for (i = 0; i < 4; i++) {
		in = stats_share_interval(
			(struct stats_part){ table[i].x, table[i].n }, 0.95);
		CHECK(near(in.low, table[i].low, 4) && near(in.high, table[i].high, 4));
	}
}

/* Newcombe, Statistics in Medicine 17 (1998), 873, table II, method 10. */
UNIT(difference_of_shares_is_that_of_the_paper)
{
	static const struct {
		double x, m, y, n, low, high;
	} table[] = { { 56, 70, 48, 80, 0.0524, 0.3339 },
		{ 9, 10, 3, 10, 0.1705, 0.8090 }, { 6, 7, 2, 7, 0.0582, 0.8062 },
		{ 5, 56, 0, 29, -0.0381, 0.1926 } };
	struct stats_interval in;
	struct stats_part a, b;
	size_t i;

	for (i = 0; i < 4; i++) {
		b = (struct stats_part){ table[i].x, table[i].m };
		a = (struct stats_part){ table[i].y, table[i].n };
		in = stats_difference(a.count / a.of, stats_share_interval(a, 0.95),
			b.count / b.of, stats_share_interval(b, 0.95));
		CHECK(near(in.low, table[i].low, 4) && near(in.high, table[i].high, 4));
	}
}

static struct stats_runs
runs_of(const double *x, size_t n)
{
	struct stats_runs r = { 0 };

	while (n--)
		stats_runs_add(&r, *x++);
	return r;
}

/* Two of the examples by which Welch's test is commonly shown: t = -2.46 with 25.0
 * degrees of freedom, p = 0.021; t = -1.57 with 9.9, p = 0.149. */
UNIT(welchs_test_of_known_examples)
{
	static const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9,
		22.6, 23.1, 19.6, 19.0, 21.7, 21.4 };
	static const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8,
		20.2, 21.9, 22.1, 22.9, 20.5, 24.4 };
	static const double c[] = { 17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7,
		21.8 };
	static const double d[] = { 21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4,
		21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8 };
	struct stats_runs x = runs_of(a, 15), y = runs_of(b, 15);
	struct stats_interval in = stats_runs_difference(&x, &y, 0.95);

	CHECK(near(stats_runs_p(&x, &y), 0.021, 3));
	/* t times its error is the distance: 2.24; 2.060 errors either way. */
	CHECK(near((in.low + in.high) / 2, y.mean - x.mean, 12));
	CHECK(near((in.high - in.low) / 2 / 2.060 * 2.46, y.mean - x.mean, 1));
	x = runs_of(c, 10), y = runs_of(d, 20);
	CHECK(near(stats_runs_p(&x, &y), 0.149, 3));
}

UNIT(a_single_run_spreads_as_the_other_side_does)
{
	static const double a[] = { 1, 2, 3 }, one[] = { 10 };
	struct stats_runs x = runs_of(a, 3), y = runs_of(one, 1), none = { 0 };

	/* s = 1: t = 8 / sqrt(1 / 3 + 1) with 2 degrees of freedom. */
	CHECK(near(stats_runs_p(&x, &y), 2 * stats_t_tail(8 / sqrt(4 / 3.0), 2), 12));
	CHECK(near(stats_runs_p(&y, &x), stats_runs_p(&x, &y), 12));
	CHECK(stats_runs_p(&y, &y) == 1 && stats_runs_p(&x, &none) == 1);
	CHECK(isinf(stats_runs_difference(&y, &y, 0.95).high));
}

UNIT(runs_that_do_not_spread)
{
	static const double a[] = { 4, 4 }, b[] = { 5, 5 };
	struct stats_runs x = runs_of(a, 2), y = runs_of(b, 2);

	CHECK(stats_runs_p(&x, &x) == 1);
	CHECK(stats_runs_p(&x, &y) == 0);
	CHECK(near(stats_runs_difference(&x, &y, 0.95).low, 1, 12));
}

/* The example of Benjamini and Hochberg (1995), section 3.2: 15 hypotheses on the
 * treatment of infarctions, of which four are rejected at 0.05, and three by
 * Bonferroni's and Hochberg's methods. */
UNIT(adjustment_is_that_of_the_paper)
{
	double p[] = { 0.0344, 0.0001, 1.0000, 0.0004, 0.0019, 0.5719, 0.0095, 0.0201,
		0.0278, 0.0298, 0.0459, 0.3240, 0.4262, 0.6528, 0.7590 };
	size_t i, rejected = 0;

	stats_adjust(p, 15);
	for (i = 0; i < 15; i++)
		rejected += p[i] <= 0.05;
	CHECK_U64(rejected, 4);
	CHECK(near(p[1], 0.0015, 12) && near(p[6], 0.0095 * 15 / 4, 12));
	CHECK(near(p[2], 1, 12));
	CHECK(p[7] <= p[8] && p[8] <= p[9] && p[9] <= p[0]);
	stats_adjust(p, 0);
}

/* Of 100 tests 3 can be significant at 0.05 / 3: those are the family. */
UNIT(tests_that_cannot_succeed_are_left_out)
{
	double least[100];
	size_t i;

	for (i = 0; i < 100; i++)
		least[i] = i < 3 ? 0.001 : 0.03;
	CHECK_U64(stats_worth(least, 100, 0.05), 3);
	for (i = 0; i < 100; i++)
		least[i] = i < 50 ? 1e-9 : 1;
	CHECK_U64(stats_worth(least, 100, 0.05), 50);
	CHECK_U64(stats_worth(least, 0, 0.05), 1);
	least[0] = 1;
	CHECK_U64(stats_worth(least, 1, 0.05), 1);
}

UNIT(counts_beyond_64_bits_are_saturated)
{
	CHECK_U64(stats_count(0.0 / 1 - 1), 0);
	CHECK_U64(stats_count(0.5), 1);
	CHECK_U64(stats_count(1e300), UINT64_MAX);
	CHECK_U64(stats_count((double)UINT64_MAX), UINT64_MAX);
	CHECK_U64(stats_count(4503599627370497.0), 4503599627370497);
}

UNIT_MAIN
