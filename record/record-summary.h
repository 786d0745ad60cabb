/* SPDX-License-Identifier: ISC */
/*
 * The closing line:
 *
 *	4.07 s, 4,274 samples, 0 lost; cycles 12,034,551,090, instructions 9,626,881,002, IPC 0.80
 */
#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

struct record_summary_event {
	struct str name;
	uint64_t total;
	bool is_time; /* in nanoseconds */
};

struct record_summary {
	uint64_t ns, samples, lost;
	const struct record_summary_event *events;
	size_t n;
};

/* Adds the line to B, without a newline. */
void record_summary_put(struct buf *b, const struct record_summary *s);

/* Shows SAMPLES and LOST after NS of recording, when that is due. */
void record_summary_progress(uint64_t ns, uint64_t samples, uint64_t lost);

/* Says how many of so many COPIES of stacks are FULL. */
void record_summary_print_full(uint64_t full, uint64_t copies);

#endif
