/* SPDX-License-Identifier: ISC */
/*
 * Samples of a trace: moments of threads, each with the number of a frame, which
 * names its caller. A sample lasts until the next one of its thread; how long
 * the last one lasts is not known, it has no weight.
 */
#ifndef CHROME_STACK_H
#define CHROME_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "chrome-thread.h"
#include "collapse.h"
#include "v8-profile.h"

struct chrome_sample {
	int64_t ts; /* ns */
	uint32_t thread;
	uint32_t frame; /* an id of texts or CHROME_NONE */
	uint32_t cpu;	/* the same */
	uint32_t order;
};

/* A zeroed struct has none. */
struct chrome_stacks {
	struct v8_tree frames; /* their numbers are ids of texts */
	struct chrome_sample *samples;
	size_t n, cap;
};

void chrome_stacks_release(struct chrome_stacks *s);

/* Adds a sample; its order is set here. */
void chrome_stacks_add(struct chrome_stacks *s, const struct chrome_sample *sample);

/* Pours all samples into C, as samples of EVENT. */
void chrome_stacks_fold(struct chrome_stacks *s, const struct chrome_threads *threads,
	struct input *in, struct collapse *c, struct str event);

#endif
