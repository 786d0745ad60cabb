/* SPDX-License-Identifier: ISC */
/* Places in code to frames of a folded stack. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "callchain.h"
#include "stacks/frame-names.h"

/* A step and the frames that were found for it. */
struct frames_memo {
	struct callchain_step step;
	uint64_t version; /* of the image or the kernel that it is in; 0: free */
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
	struct frame_names stack; /* the frames of one step, and what names gave */
	struct frames_memo *memos;
	uint32_t *ids;
	size_t id_n, id_cap;
	uint64_t time; /* of the stack, ns; 0: not known */
	bool inlines;  /* add functions that were inlined */
	bool steady;   /* what names a place has does not change with time */
	struct frames_late *late;
	size_t late_n, late_cap;
	bool settling; /* there is no later */
};

void frames_release(struct frames *f);

/* The names of the step AT of CH, innermost first, N of them: one at least. Borrowed until
 * the next call. */
const uint32_t *frames_names(
	struct frames *f, struct callchain *ch, size_t at, size_t *n);

/* The node that the step AT of CH leads to from NODE. */
uint32_t frames_descend(struct frames *f, struct callchain *ch, size_t at, uint32_t node);

/* Names the frames of generated code that had no names when their samples came, now that
 * all is read: Java writes its names when it ends. */
void frames_settle(struct frames *f);

#endif
