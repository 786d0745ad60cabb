/* SPDX-License-Identifier: ISC */
/*
 * The metrics of a tree. A metric is a value that may change between the two
 * columns: the total or the self weight, of a path (a node of the tree) or of a
 * function (a name, wherever it is called; in a recursion its total counts once).
 * Metrics are numbered: path totals, which have the numbers of their nodes, path
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

/* The metrics of T, which must not grow while M is used. The caller releases M. */
void metric_init(struct metrics *m, const struct tree *t);
void metric_release(struct metrics *m);

/* The metric NUMBER, and the number of a metric. */
struct metric metric_at(const struct metrics *m, size_t number);
size_t metric_number(const struct metrics *m, struct metric of);

/* The number of the total of the function NAME; n when there is none. */
size_t metric_find(const struct metrics *m, struct str name);

/* Adds up SELF, the self weights of the first N nodes, into the weights of all metrics. */
void metric_fill(
	const struct metrics *m, const uint64_t *self, uint32_t n, uint64_t *weight);

/* For each metric the first that has the very samples it has, in both columns: their
 * WEIGHTs are equal and one contains the other. To be freed. */
size_t *metric_same(const struct metrics *m, uint64_t *const weight[TREE_COLUMNS]);

#endif
