/* SPDX-License-Identifier: ISC */
/*
 * The stack tree: every distinct path of frames is one node, and weights are stored at the node
 * where a stack ends (its self weight), in one column or two (before and after). Node 0 is the
 * root, which is not a frame and has no name. A parent's index is always lower than its children's,
 * so one loop from the last node to the first sums the totals.
 *
 * Weights are whole numbers of 10^-scale units: a tree of scale 0 holds integers, and the first
 * weight with decimals raises the scale. Sums of all weights that overflow 64 bits are refused,
 * never wrapped. If only the decimals do not fit, they are kept beside the whole numbers until
 * tree_settle rounds each sum once, so that sums do not depend on the order of their parts.
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "intern.h"
#include "weight.h"

enum { TREE_ROOT = 0, TREE_COLUMNS = 2, TREE_SCALE_MAX = 9 };

/* The name of a gap: in a tree in time order, a frame's self weight after its first child. A gap is
 * not a frame: its weight is its parent's self weight; it stands among the children to keep its
 * place in time. */
#define TREE_GAP UINT32_MAX

struct tree_node {
	uint32_t parent;
	uint32_t name; /* an id of names, or TREE_GAP */
	uint32_t key;  /* combines the hashes of the names from the root to this node */
};

struct tree {
	struct intern names;
	struct tree_node *nodes;
	uint64_t *self[TREE_COLUMNS]; /* by node; [1] is NULL with one column */
	uint64_t sum[TREE_COLUMNS];   /* of all weights added */
	uint64_t stacks;	      /* nodes with weight of their own */
	uint32_t n;
	size_t cap;
	int columns;
	unsigned scale;
	unsigned wanted; /* decimals needed but not fitting */
	uint32_t *nano[TREE_COLUMNS],
		sum_nano[TREE_COLUMNS]; /* decimals beside self; or NULL */
	bool loose; /* siblings may have the same name, until shape_merge */
	struct tree_slot *slots;
	uint32_t slot_mask;
};

/* Makes T an empty tree: the root alone. COLUMNS is 1 or 2. */
void tree_init(struct tree *t, int columns);
void tree_release(struct tree *t);

/* Makes VIEW an empty tree with the columns, scale and names of T. The names are borrowed:
 * tree_release_view does not free them. */
void tree_init_view(struct tree *view, const struct tree *t);
void tree_release_view(struct tree *view);

/* Moves T to WAS, frozen and without names; T keeps the names and gets room for as many nodes. The
 * caller releases WAS. */
void tree_start_over(struct tree *t, struct tree *was);

/* The memory that T holds. */
size_t tree_bytes(const struct tree *t);

/* Frees the hash table of T until the next lookup. */
void tree_freeze(struct tree *t);

/* Gives a tree with one column a second one, of zeroes. */
void tree_add_column(struct tree *t);

/* The child of PARENT with the name NAME, added if new. */
uint32_t tree_child(struct tree *t, uint32_t parent, struct str name);

/* As tree_child for each of the N names of NAME, each the child of the one before; NODE gets the
 * nodes. Faster if these are far apart in memory. */
void tree_path(struct tree *t, uint32_t parent, const struct str *name, uint32_t *node,
	size_t n);

/* The same as tree_child for a name that is in t->names already. */
uint32_t tree_child_id(struct tree *t, uint32_t parent, uint32_t name);

/* The same for a name that no child of PARENT has. Faster when many such nodes are added before a
 * lookup. */
uint32_t tree_new_child_id(struct tree *t, uint32_t parent, uint32_t name);

/* Prefetches the memory that tree_child_id reads first; only a hint. */
void tree_expect_id(const struct tree *t, uint32_t parent, uint32_t name);

/* As tree_child_id for each of the N names of NAME, from the last to the first. NODE gets the nodes
 * unless it is NULL; returns the node of the first name, PARENT when N is 0. Faster, like
 * tree_path. */
uint32_t tree_path_ids(
	struct tree *t, uint32_t parent, const uint32_t *name, uint32_t *node, size_t n);

/* A new child of PARENT even if there is one with that name: for trees in time order, where only
 * neighbours merge. tree_child does not find such a node. */
uint32_t tree_append(struct tree *t, uint32_t parent, struct str name);

/* The same for a name that is in t->names already, or a gap, TREE_GAP. */
uint32_t tree_append_id(struct tree *t, uint32_t parent, uint32_t name);

/* Adds WEIGHT, in units of 10^-scale, to NODE. False, and nothing is added, when the sum of the
 * column would overflow 64 bits. */
bool tree_add(struct tree *t, uint32_t node, int column, uint64_t weight);

/* Whether NODE has weight of its own in any column. */
static inline bool
tree_weighs(const struct tree *t, uint32_t node)
{
	int c;

	for (c = 0; c < t->columns; c++)
		if (t->self[c][node] || (t->nano[c] && t->nano[c][node]))
			return true;
	return false;
}

/* Moves the weights of FROM to T, which has the same columns and scale and no weights: node I's to
 * NOW[I]. The sums of FROM are kept, also for stacks not in it. */
void tree_move_weights(struct tree *t, const struct tree *from, const uint32_t *now);

/* Removes the weight of NODE in COLUMN and adds it to *DROPPED. T is settled. */
void tree_drop(struct tree *t, uint32_t node, int column, uint64_t *dropped);

/* Removes all weights; nodes and scale stay. */
void tree_empty(struct tree *t);

/* Raises the scale so that weights may have DECIMALS digits (at most TREE_SCALE_MAX) after the
 * point. False, and nothing changes, when the sums would overflow 64 bits. */
bool tree_set_scale(struct tree *t, unsigned decimals);

/* Adds W exactly, raising the scale as needed. False, and nothing is added, when the sum of the
 * column would overflow 64 bits. tree_settle has to be called afterwards. */
bool tree_add_weight(struct tree *t, uint32_t node, int column, struct weight w);

/* The exact weight of NODE, and of all weights added. */
struct weight tree_weight(const struct tree *t, uint32_t node, int column);
struct weight tree_sum(const struct tree *t, int column);

/* The sum of COLUMN if all its weights are whole numbers; else 0. */
uint64_t tree_whole_sum(const struct tree *t, int column);

/* Sets the scale to the finest that a weight needs and with which all fit in 64 bits. Returns how
 * many were rounded (half up). */
uint64_t tree_settle(struct tree *t);

/* The total (inclusive) weight of every node in COLUMN: an array of t->n that
 * the caller frees. */
uint64_t *tree_totals(const struct tree *t, int column);

/* The number of frames in the stack of every node: an array of t->n that the caller frees. */
uint32_t *tree_depths(const struct tree *t);

/* The order of siblings in a walk. */
enum tree_order {
	TREE_BY_NAME, /* by the bytes of their names */
	TREE_AS_ADDED /* by the order of addition */
};

/* Every node except the root, each parent before its children and all of a subtree together.
 * depth[i] is 1 for the children of the root. */
struct tree_walk {
	uint32_t *node;
	uint32_t *depth;
	uint32_t n;
};

/* Walks T; the caller releases W. */
void tree_walk_init(struct tree_walk *w, const struct tree *t, enum tree_order order);
void tree_walk_release(struct tree_walk *w);

/* By node: whether no ancestor has its name, so that the totals of these add up to the function's
 * total. False for the first LEAD frames of stacks, which are not functions. W walks T in any
 * order. To be freed. */
bool *tree_outermost(const struct tree *t, const struct tree_walk *w, size_t lead);

/* Renumbers the nodes and names of T, which is settled and not in time order, in the order of a
 * walk by name: the result does not depend on the order of addition. */
void tree_sort(struct tree *t);

/* The length of a tree's stacks as text. Zeroed, it is empty. */
struct tree_length {
	uint64_t bytes, lines;
};

/* Counts a line with a stack of N bytes. False when the text is too large: a small input can have
 * stacks so deep that writing them never ends. */
bool tree_length_add(struct tree_length *length, size_t n);

#endif
