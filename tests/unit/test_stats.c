/* SPDX-License-Identifier: ISC */
/* Statistics compared with published values: stats.h. test_compare.c has whole
 * profiles. */
#include "mem.h"
#include "stats.h"
#include "unit.h"

#include <math.h>

/* Whether A is B to within DIGITS after the point, as in a printed table. */
static bool
near(double a, double b, int digits)
{
	bool is = fabs(a - b) <= 0.5000001 * pow(10, -digits);

	if (!is)
		printf("%.17g is not %.17g to %d digits\n", a, b, digits);
	return is;
}

/* The t distribution's percentage points, Abramowitz and Stegun, table 26.10. */
UNIT(t_distribution_matches_the_tables)
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
	CHECK(near(stats_t_tail(1.96, 1e7), 0.5 * erfc(1.96 / sqrt(2)), 7));
	CHECK(near(stats_t_tail(0, 4), 0.5, 14));
}

/* Where the argument of the incomplete beta function and its complement both round to
 * beyond the point where they are exchanged. Abramowitz and Stegun, 26.7.4: with four
 * degrees of freedom |T| <= t has the probability s (1 + c c / 2), s and c being the
 * sine and the cosine of the angle whose tangent is t / 2. */
UNIT(t_distribution_ends_where_rounding_could_go_on_for_ever)
{
	double t;
	int i;

	CHECK(near(stats_t_tail(1.6383560438182505, 17), 0.059860802930840, 14));
	CHECK(near(stats_t_tail(sqrt(2), 4), 0.5 - 2 / (3 * sqrt(3)), 14));
	CHECK(near(stats_t_tail(nextafter(sqrt(2), 2), 4), 0.115099820540250, 14));
	for (i = 1; i < 2000; i++) {
		t = sqrt(i / 1000.0);
		CHECK(near(stats_t_tail(t, 4),
			0.5 - t / sqrt(4 + t * t) * (0.5 + 1 / (4 + t * t)), 13));
	}
}

/* The chi-squared distribution's percentage points, Abramowitz and Stegun, table 26.8. */
UNIT(chi_squared_distribution_matches_the_tables)
{
	static const struct {
		double df, p50, p95, p995;
	} table[] = { { 1, 0.454937, 3.84146, 7.87944 }, { 2, 1.38629, 5.99146, 10.5966 },
		{ 4, 3.35670, 9.48773, 14.8602 }, { 8, 7.34412, 15.5073, 21.9550 },
		{ 30, 29.3360, 43.7729, 53.6720 } };
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		CHECK(near(stats_chi2_quantile(0.5, table[i].df) / table[i].p50, 1, 5));
		CHECK(near(stats_chi2_quantile(0.95, table[i].df) / table[i].p95, 1, 5));
		CHECK(near(
			stats_chi2_quantile(0.995, table[i].df) / table[i].p995, 1, 5));
	}
	/* With two degrees of freedom it is exponential. */
	CHECK(near(stats_chi2_quantile(0.9, 2), -2 * log(0.1), 12));
}

UNIT(a_share_has_the_standard_error_of_the_binomial)
{
	CHECK(near(stats_share_error(50, 100), 0.05, 15));
	CHECK(near(stats_share_error(10, 1000), 0.0031464265445104546, 15));
	CHECK(stats_share_error(0, 100) == 0 && stats_share_error(100, 100) == 0);
	CHECK(stats_share_error(5, 0) == 0 && stats_share_error(7, 5) == 0);
}

static struct stats_runs
runs_of(const double *x, size_t n)
{
	struct stats_runs r = { 0 };

	while (n--)
		stats_runs_add(&r, *x++);
	return r;
}

/* Two common examples of Welch's test: t = -2.46 with 25.0 degrees of freedom, p =
 * 0.021; t = -1.57 with 9.9, p = 0.149. */
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
	double df, error = stats_runs_error(&x, &y, &df);

	CHECK(near(stats_runs_p(&x, &y), 0.021, 3));
	CHECK(fabs((x.mean - y.mean) / error + 2.46) < 0.005);
	CHECK(fabs(df - 25.0) < 0.05);
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
}

UNIT(runs_that_do_not_spread)
{
	static const double a[] = { 4, 4 }, b[] = { 5, 5 };
	struct stats_runs x = runs_of(a, 2), y = runs_of(b, 2);

	CHECK(stats_runs_p(&x, &x) == 1);
	CHECK(stats_runs_p(&x, &y) == 0);
}

/* The example of Benjamini and Hochberg (1995), section 3.2: 15 hypotheses on the
 * treatment of infarctions; four are rejected at 0.05, and three by Bonferroni's and
 * Hochberg's methods. */
UNIT(adjustment_matches_the_paper)
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

/* Four hypotheses, the common example of Holm's method: 4 x 0.005, 3 x 0.01, 2 x 0.03,
 * and no less for the last. Of the 15 above it rejects three. */
UNIT(strict_adjustment_is_holms)
{
	double p[] = { 0.01, 0.04, 0.03, 0.005 };
	double q[] = { 0.0344, 0.0001, 1.0000, 0.0004, 0.0019, 0.5719, 0.0095, 0.0201,
		0.0278, 0.0298, 0.0459, 0.3240, 0.4262, 0.6528, 0.7590 };
	size_t i, rejected = 0;

	stats_adjust_strictly(p, 4);
	CHECK(near(p[0], 0.03, 12) && near(p[1], 0.06, 12));
	CHECK(near(p[2], 0.06, 12) && near(p[3], 0.02, 12));
	stats_adjust_strictly(q, 15);
	for (i = 0; i < 15; i++)
		rejected += q[i] <= 0.05;
	CHECK_U64(rejected, 3);
	CHECK(near(q[4], 0.0019 * 13, 12) && near(q[6], 0.0095 * 12, 12));
	CHECK(q[2] == 1);
	stats_adjust_strictly(q, 0);
}

UNIT(counts_beyond_64_bits_are_saturated)
{
	CHECK_U64(stats_count(0.0 / 1 - 1), 0);
	CHECK_U64(stats_count(0.5), 1);
	CHECK_U64(stats_count(1e300), UINT64_MAX);
	CHECK_U64(stats_count((double)UINT64_MAX), UINT64_MAX);
	CHECK_U64(stats_count(4503599627370497.0), 4503599627370497);
	CHECK_U64(stats_floor(-1e300), 0);
	CHECK_U64(stats_floor(NAN), 0);
	CHECK_U64(stats_floor(2.9), 2);
	CHECK_U64(stats_floor(0x1p64 - 2048), UINT64_MAX - 2047);
	CHECK_U64(stats_floor(0x1p64), UINT64_MAX);
	CHECK_U64(stats_floor(INFINITY), UINT64_MAX);
}

UNIT_MAIN
