/* SPDX-License-Identifier: ISC */
/*
 * Which functions of a two-column text changed significantly. fg-diff, which has all the runs,
 * writes its test results beside the sums: the key tests= of the header and a line "#fg-test" for
 * each test (fg-folded.5). A text without these is tested as one run a side (changes.h).
 */
#ifndef TESTED_H
#define TESTED_H

#include "folded.h"
#include "metric.h"
#include "significance.h"

enum tested_kind {
	TESTED_UNKNOWN, /* the number of samples is unknown */
	TESTED_EXACT,	/* weights are not samples: any difference is a change */
	TESTED_KNOWN
};

/* The test result of one metric. */
struct tested_metric {
	double phi; /* the dispersion */
	double p;   /* adjusted; above 1: not tested */
};

struct tested {
	enum tested_kind kind;
	struct metrics metrics;
	uint64_t *weight[TREE_COLUMNS]; /* by metric */
	double samples[TREE_COLUMNS];	/* in each column; 0: unknown */
	double per_unit[TREE_COLUMNS];	/* samples per unit of weight */
	struct tested_metric *of;	/* by metric */
	struct significance_design design;
	double confidence;
};

/* Sets K to the test results of the functions of T, which has two columns, no gaps and the header
 * INFO, and must outlive K; the first LEAD frames of its stacks are dimensions. CONFIDENCE 0: from
 * the tests, or 0.95. The caller releases K. */
void tested_init(struct tested *k, const struct tree *t, size_t lead,
	const struct folded_info *info, double confidence);
void tested_release(struct tested *k);

/* Whether METRIC changed; false when it was not tested. */
bool tested_is_change(const struct tested *k, size_t metric);

/* The finding for a part of METRIC with WEIGHT: a path, or all of it. */
struct significance_finding tested_judge(
	const struct tested *k, size_t metric, const uint64_t weight[TREE_COLUMNS]);

/* Whether METRIC changed, and the part of it with WEIGHT changed significantly too. */
bool tested_is_part(
	const struct tested *k, size_t metric, const uint64_t weight[TREE_COLUMNS]);

/* Marks INFO, which has no tests: weights are exact, so nothing was tested. */
void tested_put_exact(struct folded_info *info);

/* Add to INFO, which has no tests, the parameters of the tests; then each test, which CONFIDENCE
 * decides. */
void tested_put_design(
	struct folded_info *info, const struct significance_design *d, double confidence);
void tested_put(struct folded_info *info, struct str name, bool is_self,
	struct tested_metric test, double confidence);

#endif
