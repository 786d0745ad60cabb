/* SPDX-License-Identifier: ISC */
/*
 * Finds the functions of a tree that changed between the runs before and after: takes the metrics
 * of its functions (metric.h) as samples of runs, scales the runs to a norm, and tests them
 * (significance.h). One family holds the totals and self weights with enough samples and a large
 * enough share; metrics of nearly the same samples share one test.
 */
#ifndef CHANGES_H
#define CHANGES_H

#include "metric.h"
#include "significance.h"
#include "str.h"

/* How runs are scaled. */
enum changes_norm {
	CHANGES_NONE,
	CHANGES_TOTAL,
	CHANGES_STEADY, /* the scale on which most functions agree */
	CHANGES_FRAME	/* the total of one function */
};

struct changes_norms {
	enum changes_norm norm;
	struct str frame; /* for CHANGES_FRAME */
};

/* One run. */
struct changes_run {
	const uint64_t *self; /* by node, in units of 10^-scale */
	uint32_t n; /* the number of nodes when it was read; later ones are not in it */
	unsigned scale;
	double per_sample; /* weight; above 0 */
	double parts;	   /* its share of the work, for CHANGES_NONE; above 0 */
};

struct changes_how {
	struct changes_norms norms;
	double min_share; /* of a side; a function must reach it on one to be tested */
	bool exact;	  /* weights are not samples: nothing is tested */
	const bool *is_wanted; /* by name: whether to test it; NULL: all */
	size_t lead;	       /* the number of leading frames that are dimensions */
};

struct changes {
	struct metrics metrics;
	size_t *lead;	 /* by metric: the one tested in its place */
	size_t *row;	 /* by metric: its place in significance; SIZE_MAX: too small */
	bool *is_tested; /* by row: in the family */
	uint64_t *weight[TREE_COLUMNS]; /* by metric: its weight in all runs of a side */
	double per_unit[TREE_COLUMNS];	/* samples per unit of these weights */
	double whole;			/* samples in a run of size 1 */
	struct significance significance;
	size_t asked; /* wanted metrics with weight, without those that have a lead */
	enum changes_norm norm; /* the norm used: the total when no function is steady */
};

/* Parses a norm: "none", "total", "steady" or a function's name, which is borrowed from TEXT. */
struct changes_norms changes_read_norm(struct str text);

/* Tests the functions of T, whose two columns are the sums of the RUNS of each side. T must outlive
 * C. RUNS holds all groups one after the other, N of each. Returns NULL, or why they cannot be
 * tested. The caller releases C in any case. */
const char *changes_init(struct changes *c, const struct tree *t,
	const struct changes_run *runs, const size_t n[SIGNIFICANCE_GROUPS],
	const struct changes_how *how);
void changes_release(struct changes *c);

/* The test result of METRIC; for one too small to be tested, an estimate from its weights. */
struct significance_finding changes_find(const struct changes *c, size_t metric);

bool changes_is_tested(const struct changes *c, size_t metric);

#endif
