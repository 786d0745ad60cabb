/* SPDX-License-Identifier: ISC */
/*
 * The runs that are compared: those before, those after, and older ones, all in one tree. Its
 * two columns are the sums of the runs before and after.
 */
#ifndef RUNS_H
#define RUNS_H

#include "profile.h"
#include "tree.h"
#include "where.h"

enum {
	RUNS_BEFORE,
	RUNS_AFTER,
	RUNS_SIDES,
	RUNS_OLDER = RUNS_SIDES, /* of neither side: how runs vary */
	RUNS_GROUPS
};

/* One run. */
struct run {
	uint64_t *self; /* by node, units of 10^-scale */
	bool is_column; /* self is not owned: of the tree, or of a series */
	uint32_t n; /* how many nodes there were then: none of the later ones is in it */
	unsigned scale;
	double sum;
	double samples; /* 0: not known */
	uint64_t start; /* the later the larger; 0: not known */
};

struct runs_side {
	struct folded_info info; /* of all its runs */
	struct folded_count count;
	struct run *runs;
	size_t n, cap;
	double samples; /* of all runs; 0: not known */
};

struct runs_options {
	bool strip;	  /* addresses in names are no part of them */
	bool exact_names; /* nor, unless this is set, what moves between builds */
};

struct runs {
	struct tree tree;
	struct folded_by by; /* of the tree, without those of one recording */
	struct runs_side side[RUNS_GROUPS];
	struct runs_options options;
	bool direct;		 /* each side is one file, read into its column at once */
	struct runs_side series; /* after runs_make_series; the sides are parts of it */

	/* After runs_settle. */
	size_t merged;	   /* how many names are no longer distinct */
	size_t root_level; /* how many dimensions are above the next */
	struct buf root
		[RUNS_SIDES]; /* what the root frames were called that are one now; empty: the
					same */
};

/* The files that are read: of both sides and older ones, or ONE with both columns. */
struct runs_files {
	const char *const *path[RUNS_GROUPS];
	size_t n[RUNS_GROUPS];
	const char *one;
	struct where *select; /* of ONE, the stacks of each side; NULL: its columns */
};

/* No runs yet. */
void runs_init(struct runs *r, const struct runs_options *options);
void runs_release(struct runs *r);

/* Reads FILES. False when one could not be read, or not to its end, after a message; the
 * others are read all the same. */
bool runs_read(struct runs *r, const struct runs_files *files);

/* Makes out which names are one, and how many samples each run has, when all is read; GIVEN may
 * say how many a side has. */
void runs_settle(struct runs *r, const struct folded_given *given);

/* Makes the older runs of R, which is settled and has no others, a series. */
void runs_make_series(struct runs *r);

/* Makes the runs of the series from CUT[0] up to CUT[1] those before, and from there up to CUT[2]
 * those after; neither may be empty. */
void runs_select(struct runs *r, const size_t cut[RUNS_SIDES + 1]);

/* Whether all runs of one side began before any of the other; not with one run a side, or
 * where it is not known. */
bool runs_are_apart(const struct runs *r);

/* The header of both sides: what is said before of other value than after has a
 * key with "-before" behind it. NORM is how the columns were made equal; empty: as they came. The
 * sides are called as FILES are, unless they were one with names for them. */
void runs_put_info(const struct runs *r, const struct runs_files *files, struct str norm,
	struct folded_info *info);

#endif
