/* SPDX-License-Identifier: ISC */
/*
 * Samples that wait for the user part of their stack. From Linux 6.19 on the
 * kernel may take that when the thread returns to its program, once for all
 * samples until then: these end with a cookie, and a record of its own
 * (PERF_RECORD_CALLCHAIN_DEFERRED) has the cookie and the addresses.
 */
#ifndef DEFERRED_H
#define DEFERRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idmap.h"
#include "str.h"

/* Marks in a chain: before a cookie, and before addresses of the user space. */
#define DEFERRED_MARK ((uint64_t)-640)
#define DEFERRED_USER ((uint64_t)-512)

struct deferred_item {
	struct deferred_item *next; /* of the same thread and cookie, in a circle */
	struct deferred_item *newer, *older;
	uint64_t cookie, offset; /* offset: of the record in the input */
	uint32_t tid;
	uint32_t size;
	char record[];
};

/* A zeroed struct deferred is empty. */
struct deferred {
	struct idmap last; /* the last item of a cookie and a thread, or 0 */
	struct deferred_item *oldest, *newest;
	size_t n, bytes;
};

void deferred_release(struct deferred *d);

/* Keeps a copy of RECORD, which is at OFFSET of the input and waits for COOKIE of
 * thread TID. */
void deferred_hold(struct deferred *d, uint32_t tid, uint64_t cookie, struct str record,
	uint64_t offset);

/* Takes out one that waits for COOKIE of TID, the first first; NULL when there is
 * none. To be freed with free. */
struct deferred_item *deferred_take(struct deferred *d, uint32_t tid, uint64_t cookie);

/* Takes out the one that has waited longest, when there is any and too much waits,
 * or with ANY. */
struct deferred_item *deferred_oldest(struct deferred *d, bool any);

#endif
