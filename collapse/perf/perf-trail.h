/* SPDX-License-Identifier: ISC */
/*
 * The stack that was read last, line by line from the root. The next stack most
 * often has the same outer frames, which are the same bytes at its end: it need
 * only be read up to where they begin.
 */
#ifndef PERF_TRAIL_H
#define PERF_TRAIL_H

#include <stdint.h>

#include "str.h"

struct perf_step {
	size_t bytes;  /* from the line's beginning to the end of the frames */
	uint32_t node; /* of the stack tree, after this line's frames */
};

/* A zeroed struct perf_trail is empty. */
struct perf_trail {
	struct str frames; /* borrowed from the window */
	uint64_t context;
	struct perf_step *steps; /* outermost first */
	size_t n, cap;
};

void perf_trail_release(struct perf_trail *t);

/* Empties T; to be called before its frames' memory goes. */
void perf_trail_forget(struct perf_trail *t);

/* Makes FRAMES those of T, and keeps the steps that they share with those
 * before, when CONTEXT is the same. The steps for the rest of FRAMES, from
 * there inwards, are then to be pushed. */
void perf_trail_begin(struct perf_trail *t, struct str frames, uint64_t context);

void perf_trail_push(struct perf_trail *t, size_t bytes, uint32_t node);

#endif
