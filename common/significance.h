/* SPDX-License-Identifier: ISC */
/*
 * Which of many counts differ significantly between two sides, each of one run or of several.
 *
 * A count is the number of samples that a run had of something: of a function, say. Runs of one
 * program differ by more than independent draws would, the more so the larger the count. So the
 * count of run j is assumed to have the mean r e and the variance phi r e: e is the size of the
 * run, r the rate of its side, and phi the dispersion, 1 for rare independent draws. Each
 * dispersion is estimated from the runs of all sides, and moderated: drawn towards the dispersions
 * of counts of similar magnitude, so that a few runs that happen to agree prove nothing, and an
 * outlier does not hide a change. The model is by Smyth, Stat. Appl. Genet. Mol. Biol. 3 (2004),
 * article 3, with the variances by Lund, Nettleton, McCarthy and Smyth, ibid. 11 (2012), article 8;
 * sizes are estimated as in Anders and Huber, Genome Biology 11 (2010), R106. Counts are doubles:
 * weights divided by the mean weight of a sample.
 *
 * A single run a side cannot separate noise from change. It is assumed to vary by a quarter besides
 * the sampling error, which only a few programs exceed.
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Older runs, of neither side, only show how much runs vary. */
enum {
	SIGNIFICANCE_BEFORE,
	SIGNIFICANCE_AFTER,
	SIGNIFICANCE_SIDES,
	SIGNIFICANCE_OLDER = SIGNIFICANCE_SIDES,
	SIGNIFICANCE_GROUPS
};

/* Parameters that all tests of one comparison share. */
struct significance_design {
	double size
		[SIGNIFICANCE_SIDES]; /* of all runs of a side; the mean size of a run is 1 */
	double freedom;		      /* degrees of freedom of a test */
};

/* The test result of one count. */
struct significance_finding {
	double rate[SIGNIFICANCE_SIDES]; /* samples in a run of size 1 */
	double phi;			 /* the moderated dispersion */
	double error;	 /* the standard error of the second rate less the first */
	double p;	 /* two-sided p-value */
	double adjusted; /* for all tests: Benjamini and Hochberg; above 1: not tested */
	double strict;	 /* for all tests: Holm */
};

/* Counts of different kinds may vary differently. Each kind has up to this many classes of
 * magnitude with a dispersion of their own. */
enum { SIGNIFICANCE_KINDS = 2, SIGNIFICANCE_BINS = 5 };

/* The dispersions of one kind of counts, by ascending magnitude. */
struct significance_prior {
	size_t n;
	double mean[SIGNIFICANCE_BINS], phi[SIGNIFICANCE_BINS];
};

struct significance {
	size_t n;			       /* the number of counts */
	size_t runs[SIGNIFICANCE_GROUPS], all; /* runs of each group, in all */
	double *count; /* by count, then by run, in the order of groups */
	double *size;  /* by run */
	struct significance_finding *found; /* by count */
	unsigned char *kind; /* by count: below SIGNIFICANCE_KINDS; initially 0 */
	size_t tested;
	struct significance_design design;
	double known; /* degrees of freedom of one dispersion; 0: one run a side */
	struct significance_prior prior[SIGNIFICANCE_KINDS];
};

/* Makes room for N counts, all 0, of RUNS, where each side has at least one. All sizes are 1. The
 * caller releases S. */
void significance_init(
	struct significance *s, size_t n, const size_t runs[SIGNIFICANCE_GROUPS]);
void significance_release(struct significance *s);

/* Sets the SIZE, above 0, of each run, scaled to a mean of 1. */
void significance_set_sizes(struct significance *s, const double *size);

/* Estimates the sizes from the chosen counts, by the median. False when fewer than LEAST of these,
 * 1 or more, have enough samples: then no size changes. */
bool significance_set_steady(struct significance *s, const bool *is_chosen, size_t least);

/* Tests the chosen counts as one family. */
void significance_test(struct significance *s, const bool *is_chosen);

/* The mean of a count with COUNT samples in all runs of a side. */
double significance_mean(
	const struct significance_design *d, const double count[SIGNIFICANCE_SIDES]);

/* The dispersion of a part, with mean PART, of a count with mean WHOLE and dispersion PHI: the
 * excess over independent draws is proportional to the part. */
double significance_part_phi(double phi, double part, double whole);

/* The finding for a count with COUNT samples in all runs of a side. */
struct significance_finding significance_judge(const struct significance_design *d,
	const double count[SIGNIFICANCE_SIDES], double phi);

/* The dispersion of a count with mean MEAN when each side has one run. */
double significance_single_phi(double mean);

/* The least difference of rates that a test of the family, at CONFIDENCE adjusted for all TESTED,
 * finds in 8 of 10 comparisons if its standard error is ERROR. */
double significance_detectable(const struct significance_design *d, double error,
	double confidence, size_t tested);

#endif
