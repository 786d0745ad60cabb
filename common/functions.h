/* SPDX-License-Identifier: ISC */
/*
 * The functions of a tree whose stacks begin with dimensions (dimensions.h): the tree that is left
 * when these are summed away, and where each node is in it.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stddef.h>

#include "tree.h"

struct functions {
	const struct tree
		*tree;	 /* the whole one where no frame is a dimension, else OWN */
	struct tree own; /* its names are those of the whole tree, with the same ids */
	uint32_t *node;	 /* by node of the whole tree; NULL: the same */
};

/* Finds those of T, which is settled, and the first LEAD frames of which are dimensions. A stack
 * that has no others is one of DIMENSIONS_NO_FUNCTION if T has that name, else of the root. T must
 * outlive F and not grow; the caller releases F. */
void functions_init(struct functions *f, const struct tree *t, size_t lead);
void functions_release(struct functions *f);

/* What the first *N nodes of the whole tree have as SELF, by node of F->tree; *N is then how many
 * of these. To be freed. */
uint64_t *functions_fold(const struct functions *f, const uint64_t *self, uint32_t *n);

#endif
