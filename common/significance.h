/* SPDX-License-Identifier: ISC */
/*
 * Which of many counts changed between two sides, each of one run or of several, and not by
 * chance.
 *
 * A count is the number of samples that a run had of something: of a function, say. Runs of
 * one program differ by more than independent draws would, and the more so the larger the
 * count. So the count of run j is taken to have the mean r e and the variance phi r e: e is
 * the size of the run, r the rate of its side, and phi the dispersion, 1 for
 * rare independent draws. Each dispersion is estimated from the runs of all sides, and moderated:
 * drawn towards what counts of its magnitude have, so that a few runs that happen to
 * agree prove nothing, and one that stands out does not hide a change. The model is that of
 * Smyth, Stat. Appl. Genet. Mol. Biol. 3 (2004), article 3, with the variances of Lund,
 * Nettleton, McCarthy and Smyth, ibid. 11 (2012), article 8; sizes are those of Anders and
 * Huber, Genome Biology 11 (2010), R106. Counts are doubles: weights divided by the mean
 * weight of a sample.
 *
 * One run a side cannot tell noise from change. It is taken to vary by a quarter besides the
 * sampling error, which is more than all but a few programs do.
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Older runs, of neither side, tell how runs vary. */
enum {
	SIGNIFICANCE_BEFORE,
	SIGNIFICANCE_AFTER,
	SIGNIFICANCE_SIDES,
	SIGNIFICANCE_OLDER = SIGNIFICANCE_SIDES,
	SIGNIFICANCE_GROUPS
};

/* What all tests of one comparison share. */
struct significance_design {
	double size
		[SIGNIFICANCE_SIDES]; /* of all runs of a side; a run's is 1 on the average */
	double freedom;		      /* degrees of freedom of a test */
};

/* What is known of one count. */
struct significance_finding {
	double rate[SIGNIFICANCE_SIDES]; /* samples in a run of size 1 */
	double phi;			 /* the moderated dispersion */
	double error;	 /* the standard error of the second rate less the first */
	double p;	 /* two-sided */
	double adjusted; /* for all tests: Benjamini and Hochberg; above 1: not tested */
	double strict;	 /* the same: Holm */
};

/* Counts may be of kinds that vary differently. Up to so many classes of magnitude of each have a
 * dispersion of their own. */
enum { SIGNIFICANCE_KINDS = 2, SIGNIFICANCE_BINS = 5 };

/* The dispersion by magnitude of counts of one kind, rising. */
struct significance_prior {
	size_t n;
	double mean[SIGNIFICANCE_BINS], phi[SIGNIFICANCE_BINS];
};

struct significance {
	size_t n;			       /* counts */
	size_t runs[SIGNIFICANCE_GROUPS], all; /* runs of each group, in all */
	double *count;			    /* by count, then by run, group after group */
	double *size;			    /* by run */
	struct significance_finding *found; /* by count */
	unsigned char *kind;		    /* by count: below SIGNIFICANCE_KINDS; 0 */
	size_t tested;
	struct significance_design design;
	double known; /* degrees of freedom of one dispersion; 0: one run a side */
	struct significance_prior prior[SIGNIFICANCE_KINDS];
};

/* N counts, all 0, of RUNS, of which each side has one at least. All sizes are 1. The caller
 * releases S. */
void significance_init(
	struct significance *s, size_t n, const size_t runs[SIGNIFICANCE_GROUPS]);
void significance_release(struct significance *s);

/* Takes SIZE, above 0, of each run. Their mean becomes 1. */
void significance_set_sizes(struct significance *s, const double *size);

/* Makes the sizes what most of the counts that are chosen agree on. False when fewer than LEAST of
 * these, 1 or more, have samples enough: then no size changes. */
bool significance_set_steady(struct significance *s, const bool *is_chosen, size_t least);

/* Tests the counts that are chosen, as one family. */
void significance_test(struct significance *s, const bool *is_chosen);

/* The mean of a count of which COUNT samples were seen in all runs of a side. */
double significance_mean(
	const struct significance_design *d, const double count[SIGNIFICANCE_SIDES]);

/* The dispersion of a part, of mean PART, of a count of mean WHOLE whose dispersion is PHI: what
 * is beyond independent draws is in proportion. */
double significance_part_phi(double phi, double part, double whole);

/* The finding for a count of which COUNT samples were seen in all runs of a side. */
struct significance_finding significance_judge(const struct significance_design *d,
	const double count[SIGNIFICANCE_SIDES], double phi);

/* The dispersion of a count of mean MEAN where there is one run a side. */
double significance_single_phi(double mean);

/* The least difference of the rates that a test of the family, at CONFIDENCE adjusted for all
 * TESTED, finds in 8 of 10 comparisons when its standard error is ERROR. */
double significance_detectable(const struct significance_design *d, double error,
	double confidence, size_t tested);

#endif
