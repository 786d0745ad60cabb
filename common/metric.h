/* SPDX-License-Identifier: ISC */
/*
 * The metrics of a tree. A metric is a value that may change between runs: the total or the self
 * weight of a function, which is a name, wherever it is called; in a recursion its total counts
 * once. The total of a name has the number of the name, its self weight that and the
 * number of names.
 */
#ifndef METRIC_H
#define METRIC_H

#include "functions.h"

struct metrics {
	const struct tree *whole; /* not owned */
	struct functions functions;
	const struct tree *tree; /* that of these */
	bool *outermost;	 /* by node of it: none of its parents has its name */
	size_t n;
};

/* The metrics of T, which is settled and must not grow while M is used; the first LEAD frames of
 * its stacks are dimensions. The caller releases M. */
void metric_init(struct metrics *m, const struct tree *t, size_t lead);
void metric_release(struct metrics *m);

/* The number of the self weight of NAME. */
size_t metric_self(const struct metrics *m, uint32_t name);

/* The id of the name NAME; that of no name when there is none. */
uint32_t metric_find(const struct metrics *m, struct str name);

/* Adds up SELF, the self weights of the first N nodes of the whole tree, into the weights of all
 * metrics. */
void metric_fill(
	const struct metrics *m, const uint64_t *self, uint32_t n, uint64_t *weight);

/* For each metric the one that stands for it in tests: one that contains it, and of which at least
 * 95 % is in it in both columns, WEIGHT. To be freed. */
size_t *metric_lead(const struct metrics *m, uint64_t *const weight[TREE_COLUMNS]);

#endif
