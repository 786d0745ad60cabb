/* SPDX-License-Identifier: ISC */
/*
 * The figures of a tree. A figure is one thing that can have changed between its two
 * columns: the total or the self weight, of a path (a node of the tree) or of a
 * function (a name, wherever it is called; in a recursion its total counts once).
 * Figures are numbered: path totals, which have the numbers of their nodes, path
 * selves, function totals, function selves; figures_at says which is which.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "tree.h"

struct figure {
	uint32_t id; /* a node or the id of a name */
	bool is_path, is_self;
};

struct figures {
	const struct tree *tree; /* not owned */
	bool *outermost;	 /* by node: none of its parents has its name */
	size_t n;
};

/* The figures of T, which must not grow while F is used. The caller releases F. */
void figures_init(struct figures *f, const struct tree *t);
void figures_release(struct figures *f);

/* The figure NUMBER, and the number of a figure. */
struct figure figures_at(const struct figures *f, size_t number);
size_t figures_number(const struct figures *f, struct figure of);

/* The number of the total of the function NAME; n when there is none. */
size_t figures_find(const struct figures *f, struct str name);

/* Adds up SELF, the self weights of the first N nodes, into the weights of all figures. */
void figures_fill(
	const struct figures *f, const uint64_t *self, uint32_t n, uint64_t *weight);

/* For each figure the first that has the very samples it has, in both columns: their
 * WEIGHTs are equal and one contains the other. To be freed. */
size_t *figures_same(const struct figures *f, uint64_t *const weight[TREE_COLUMNS]);

#endif
