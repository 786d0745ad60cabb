/* SPDX-License-Identifier: ISC */
/*
 * Finds at which of many revisions, each of one run or of several, the cost of functions changed.
 *
 * A stretch of revisions is divided where a part of it differs most from the rest: the runs from
 * some revision on, or those between two. This is circular binary segmentation (Olshen,
 * Venkatraman, Lucito and Wigler, Biostatistics 5 (2004), 557), with the moderated test of
 * significance.h for each function and Welch's for the total. It is divided only if that test is
 * significant after an adjustment (Bonferroni) for all functions and all places where it could have
 * been divided; the parts are divided again. The changes at a place are found by compare.h between
 * the revisions since the previous place and those up to the next one.
 */
#ifndef TREND_H
#define TREND_H

#include "compare.h"

/* A change at the revision AT, counted from 0: the revisions from FIRST up to it differ from those
 * from it up to END. */
struct trend_point {
	size_t first, at, end;
	struct compare compare;
};

struct trend {
	struct runs *runs; /* not owned, nor the options */
	const struct compare_options *options;
	size_t revisions, each; /* the number of revisions, and of runs of each */
	size_t tests;		/* of functions and the total, at all places */
	struct trend_point *points;
	size_t n, cap;
};

/* Divides the series R, whose revisions have EACH runs. R must not change while T is used, except
 * by trend_select. Returns NULL, or an error text. The caller releases T in any case. */
const char *trend_init(
	struct trend *t, struct runs *r, const struct compare_options *o, size_t each);
void trend_release(struct trend *t);

/* Makes the runs on both sides of P those before and after. */
void trend_select(const struct trend *t, const struct trend_point *p);

/* The point with the largest change, or NULL. */
const struct trend_point *trend_largest(const struct trend *t);

#endif
