/* SPDX-License-Identifier: ISC */
/*
 * A call graph: functions with their own weight, and calls between them with the weight that
 * was spent below. Which stacks it came from is lost; call_graph_fold estimates them.
 *
 * The weight of a function flows down to those that it calls, in proportion to the calls'
 * weights, wherever it was called from. What reaches a function by each path says how its own
 * weight is shared among them: their sum is exact for each function, whatever the calls say.
 * A function that is on the stack is not entered again. Paths below a threshold, which is
 * as low as the number of stacks allows, are put together.
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

/* A zeroed one is empty. */
struct call_graph {
	uint64_t *self; /* by function */
	uint32_t n;
	size_t cap;
	struct intern pairs; /* callers and callees */
	struct call_graph_call *calls;
	size_t call_cap; /* there are pairs.n */
};

void call_graph_release(struct call_graph *g);

/* Adds a function; its number, from 0 on. */
uint32_t call_graph_add(struct call_graph *g);

/* Adds WEIGHT to the calls of TO by FROM; sums stay at what 64 bits hold. */
void call_graph_call(struct call_graph *g, uint32_t from, uint32_t to, uint64_t weight);

/* What takes the stacks. */
struct call_graph_sink {
	void *context;
	/* The stack of FUNCTION called from the stack CALLER. */
	uint32_t (*enter)(void *context, uint32_t caller, uint32_t function);
	/* Adds WEIGHT to STACK. */
	void (*add)(void *context, uint32_t stack, uint64_t weight);
	uint32_t root; /* the stack of no function */
	uint32_t rest; /* that below which functions stand whose callers are below the
			* threshold */
};

/* Gives SINK the stacks of G, to which nothing can be added any more. Returns the weight whose
 * callers are below the threshold. */
uint64_t call_graph_fold(struct call_graph *g, const struct call_graph_sink *sink);

#endif
