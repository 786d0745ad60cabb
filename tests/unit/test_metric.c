/* SPDX-License-Identifier: ISC */
/* Tests of metrics: totals and selves of paths and functions. */
#include "metric.h"
#include "mem.h"
#include "stacks.h"
#include "unit.h"

static struct tree tree;
static struct metrics metrics;
static uint64_t *weight[TREE_COLUMNS];

static uint32_t
add(const char *stack, uint64_t before, uint64_t after)
{
	return stacks_add(&tree, stack, before, after);
}

static void
fill(void)
{
	int c;

	metric_init(&metrics, &tree);
	for (c = 0; c < TREE_COLUMNS; c++) {
		weight[c] = mem_alloc(metrics.n * sizeof *weight[c]);
		metric_fill(&metrics, tree.self[c], tree.n, weight[c]);
	}
}

UNIT(a_number_tells_the_metric_and_back)
{
	size_t i;

	add("a;b", 1, 2);
	fill();
	CHECK_U64(metrics.n, 2 * (3 + 2));
	for (i = 0; i < metrics.n; i++)
		CHECK_U64(metric_number(&metrics, metric_at(&metrics, i)), i);
	CHECK(metric_at(&metrics, 2).is_path && !metric_at(&metrics, 2).is_self);
}

UNIT(recursion_counts_once_in_a_functions_total)
{
	add("a;b;a", 5, 0);
	add("a", 2, 0);
	fill();
	CHECK_U64(weight[0][metric_find(&metrics, STR("a"))], 7);
	CHECK_U64(weight[0][metric_find(&metrics, STR("b"))], 5);
	CHECK_U64(metric_find(&metrics, STR("c")), metrics.n);
}

UNIT(metrics_of_the_same_samples_are_one)
{
	uint32_t leaf = add("a;b", 5, 3);
	size_t *same;

	add("a;c", 1, 0);
	fill();
	same = metric_same(&metrics, weight);
	/* b's total is its self weight, and that of the one path that leads to it */
	CHECK_U64(
		same[metric_number(&metrics, (struct metric){ leaf, true, true })], leaf);
	CHECK_U64(same[metric_find(&metrics, STR("b"))], leaf);
	CHECK(same[tree.nodes[leaf].parent] != leaf);
	free(same);
}

UNIT_MAIN
