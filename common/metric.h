/* SPDX-License-Identifier: ISC */
/*
 * The metrics of a tree. A metric is a value that may change between runs: the total or the self
 * weight of a function, identified by its name, across all callers; in a recursion its total counts
 * once. The total of a name has the number of the name; its self weight, that plus the number of
 * names.
 */
#ifndef METRIC_H
#define METRIC_H

#include "functions.h"

struct metrics {
	const struct tree *whole; /* not owned */
	struct functions functions;
	const struct tree *tree; /* these belong to it */
	bool *outermost;	 /* by node of it: none of its ancestors has its name */
	size_t n;
};

/* Sets M to the metrics of T, which is settled and must not grow while M is used; the first LEAD
 * frames of its stacks are dimensions. The caller releases M. */
void metric_init(struct metrics *m, const struct tree *t, size_t lead);
void metric_release(struct metrics *m);

/* The number of the self weight of NAME. */
size_t metric_self(const struct metrics *m, uint32_t name);

/* The id of NAME; the number of names if it is unknown. */
uint32_t metric_find(const struct metrics *m, struct str name);

/* Adds up SELF, the self weights of the first N nodes of the whole tree, into WEIGHT, by metric. */
void metric_fill(
	const struct metrics *m, const uint64_t *self, uint32_t n, uint64_t *weight);

/* For each metric the one to test in its place, which contains it: at least 95 % of that one is in
 * the metric in both columns, WEIGHT. To be freed. */
size_t *metric_lead(const struct metrics *m, uint64_t *const weight[TREE_COLUMNS]);

#endif
