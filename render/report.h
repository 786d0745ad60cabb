/* SPDX-License-Identifier: ISC */
/*
 * The content of a report, computed before it is written: the weights of functions,
 * with all call sites of a name merged, and the shares with their sampling
 * error. report-text.c writes it for people.
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
	size_t top;		/* functions at most; 0: all */
	uint32_t depth;		/* frames of the trees at most; 0: all */
	double min_share;	/* percent, of the trees */
	bool json;		/* for report_write_data: else TSV */
};

struct report_function {
	uint32_t name;
	uint64_t self[TREE_COLUMNS];
	uint64_t total[TREE_COLUMNS]; /* recursion counted once */
};

struct report {
	const struct report_settings *set; /* not owned, as the next two */
	const struct tree *tree;
	const struct folded_info *info;

	size_t lead; /* the first frames of stacks, which are not functions */
	struct tree_walk walk;
	uint64_t *totals[TREE_COLUMNS];
	bool *outermost;	      /* by node: no frame above it has its name */
	double samples[TREE_COLUMNS]; /* behind the weights; 0: not known */
	struct str unit;	      /* of the weights; "samples" when not known */
	/* Of two things that were counted together (#fg ratio=): their names; else empty. */
	struct str ratio[TREE_COLUMNS];
	struct tested tested; /* of two columns; zeroed: nobody asked */
	bool tests;	      /* it says which changes are more than chance */

	struct report_function *functions; /* those with a weight */
	uint32_t n;			   /* of functions */
	uint32_t shown;			   /* of them, after report_sort */
};

/* Works out the report of PROFILE, which must have a weight. The arguments must
 * outlive S. The caller releases S. */
void report_init(struct report *s, const struct report_settings *set,
	const struct profile *profile);
void report_release(struct report *s);

/* Whether two columns are compared; and whether they are two things, not before and after. */
bool report_is_diff(const struct report *s);
bool report_is_ratio(const struct report *s);

/* What COLUMN of two is called, in few letters. */
struct str report_side(const struct report *s, int column);

/* Puts the functions that are to be shown first, in their order. Two columns are
 * ordered by how much their share has changed. */
void report_sort(struct report *s);

/* The share of WEIGHT in COLUMN, in percent; 0 when the column is empty. */
double report_share(const struct report *s, uint64_t weight, int column);

/* Half the width of the interval that has the true share with 95 % confidence:
 * 1.96 standard errors, in percentage points; 0 when the number of samples is
 * not known. */
double report_error(const struct report *s, uint64_t weight, int column);

/* Whether the number of samples, and so the error, is known of every column. */
bool report_has_error(const struct report *s);

/* How two weights of one thing, a column each, compare. */
struct report_change {
	double points; /* after - before of the shares, of two things the first - the second */
	double error;  /* of that; see report_error */
	double ratio;  /* after / before, of two things before / after; 0: of nothing */
	bool is_clear; /* more than chance, or some where that is not known */
};

/* What is compared: METRIC of a function (metric.h), or a part of that; SIZE_MAX: of several. */
struct report_part {
	size_t metric;
	const uint64_t *weight;
};
struct report_change report_compare(const struct report *s, struct report_part part);

/* The total, or with SELF the self weight, of what weighs WEIGHT of the function NAME, UINT32_MAX
 * if of several. */
struct report_part report_part(
	const struct report *s, uint32_t name, bool self, const uint64_t *weight);

/* The places of the names that are CHOSEN, by node: the outermost ones, so that
 * recursion counts once. The caller frees it. */
bool *report_find_places(const struct report *s, const bool *chosen);

/* Makes CT the call tree that the settings ask for, of PLACES; NULL: of all. Both S and
 * PLACES must outlive CT, which the caller releases. */
void report_make_tree(const struct report *s, const bool *places, struct calltree *ct);

/* Write, for a person, the functions; or the call tree. */
void report_write_top(
	struct output *out, const struct report *s, const struct terminal *terminal);
void report_write_rows(struct output *out, const struct report *s,
	const struct terminal *terminal, struct calltree *ct);

/* Writes a text of at most BYTES (1 or more) of the whole, the same in every terminal. S is sorted
 * by self weight. */
struct report_brief {
	size_t bytes;
	struct str picture; /* in which paths of the tree are frames; empty: none */
	struct buf rows;    /* below these frames of it */
	uint64_t tracks;    /* threads, where times are known; else 0 */
	uint64_t malformed; /* lines that were skipped */
};
void report_write_brief(
	struct output *out, const struct report *s, const struct report_brief *how);

/* Writes a row for each value of the dimension NAME, the only one that the profile has left, with
 * its hottest functions: for a person, or for scripts when TERMINAL is NULL. Of two columns the
 * first counts. */
void report_write_values(struct output *out, const struct report *s,
	const struct terminal *terminal, struct str name);

/* Writes, for scripts, the functions, or the call tree unless CT is NULL. */
void report_write_data(struct output *out, const struct report *s, struct calltree *ct);

#endif
