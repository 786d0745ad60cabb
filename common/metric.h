/* SPDX-License-Identifier: ISC */
/*
 * The figures of a tree. A figure is one thing that can have changed between its two
 * columns: the total or the self weight, of a path (a node of the tree) or of a
 * function (a name, wherever it is called; in a recursion its total counts once).
 * Figures are numbered: path totals, which have the numbers of their nodes, path
 * selves, function totals, function selves; metric_at says which is which.
 */
#ifndef METRIC_H
#define METRIC_H

#include "tree.h"

struct metric {
	uint32_t id; /* a node or the id of a name */
	bool is_path, is_self;
};

struct metrics {
	const struct tree *tree; /* not owned */
	bool *outermost;	 /* by node: none of its parents has its name */
	size_t n;
};

/* The figures of T, which must not grow while F is used. The caller releases F. */
void metric_init(struct metrics *f, const struct tree *t);
void metric_release(struct metrics *f);

/* The figure NUMBER, and the number of a figure. */
struct metric metric_at(const struct metrics *f, size_t number);
size_t metric_number(const struct metrics *f, struct metric of);

/* The number of the total of the function NAME; n when there is none. */
size_t metric_find(const struct metrics *f, struct str name);

/* Adds up SELF, the self weights of the first N nodes, into the weights of all figures. */
void metric_fill(
	const struct metrics *f, const uint64_t *self, uint32_t n, uint64_t *weight);

/* For each figure the first that has the very samples it has, in both columns: their
 * WEIGHTs are equal and one contains the other. To be freed. */
size_t *metric_same(const struct metrics *f, uint64_t *const weight[TREE_COLUMNS]);

#endif
