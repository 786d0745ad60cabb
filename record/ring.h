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

/* Calls CALL for each record of C: its header, and the first bytes behind that, as
 * many as there are up to some KB. Stops at a record that makes no sense. */
typedef void ring_call(void *context, const struct perf_event_header *h, struct str body);
void ring_each(const struct ring_content *c, ring_call *call, void *context);

#endif
