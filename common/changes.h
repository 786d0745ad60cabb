/* SPDX-License-Identifier: ISC */
/*
 * Which functions of a tree changed between the runs before and those after: the metrics of
 * its functions (metric.h) as samples of runs that a norm makes equal, and what the tests of
 * them say (significance.h). One family holds the totals and selves that have a share and
 * samples enough; metrics of nearly the same samples are one test.
 */
#ifndef CHANGES_H
#define CHANGES_H

#include "metric.h"
#include "significance.h"
#include "str.h"

/* By what runs are made equal. */
enum changes_norm {
	CHANGES_NONE,
	CHANGES_TOTAL,
	CHANGES_STEADY, /* what most functions agree on */
	CHANGES_FRAME	/* the total of one function */
};

struct changes_norms {
	enum changes_norm norm;
	struct str frame; /* for CHANGES_FRAME */
};

/* One run. */
struct changes_run {
	const uint64_t *self; /* by node, units of 10^-scale */
	uint32_t n; /* how many nodes there are: none of the later ones is in it */
	unsigned scale;
	double per_sample; /* weight; above 0 */
	double parts;	   /* that it did of the work, for CHANGES_NONE; above 0 */
};

struct changes_how {
	struct changes_norms norms;
	double min_share; /* of a side, that a function has on one at least to be tested */
	bool exact;	  /* weights are no samples: nothing is tested */
	const bool *is_wanted; /* by name: to be tested; NULL: all */
	size_t lead;	       /* the first frames of stacks, which are dimensions */
};

struct changes {
	struct metrics metrics;
	size_t *lead;	 /* by metric: the one that is tested in its place */
	size_t *row;	 /* by metric: its place in significance; SIZE_MAX: too small */
	bool *is_tested; /* by row: in the family */
	uint64_t *weight[TREE_COLUMNS]; /* by metric, of all runs of a side */
	double per_unit[TREE_COLUMNS];	/* samples of a unit of these weights */
	double whole;			/* samples of a run of size 1 */
	struct significance significance;
	size_t asked; /* metrics with weight that are wanted, those that have a lead not */
	enum changes_norm norm; /* what was done: the total where no function is steady */
};

/* The norm that TEXT names: "none", "total", "steady" or a function, for which TEXT must last. */
struct changes_norms changes_read_norm(struct str text);

/* Tests the functions of T, which has two columns, the sums of the RUNS of each side, and must
 * outlive C. RUNS are those of all groups, one after the other, N of each. What stands against
 * it, or NULL. The caller releases C in any case. */
const char *changes_init(struct changes *c, const struct tree *t,
	const struct changes_run *runs, const size_t n[SIGNIFICANCE_GROUPS],
	const struct changes_how *how);
void changes_release(struct changes *c);

/* What is known of METRIC; of one that is too small to be known, as much as its weights say. */
struct significance_finding changes_find(const struct changes *c, size_t metric);

/* Whether METRIC was tested. */
bool changes_is_tested(const struct changes *c, size_t metric);

#endif
