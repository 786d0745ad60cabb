/* SPDX-License-Identifier: ISC */
/*
 * The stack that was folded last, with the node that each of its frames led to. The
 * next one most often has the same outer frames: of that only the rest need be read,
 * named and looked up. Two that have their two outermost frames in common end alike,
 * so that how they end is found once.
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

/* What the same bytes lead to the same nodes in. Two are compared as bytes. */
struct stack_cache_context {
	uint64_t image, kernel; /* versions of what is mapped; 0 in text */
	uint32_t root;		/* above the stack, before collapse_mark_end */
	uint32_t flags;		/* what else decides, as its user likes */
};

struct stack_cache_step {
	size_t bytes;  /* from the beginning of this frame to the end of the stack */
	uint32_t node; /* that it leads to */
};

/* A zeroed struct stack_cache is empty. Its steps are those of the whole stack. */
struct stack_cache {
	size_t width; /* bytes of a frame, whole words; 0: each is a line */
	struct stack_cache_context context;
	char *stack; /* its bytes, a copy */
	size_t size, room;
	struct stack_cache_step *steps; /* outermost first */
	size_t n, cap;
	enum collapse_end end;
	struct str end_module; /* for its user; empty at first */
	uint32_t root;	       /* what the outermost frame hangs from */
	uint32_t unmarked;     /* context.root when root was found */
};

void stack_cache_release(struct stack_cache *t);

/* Keeps of T what it shares with STACK, of which it takes a copy, in CONTEXT: two
 * steps at least, or none. The others are then to be pushed, outermost first. */
void stack_cache_begin(struct stack_cache *t, const struct stack_cache_context *context,
	struct str stack);

/* To be called when nothing is shared: the stack ends so. */
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

/* Keeps nothing. */
static inline void
stack_cache_forget(struct stack_cache *t)
{
	t->n = 0;
}

/* The bytes of the stack that T has steps of. */
static inline size_t
stack_cache_shared(const struct stack_cache *t)
{
	return t->n ? t->steps[t->n - 1].bytes : 0;
}

/* The node that T leads to, its root when it is empty. */
static inline uint32_t
stack_cache_node(const struct stack_cache *t)
{
	return t->n ? t->steps[t->n - 1].node : t->root;
}

#endif
