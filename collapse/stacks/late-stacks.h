/* SPDX-License-Identifier: ISC */
/*
 * Stacks of a profile that describes their frames only at its end, by mapped files or by
 * numbered functions. Until then a frame is a 64-bit number. Each stack is kept once,
 * with the sum of its weights, unless the options ask for the order of the input.
 *
 *	late_stacks_push(&l, 0x401299);		innermost first
 *	late_stacks_push(&l, 0x4012de);
 *	late_stacks_add(&l, weight, 1, labels);
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

/* A distinct frame, and its names once they are known. */
struct late_stacks_frame {
	uint64_t number;
	uint32_t first, n; /* in ids */
};

/* The place of a frame, by its number. */
struct late_stacks_slot {
	uint64_t number;
	uint32_t next; /* index in frames + 1; 0: free */
};

struct late_stacks_entry {
	uint32_t stack; /* in stacks */
	uint64_t weight, count;
};

/* Empty when zeroed, with its sink set. */
struct late_stacks {
	struct collapse *c; /* not owned */
	struct late_stacks_frame *frames;
	size_t frame_n, frame_cap;
	struct late_stacks_slot *slots; /* their number is a power of two */
	size_t slot_n;
	struct intern texts;  /* ABOUT of late_stacks_add */
	struct intern stacks; /* an id in texts, then indices in frames */
	struct late_stacks_entry *entries;
	size_t n, cap;
	uint32_t *stack; /* current */
	size_t stack_n, stack_cap;
	struct cache known; /* see late_stacks_recall */
	uint32_t last;	    /* the last stack added */
	uint32_t *ids;	    /* names, contiguous for each frame */
	size_t id_n, id_cap;
	uint32_t skip[2]; /* frames of late_stacks_skip_second, in its order */
	size_t skip_n;
};

void late_stacks_release(struct late_stacks *l);

/* Adds FRAME to the current stack, innermost first. */
void late_stacks_push(struct late_stacks *l, uint64_t frame);

/* Ends the current stack, with WEIGHT for COUNT samples. ABOUT is any further data of the
 * format; equal stacks with different ABOUT are kept apart. */
void late_stacks_add(
	struct late_stacks *l, uint64_t weight, uint64_t count, struct str about);

/* Drops the current stack. */
void late_stacks_drop(struct late_stacks *l);

/* Makes the stack kept for KEY the current one. Returns false if there is none. */
bool late_stacks_recall(struct late_stacks *l, struct str_digest key);

/* Keeps the last stack added for KEY, which must be new. It may be forgotten at any
 * time. */
void late_stacks_keep(struct late_stacks *l, struct str_digest key);

/* Whether nearly all stacks share a second frame, *FRAME: left by the profiler's signal
 * handler in old versions. */
bool late_stacks_find_second(struct late_stacks *l, uint64_t *frame);

/* Removes FRAME, from late_stacks_find_second, from those stacks; call at most twice. */
void late_stacks_skip_second(struct late_stacks *l, uint64_t frame);

/* Adds the names of FRAME to STACK, innermost first; none is allowed. */
typedef void late_stacks_name(void *context, struct frame_names *stack, uint64_t frame);

/* Sets the fields of S, except its weight, from ABOUT. */
typedef void late_stacks_describe(
	void *context, struct collapse_sample *s, struct str about);

/* Handles a stack of N FRAMES, innermost first, with its weight and count in S. */
typedef void late_stacks_take(void *context, struct collapse_sample *s,
	const uint64_t *frames, size_t n, struct str about);

/* Calls TAKE for all stacks. */
void late_stacks_each(struct late_stacks *l, late_stacks_take *take, void *context);

/* Adds all stacks to the sink; DESCRIBE may be NULL. */
void late_stacks_fold(struct late_stacks *l, late_stacks_name *name,
	late_stacks_describe *describe, void *context);

#endif
