/* SPDX-License-Identifier: ISC */
/*
 * The data of a report, computed before output: the weights of functions, with all call sites
 * of a name merged, and the shares with their sampling error. report-text.c writes it for
 * people.
 */
#ifndef REPORT_H
#define REPORT_H

#include "calltree.h"
#include "tested.h"
#include "output.h"
#include "profile.h"
#include "terminal.h"
#include "tree.h"

enum report_sort { REPORT_BY_SELF, REPORT_BY_TOTAL, REPORT_BY_NAME };
enum report_kind { REPORT_TOP, REPORT_TREE, REPORT_CALLERS, REPORT_CALLEES };

struct report_settings {
	enum report_kind kind;
	enum report_sort sort;
	const char *expression; /* of callers and callees */
	size_t top;		/* at most this many functions; 0: all */
	uint32_t depth;		/* at most this many frames deep; 0: all */
	double min_share;	/* percent, of the trees */
	bool json;		/* for report_write_data: JSON, else TSV */
};

struct report_function {
	uint32_t name;
	uint64_t self[TREE_COLUMNS];
	uint64_t total[TREE_COLUMNS]; /* recursion counted once */
};

struct report {
	const struct report_settings *set; /* not owned, like the next two */
	const struct tree *tree;
	const struct folded_info *info;

	size_t lead; /* leading frames of stacks that are not functions */
	struct tree_walk walk;
	uint64_t *totals[TREE_COLUMNS];
	bool *outermost;	      /* by node: no frame above it has its name */
	double samples[TREE_COLUMNS]; /* behind the weights; 0: unknown */
	struct str unit;	      /* of the weights; "samples" if unknown */
	/* Of a ratio (#fg ratio=): the names of both columns; else empty. */
	struct str ratio[TREE_COLUMNS];
	struct tested tested; /* of two columns; zeroed: not requested */
	bool tests;	      /* the test decides which changes are more than chance */

	struct report_function *functions; /* all with a weight */
	uint32_t n;			   /* of functions */
	uint32_t shown;			   /* the first ones, after report_sort */
};

/* Computes the report of PROFILE, which must have a weight. The arguments must outlive S. The
 * caller releases S. */
void report_init(struct report *s, const struct report_settings *set,
	const struct profile *profile);
void report_release(struct report *s);

/* Whether two columns are compared; and whether they are a ratio, not before and after. */
bool report_is_diff(const struct report *s);
bool report_is_ratio(const struct report *s);

/* The short name of COLUMN of two. */
struct str report_side(const struct report *s, int column);

/* Moves the functions to show to the front, in order. Two columns are ordered by the change of
 * their shares. */
void report_sort(struct report *s);

/* The share of WEIGHT in COLUMN, in percent; 0 when the column is empty. */
double report_share(const struct report *s, uint64_t weight, int column);

/* Half the width of the 95 % confidence interval of a share: 1.96 standard errors, in
 * percentage points; 0 if the number of samples is unknown. */
double report_error(const struct report *s, uint64_t weight, int column);

/* Whether the number of samples, and so the error, is known for every column. */
bool report_has_error(const struct report *s);

/* A comparison of two weights, one from each column. */
struct report_change {
	double points; /* share after - before; in a ratio, first - second */
	double error;  /* of that; see report_error */
	double ratio;  /* after / before; in a ratio, before / after; 0: division by 0 */
	bool is_clear; /* more than chance, or any change if untested */
};

/* The thing compared: METRIC of a function (metric.h), or a part of it; SIZE_MAX: of several
 * functions. */
struct report_part {
	size_t metric;
	const uint64_t *weight;
};
struct report_change report_compare(const struct report *s, struct report_part part);

/* The part with WEIGHT of the function NAME's total or, with SELF, self weight; NAME is
 * UINT32_MAX for several functions. */
struct report_part report_part(
	const struct report *s, uint32_t name, bool self, const uint64_t *weight);

/* The nodes with a CHOSEN name: the outermost ones, so that recursion counts once. The caller
 * frees it. */
bool *report_find_places(const struct report *s, const bool *chosen);

/* Makes CT the call tree that the settings ask for, of PLACES; NULL: of all. Both S and PLACES
 * must outlive CT, which the caller releases. */
void report_make_tree(const struct report *s, const bool *places, struct calltree *ct);

/* Write the functions, or the call tree, for people. */
void report_write_top(
	struct output *out, const struct report *s, const struct terminal *terminal);
void report_write_rows(struct output *out, const struct report *s,
	const struct terminal *terminal, struct calltree *ct);

/* Writes a summary of at most BYTES (1 or more), the same on every terminal. S is sorted by
 * self weight. */
struct report_brief {
	size_t bytes;
	struct str
		picture; /* address of the picture with the paths of the tree; empty: none */
	struct buf rows;    /* the picture's frames above these paths */
	uint64_t tracks;    /* threads, if times are known; else 0 */
	uint64_t malformed; /* skipped lines */
};
void report_write_brief(
	struct output *out, const struct report *s, const struct report_brief *how);

/* Writes a row for each value of NAME, the profile's only dimension left, with its hottest
 * functions: for people, or for scripts when TERMINAL is NULL. Of two columns the first counts. */
void report_write_values(struct output *out, const struct report *s,
	const struct terminal *terminal, struct str name);

/* Writes the functions, or the call tree unless CT is NULL, for scripts. */
void report_write_data(struct output *out, const struct report *s, struct calltree *ct);

#endif
