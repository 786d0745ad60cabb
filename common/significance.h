/* SPDX-License-Identifier: ISC */
/*
 * Which metrics of two columns changed significantly: shares, or weights, compared
 * by the numbers of samples behind them (stats.h), in one family of tests.
 *
 * Metrics of the same samples, such as the total of a function and
 * of the one path that leads to it, are one test. Tests that cannot succeed
 * whatever the samples are left out of the family (stats_worth).
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include "metric.h"
#include "stats.h"

/* What weights are shares of. */
enum significance_norm {
	SIGNIFICANCE_NONE, /* of the total before, on both sides */
	SIGNIFICANCE_TOTAL,
	SIGNIFICANCE_FRAME /* of the total of one function */
};

struct significance {
	enum significance_norm norm;
	struct metrics metrics;
	uint64_t *weight[TREE_COLUMNS]; /* by metric, as all that follow */
	size_t *same; /* the metric that stands for all of its samples */
	size_t frame; /* the metric that is the norm; metrics.n: there is none */

	double samples[TREE_COLUMNS], runs[TREE_COLUMNS];
	bool is_known; /* how many samples there are, and what they are out of */
	double per_sample[TREE_COLUMNS]; /* weight */
	/* What the samples of a metric are out of; with SIGNIFICANCE_FRAME its own are to be
	 * added, as if none were in both, which is the careful view. */
	double of[TREE_COLUMNS];

	double *p;	      /* adjusted; above 1: not tested */
	size_t asked, tested; /* metrics, each set of samples once */
	double cut; /* the largest p, before it is adjusted, that is no chance */
};

struct significance_norms {
	enum significance_norm norm;
	struct str frame; /* for SIGNIFICANCE_FRAME */
};

/* The norm that TEXT names: "none", "total" or a function, for which TEXT must last. */
struct significance_norms significance_read_norm(struct str text);

/* Adds up the metrics of T, which has two columns and must outlive C. The caller
 * releases C. */
void significance_init(
	struct significance *c, const struct tree *t, struct significance_norms norms);
void significance_release(struct significance *c);

/* Sets the number of samples behind each column, 0 where it is not known, and in how
 * many runs they were taken. */
void significance_set_samples(struct significance *c, const double samples[TREE_COLUMNS],
	const double runs[TREE_COLUMNS]);

/* WEIGHT of a column as samples, and what they are out of. */
struct stats_part significance_part(
	const struct significance *c, int column, uint64_t weight);

/* The p-value of "these weights are of one share", not adjusted; and the least
 * that the samples could have given. */
double significance_p(const struct significance *c, const uint64_t weight[TREE_COLUMNS]);
double significance_least_p(
	const struct significance *c, const uint64_t weight[TREE_COLUMNS]);

/* What a caller does otherwise; a NULL for what it does not. Metrics are those that
 * stand for others, but in is_wanted. */
struct significance_hooks {
	const void *of;
	bool (*is_wanted)(const void *of, size_t metric);
	bool (*is_tested)(const void *of, size_t metric);
	double (*p)(const void *of, size_t metric);
	double (*least_p)(const void *of, size_t metric);
};

/* Tests all metrics that have a weight, so that of those found at CONFIDENCE no more
 * than the rest are false. */
void significance_test(struct significance *c, double confidence,
	const struct significance_hooks *hooks);

/* Whether METRIC changed, and not by chance, after significance_test with CONFIDENCE. */
bool significance_is_change(
	const struct significance *c, size_t metric, double confidence);

#endif
