/* SPDX-License-Identifier: ISC */
/*
 * The rows of a call tree, from the top down: the heaviest children first, those
 * of little weight hidden and counted. An only child stands below its parent
 * without being indented, so that long chains of calls stay narrow.
 *
 * Made from a tree by calltree_init, then read by calltree_next to its end.
 */
#ifndef CALLTREE_H
#define CALLTREE_H

#include "tree.h"

struct calltree_limits {
	uint64_t least[TREE_COLUMNS]; /* what has less in every column is hidden */
	uint32_t depth;		      /* and what is deeper; 0: no limit */
	uint32_t left_out;	      /* roots that the tree lacks, counted as hidden */
};

struct calltree_row {
	uint32_t node;	 /* TREE_ROOT: a row for children that are hidden */
	uint32_t hidden; /* how many those are; 0: none */
	uint32_t depth;	 /* 1: no caller */
	uint32_t level;	 /* of indentation; 0: none */
	bool is_branch;	 /* one of several rows on its level */
	bool is_last;	 /* of those */
	uint64_t self[TREE_COLUMNS], total[TREE_COLUMNS];
};

struct calltree {
	const struct tree *tree;       /* not owned */
	uint64_t *total[TREE_COLUMNS]; /* by node */
	struct calltree_limits limits;
	uint32_t *child;    /* visible nodes, siblings together in their order */
	uint32_t *first;    /* by node: its first in child; the next node's is the end */
	uint32_t *children; /* by node: how many have a weight */
	struct calltree_group *groups;
	size_t depth, cap; /* of groups */
	bool *goes_on;	   /* by level: rows of it follow */
	size_t levels;	   /* room in goes_on */
	uint64_t all;	   /* nodes with a weight */
	uint64_t given;	   /* of them, those in rows so far */
};

/* Makes the rows of T, which must outlive CT. What hides nothing has least 0
 * or 1: nodes without weight have no row. The caller releases CT. */
void calltree_init(
	struct calltree *ct, const struct tree *t, const struct calltree_limits *limits);
void calltree_release(struct calltree *ct);

/* Gives the next row; false after the last. */
bool calltree_next(struct calltree *ct, struct calltree_row *row);

/* Nodes of a tree, to be joined by name. */
struct calltree_places {
	const struct tree *tree;
	const struct tree_walk *walk; /* of the tree */
	uint64_t *const *totals;      /* of the tree, by column and node */
	const bool *wanted;	      /* by node */
};

/* Make in TO, which they init, a tree with a root for each name that wanted nodes have: below
 * it its callers, and theirs; or its callees. The weights of a root are the sums of
 * its places; roots may overlap, so the sums of TO mean nothing. */
void calltree_put_callers(struct tree *to, const struct calltree_places *places);
void calltree_put_callees(struct tree *to, const struct calltree_places *places);

#endif
