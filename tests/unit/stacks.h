/* SPDX-License-Identifier: ISC */
/* Stacks of two columns for tests. */
#ifndef STACKS_H
#define STACKS_H

#include "tree.h"

/* Adds the stack "a;b" to T, which becomes a tree of two columns if it is zeroed;
 * returns its node. */
static inline uint32_t
stacks_add(struct tree *t, const char *stack, uint64_t before, uint64_t after)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	if (!t->n)
		tree_init(t, 2);
	while (rest.n)
		node = tree_child(t, node, str_cut(&rest, ';'));
	tree_add(t, node, 0, before);
	tree_add(t, node, 1, after);
	return node;
}

#endif
