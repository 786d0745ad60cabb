/* SPDX-License-Identifier: ISC */
/*
 * Calls as tracers print them for people, like blocks of C, with the duration at the end
 * of a call: uftrace replay, and the function_graph tracer of Linux.
 *
 *	main() {
 *	  read(3);		0.5 us
 *	} / * main * /		1.2 us	(without the blanks)
 */
#ifndef CALL_BLOCKS_H
#define CALL_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "calls.h"
#include "str.h"

/* A line of such a text. */
struct call_block {
	struct str text; /* without blanks before it, and without the duration */
	struct str
		module; /* for functions that name none: "malloc@libc.so.6", "f [ext4]" */
	uint32_t depth;
	bool timed;
	uint64_t duration; /* ns */
};

/* Opens or ends the call of B on T, or both. Returns false if it is not a call: a
 * comment, an end without a duration, or a beginning with one. */
bool call_blocks_take(
	struct calls *k, struct calls_thread *t, const struct call_block *b);

#endif
