/* SPDX-License-Identifier: ISC */
/*
 * The runs to compare: those before, those after, and older ones, all in one tree. Its two columns
 * are the sums of the runs before and after.
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
	RUNS_OLDER = RUNS_SIDES, /* on neither side: these show how much runs vary */
	RUNS_GROUPS
};

/* One run. */
struct run {
	uint64_t *self; /* by node, in units of 10^-scale */
	bool is_column; /* self is not owned: it belongs to the tree, or to a series */
	uint32_t n; /* the number of nodes when it was read; later ones are not in it */
	unsigned scale;
	double sum;
	double samples; /* 0: unknown */
	uint64_t start; /* increases with time; 0: unknown */
};

struct runs_side {
	struct folded_info info; /* for all its runs */
	struct folded_count count;
	struct run *runs;
	size_t n, cap;
	double samples; /* of all runs; 0: unknown */
};

struct runs_options {
	bool strip;	  /* ignore addresses in names */
	bool exact_names; /* keep parts of names that differ between builds */
};

struct runs {
	struct tree tree;
	struct folded_by by; /* of the tree, without those specific to a recording */
	struct runs_side side[RUNS_GROUPS];
	struct runs_options options;
	bool direct; /* each side is one file, read directly into its column */
	struct runs_side series; /* after runs_make_series; the sides are parts of it */

	/* After runs_settle. */
	size_t merged;	   /* the number of names that were merged */
	size_t root_level; /* the number of dimensions above the root frames */
	struct buf root
		[RUNS_SIDES]; /* former names of merged root frames; empty: unchanged */
};

/* The input files: for both sides and older runs, or ONE for both columns. */
struct runs_files {
	const char *const *path[RUNS_GROUPS];
	size_t n[RUNS_GROUPS];
	const char *one;
	struct where *select; /* the stacks of ONE for each side; NULL: use its columns */
};

/* Initialises R without runs. */
void runs_init(struct runs *r, const struct runs_options *options);
void runs_release(struct runs *r);

/* Reads FILES. False when one could not be read, or not to its end, after a message; the others are
 * still read. */
bool runs_read(struct runs *r, const struct runs_files *files);

/* After reading: merges names, and computes the number of samples of each run; GIVEN may specify
 * those of a side. */
void runs_settle(struct runs *r, const struct folded_given *given);

/* Makes the older runs of R, which is settled and has no others, a series. */
void runs_make_series(struct runs *r);

/* Makes the runs of the series from CUT[0] up to CUT[1] those before, and from there up to CUT[2]
 * those after; neither may be empty. */
void runs_select(struct runs *r, const size_t cut[RUNS_SIDES + 1]);

/* Whether all runs of one side began before any of the other; false with one run a side, or if
 * unknown. */
bool runs_are_apart(const struct runs *r);

/* Sets INFO to the joint header: a key whose value before differs from the one after also appears
 * with "-before". NORM is how the columns were scaled; empty: unscaled. The sides are named after
 * FILES, unless these are one file with names for them. */
void runs_put_info(const struct runs *r, const struct runs_files *files, struct str norm,
	struct folded_info *info);

#endif
