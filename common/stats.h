/* SPDX-License-Identifier: ISC */
/*
 * What sampling error allows one to say. A frame seen in k of n samples has a
 * share k/n; two profiles of the same program differ by chance. Counts are
 * doubles: weights that are periods become numbers of samples that are not
 * whole. Shares and probabilities go from 0 to 1, confidence is between.
 * No function here fails: what cannot be told has p = 1, or the error 0.
 */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>
#include <stdint.h>

/* Below this many samples shares are rough: worth a warning. */
enum { STATS_SOFT = 100 };

/* VALUE as a whole number, without its fraction; 0 below that, UINT64_MAX beyond. */
uint64_t stats_floor(double value);

/* VALUE as a whole number, rounded; 0 below that, UINT64_MAX beyond. */
uint64_t stats_count(double value);

/* The standard error of the share COUNT / SAMPLES. */
double stats_share_error(double count, double samples);

/* P(T > t) of Student's distribution with DF > 0 degrees of freedom. */
double stats_t_tail(double t, double df);

/* The t with P(T <= t) = P. */
double stats_t_quantile(double p, double df);

/* The x with P(X <= x) = P for the chi-squared distribution with DF > 0 degrees of freedom. */
double stats_chi2_quantile(double p, double df);

struct stats_interval {
	double low, high;
};

/* One quantity measured in several runs. A zeroed one is empty. */
struct stats_runs {
	double n, mean, squares; /* squares of the distances from the mean, summed */
};

void stats_runs_add(struct stats_runs *r, double value);

/* The standard error of the mean of B less that of A, and in *DF its degrees of freedom. One side
 * may have a single run: it is then taken to spread as the other does. */
double stats_runs_error(
	const struct stats_runs *a, const struct stats_runs *b, double *df);

/* The two-sided p-value of "A and B have one mean"; 1 with a single run on both. */
double stats_runs_p(const struct stats_runs *a, const struct stats_runs *b);

/* Adjusts the N p-values of a family of tests in place, so that those of at most Q
 * hold a share of Q false ones on the average; or strictly, so that there is any false
 * one among those with the probability Q. */
void stats_adjust(double *p, size_t n);
void stats_adjust_strictly(double *p, size_t n);

#endif
