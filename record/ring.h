/* SPDX-License-Identifier: ISC */
/*
 * The ring buffer of a processor, which the kernel fills with records and this
 * program empties: a control page, then a power of two of pages. data_head and
 * data_tail only grow; a position in the ring is their value modulo the size.
 * (perf_event_open(2), MMAP layout)
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "buf.h"
#include "copies.h"
#include "runtimes.h"
#include "str.h"
#include "synth.h"

struct ring {
	struct perf_event_mmap_page *page;
	char *data;
	size_t size; /* of the data */
	int fd;	     /* to poll; not owned */
};

/* How large the rings of CPUS processors can be so that all of them fit what this user
 * may lock, when up to WANTED bytes would do for each. */
uint64_t ring_fitting(uint64_t wanted, size_t cpus);

/* The least ring. */
uint64_t ring_least(void);

/* BYTES rounded up to what can be a ring. */
uint64_t ring_rounded(uint64_t bytes);

/* Maps the ring of the event FD. False, with errno, when the kernel refuses. */
bool ring_map(struct ring *r, int fd, size_t size);
void ring_unmap(struct ring *r);

/* What the kernel has written and ring_release has not yet given back: the second
 * part is what continues at the ring's beginning. Borrowed until ring_release. */
struct ring_content {
	struct str part[2];
};
struct ring_content ring_content(const struct ring *r);

/* Gives the first N bytes back to the kernel. */
void ring_release(struct ring *r, size_t n);

/* A record of a content; what wraps around the ring is put together in COPY. */
struct ring_record {
	struct perf_event_header h;
	size_t at;	  /* its place in the content */
	struct str bytes; /* all of it */
	char copy[UINT16_MAX + 1];
};

/* Makes R the record behind it; the first one when R->at and R->h.size are 0. False at
 * the end, and at a record that makes no sense. */
bool ring_next(const struct ring_content *c, struct ring_record *r);

/* What comes before the stack copy in samples with ID. */
struct ring_layout {
	uint64_t id, type, format;
	size_t regs;
};

/* What passes through the rings: samples, stack copies, lost records, files without a
 * build id, new processes. */
struct ring_stats {
	uint64_t samples;
	uint64_t lost;	       /* records, as the kernel told between others */
	uint64_t copies, full; /* of stacks, and those that are truncated by their size */
	struct synth_files *files;
	struct runtimes *runtimes;   /* gets the processes; or NULL */
	struct copies *binaries;     /* gets the maps; or NULL */
	struct ring_layout *layouts; /* by id */
	size_t n, cap;
};

/* Samples with ID are of an event with the attributes A. Those of events without stack
 * copies, and with fields that fg-record never asks for, are left as they are. */
void ring_stats_expect(
	struct ring_stats *t, const struct perf_event_attr *a, uint64_t id);

/* Counts record R and adds it to OUT: a sample without what its stack copy does not hold.
 * The kernel gives each the size that was asked for, and says behind it how much it
 * copied: up to the top of the stack, mostly a small part. What follows that is old memory
 * of the ring. A sample ends with
 *
 *	u64 size; char data[size]; u64 copied;
 *
 * Here size becomes the least multiple of 8 above copied. So copied < size still says that
 * the whole stack is there, and copied == size that it is truncated. */
void ring_stats_add(struct ring_stats *t, const struct ring_record *r, struct buf *out);

void ring_stats_release(struct ring_stats *t);

#endif
