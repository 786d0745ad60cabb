/* SPDX-License-Identifier: ISC */
/*
 * Operations on the frames of a tree's stacks. Each function changes the stacks of T in place, as
 * if they were lines of a text. Stacks that become equal stay separate until shape_merge adds them
 * up, so that several operations need only one lookup per node.
 *
 * T is settled and not in time order. The first LEAD frames of its stacks are dimensions, which
 * stay. A stack that ends among them counts as one of the function DIMENSIONS_NO_FUNCTION, and
 * stays short unless that function is renamed.
 *
 * Weights are moved, in both columns: the sums stay, except for dropped stacks. Arrays of functions
 * are indexed by id of T->names. Each operation visits every node once; reversing looks up each
 * frame.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "tree.h"

/* Merges siblings with the same name, after other operations. */
void shape_merge(struct tree *t);

/* Which functions of T have weight, or call others that do, by id. To be freed. */
bool *shape_functions(struct tree *t, size_t lead);

/* Drops the stacks without a WANTED function, or with IGNORE those with one, and adds their weight
 * to DROPPED. */
void shape_focus(struct tree *t, size_t lead, const bool *wanted, bool ignore,
	uint64_t dropped[TREE_COLUMNS]);

/* Cut off the callers of the first CHOSEN function of each stack, with LAST of the last one; or its
 * callees. */
void shape_cut_above(struct tree *t, size_t lead, const bool *chosen, bool last);
void shape_cut_below(struct tree *t, size_t lead, const bool *chosen, bool last);

/* Cuts off everything below the first MOST functions, 1 or more, of each stack. */
void shape_cut_depth(struct tree *t, size_t lead, uint64_t most);

/* Renames each function to the id TO[name], or removes it for GRAFT_JOIN (graft.h). A stack left
 * without functions gets the function "[hidden]". */
void shape_rename(struct tree *t, size_t lead, const uint32_t *to);

/* Renames each function to TO[name], a group of functions if that is another name. Neighbours of
 * one group merge; with GRAFT_JOIN a function joins its caller's group, and stays if the caller has
 * none. */
void shape_group(struct tree *t, size_t lead, const uint32_t *to);

/* By node of T: the number of consecutive frames with its name from it upwards. To be freed. */
uint32_t *shape_levels(const struct tree *t, size_t lead);

/* Folds direct recursion: A;A becomes A. */
void shape_fold(struct tree *t, size_t lead);

/* Folds mutual recursion, in cycles of up to 64 functions: A;B;A;B becomes A;B. */
void shape_fold_cycles(struct tree *t, size_t lead);

/* Reverses the functions of each stack. */
void shape_reverse(struct tree *t, size_t lead);

/* Cuts off functions that have less than PERCENT of WHOLE in every column, summed over all values
 * of dimensions; the outermost ones stay. */
void shape_prune(
	struct tree *t, size_t lead, double percent, const uint64_t whole[TREE_COLUMNS]);

#endif
