/* SPDX-License-Identifier: ISC */
/* Places in code to frames of a folded stack. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "chain.h"
#include "naming.h"

/* A zeroed struct frames with its stack's collapse set is ready. */
struct frames {
	struct naming stack; /* the one under way, and what places gave */
	bool steady;	     /* what names a place has does not change with time */
};

void frames_release(struct frames *f);

/* Adds the frames of P at TIME (ns, 0: not known), and those of functions that
 * were inlined there when INLINES. */
void frames_add(
	struct frames *f, const struct chain_place *p, uint64_t time, bool inlines);

#endif
