/* SPDX-License-Identifier: ISC */
/*
 * What is known of each function of a text with two columns: whether it changed, and not by
 * chance. fg-diff, which has all the runs, writes what it tested beside the sums of them: the
 * key tests= of the header and a line "#fg-test" a test (fg-folded.5). A text without these is
 * tested as one run a side (changes.h).
 */
#ifndef TESTED_H
#define TESTED_H

#include "folded.h"
#include "metric.h"
#include "significance.h"

enum tested_kind {
	TESTED_UNKNOWN, /* nobody knows how many samples there are */
	TESTED_EXACT,	/* weights are no samples: what differs is a change */
	TESTED_KNOWN
};

/* A test of one metric. */
struct tested_metric {
	double phi; /* the dispersion */
	double p;   /* adjusted; above 1: not tested */
};

struct tested {
	enum tested_kind kind;
	struct metrics metrics;
	uint64_t *weight[TREE_COLUMNS]; /* by metric */
	double samples[TREE_COLUMNS];	/* behind the columns; 0: not known */
	double per_unit[TREE_COLUMNS];	/* samples of a unit of weight */
	struct tested_metric *of;	/* by metric */
	struct significance_design design;
	double confidence;
};

/* Finds out what is known of the functions of T, which has two columns and no gaps, INFO is the
 * header of, and must outlive K; the first LEAD frames of its stacks are dimensions. CONFIDENCE 0:
 * that of the tests, or 0.95. The caller releases K. */
void tested_init(struct tested *k, const struct tree *t, size_t lead,
	const struct folded_info *info, double confidence);
void tested_release(struct tested *k);

/* Whether METRIC changed; not when it was not tested. */
bool tested_is_change(const struct tested *k, size_t metric);

/* What is known of the part of METRIC that weighs WEIGHT: a path, or all of it. */
struct significance_finding tested_judge(
	const struct tested *k, size_t metric, const uint64_t weight[TREE_COLUMNS]);

/* Whether METRIC changed, and the part of it that weighs WEIGHT by more than chance. */
bool tested_is_part(
	const struct tested *k, size_t metric, const uint64_t weight[TREE_COLUMNS]);

/* Puts into INFO, which has no tests, that nothing was tested since weights are exact. */
void tested_put_exact(struct folded_info *info);

/* Puts into INFO, which has no tests, what tests share; then each test, of which CONFIDENCE is what
 * decides. */
void tested_put_design(
	struct folded_info *info, const struct significance_design *d, double confidence);
void tested_put(struct folded_info *info, struct str name, bool is_self,
	struct tested_metric test, double confidence);

#endif
