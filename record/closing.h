/* SPDX-License-Identifier: ISC */
/*
 * The closing line:
 *
 *	4.07 s, 4,274 samples, 0 lost; cycles 12,034,551,090, instructions 9,626,881,002, IPC 0.80
 */
#ifndef CLOSING_H
#define CLOSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

struct closing_event {
	struct str name;
	uint64_t total;
	bool is_time; /* in nanoseconds */
};

struct closing {
	uint64_t ns, samples, lost;
	const struct closing_event *events;
	size_t n;
};

/* Adds the line to B, without a newline. */
void closing_put(struct buf *b, const struct closing *s);

/* Shows SAMPLES and LOST after NS of recording, when that is due. */
void closing_show_progress(uint64_t ns, uint64_t samples, uint64_t lost);

/* Says how many of so many COPIES of stacks are FULL. */
void closing_print_full(uint64_t full, uint64_t copies);

#endif
