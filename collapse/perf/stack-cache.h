/* SPDX-License-Identifier: ISC */
/*
 * The last folded stack, with the node of each of its frames. The next stack usually
 * has the same outer frames: only the rest needs to be read, named and looked up.
 * Stacks with the same two outermost frames end alike, so their end is judged once.
 *
 * A stack is bytes with the outermost frame at their end: lines of text, or an array.
 */
#ifndef STACK_CACHE_H
#define STACK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "str.h"

/* Within one context, the same bytes lead to the same nodes. Compared as bytes. */
struct stack_cache_context {
	uint64_t image, kernel; /* versions of the maps; 0 in text */
	uint32_t root;		/* above the stack, before collapse_mark_end */
	uint32_t flags;		/* other conditions, chosen by the user */
};

struct stack_cache_step {
	size_t bytes;  /* from the start of this frame to the end of the stack */
	uint32_t node; /* that it leads to */
};

/* A zeroed struct stack_cache is empty. Its steps cover the whole stack. */
struct stack_cache {
	size_t width; /* bytes of a frame, whole words; 0: each is a line */
	struct stack_cache_context context;
	char *stack; /* its bytes, a copy */
	size_t size, room;
	struct stack_cache_step *steps; /* outermost first */
	size_t n, cap;
	enum collapse_end end;
	struct str end_module; /* for its user; empty at first */
	uint32_t root;	       /* the outermost frame's parent */
	uint32_t unmarked;     /* context.root when root was found */
};

void stack_cache_release(struct stack_cache *t);

/* Keeps the steps that T shares with STACK in CONTEXT, at least two or none, and copies
 * STACK. The other steps then have to be pushed, outermost first. */
void stack_cache_begin(struct stack_cache *t, const struct stack_cache_context *context,
	struct str stack);

/* Sets how the stack ends. Call this if no steps are shared. */
void stack_cache_end(struct stack_cache *t, struct collapse *c, enum collapse_end end);

/* Makes room for a step. */
void stack_cache_grow(struct stack_cache *t);

static inline void
stack_cache_push(struct stack_cache *t, size_t bytes, uint32_t node)
{
	if (t->n == t->cap)
		stack_cache_grow(t);
	t->steps[t->n++] = (struct stack_cache_step){ bytes, node };
}

/* Drops all steps. */
static inline void
stack_cache_forget(struct stack_cache *t)
{
	t->n = 0;
}

/* The bytes of the stack that the steps of T cover. */
static inline size_t
stack_cache_shared(const struct stack_cache *t)
{
	return t->n ? t->steps[t->n - 1].bytes : 0;
}

/* The node that T leads to, or its root if T is empty. */
static inline uint32_t
stack_cache_node(const struct stack_cache *t)
{
	return t->n ? t->steps[t->n - 1].node : t->root;
}

#endif
