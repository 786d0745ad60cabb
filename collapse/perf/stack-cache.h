/* SPDX-License-Identifier: ISC */
/*
 * The stack that a thread had last, from the outermost frame on, with the nodes
 * that it led to. Its next one most often has the same outer frames: of that only
 * the rest need be looked up.
 */
#ifndef STACK_CACHE_H
#define STACK_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "callchain.h"

/* What the same steps lead to the same nodes in. Two are compared as bytes. */
struct stack_cache_context {
	uint64_t image, kernel; /* versions */
	uint32_t root;
	uint32_t flags;
};

struct stack_cache_step {
	struct callchain_step step;
	uint32_t node;
};

/* A zeroed struct stack_cache is empty. */
struct stack_cache {
	struct stack_cache_context context;
	struct stack_cache_step *steps; /* outermost first */
	size_t n, cap;
};

void stack_cache_release(struct stack_cache *t);

/* Keeps of T what it shares with the stack of N STEPS (innermost first) in
 * CONTEXT. The other N - t->n steps are then to be pushed, outermost first. */
void stack_cache_begin(struct stack_cache *t, const struct stack_cache_context *context,
	const struct callchain_step *steps, size_t n);

void stack_cache_push(
	struct stack_cache *t, const struct callchain_step *step, uint32_t node);

/* The node that T leads to, the root of its context when it is empty. */
static inline uint32_t
stack_cache_node(const struct stack_cache *t)
{
	return t->n ? t->steps[t->n - 1].node : t->context.root;
}

#endif
