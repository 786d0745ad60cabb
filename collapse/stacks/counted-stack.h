/* SPDX-License-Identifier: ISC */
/*
 * A stack that a text writes a frame a line, innermost first, with a number that
 * says how often it was seen, or what it weighs: as tracers print what they have summed up.
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

/* Zeroed, with names.c set, it is empty. */
struct counted_stack {
	struct frame_names names;      /* the frames under way */
	struct cache nodes;	       /* frames below a root -> their node */
	struct collapse_sample sample; /* who ran; counted_stack_end weighs it */
	uint64_t unit; /* a number is so many of the sink's unit; 0: it counts samples */
	struct buf number; /* of counted_stack_begin, for the stack under way; or empty */
};

void counted_stack_release(struct counted_stack *s);

/* Reads a line, which is a frame, into SYMBOL, borrowed from it. */
typedef void counted_stack_cut(struct str line, struct frame_names_symbol *symbol);

/* Adds the frames of LINE, which CUT reads unless LINE has been seen before. */
void counted_stack_frame(
	struct counted_stack *s, struct str line, counted_stack_cut *cut);

/* For texts with the number before the frames: ends the stack under way, if there is one, and
 * begins one that weighs NUMBER. */
void counted_stack_begin(struct counted_stack *s, struct str number);

/* Ends the stack of counted_stack_begin, if there is one. */
void counted_stack_close(struct counted_stack *s);

/* Whether TEXT is a whole number, which may be negative or too large. */
bool counted_stack_is_number(struct str text);

/* Adds the stack, which weighs NUMBER, to the sink and empties it. */
void counted_stack_end(struct counted_stack *s, struct str number);

/* Empties the stack; that it had frames, but no number, is counted. */
void counted_stack_drop(struct counted_stack *s);

#endif
