/* SPDX-License-Identifier: ISC */
/*
 * Stacks of a profile that says only at its end what their frames are: which files were
 * mapped, or the functions by number. Until then a frame is a number of 64 bits. A stack is
 * kept once, with the sum of its weights, unless the options ask for the order of the input.
 *
 *	late_stacks_push(&l, 0x401299);		innermost first
 *	late_stacks_push(&l, 0x4012de);
 *	late_stacks_add(&l, &sample);
 *	...
 *	late_stacks_fold(&l, name, NULL, context);
 */
#ifndef LATE_STACKS_H
#define LATE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "collapse.h"
#include "frame-names.h"
#include "intern.h"

/* A distinct frame, and its names once it has some. */
struct late_stacks_frame {
	uint64_t number;
	uint32_t first, n; /* in ids */
};

/* Where a frame is found by its number. */
struct late_stacks_slot {
	uint64_t number;
	uint32_t next; /* place in frames + 1, 0 is free */
};

struct late_stacks_entry {
	uint32_t stack; /* in stacks */
	uint64_t weight, count;
};

/* A zeroed one with its sink set is empty. */
struct late_stacks {
	struct collapse *c; /* not owned */
	struct late_stacks_frame *frames;
	size_t frame_n, frame_cap;
	struct late_stacks_slot *slots; /* a power of two */
	size_t slot_n;
	struct intern texts;  /* labels of samples */
	struct intern stacks; /* a place in texts and places in frames */
	struct late_stacks_entry *entries;
	size_t n, cap;
	uint32_t *stack; /* the one under way */
	size_t stack_n, stack_cap;
	struct cache known; /* see late_stacks_recall */
	uint32_t last;	    /* the stack that was added last */
	uint32_t *ids;	    /* names, those of each frame behind one another */
	size_t id_n, id_cap;
	uint32_t
		skip[2]; /* frames that late_stacks_skip_second took away, in its order */
	size_t skip_n;
};

void late_stacks_release(struct late_stacks *l);

/* Adds FRAME to the stack under way, innermost first. */
void late_stacks_push(struct late_stacks *l, uint64_t frame);

/* Ends the stack under way: it has WEIGHT and stands for COUNT samples. ABOUT is anything that
 * the format knows of it besides; equal stacks with different ones are apart. */
void late_stacks_add(
	struct late_stacks *l, uint64_t weight, uint64_t count, struct str about);

/* Forgets the stack under way. */
void late_stacks_drop(struct late_stacks *l);

/* Makes the stack that was kept for KEY the one under way; false when there is none. */
bool late_stacks_recall(struct late_stacks *l, struct str_digest key);

/* Keeps the stack that was added last for KEY, which must not be known. It may be forgotten at any
 * time. */
void late_stacks_keep(struct late_stacks *l, struct str_digest key);

/* Whether nearly all stacks have one second frame, *FRAME: what a profiler's signal handler left
 * in old versions. */
bool late_stacks_find_second(struct late_stacks *l, uint64_t *frame);

/* Takes FRAME, which late_stacks_find_second gave, out of those stacks; twice at most. */
void late_stacks_skip_second(struct late_stacks *l, uint64_t frame);

/* Adds the names of FRAME to STACK, innermost first: none is allowed. */
typedef void late_stacks_name(void *context, struct frame_names *stack, uint64_t frame);

/* Sets what S says besides its weight by ABOUT. */
typedef void late_stacks_describe(
	void *context, struct collapse_sample *s, struct str about);

/* Takes a stack of N FRAMES, innermost first, with its weight and count in S. */
typedef void late_stacks_take(void *context, struct collapse_sample *s,
	const uint64_t *frames, size_t n, struct str about);

/* Calls TAKE for all stacks. */
void late_stacks_each(struct late_stacks *l, late_stacks_take *take, void *context);

/* Gives the sink all stacks; DESCRIBE may be NULL. */
void late_stacks_fold(struct late_stacks *l, late_stacks_name *name,
	late_stacks_describe *describe, void *context);

#endif
