/* SPDX-License-Identifier: ISC */
/*
 * The closing line:
 *
 *	4.07 s, 4,274 samples, 0 lost; cycles 12,034,551,090, instructions 9,626,881,002, IPC 0.80
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

struct summary_event {
	struct str name;
	uint64_t total;
	bool is_time; /* in nanoseconds */
};

struct summary {
	uint64_t ns, samples, lost;
	const struct summary_event *events;
	size_t n;
};

/* Adds the line to B, without a newline. */
void summary_put(struct buf *b, const struct summary *s);

#endif
