/* SPDX-License-Identifier: ISC */
/*
 * How the stacks of a recording end: unwinding says it, and of a chain that the kernel walked
 * the names of its two outermost frames. The next stack of a thread most often has the same
 * ones, and ends so too.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "callchain.h"
#include "collapse.h"
#include "frames.h"
#include "stack-cache.h"

/* The last stack of a thread that names decided about. A zeroed one is of none. */
struct outcome {
	uint32_t root;
	enum collapse_end otherwise; /* where no name says that it is whole */
	enum collapse_end end;
	struct str module; /* where, if the file of that is missing; its dso's */
};

/* A stack that was taken, and where it is to go: TRAIL has the one before. */
struct outcome_stack {
	struct frames *frames;
	struct callchain *chain;
	const struct stack_cache *trail;
	const struct stack_cache_context *context;
};

/* Says in TO how STACK, which has a frame at least, ends; LAST is that of its thread. */
void outcome_judge(struct outcome *last, const struct outcome_stack *stack,
	struct collapse_sample *to);

#endif
