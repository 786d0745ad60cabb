/* SPDX-License-Identifier: ISC */
/*
 * A call graph: functions with their self weight, and calls between them with their inclusive
 * weight. The stacks it came from are lost; call_graph_fold estimates them.
 *
 * The weight of a function flows down to its callees in proportion to the calls' weights, whoever
 * called it. A function's self weight is divided among its paths by the flow that arrives on each:
 * the sum is exact for each function, even if the calls' weights are wrong. A function on the stack
 * is not entered again. Paths below a threshold, which is as low as the number of stacks allows,
 * are merged.
 */
#ifndef CALL_GRAPH_H
#define CALL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intern.h"

struct call_graph_call {
	uint32_t from, to;
	uint64_t weight;
};

/* A zeroed call_graph is empty. */
struct call_graph {
	uint64_t *self; /* self weight, by function */
	uint32_t n;
	size_t cap;
	struct intern pairs; /* keys: caller and callee */
	struct call_graph_call *calls;
	size_t call_cap; /* calls: pairs.n of them */
};

void call_graph_release(struct call_graph *g);

/* Adds a function and returns its number, from 0 on. */
uint32_t call_graph_add(struct call_graph *g);

/* Adds WEIGHT to the calls from FROM to TO; sums saturate at 64 bits. */
void call_graph_call(struct call_graph *g, uint32_t from, uint32_t to, uint64_t weight);

/* Receives the stacks. */
struct call_graph_sink {
	void *context;
	/* Returns the stack of FUNCTION called from the stack CALLER. */
	uint32_t (*enter)(void *context, uint32_t caller, uint32_t function);
	void (*add)(void *context, uint32_t stack, uint64_t weight);
	uint32_t root; /* the empty stack */
	uint32_t
		rest; /* the stack below which functions go whose callers are below the threshold */
};

/* Passes the stacks of G to SINK; nothing can be added to G afterwards. Returns the weight whose
 * callers are below the threshold. */
uint64_t call_graph_fold(struct call_graph *g, const struct call_graph_sink *sink);

#endif
