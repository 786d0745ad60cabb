/* SPDX-License-Identifier: ISC */
/*
 * The key of an entry in a map of bpftrace, @[kstack, ustack, comm, pid]: stacks, whose
 * frames are lines, and other parts. The text and the JSON of bpftrace have the same:
 *
 *	    getname_flags.part.0+36		kstack, ustack
 *		7fb0d14d44a3 main+0x16 (/opt/demo/work)	ustack(perf)
 *	    7fb0d14d44a3			ustack(raw)
 *
 * Several stacks make one, the first innermost unless it begins as programs and threads
 * do. Other parts are the name of the thread and
 * its numbers, as far as one can tell.
 */
#ifndef BPFTRACE_KEY_H
#define BPFTRACE_KEY_H

#include <stdbool.h>

#include "buf.h"
#include "collapse.h"
#include "stacks/counted-stack.h"

/* Zeroed, with stack.names.c set, it is empty. */
struct bpftrace_key {
	struct counted_stack stack;
	size_t first;	   /* how many frames the first of several stacks has, or 0 */
	struct buf others; /* what is no stack, with commas between */
};

void bpftrace_key_release(struct bpftrace_key *k);

/* Empties K. */
void bpftrace_key_begin(struct bpftrace_key *k);

/* Adds LINE of the key: a frame, or parts between commas. */
void bpftrace_key_line(struct bpftrace_key *k, struct str line);

/* Whether LINE is a frame. */
bool bpftrace_key_is_frame(struct str line);

/* Puts who ran into the sample of the stack, and the map NAME, "@lat", as event. */
void bpftrace_key_end(struct bpftrace_key *k, struct str name);

#endif
