/* SPDX-License-Identifier: ISC */
/* Stacks estimated from a call graph: call-graph.h. */
#include "formats/call-graph.h"
#include "mem.h"
#include "unit.h"

enum { ROOT = 0, REST = 1, MOST = 1 << 20 };

/* The resulting stacks: by number, the last function and the weight; and by function,
 * the sum of the weights. */
struct stacks {
	uint32_t *function, *caller;
	uint64_t *weight, *sums;
	uint32_t n;
};

static uint32_t
enter(void *context, uint32_t caller, uint32_t function)
{
	struct stacks *s = context;

	s->caller[s->n] = caller;
	s->function[s->n] = function;
	s->weight[s->n] = 0;
	return s->n++;
}

static void
add(void *context, uint32_t stack, uint64_t weight)
{
	struct stacks *s = context;

	s->weight[stack] += weight;
	s->sums[s->function[stack]] += weight;
}

static void
init(struct stacks *s, uint32_t functions)
{
	s->n = 2;
	s->function = mem_zero(MOST, sizeof *s->function);
	s->caller = mem_zero(MOST, sizeof *s->caller);
	s->weight = mem_zero(MOST, sizeof *s->weight);
	s->sums = mem_zero(functions, sizeof *s->sums);
}

static void
release(struct stacks *s)
{
	free(s->function);
	free(s->caller);
	free(s->weight);
	free(s->sums);
}

/* The weight of the stack of PATH, whose functions are digits, outermost first. */
static uint64_t
weight_of_path(const struct stacks *s, const char *path)
{
	uint64_t sum = 0;
	uint32_t i, at;
	size_t n;

	for (i = 2; i < s->n; i++) {
		at = i;
		for (n = strlen(path); n > 0 && at > REST; at = s->caller[at])
			if (s->function[at] != (uint32_t)(path[--n] - '0'))
				break;
		sum += n == 0 && at == ROOT ? s->weight[i] : 0;
	}
	return sum;
}

static uint64_t
fold(struct call_graph *g, struct stacks *s)
{
	struct call_graph_sink sink = { s, enter, add, ROOT, REST };
	uint64_t below;
	uint32_t i;

	init(s, g->n);
	below = call_graph_fold(g, &sink);
	for (i = 0; i < g->n; i++)
		CHECK_U64(s->sums[i], g->self[i]);
	call_graph_release(g);
	return below;
}

static void
add_functions(struct call_graph *g, uint32_t n, uint64_t self)
{
	uint32_t f;

	while (n-- > 0) {
		f = call_graph_add(g);
		g->self[f] = self;
	}
}

UNIT(a_function_is_shared_by_the_weights_of_its_callers)
{
	struct call_graph g = { 0 };
	struct stacks s;

	add_functions(&g, 3, 100);
	call_graph_call(&g, 0, 1, 175);
	call_graph_call(&g, 0, 2, 25);
	call_graph_call(&g, 1, 2, 50);
	call_graph_call(&g, 1, 2, 25);
	CHECK_U64(fold(&g, &s), 0);
	CHECK_U64(weight_of_path(&s, "0"), 100);
	CHECK_U64(weight_of_path(&s, "01"), 100);
	CHECK_U64(weight_of_path(&s, "012"), 75);
	CHECK_U64(weight_of_path(&s, "02"), 25);
	release(&s);
}

UNIT(recursion_is_one_frame)
{
	struct call_graph g = { 0 };
	struct stacks s;

	add_functions(&g, 3, 10);
	call_graph_call(&g, 0, 1, 20);
	call_graph_call(&g, 1, 1, 500);
	call_graph_call(&g, 1, 2, 40);
	call_graph_call(&g, 2, 1, 30);
	CHECK_U64(fold(&g, &s), 0);
	CHECK_U64(weight_of_path(&s, "01"), 10);
	CHECK_U64(weight_of_path(&s, "012"), 10);
	release(&s);
}

UNIT(functions_that_only_call_each_other_begin_where_most_is_called)
{
	struct call_graph g = { 0 };
	struct stacks s;

	add_functions(&g, 2, 10);
	call_graph_call(&g, 0, 1, 15);
	call_graph_call(&g, 1, 0, 5);
	CHECK_U64(fold(&g, &s), 0);
	CHECK_U64(weight_of_path(&s, "0"), 10);
	CHECK_U64(weight_of_path(&s, "01"), 10);
	release(&s);
}

UNIT(functions_called_without_cost_stand_alone)
{
	struct call_graph g = { 0 };
	struct stacks s;

	add_functions(&g, 2, 10);
	call_graph_call(&g, 0, 1, 0);
	CHECK_U64(fold(&g, &s), 0);
	CHECK_U64(weight_of_path(&s, "0"), 10);
	CHECK_U64(weight_of_path(&s, "1"), 10);
	release(&s);
}

UNIT(sums_near_64_bits_are_exact)
{
	struct call_graph g = { 0 };
	struct stacks s;

	add_functions(&g, 3, 1);
	g.self[2] = UINT64_MAX - 2;
	call_graph_call(&g, 0, 2, UINT64_MAX / 3);
	call_graph_call(&g, 1, 2, UINT64_MAX / 3 * 2);
	call_graph_call(&g, 1, 2, UINT64_MAX);
	CHECK_U64(fold(&g, &s), 0);
	release(&s);
}

/* Each of 40 functions calls the next one at two places: 2^40 paths. */
UNIT(too_many_paths_end_and_lose_nothing)
{
	enum { LEVELS = 40 };
	struct call_graph g = { 0 };
	struct stacks s;
	uint32_t i, side, to;
	uint64_t left = (uint64_t)LEVELS * 2000;

	add_functions(&g, LEVELS * 2, 1000);
	for (i = 0; i + 1 < LEVELS; i++) {
		left -= 2000;
		for (side = 0; side < 2; side++)
			for (to = 0; to < 2; to++)
				call_graph_call(
					&g, 2 * i + side, 2 * i + 2 + to, left / 4);
	}
	CHECK(fold(&g, &s) > 0);
	release(&s);
}

/* All of 300 functions call each other. */
UNIT(a_large_cycle_ends)
{
	enum { N = 300 };
	struct call_graph g = { 0 };
	struct stacks s;
	uint32_t from, to;

	add_functions(&g, N, 1000);
	for (from = 0; from < N; from++)
		for (to = 0; to < N; to++)
			call_graph_call(&g, from, to, (from * 7 + to * 13) % 1000);
	(void)fold(&g, &s);
	release(&s);
}

/* A chain deeper than the longest path. */
UNIT(a_long_chain_ends)
{
	enum { N = 100000 };
	struct call_graph g = { 0 };
	struct stacks s;
	uint32_t i;

	add_functions(&g, N, 10);
	for (i = 0; i + 1 < N; i++)
		call_graph_call(&g, i, i + 1, (uint64_t)(N - 1 - i) * 10);
	CHECK(fold(&g, &s) > 0);
	release(&s);
}

UNIT_MAIN
