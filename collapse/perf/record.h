/* SPDX-License-Identifier: ISC */
/*
 * Decodes a record for the handler. A record is u32 type, u16 misc, u16 size of the
 * whole record, and a body.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event-attr.h"
#include "idmap.h"
#include "recording.h"
#include "str.h"

enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_KSYMBOL = 17,
	RECORD_CALLCHAIN_DEFERRED = 22,
	/* From here on perf's own. */
	RECORD_USER = 64,
	RECORD_HEADER_ATTR = 64,
	RECORD_EVENT_TYPE = 65,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83
};

enum { RECORD_HEADER = 8 };

struct record {
	uint32_t type;
	uint16_t misc, size; /* size with the header */
	struct str body;     /* empty if size is less than a header */
};

/*
 * Samples that wait for the user part of their stack. Since Linux 6.19 the kernel may
 * record it when the thread returns to its program, once for all samples until then:
 * these end with a cookie, and a separate record (PERF_RECORD_CALLCHAIN_DEFERRED) has
 * the cookie and the addresses.
 */
struct record_waiting {
	struct record_waiting *next; /* of the same thread and cookie, in a circle */
	struct record_waiting *newer, *older;
	uint64_t cookie, offset; /* offset: of the record in the input */
	uint32_t tid;
	uint32_t size;
	char record[];
};

/* A zeroed struct record_deferred is empty. */
struct record_deferred {
	struct idmap last; /* the last item of a cookie and a thread, or 0 */
	struct record_waiting *oldest, *newest;
	size_t n, bytes;
};

/* State between deliveries. */
struct record_run {
	const struct recording_handler *handler;
	struct event_attr_set *attrs;
	struct idmap counters;		   /* the last value of an id, by thread */
	uint64_t samples;		   /* delivered */
	uint64_t *words;		   /* converted numbers of one sample */
	struct recording_branch *branches; /* of one sample */
	size_t words_cap, branches_cap;
	struct record_deferred deferred;
	uint64_t *joined; /* the chain of a sample that waited, with its user part */
	size_t joined_cap;
	uint64_t unjoined; /* samples whose user part did not come */
};

void record_run_release(struct record_run *run);

/* The record at P, which has at least RECORD_HEADER bytes. Its body is borrowed and may
 * be incomplete. */
struct record record_at(const char *p, bool swap);

/* Whether records of TYPE are delivered in order of time. */
bool record_is_timed(uint32_t type);

/* Delivers R, which is complete, to the handler; OFFSET is its place in the input. */
void record_deliver(struct record_run *run, const struct record *r, uint64_t offset);

/* The same for samples that have waited too long, or with ANY for all waiting ones. */
void record_give_up(struct record_run *run, bool any);

/* The same for a BUILD_ID record, which a section of the header also contains. */
void record_build_id(struct record_run *run, const struct record *r, uint64_t offset);

/* Reports an unusable record to the handler. */
void record_bad(const struct record_run *run, uint64_t offset, const char *why);

void record_deferred_release(struct record_deferred *d);

/* Keeps a copy of RECORD, at OFFSET of the input, which waits for COOKIE of thread
 * TID. */
void record_deferred_hold(struct record_deferred *d, uint32_t tid, uint64_t cookie,
	struct str record, uint64_t offset);

/* Removes the first sample that waits for COOKIE of TID, or returns NULL. The caller
 * frees it with free. */
struct record_waiting *record_deferred_take(
	struct record_deferred *d, uint32_t tid, uint64_t cookie);

/* Removes the sample that has waited longest, if too much waits or with ANY. Returns
 * NULL otherwise. */
struct record_waiting *record_deferred_oldest(struct record_deferred *d, bool any);

#endif
