/* SPDX-License-Identifier: ISC */
/*
 * One record of a recording, decoded for the handler. A record is u32 type,
 * u16 misc, u16 size of the whole record, and a body.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event-attr.h"
#include "stacks/idmap.h"
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
	struct str body;     /* of 0 bytes when size is less than a header */
};

/*
 * Samples that wait for the user part of their stack. From Linux 6.19 on the
 * kernel may take that when the thread returns to its program, once for all
 * samples until then: these end with a cookie, and a record of its own
 * (PERF_RECORD_CALLCHAIN_DEFERRED) has the cookie and the addresses.
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

/* What the delivery of records remembers. */
struct record_run {
	const struct recording_handler *handler;
	struct event_attr_set *attrs;
	struct idmap counters;		   /* the last value of an id, by thread */
	uint64_t samples;		   /* given out */
	uint64_t *words;		   /* numbers put right, of one sample */
	struct recording_branch *branches; /* of one sample */
	size_t words_cap, branches_cap;
	struct record_deferred deferred;
	uint64_t *joined; /* the chain of a sample that waited, with its user part */
	size_t joined_cap;
	uint64_t unjoined; /* samples whose user part did not come */
};

void record_run_release(struct record_run *run);

/* The record that lies at P, which has RECORD_HEADER bytes at least; its body is
 * borrowed and may not all be there yet. */
struct record record_at(const char *p, bool swap);

/* Whether the handler may want to see records of TYPE in their order. */
bool record_is_timed(uint32_t type);

/* Gives R, whole, to the handler; OFFSET is its place in the input. */
void record_deliver(struct record_run *run, const struct record *r, uint64_t offset);

/* The same for samples that have waited too long, or with ANY for all that wait. */
void record_give_up(struct record_run *run, bool any);

/* The same for a BUILD_ID, which also makes up a section of the header. */
void record_build_id(struct record_run *run, const struct record *r, uint64_t offset);

/* Tells the handler that a record could not be used. */
void record_bad(const struct record_run *run, uint64_t offset, const char *why);

void record_deferred_release(struct record_deferred *d);

/* Keeps a copy of RECORD, which is at OFFSET of the input and waits for COOKIE of
 * thread TID. */
void record_deferred_hold(struct record_deferred *d, uint32_t tid, uint64_t cookie,
	struct str record, uint64_t offset);

/* Takes out one that waits for COOKIE of TID, the first first; NULL when there is
 * none. To be freed with free. */
struct record_waiting *record_deferred_take(
	struct record_deferred *d, uint32_t tid, uint64_t cookie);

/* Takes out the one that has waited longest, when there is any and too much waits,
 * or with ANY. */
struct record_waiting *record_deferred_oldest(struct record_deferred *d, bool any);

#endif
