/* SPDX-License-Identifier: ISC */
/*
 * Significant changes between the runs before and after.
 *
 * Tested are the total weight, and each function's total and self weight (metric.h), as rates of
 * runs scaled to a norm (significance.h). Each function that changed is a row. A row is either a
 * cause, with the part of its change that no cause among its callees explains, or is folded under
 * the cause that explains most of it.
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
	double min_share;  /* a function must have it on one side to be tested */
	bool exact;	   /* weights are not samples: any difference is a change */
	struct match *only,
		*ignore; /* names of functions to test, or not to; NULL: all, none */
	double per
		[RUNS_SIDES]; /* report weights per part, with this many parts in a run; 0: 1 */
	bool gate;	      /* growth beyond the limit fails */
	bool relative;
	bool no_total; /* the gate ignores the total */
	bool strict;   /* the gate also fails if growth may be undetected */
	double limit; /* of growth, relative to the total before, or if RELATIVE the value before */
};

/* The difference of the runs of both sides in one metric. */
struct compare_value {
	bool is_tested;
	double weight[RUNS_SIDES]; /* per run, or per part */
	double excess; /* the weight after, less the weight at the rate before */
	double change; /* of the rate, relative to the one before; INFINITY if that is 0 */
	struct stats_interval interval; /* of the change */
	double points;	    /* the change of the rate, relative to the total before */
	double p, strict_p; /* adjusted for all functions: Benjamini and Hochberg, Holm */
	double detectable;  /* the least detectable change; INFINITY: none */
	bool is_change;	    /* significant */
	bool failed;	    /* failed the gate */
};

enum compare_status { COMPARE_CHANGED, COMPARE_NEW, COMPARE_REMOVED };

/* A function that changed. */
struct compare_row {
	uint32_t name;
	enum compare_status status;
	struct compare_value total, self;
	double share[RUNS_SIDES]; /* of its total, in the total weight */
	double own_excess,
		own_points; /* of its total, the part that no cause among its callees explains */
	size_t cause; /* the row it is folded under; its own index if it is a cause */
	size_t renamed; /* the new or removed row that may be the same code; else its own index */
	bool failed;
};

/* The detectable change of a function. */
struct compare_power {
	uint32_t name;
	double detectable; /* the least detectable change of its total; INFINITY: none */
	double points;	   /* the same, relative to the total before */
	bool suffices;	   /* growth by the gate's limit is detectable */
};

/* A test result for the picture. */
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
	enum changes_norm norm;	 /* as in the options, or if that fails the total */
	bool is_known;		 /* the number of samples of each run is known */
	double size[RUNS_SIDES]; /* weight of a run of each side, relative to before */
	bool is_single;		 /* one run a side and no older ones */
	struct compare_value total;
	struct compare_row
		*rows; /* causes first; both by the largest own excess, or total */
	size_t n, causes;
	size_t functions, metrics,
		tested; /* metrics with weight, of wanted functions; those tested */
	struct compare_power
		power[COMPARE_POWERS]; /* of the functions with the largest self weight */
	size_t powers;
	struct compare_test *tests;
	size_t n_tests;
	double unpaired
		[RUNS_SIDES]; /* the part of the self weight in functions of one side only */
	enum compare_gate gate;
	size_t failed; /* rows that failed; the total has its own mark */
};

/* Compares R, which is settled and must outlive C, with the options O. Returns NULL, or an error
 * text. The caller releases C in any case. */
const char *compare_init(
	struct compare *c, const struct runs *r, const struct compare_options *o);
void compare_release(struct compare *c);

/* Scales the weights before in R, which C compared, so that the runs of both sides are equal by the
 * norm (scale_column). Returns NULL, or an error text. */
const char *compare_scale(const struct compare *c, struct runs *r);

/* Sets *IS_WANTED, to be freed, to whether each name of R is to be tested; leaves it alone if all
 * are. Returns NULL, or an error text. */
const char *compare_find_wanted(
	const struct compare_options *o, const struct runs *r, bool **is_wanted);

/* The norm, in the syntax of --norm. */
struct str compare_norm(const struct compare *c);

#endif
