/* SPDX-License-Identifier: ISC */
/*
 * The rows of a call tree, from the top down: the heaviest children first, light ones hidden
 * and counted. An only child with nearly all of its parent's weight is not indented, so that
 * long chains of calls stay narrow.
 *
 * The tree begins at the root, or at all call sites of some functions, merged by name, and
 * leads to their callees or callers. It is never complete in memory: each row has a set of
 * nodes, from which the next rows are made if it has enough weight.
 */
#ifndef CALLTREE_H
#define CALLTREE_H

#include "tree.h"

struct calltree_source {
	const struct tree *tree;
	uint64_t *const *totals; /* of the tree, by column and node */
	const bool *wanted;	 /* by node: the start; NULL: the root */
	bool up;		 /* towards callers, not callees */
};

struct calltree_limits {
	uint64_t least[TREE_COLUMNS]; /* rows below this in every column are hidden */
	uint32_t depth;		      /* deeper rows are hidden; 0: no limit */
};

struct calltree_row {
	struct str name; /* borrowed from the tree */
	/* The id of the name whose total contains it: its own or, towards callers, the one at
	 * depth 1; UINT32_MAX: several. */
	uint32_t of;
	uint32_t hidden; /* not 0: a row without a name, for this many siblings */
	uint32_t depth;	 /* 1: top row */
	uint32_t level;	 /* of indentation; 0: none */
	bool is_branch;	 /* starts or continues a level */
	bool is_last;	 /* the last of that level */
	uint64_t self[TREE_COLUMNS]; /* 0 towards callers */
	uint64_t total[TREE_COLUMNS];
};

struct calltree {
	struct calltree_source source;
	struct calltree_limits limits;
	uint32_t *child; /* nodes of the tree, siblings together; NULL towards callers */
	uint32_t *first; /* by node: its first in child; the next node's is the end */
	uint32_t *slot;	 /* by name: work space for joining */
	struct calltree_entry *entries;
	size_t entry_count, entry_cap;
	struct calltree_cursor *cursors, *joined;
	size_t cursor_count, cursor_cap, joined_cap;
	struct calltree_group *groups;
	size_t depth, cap; /* number of groups */
	bool *goes_on;	   /* by level: more rows of it follow */
	size_t levels;	   /* room in goes_on */
	uint32_t head;	   /* the id of the last name at depth 1 */
	uint64_t hidden;   /* branches hidden so far */
};

/* Starts at the first row. Nodes without weight get no row. SOURCE's arrays must outlive CT.
 * The caller releases CT. */
void calltree_init(struct calltree *ct, const struct calltree_source *source,
	const struct calltree_limits *limits);
void calltree_release(struct calltree *ct);

/* Stores the next row in ROW; returns false after the last. */
bool calltree_next(struct calltree *ct, struct calltree_row *row);

#endif
