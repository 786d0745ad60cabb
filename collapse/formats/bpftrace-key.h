/* SPDX-License-Identifier: ISC */
/*
 * The key of an entry in a bpftrace map, @[kstack, ustack, comm, pid]: stacks, one frame per line,
 * and other parts. Keys are the same in bpftrace's text and JSON:
 *
 *	    getname_flags.part.0+36		kstack, ustack
 *		7fb0d14d44a3 main+0x16 (/opt/demo/work)	ustack(perf)
 *	    7fb0d14d44a3			ustack(raw)
 *
 * Several stacks make one, the first innermost unless it starts at the entry of a program or
 * thread. The other parts are taken to be the thread's name and its numbers.
 */
#ifndef BPFTRACE_KEY_H
#define BPFTRACE_KEY_H

#include <stdbool.h>

#include "buf.h"
#include "collapse.h"
#include "stacks/counted-stack.h"

/* A zeroed key with stack.names.c set is empty. */
struct bpftrace_key {
	struct counted_stack stack;
	size_t first;	   /* frames of the first of several stacks, or 0 */
	struct buf others; /* the parts that are not stacks, joined by commas */
};

void bpftrace_key_release(struct bpftrace_key *k);

void bpftrace_key_begin(struct bpftrace_key *k);

/* LINE: a frame, or other parts separated by commas. */
void bpftrace_key_line(struct bpftrace_key *k, struct str line);

/* Whether LINE is a frame, by its indentation. */
bool bpftrace_key_is_frame(struct str line);

/* Completes the sample of K->stack with the thread, and with the map's NAME, "@lat", as its
 * event. */
void bpftrace_key_end(struct bpftrace_key *k, struct str name);

#endif
