/* SPDX-License-Identifier: ISC */
/* Turns places in code into frames of a folded stack. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "callchain.h"
#include "stacks/frame-names.h"

/* A step and its frames. */
struct frames_memo {
	struct callchain_step step;
	uint64_t version; /* of its image or the kernel; 0: free */
	uint32_t first;	  /* in struct frames' ids */
	uint16_t n, flags;
};

/* A place in generated code that has no name yet. */
struct frames_late {
	struct callchain_place place;
	uint64_t time;
	uint32_t id; /* of its frame */
	bool java;
};

/* A zeroed struct frames with its stack's collapse set is ready. */
struct frames {
	struct frame_names stack; /* the frames of one step, and a cache */
	struct frames_memo *memos;
	uint32_t *ids;
	size_t id_n, id_cap;
	uint64_t time; /* of the stack, ns; 0: unknown */
	bool inlines;  /* add functions that were inlined */
	bool steady;   /* the names of a place do not change with time */
	struct frames_late *late;
	size_t late_n, late_cap;
	bool settling; /* frames_settle is running */
};

void frames_release(struct frames *f);

/* The names of the step AT of CH, innermost first; N of them, at least one. Borrowed
 * until the next call. */
const uint32_t *frames_names(
	struct frames *f, struct callchain *ch, size_t at, size_t *n);

/* The node that the step AT of CH leads to from NODE. */
uint32_t frames_descend(struct frames *f, struct callchain *ch, size_t at, uint32_t node);

/* Names the frames of generated code that had no names when their samples came. Called
 * at the end, as Java writes its names when it exits. */
void frames_settle(struct frames *f);

#endif
