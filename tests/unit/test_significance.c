/* SPDX-License-Identifier: ISC */
/*
 * Counts in runs: significance.h. Expected values were computed independently, from the
 * formulas: the steps are above each test. The medians of chi-squared come from
 * Abramowitz and Stegun, table 26.8: 2.365974 with 3 degrees of freedom, 3.356694 with
 * 4. The p-values come from their finite sums for Student's distribution, 26.7.3 and
 * 26.7.4, added up by awk.
 */
#include "significance.h"
#include "stats.h"
#include "unit.h"

#include <math.h>

enum { MOST = 64 };

static struct significance s;
static bool is_chosen[MOST];

/* N counts in BEFORE, AFTER and OLDER runs, all chosen. */
static void
begin(size_t n, size_t before, size_t after, size_t older)
{
	const size_t runs[] = { before, after, older };
	size_t i;

	significance_init(&s, n, runs);
	for (i = 0; i < MOST; i++)
		is_chosen[i] = true;
}

static void
set(size_t i, const double *count)
{
	memcpy(s.count + i * s.all, count, s.all * sizeof *count);
}

static bool
near(double a, double b, double within)
{
	bool is = fabs(a - b) <= within;

	if (!is)
		printf("%.10g is not %.10g\n", a, b);
	return is;
}

/* By three of four functions, the second run is twice the first; with the added half
 * the counts are powers of two times 100. The median of the ratios to the geometric
 * means is 1 / sqrt(2) and sqrt(2), and scaled to the mean 1 that is 2 / 3 and 4 / 3. */
UNIT(sizes_are_the_median_of_ratios)
{
	static const double count[][2] = { { 99.5, 199.5 }, { 199.5, 399.5 },
		{ 399.5, 799.5 }, { 99.5, 399.5 } };
	size_t i;

	begin(4, 1, 1, 0);
	for (i = 0; i < 4; i++)
		set(i, count[i]);
	CHECK(significance_set_steady(&s, is_chosen, 3));
	CHECK(near(s.size[0], 2 / 3.0, 1e-12) && near(s.size[1], 4 / 3.0, 1e-12));
	CHECK(near(s.design.size[0], 2 / 3.0, 1e-12));
	significance_release(&s);
}

/* A function that takes most of the time and doubled must not determine the sizes. */
UNIT(one_large_count_does_not_determine_sizes)
{
	static const double steady[] = { 100, 100 }, large[] = { 10000, 20000 };
	size_t i;

	begin(5, 1, 1, 0);
	for (i = 0; i < 5; i++)
		set(i, i == 2 ? large : steady);
	CHECK(significance_set_steady(&s, is_chosen, 3));
	CHECK(near(s.size[0], 1, 1e-12) && near(s.size[1], 1, 1e-12));
	significance_release(&s);
}

/* Fewer than three counts of 5 samples per run on both sides. */
UNIT(few_counts_make_no_sizes)
{
	static const double some[] = { 30, 60 }, few[] = { 3, 6 }, gone[] = { 100, 0 };

	begin(4, 1, 1, 0);
	set(0, some);
	set(1, some);
	set(2, few);
	set(3, gone);
	CHECK(!significance_set_steady(&s, is_chosen, 3));
	CHECK(s.size[0] == 1 && s.size[1] == 1);
	significance_release(&s);
}

/* If few functions have 20 samples per run, those with 5 are used. */
UNIT(smaller_counts_make_sizes_if_there_are_no_others)
{
	static const double some[] = { 30, 60 }, few[] = { 8, 16 };

	begin(3, 1, 1, 0);
	set(0, some);
	set(1, few);
	set(2, few);
	CHECK(significance_set_steady(&s, is_chosen, 3));
	CHECK(fabs(s.size[1] / s.size[0] - 2) < 0.07);
	significance_release(&s);
}

/*
 * 80, 100, 120 against 120, 140, 160: the mean is 120, the dispersion 4 x 400 / 120 / 4 =
 * 3.333333. Alone, it is its own class: drawn towards 3.333333 x 4 / 3.356694 = 3.972163 it is (8
 * x 3.972163 + 4 x 3.333333) / 12 = 3.759219. The error is sqrt(3.759219 x 120 x 2 / 3) =
 * 17.341786, t = 2.306567 with 12 degrees of freedom.
 */
UNIT(one_count_in_three_runs_a_side)
{
	static const double count[] = { 80, 100, 120, 120, 140, 160 };

	begin(1, 3, 3, 0);
	set(0, count);
	significance_test(&s, is_chosen);
	CHECK(near(s.prior[0].phi[0], 3.972163, 1e-5));
	CHECK(s.design.freedom == 12 && s.tested == 1);
	CHECK(s.found[0].rate[0] == 100 && s.found[0].rate[1] == 140);
	CHECK(near(s.found[0].phi, 3.759219, 1e-5));
	CHECK(near(s.found[0].error, 17.341786, 1e-5));
	CHECK(near(s.found[0].p, 0.039722, 1e-6));
	CHECK(s.found[0].adjusted == s.found[0].p && s.found[0].strict == s.found[0].p);
	significance_release(&s);
}

/* Twice as many samples in runs that are twice as large are the same rates. */
UNIT(sizes_divide_counts)
{
	static const double count[] = { 80, 160, 120, 200 }, size[] = { 1, 2, 1, 2 };

	begin(1, 2, 2, 0);
	set(0, count);
	significance_set_sizes(&s, size);
	CHECK(near(s.size[1], 4 / 3.0, 1e-12) && near(s.design.size[0], 2, 1e-12));
	significance_test(&s, is_chosen);
	CHECK(near(s.found[0].rate[0], 120, 1e-9) && near(s.found[0].rate[1], 160, 1e-9));
	significance_release(&s);
}

/* 100 against 160: the mean is 130, the dispersion 1 + 130 / 16 = 9.125, the error sqrt(9.125 x 130
 * x 2) = 48.708316, and t = 1.231823 with 8 degrees of freedom. */
UNIT(one_run_a_side_varies_by_a_quarter)
{
	static const double count[] = { 100, 160 };

	begin(1, 1, 1, 0);
	set(0, count);
	significance_test(&s, is_chosen);
	CHECK(near(s.found[0].phi, 9.125, 1e-12) && s.design.freedom == 8);
	CHECK(near(s.found[0].error, 48.708316, 1e-6));
	CHECK(near(s.found[0].p, 0.252992, 1e-6));
	significance_release(&s);
}

/* 100 against 150, and 90, 110, 90, 110 before: 4 x 100 / 125 / 3 = 1.066667, drawn towards
 * 1.066667 x 3 / 2.365974 = 1.352509 it is 1.274552; the error is 17.850432, t = 2.801053 with 11
 * degrees of freedom. */
UNIT(older_runs_show_the_variation_of_single_ones)
{
	static const double count[] = { 100, 150, 90, 110, 90, 110 };

	begin(1, 1, 1, 4);
	set(0, count);
	significance_test(&s, is_chosen);
	CHECK(s.design.freedom == 11 && s.known == 3);
	CHECK(near(s.found[0].phi, 1.274552, 1e-5));
	CHECK(near(s.found[0].error, 17.850432, 1e-5));
	CHECK(near(s.found[0].p, 0.017242, 1e-6));
	significance_release(&s);
}

/* With runs that agree exactly the dispersion does not become 0, or any difference
 * would be a change. */
UNIT(runs_that_agree_have_the_least_dispersion)
{
	static const double count[] = { 100, 100, 100, 101, 101, 101 };

	begin(1, 3, 3, 0);
	set(0, count);
	significance_test(&s, is_chosen);
	CHECK(s.found[0].phi == 0.7);
	CHECK(s.found[0].p > 0.5);
	significance_release(&s);
}

/* One run of three has ten times as many samples: |t| is at most about 1.7 for any
 * spike. */
UNIT(a_single_run_that_stands_out_proves_nothing)
{
	static const double steady[] = { 100, 104, 96, 98, 100, 102 };
	static const double spike[] = { 100, 100, 100, 100, 100, 1000 };
	size_t i;

	begin(21, 3, 3, 0);
	for (i = 0; i < 21; i++)
		set(i, i == 9 ? spike : steady);
	significance_test(&s, is_chosen);
	CHECK(s.found[9].p > 0.1);
	significance_release(&s);
}

/* 20 small counts that vary little and 20 large ones that vary much: two classes, and
 * a count between them is drawn towards an intermediate dispersion. */
UNIT(large_counts_have_a_dispersion_of_their_own)
{
	static const double little[] = { 20, 24, 28, 20, 24, 28 };
	static const double much[] = { 2000, 2400, 2800, 2000, 2400, 2800 };
	static const double between[] = { 240, 240, 240, 240, 240, 240 };
	size_t i;

	begin(41, 3, 3, 0);
	for (i = 0; i < 40; i++)
		set(i, i < 20 ? little : much);
	set(40, between);
	is_chosen[40] = false;
	significance_test(&s, is_chosen);
	CHECK(s.prior[0].n == 2 && s.prior[0].mean[0] == 24 &&
		s.prior[0].mean[1] == 2400);
	/* 4 x 16 / 24 / 4 and 4 x 160000 / 2400 / 4, over the median of chi-squared. */
	CHECK(near(s.prior[0].phi[0], 4 * 16 / 24.0 / 3.356694, 1e-5));
	CHECK(near(s.prior[0].phi[1], 4 * 160000 / 2400.0 / 3.356694, 1e-3));
	/* Half way, by logarithms; its own dispersion is 0. */
	CHECK(near(s.found[40].phi, (s.prior[0].phi[0] + s.prior[0].phi[1]) / 2 * 8 / 12,
		1e-9));
	significance_release(&s);
}

UNIT(kinds_have_dispersions_of_their_own)
{
	static const double little[] = { 100, 104, 96, 98, 100, 102 };
	static const double much[] = { 50, 150, 100, 20, 180, 100 };
	size_t i;

	begin(10, 3, 3, 0);
	for (i = 0; i < 10; i++) {
		set(i, i < 5 ? little : much);
		s.kind[i] = i >= 5;
	}
	significance_test(&s, is_chosen);
	CHECK(s.found[0].phi < 1 && s.found[9].phi > 20);
	significance_release(&s);
}

/* Only chosen functions form the family; the others have p-values, but not adjusted
 * ones. */
UNIT(p_values_are_adjusted_for_chosen_functions)
{
	static const double count[][6] = { { 100, 104, 96, 98, 100, 102 },
		{ 100, 104, 96, 140, 144, 136 }, { 100, 104, 96, 118, 122, 126 },
		{ 100, 104, 96, 200, 210, 190 } };
	double p[3], strict[3];
	size_t i;

	begin(4, 3, 3, 0);
	for (i = 0; i < 4; i++)
		set(i, count[i]);
	is_chosen[3] = false;
	significance_test(&s, is_chosen);
	CHECK_U64(s.tested, 3);
	for (i = 0; i < 3; i++)
		p[i] = strict[i] = s.found[i].p;
	stats_adjust(p, 3);
	stats_adjust_strictly(strict, 3);
	for (i = 0; i < 3; i++)
		CHECK(s.found[i].adjusted == p[i] && s.found[i].strict == strict[i]);
	CHECK(s.found[1].adjusted < 0.05 && s.found[0].adjusted > 0.5);
	CHECK(s.found[3].p < 0.001 && s.found[3].adjusted > 1 && s.found[3].strict > 1);
	significance_release(&s);
}

/* With 12 degrees of freedom the points of 97.5, 99.5 and 80 % are 2.179, 3.055 and 0.873
 * (Abramowitz and Stegun, table 26.10; the last by 26.7.4). */
UNIT(the_detectable_change)
{
	static const struct significance_design d = { .freedom = 12 };

	CHECK(near(significance_detectable(&d, 10, 0.95, 1), 30.52, 0.01));
	CHECK(near(significance_detectable(&d, 10, 0.95, 5), 39.28, 0.01));
	CHECK(near(significance_detectable(&d, 10, 0.95, 0), 30.52, 0.01));
}

/* A tenth of a count has a tenth of its variation beyond independent samples. */
UNIT(a_part_varies_in_proportion)
{
	CHECK(near(significance_part_phi(5, 100, 1000), 1.4, 1e-12));
	CHECK(significance_part_phi(5, 10, 0) == 1);
}

UNIT(zero_samples_are_not_a_change)
{
	static const double none[] = { 0, 0, 0, 0, 0, 0 };

	begin(1, 3, 3, 0);
	set(0, none);
	significance_test(&s, is_chosen);
	CHECK(s.found[0].p == 1 && s.found[0].error == 0);
	significance_release(&s);
	begin(0, 3, 3, 0);
	significance_test(&s, is_chosen);
	CHECK(s.tested == 0);
	significance_release(&s);
}

UNIT_MAIN
