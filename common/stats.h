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

/* VALUE as a whole number, rounded; 0 below that, UINT64_MAX beyond. */
uint64_t stats_count(double value);

/* The standard error of the share COUNT / SAMPLES. */
double stats_share_error(double count, double samples);

/* P(Z > z) of the standard normal distribution. */
double stats_normal_tail(double z);

/* The z with P(Z <= z) = P; P is above 0 and below 1. */
double stats_normal_quantile(double p);

/* P(T > t) of Student's distribution with DF > 0 degrees of freedom. */
double stats_t_tail(double t, double df);

/* The t with P(T <= t) = P. */
double stats_t_quantile(double p, double df);

/* COUNT samples of OF. */
struct stats_part {
	double count, of;
};

/* The two-sided p-value of "the shares of A and B are one and the same". */
double stats_shares_p(struct stats_part a, struct stats_part b);

/* The least p-value that the samples of A and B could have given, however they
 * had been spread over the two. */
double stats_least_p(struct stats_part a, struct stats_part b);

struct stats_interval {
	double low, high;
};

/* Where the share of A lies, with CONFIDENCE. */
struct stats_interval stats_share_interval(struct stats_part a, double confidence);

/* Where B - A lies, for two independent quantities estimated as A and B with
 * these intervals. */
struct stats_interval stats_difference(
	double a, struct stats_interval in_a, double b, struct stats_interval in_b);

/* One quantity measured in several runs. A zeroed one is empty. */
struct stats_runs {
	double n, mean, squares; /* squares of the distances from the mean, summed */
};

void stats_runs_add(struct stats_runs *r, double value);

/* The two-sided p-value of "A and B have one mean", and where the difference of
 * the means, B - A, lies. One side may have a single run: it is then taken to
 * spread as the other does. With a single run on both p is 1. */
double stats_runs_p(const struct stats_runs *a, const struct stats_runs *b);
struct stats_interval stats_runs_difference(
	const struct stats_runs *a, const struct stats_runs *b, double confidence);

/* Adjusts the N p-values of a family of tests in place, so that those of at most Q
 * hold a share of Q false ones on the average. */
void stats_adjust(double *p, size_t n);

/* The K for which only those of N tests are worth making whose LEAST p-value is at
 * most Q / K: the others could never be significant at level Q, and are no burden
 * to these. */
size_t stats_worth(const double *least, size_t n, double q);

#endif
