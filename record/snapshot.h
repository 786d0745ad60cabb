/* SPDX-License-Identifier: ISC */
/*
 * Stack copies of samples, without what they do not hold. The kernel gives each the size
 * that was asked for, and says behind it how much it copied: up to the top of the stack,
 * mostly a small part. What follows that is old memory of the ring. A sample ends with
 *
 *	u64 size; char data[size]; u64 copied;
 *
 * Here size becomes the least multiple of 8 above copied. So copied < size still says that
 * the whole stack is there, and copied == size that it is truncated.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "ring.h"

/* What comes before the stack copy in samples with ID. */
struct snapshot_layout {
	uint64_t id, type, format;
	unsigned regs;
};

/* A zeroed struct is ready. */
struct snapshots {
	struct snapshot_layout *layouts; /* by id */
	size_t n, cap;
	uint64_t copies, full; /* seen, and truncated by their size */
};

/* Samples with ID are of an event with the attributes A. Those of events without stack
 * copies, and with fields that fg-record never asks for, are left as they are. */
void snapshot_add(struct snapshots *s, const struct perf_event_attr *a, uint64_t id);

/* Adds record R of C to OUT: a sample with its stack copy shortened, others whole. */
void snapshot_put(struct snapshots *s, const struct ring_content *c,
	const struct ring_record *r, struct buf *out);

void snapshot_release(struct snapshots *s);

#endif
