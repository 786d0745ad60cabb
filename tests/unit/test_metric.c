/* SPDX-License-Identifier: ISC */
/* Tests of metrics: total and self weights of functions. */
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

	metric_init(&metrics, &tree, 0);
	for (c = 0; c < TREE_COLUMNS; c++) {
		weight[c] = mem_alloc(metrics.n * sizeof *weight[c]);
		metric_fill(&metrics, tree.self[c], tree.n, weight[c]);
	}
}

UNIT(a_self_weight_is_numbered_behind_the_totals)
{
	uint32_t b;

	add("a;b", 1, 2);
	add("a", 4, 0);
	fill();
	b = metric_find(&metrics, STR("b"));
	CHECK_U64(metrics.n, 4);
	CHECK_U64(metric_self(&metrics, b), b + 2);
	CHECK_U64(weight[0][metric_self(&metrics, metric_find(&metrics, STR("a")))], 4);
	CHECK_U64(weight[0][metric_find(&metrics, STR("a"))], 5);
	CHECK_U64(weight[1][metric_self(&metrics, b)], 2);
}

UNIT(recursion_counts_once_in_a_functions_total)
{
	add("a;b;a", 5, 0);
	add("a", 2, 0);
	fill();
	CHECK_U64(weight[0][metric_find(&metrics, STR("a"))], 7);
	CHECK_U64(weight[0][metric_self(&metrics, metric_find(&metrics, STR("a")))], 7);
	CHECK_U64(weight[0][metric_find(&metrics, STR("b"))], 5);
	CHECK_U64(metric_find(&metrics, STR("c")), 2);
}

/* The runs of a side have only the nodes that existed when they were read. */
UNIT(a_run_of_fewer_nodes_is_filled_with_these)
{
	uint64_t self[] = { 0, 3 }, filled[4];

	add("a", 3, 0);
	add("a;b", 0, 2);
	metric_init(&metrics, &tree, 0);
	metric_fill(&metrics, self, 2, filled);
	CHECK_U64(filled[metric_find(&metrics, STR("a"))], 3);
	CHECK_U64(filled[metric_find(&metrics, STR("b"))], 0);
}

UNIT(metrics_of_nearly_the_same_samples_have_one_lead)
{
	size_t *lead;
	uint32_t start, main, leaf, other;

	add("start;main;leaf", 960, 970);
	add("start;main;other", 30, 20);
	add("start", 1, 2);
	fill();
	lead = metric_lead(&metrics, weight);
	start = metric_find(&metrics, STR("start"));
	main = metric_find(&metrics, STR("main"));
	leaf = metric_find(&metrics, STR("leaf"));
	other = metric_find(&metrics, STR("other"));
	CHECK_U64(lead[start], start);
	CHECK_U64(lead[main], start);
	CHECK_U64(lead[leaf], start);
	CHECK_U64(lead[metric_self(&metrics, leaf)], start);
	CHECK_U64(lead[other], other);
	CHECK_U64(lead[metric_self(&metrics, other)], other);
	CHECK_U64(lead[metric_self(&metrics, start)], metric_self(&metrics, start));
	free(lead);
}

/* On one side it is not nearly all. */
UNIT(metrics_alike_on_one_side_only_have_no_lead)
{
	size_t *lead;
	uint32_t b;

	add("a;b", 99, 50);
	add("a", 1, 50);
	fill();
	lead = metric_lead(&metrics, weight);
	b = metric_find(&metrics, STR("b"));
	CHECK_U64(lead[b], b);
	free(lead);
}

/* A function with other callers is not its caller's whole total. */
UNIT(a_function_of_two_callers_has_no_lead)
{
	size_t *lead;
	uint32_t f;

	add("a;f", 100, 100);
	add("b;f", 100, 100);
	fill();
	lead = metric_lead(&metrics, weight);
	f = metric_find(&metrics, STR("f"));
	CHECK_U64(lead[f], f);
	free(lead);
}

UNIT_MAIN
