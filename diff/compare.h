/* SPDX-License-Identifier: ISC */
/*
 * Two profiles compared: what was before and what is after, each from one run or from
 * several, in the two columns of one tree.
 * What can have changed are metrics (metric.h).
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "significance.h"
#include "match.h"
#include "profile.h"
#include "stats.h"
#include "tree.h"

enum { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_SIDES };

struct compare_options {
	struct significance_norms norms;
	double confidence; /* between 0 and 1 */
	double min_share;  /* of both sides together, below which nothing is tested */
	bool exact;	   /* weights are no samples: any change is one */
	struct match *only,
		*ignore; /* names of frames to test, or not to; NULL: all, none */
	bool gate;	 /* whether growth fails */
	bool relative;
	double limit; /* growth that fails: a share, or with RELATIVE a part of what was */
};

/* One run of a side that has several. */
struct compare_run {
	uint64_t *self; /* by node, units of 10^-scale; owned */
	uint32_t n; /* how many nodes there were then: none of the later ones is in it */
	unsigned scale;
};

struct compare_side {
	struct folded_info info;
	struct folded_count count;
	struct compare_run *runs; /* none when there is one run */
	size_t n, cap;
	size_t files;
	double samples; /* of all runs; 0: not known */
};

struct compare_change {
	struct metric metric;
	size_t same; /* the metric that stands for all of these samples */
	uint64_t weight[COMPARE_SIDES];
	double share[COMPARE_SIDES];
	double change; /* of the share */
	struct stats_interval interval;
	double p;    /* adjusted */
	bool failed; /* the gate */
	bool is_repeat; /* a path that is all of a longer one, or a self that is all of the total */
	bool is_echo;	 /* a path that has the very samples of a function that changed */
	bool self_is_it; /* a total that is all self */
};

struct compare {
	struct tree tree;
	struct compare_side side[COMPARE_SIDES];
	const struct compare_options *options; /* not owned */
	bool direct;  /* each side is one file, read into its column at once */
	bool several; /* runs on a side */
	bool strip;   /* addresses in names are no part of them */
	struct compare_change *changes; /* the largest first */
	size_t n, cap, failed;
	size_t metrics, tested;
};

/* An empty comparison of FILES files; STRIP makes 0x1f of a name 0x... */
void compare_init(struct compare *c, const struct compare_options *options, size_t files,
	bool strip);
void compare_release(struct compare *c);

/* Reads the file at PATH as a run of SIDE. False when it could not be read, or not
 * to its end, after a message. */
bool compare_read(struct compare *c, int side, const char *path);

/* Reads the file at PATH, which has both columns. */
bool compare_read_both(struct compare *c, const char *path);

/* Makes out how many samples each side has, when all is read; GIVEN may say it. */
void compare_settle(struct compare *c, const struct folded_given *given);

/* Multiplies the weights before, rounding down, so that the total, or the function
 * that options name, weighs as much as after. What is wrong, or NULL. */
const char *compare_scale(struct compare *c);

/* Finds the changes. What stands against it, or NULL. */
const char *compare_test(struct compare *c);

/* Adds the name of a function, or the stack of a path, as folded text has it. */
void compare_put_name(struct buf *b, const struct tree *t, struct metric f);

/* The files that were read: of both sides, or ONE with both columns. */
struct compare_files {
	const char *const *path[COMPARE_SIDES];
	size_t n[COMPARE_SIDES];
	const char *one;
};

/* The header of both sides: what is said before of other value than after has a
 * key with "-before" behind it. The sides are called as FILES are, unless they were one
 * with names for them. */
void compare_put_info(const struct compare *c, const struct compare_files *files,
	struct folded_info *info);

#endif
