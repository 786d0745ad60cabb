/* SPDX-License-Identifier: ISC */
/*
 * The stack that a thread had last, from the outermost frame on, with the nodes
 * that it led to. Its next one most often has the same outer frames: of that only
 * the rest need be looked up.
 */
#ifndef TRAIL_H
#define TRAIL_H

#include <stddef.h>
#include <stdint.h>

#include "chain.h"

/* What the same steps lead to the same nodes in. Two are compared as bytes. */
struct trail_context {
	uint64_t image, kernel; /* versions */
	uint32_t root;
	uint32_t flags;
};

struct trail_step {
	struct chain_step step;
	uint32_t node;
};

/* A zeroed struct trail is empty. */
struct trail {
	struct trail_context context;
	struct trail_step *steps; /* outermost first */
	size_t n, cap;
};

void trail_release(struct trail *t);

/* Keeps of T what it shares with the stack of N STEPS (innermost first) in
 * CONTEXT. The other N - t->n steps are then to be pushed, outermost first. */
void trail_begin(struct trail *t, const struct trail_context *context,
	const struct chain_step *steps, size_t n);

void trail_push(struct trail *t, const struct chain_step *step, uint32_t node);

/* The node that T leads to, the root of its context when it is empty. */
static inline uint32_t
trail_node(const struct trail *t)
{
	return t->n ? t->steps[t->n - 1].node : t->context.root;
}

#endif
