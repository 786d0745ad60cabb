/* SPDX-License-Identifier: ISC */
/*
 * What is said of a recording: with -v what was chosen for it,
 *
 *	sampling cpu-clock 997 times a second
 *	stacks by copies of up to 65,528 bytes, and by frame pointers
 *	a ring buffer of 8 MiB for each of 2 processors
 *
 * while it lasts how far it is, and at its end
 *
 *	4.07 s, 4,274 samples, 0 lost; cycles 12,034,551,090, instructions 9,626,881,002, IPC 0.80
 */
#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "record-options.h"
#include "str.h"
#include "stream-header.h"

/* Prints what is sampled: the first N of EVENTS. */
void record_summary_print_events(const struct stream_event *events, size_t n);

/* Prints where the stacks of SET come from. */
void record_summary_print_stacks(const struct record_options *set);

/* Prints the size of the rings of so many CPUS, which could have been WANTED bytes. */
void record_summary_print_rings(uint64_t bytes, uint64_t wanted, size_t cpus);

struct record_summary_event {
	struct str name;
	uint64_t total;
	bool is_time; /* in nanoseconds */
};

struct record_summary {
	uint64_t ns, samples, lost;
	uint64_t copies, full; /* of stacks, and those that are truncated */
	struct record_summary_event *events;
	size_t n;
};

/* Shows how far it is after NS of recording, when that is due. */
void record_summary_progress(const struct record_summary *s, uint64_t ns);

/* Says how many copies of stacks were full, if any. */
void record_summary_print_full(const struct record_summary *s);

/* Adds the closing line to B, without a newline. */
void record_summary_put(struct buf *b, const struct record_summary *s);

#endif
