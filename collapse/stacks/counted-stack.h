/* SPDX-License-Identifier: ISC */
/*
 * A stack with one frame per line, innermost first, and a number, its count or weight, as
 * printed by tracers that aggregate stacks.
 */
#ifndef COUNTED_STACK_H
#define COUNTED_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "cache.h"
#include "collapse.h"
#include "frame-names.h"
#include "str.h"

/* Empty when zeroed, with names.c set. */
struct counted_stack {
	struct frame_names names;      /* current frames */
	struct cache nodes;	       /* by frames and root */
	struct collapse_sample sample; /* the thread; counted_stack_end sets the weight */
	uint64_t unit;	   /* a number's factor to the sink's unit; 0: counts samples */
	struct buf number; /* counted_stack_begin's, for the current stack; or empty */
};

void counted_stack_release(struct counted_stack *s);

/* For texts with the number before the frames: ends the current stack, if any, and begins
 * one with NUMBER. */
void counted_stack_begin(struct counted_stack *s, struct str number);

/* Ends the stack of counted_stack_begin, if any. */
void counted_stack_close(struct counted_stack *s);

/* Whether TEXT is an integer; it may be negative or too large. */
bool counted_stack_is_number(struct str text);

/* Adds the stack with NUMBER to the sink, and empties it. */
void counted_stack_end(struct counted_stack *s, struct str number);

/* Empties the stack; counts frames without a number as malformed. */
void counted_stack_drop(struct counted_stack *s);

#endif
