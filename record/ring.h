/* SPDX-License-Identifier: ISC */
/*
 * The ring buffer of a processor, which the kernel fills with records and this
 * program empties: a control page, then a power of two of pages. data_head and
 * data_tail only grow; a place in the ring is one of them modulo the size.
 * (perf_event_open(2), MMAP layout)
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "buf.h"
#include "buildid.h"
#include "runtimes.h"
#include "str.h"

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

/* A record of a content. One that wraps around the ring is put together in COPY: only
 * LOST and MMAP2 records are looked at there, which are smaller. */
enum { RING_BODY_MOST = 8192 };
struct ring_record {
	struct perf_event_header h;
	size_t at;	 /* its place in the content */
	struct str body; /* the first bytes behind the header, up to RING_BODY_MOST */
	char copy[RING_BODY_MOST];
};

/* Makes R the record behind it; the first one when R->at and R->h.size are 0. False at
 * the end, and at a record that makes no sense. */
bool ring_next(const struct ring_content *c, struct ring_record *r);

/* The word at place AT of C, which is a multiple of 8 before its end. */
uint64_t ring_word(const struct ring_content *c, size_t at);

/* Adds the N bytes from place AT on, which are there, to B. */
void ring_copy(const struct ring_content *c, size_t at, size_t n, struct buf *b);

/* What passes through the rings: samples, lost records, files without a build id, new
 * processes. */
struct ring_stats {
	uint64_t samples;
	uint64_t lost; /* records, as the kernel told between others */
	struct buildids *buildids;
	struct runtimes *runtimes; /* gets the processes; or NULL */
};

/* Counts record R. */
void ring_stats_add(struct ring_stats *t, const struct ring_record *r);

#endif
