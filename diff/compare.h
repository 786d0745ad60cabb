/* SPDX-License-Identifier: ISC */
/*
 * What changed between the runs before and those after, and not by chance.
 *
 * What can have changed is the whole, and of each function its total and its self weight
 * (metric.h), as rates of runs that a norm made equal (significance.h). Each function that
 * changed is a row. A row is either a cause, to which that part of a change is attributed which no
 * cause called from it explains, or is folded under the cause that explains the most of it.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "changes.h"
#include "match.h"
#include "runs.h"
#include "stats.h"

struct compare_options {
	struct changes_norms norms;
	double confidence; /* between 0 and 1 */
	double min_share;  /* that a function has to have on some side to be tested */
	bool exact;	   /* weights are no samples: any change is one */
	struct match *only,
		*ignore; /* names of functions to test, or not to; NULL: all, none */
	double per[RUNS_SIDES]; /* weights are told per so many parts of a run; 0: 1 */
	bool gate;		/* whether growth fails */
	bool relative;
	bool no_total; /* the gate leaves the total alone */
	bool strict;   /* the gate fails when it cannot tell */
	double limit; /* growth that fails: of the total before, or with RELATIVE of what was */
};

/* How the runs of both sides compare in one respect. */
struct compare_value {
	bool is_tested;
	double weight[RUNS_SIDES]; /* per run, or part of one */
	double excess; /* the weight after, less what it would be had the rate not changed */
	double change; /* of the rate: a part of that before, INFINITY when that is 0 */
	struct stats_interval interval; /* of the change */
	double points;	    /* the change of the rate as a part of the total before */
	double p, strict_p; /* adjusted for all functions: Benjamini and Hochberg, Holm */
	double detectable; /* the least change that would have been found; INFINITY: none */
	bool is_change;	   /* not by chance */
	bool failed;	   /* the gate */
};

enum compare_status { COMPARE_CHANGED, COMPARE_NEW, COMPARE_REMOVED };

/* A function that changed. */
struct compare_row {
	uint32_t name;
	enum compare_status status;
	struct compare_value total, self;
	double share[RUNS_SIDES]; /* of all weight, by its total */
	double own_excess,
		own_points; /* of its total, what no cause called from it explains */
	size_t cause; /* the row it is folded under; its own number if it is a cause */
	size_t renamed; /* the row that may be the same code, new or removed; else its own */
	bool failed;
};

/* What could have been seen of a function. */
struct compare_power {
	uint32_t name;
	double detectable; /* the least change of its total; INFINITY: none */
	double points;	   /* the same as a part of the total before */
	bool suffices;	   /* growth by the gate's limit would have been */
};

/* What the picture is to know of a test. */
struct compare_test {
	uint32_t name;
	bool is_self;
	double phi, p; /* adjusted */
};

enum compare_gate { COMPARE_PASSED, COMPARE_FAILED, COMPARE_CANNOT_TELL };

enum { COMPARE_POWERS = 3 };

struct compare {
	const struct runs *runs; /* not owned, nor the options */
	const struct compare_options *options;

	struct significance_design design; /* of all tests */
	enum changes_norm
		norm;  /* that of the options, or where it cannot be, the total */
	bool is_known; /* how many samples each run has */
	double size[RUNS_SIDES]; /* in weight, of a run of each side; that before is 1 */
	bool is_single;		 /* one run a side and no older ones */
	struct compare_value total;
	struct compare_row
		*rows; /* causes first; of either the largest own excess, or total */
	size_t n, causes;
	size_t functions, metrics,
		tested; /* with weight; totals and selves of these; tested */
	struct compare_power power[COMPARE_POWERS]; /* of the largest selves */
	size_t powers;
	struct compare_test *tests;
	size_t n_tests;
	double unpaired
		[RUNS_SIDES]; /* of the self weight, what is in functions of one side */
	enum compare_gate gate;
	size_t failed; /* rows; the total has its own mark */
};

/* Compares R, which is settled and has to outlive C, as O does. What stands against it, or NULL.
 * The caller releases C in any case. */
const char *compare_init(
	struct compare *c, const struct runs *r, const struct compare_options *o);
void compare_release(struct compare *c);

/* Multiplies the weights before in R, which C compared, so that the runs of both sides are equal
 * by the norm (scale_column). What is wrong, or NULL. */
const char *compare_scale(const struct compare *c, struct runs *r);

/* Sets *IS_WANTED, to be freed, to whether each name of R is to be tested; leaves it alone when
 * all are. What stands against it, or NULL. */
const char *compare_find_wanted(
	const struct compare_options *o, const struct runs *r, bool **is_wanted);

/* How the runs were made equal, as --norm has it. */
struct str compare_norm(const struct compare *c);

#endif
