/* SPDX-License-Identifier: ISC */
/*
 * Sampling errors and tests. A frame seen in k of n samples has a share k/n; two profiles of the
 * same program differ by chance. Counts are doubles: weights that are periods become fractional
 * numbers of samples. Shares and probabilities are from 0 to 1, confidence is between them. No
 * function here fails: without enough data p is 1, or the error 0.
 */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>
#include <stdint.h>

/* Below this many samples, shares are approximate: worth a warning. */
enum { STATS_SOFT = 100 };

/* VALUE without its fraction; 0 for negative ones, UINT64_MAX if larger than that. */
uint64_t stats_floor(double value);

/* VALUE rounded to a whole number; 0 for negative ones, UINT64_MAX if larger than that. */
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

/* One quantity measured in several runs. Zeroed, it is empty. */
struct stats_runs {
	double n, mean, squares; /* the sum of squared deviations from the mean */
};

void stats_runs_add(struct stats_runs *r, double value);

/* The standard error of the mean of B less that of A, and its degrees of freedom in *DF. A single
 * run on one side is assumed to spread as the other side does. */
double stats_runs_error(
	const struct stats_runs *a, const struct stats_runs *b, double *df);

/* The two-sided p-value of "A and B have the same mean"; 1 when both have a single run. */
double stats_runs_p(const struct stats_runs *a, const struct stats_runs *b);

/* Adjust the N p-values of a family of tests in place, so that among those of at most Q on average
 * a share Q is false (false discovery rate); or strictly, so that with probability Q any of those
 * is false. */
void stats_adjust(double *p, size_t n);
void stats_adjust_strictly(double *p, size_t n);

#endif
