/* SPDX-License-Identifier: ISC */
/*
 * The functions of a tree whose stacks begin with dimensions (dimensions.h): the tree with these
 * summed away, and the place of each node in it.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stddef.h>

#include "tree.h"

struct functions {
	const struct tree *tree; /* the whole tree if no frame is a dimension, else OWN */
	struct tree own;	 /* shares the names and IDs of the whole tree */
	uint32_t *node;		 /* by node of the whole tree; NULL: unchanged */
};

/* Sums the first LEAD frames, which are dimensions, out of T, which is settled. A stack with only
 * dimensions gets the function DIMENSIONS_NO_FUNCTION if T has that name, else it ends at the root.
 * T must outlive F and not grow; the caller releases F. */
void functions_init(struct functions *f, const struct tree *t, size_t lead);
void functions_release(struct functions *f);

/* Adds up SELF, the self weights of the first *N nodes of the whole tree, by node of F->tree; *N
 * gets the number of these. To be freed. */
uint64_t *functions_fold(const struct functions *f, const uint64_t *self, uint32_t *n);

#endif
