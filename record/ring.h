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

/* The size of the rings of CPUS processors, so that all of them fit this user's locked
 * memory: at most WANTED bytes each. */
uint64_t ring_fitting(uint64_t wanted, size_t cpus);

/* The size of the smallest ring. */
uint64_t ring_least(void);

/* BYTES rounded up to the size of a ring. */
uint64_t ring_rounded(uint64_t bytes);

/* Maps the ring of the event FD. Returns false, with errno, if the kernel refuses. */
bool ring_map(struct ring *r, int fd, size_t size);
void ring_unmap(struct ring *r);

/* Content that the kernel has written and ring_release has not given back. The second
 * part continues at the start of the ring. Borrowed until ring_release. */
struct ring_content {
	struct str part[2];
};
struct ring_content ring_content(const struct ring *r);

/* Gives the first N bytes back to the kernel. */
void ring_release(struct ring *r, size_t n);

/* A record of a content. COPY joins one that wraps around the ring. */
struct ring_record {
	struct perf_event_header h;
	size_t at;	  /* its place in the content */
	struct str bytes; /* the whole record */
	char copy[UINT16_MAX + 1];
};

/* Advances R to the next record; to the first if R->at and R->h.size are 0. Returns
 * false at the end, and at a malformed record. */
bool ring_next(const struct ring_content *c, struct ring_record *r);

/* The layout of samples with ID, up to the stack copy. */
struct ring_layout {
	uint64_t id, type, format;
	size_t regs;
};

/* Counts the records that pass through the rings, and collects files without a build
 * ID, new processes and maps. */
struct ring_stats {
	uint64_t samples;
	uint64_t lost;	       /* records, by PERF_RECORD_LOST */
	uint64_t copies, full; /* of stacks, and truncated ones */
	struct synth_files *files;
	struct runtimes *runtimes;   /* gets the processes; or NULL */
	struct copies *binaries;     /* gets the maps; or NULL */
	struct ring_layout *layouts; /* by id */
	size_t n, cap;
};

/* Registers samples with ID of an event with the attributes A. Samples without stack
 * copies, and with fields that fg-record never requests, pass unchanged. */
void ring_stats_expect(
	struct ring_stats *t, const struct perf_event_attr *a, uint64_t id);

/* Counts record R and appends it to OUT; samples without the unused end of their stack
 * copies. The kernel gives each copy the requested size, followed by the number of
 * bytes copied: up to the top of the stack, usually a small part. The rest is old
 * memory of the ring. A sample ends with
 *
 *	u64 size; char data[size]; u64 copied;
 *
 * Here size becomes the least multiple of 8 above copied. So copied < size still means
 * that the whole stack is there, and copied == size that it is truncated. */
void ring_stats_add(struct ring_stats *t, const struct ring_record *r, struct buf *out);

void ring_stats_release(struct ring_stats *t);

#endif
