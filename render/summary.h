/* SPDX-License-Identifier: ISC */
/*
 * What a report says, worked out before it is written: the weights of functions,
 * which are all places of a name taken together, and the shares with the error
 * that sampling gives them. summary-top.c and summary-rows.c write it for people,
 * summary-data.c for scripts.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "calltree.h"
#include "chance.h"
#include "folded.h"
#include "output.h"
#include "terminal.h"
#include "tree.h"

enum summary_sort { SUMMARY_BY_SELF, SUMMARY_BY_TOTAL, SUMMARY_BY_NAME };
enum summary_kind { SUMMARY_TOP, SUMMARY_TREE, SUMMARY_CALLERS, SUMMARY_CALLEES };

struct summary_settings {
	enum summary_kind kind;
	enum summary_sort sort;
	const char *expression; /* of callers and callees */
	size_t top;		/* functions at most; 0: all */
	uint32_t depth;		/* frames of the trees at most; 0: all */
	double min_share;	/* percent, of the trees */
	bool json;		/* for summary_write_data: else TSV */
};

struct summary_function {
	uint32_t name;
	uint64_t self[TREE_COLUMNS];
	uint64_t total[TREE_COLUMNS]; /* recursion counted once */
};

struct summary {
	const struct summary_settings *set; /* not owned, as the next two */
	const struct tree *tree;
	const struct folded_info *info;

	struct tree_walk walk;
	uint64_t *totals[TREE_COLUMNS];
	bool *outermost;	      /* by node: no frame above it has its name */
	double samples[TREE_COLUMNS]; /* behind the weights; 0: not known */
	struct str unit;	      /* of the weights; "samples" when not known */
	/* Of two things that were counted together (#fg ratio=): their names; else empty. */
	struct str ratio[TREE_COLUMNS];
	struct chance chance; /* of two columns whose numbers of samples are known */
	bool tests;	      /* it is there */

	struct summary_function *functions; /* those with a weight */
	uint32_t n;			    /* of functions */
	uint32_t shown;			    /* of them, after summary_sort */
};

/* Works out the summary of T, which must have a weight. The arguments must
 * outlive S. The caller releases S. */
void summary_init(struct summary *s, const struct summary_settings *set,
	const struct tree *t, const struct folded_info *info);
void summary_release(struct summary *s);

/* Whether two columns are compared; and whether they are two things, not before and after. */
bool summary_is_diff(const struct summary *s);
bool summary_is_ratio(const struct summary *s);

/* What COLUMN of two is called, in few letters. */
struct str summary_side(const struct summary *s, int column);

/* Puts the functions that are to be shown first, in their order. Two columns are
 * ordered by how much their share has changed. */
void summary_sort(struct summary *s);

/* The share of WEIGHT in COLUMN, in percent; 0 when the column is empty. */
double summary_share(const struct summary *s, uint64_t weight, int column);

/* Half the width of the interval that has the true share with 95 % confidence:
 * 1.96 standard errors, in percentage points; 0 when the number of samples is
 * not known. */
double summary_error(const struct summary *s, uint64_t weight, int column);

/* Whether the number of samples, and so the error, is known of every column. */
bool summary_has_error(const struct summary *s);

/* How two weights of one thing, a column each, compare. */
struct summary_change {
	double points; /* after - before of the shares, of two things the first - the second */
	double error;  /* of that; see summary_error */
	double ratio;  /* after / before, of two things before / after; 0: of nothing */
	bool is_clear; /* more than chance, or some where that is not known */
};
struct summary_change summary_compare(const struct summary *s, const uint64_t *weight);

/* The places of the names that are CHOSEN, by node: the outermost ones, so that
 * recursion counts once. The caller frees it. */
bool *summary_find_places(const struct summary *s, const bool *chosen);

/* Makes CT the call tree that the settings ask for, of PLACES; NULL: of all. Both S and
 * PLACES must outlive CT, which the caller releases. */
void summary_make_tree(const struct summary *s, const bool *places, struct calltree *ct);

/* Write, for a person, the functions; or the call tree. */
void summary_write_top(
	struct output *out, const struct summary *s, const struct terminal *terminal);
void summary_write_rows(struct output *out, const struct summary *s,
	const struct terminal *terminal, struct calltree *ct);

/* Writes, for scripts, the functions, or the call tree unless CT is NULL. */
void summary_write_data(struct output *out, const struct summary *s, struct calltree *ct);

#endif
