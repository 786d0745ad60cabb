/* SPDX-License-Identifier: ISC */
/*
 * The shape of a tree: which frames its stacks have. Each function changes the stacks of T in
 * place, as if they were lines of a text. Those that have become the same stay apart until
 * shape_merge adds them up, so that several operations need only one search for each node.
 *
 * T is settled and not in time order. The first LEAD frames of its stacks are dimensions, which
 * stay as they are. A stack that ends among them is one of the function DIMENSIONS_NO_FUNCTION, and
 * stays as short unless that function becomes another.
 *
 * Weights are moved, in both columns: the sums stay, but for what is dropped. What functions are
 * called comes in arrays by id of T->names. The time is that of a look at each node, for
 * reversed stacks that of a search for each of their frames.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "tree.h"

/* Makes siblings of one name one, after other operations. */
void shape_merge(struct tree *t);

/* Which functions of T have weight, or are called by others that do, by id. To be freed. */
bool *shape_functions(struct tree *t, size_t lead);

/* Drops the stacks that have none of the functions that are WANTED, or with IGNORE those that have
 * one; DROPPED grows by their weight. */
void shape_focus(struct tree *t, size_t lead, const bool *wanted, bool ignore,
	uint64_t dropped[TREE_COLUMNS]);

/* Cuts off what calls the first function of each stack that is CHOSEN, with LAST the last one; or
 * what it calls. */
void shape_cut_above(struct tree *t, size_t lead, const bool *chosen, bool last);
void shape_cut_below(struct tree *t, size_t lead, const bool *chosen, bool last);

/* Cuts off what is below the first MOST functions, 1 or more, of each stack. */
void shape_cut_depth(struct tree *t, size_t lead, uint64_t most);

/* Renames each function to the id TO[name]; those of GRAFT_JOIN (graft.h) leave the stacks. One of
 * which all have left gets the function "[hidden]". */
void shape_rename(struct tree *t, size_t lead, const uint32_t *to);

/* Renames each function to TO[name], a group of functions if that is another name. Neighbours of
 * one group become one; with GRAFT_JOIN a function is of its caller's group, and stays when that
 * has none. */
void shape_group(struct tree *t, size_t lead, const uint32_t *to);

/* By node of T: how many functions of its name there are from it up, one below the other. To be
 * freed. */
uint32_t *shape_levels(const struct tree *t, size_t lead);

/* Makes functions that call themselves one: A;A becomes A. */
void shape_fold(struct tree *t, size_t lead);

/* Makes functions that call each other in turn, up to 64 of them, one turn: A;B;A;B becomes A;B. */
void shape_fold_cycles(struct tree *t, size_t lead);

/* Reverses the functions of each stack. */
void shape_reverse(struct tree *t, size_t lead);

/* Cuts off functions that have less than PERCENT of WHOLE in every column, whatever the values of
 * dimensions; the outermost ones stay. */
void shape_prune(
	struct tree *t, size_t lead, double percent, const uint64_t whole[TREE_COLUMNS]);

#endif
