/* SPDX-License-Identifier: ISC */
/*
 * One record of a recording: what it says is given to the handler. A record is
 * u32 type, u16 misc, u16 size of it all, and a body.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event-attr.h"
#include "deferred.h"
#include "idmap.h"
#include "reader.h"
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

/* What the delivery of records remembers. */
struct record_run {
	const struct reader_handler *handler;
	struct event_attr_set *attrs;
	struct idmap counters;		/* the last value of an id, by thread */
	uint64_t samples;		/* given out */
	uint64_t *words;		/* numbers put right, of one sample */
	struct reader_branch *branches; /* of one sample */
	size_t words_cap, branches_cap;
	/* Samples that wait for the user part of their chain; of one that is given
	 * out, that part; and how many went without. */
	struct deferred deferred;
	const uint64_t *later;
	size_t later_n;
	uint64_t *joined;
	size_t joined_cap;
	uint64_t unjoined;
};

void record_run_release(struct record_run *run);

/* The record that lies at P, which has RECORD_HEADER bytes at least; its body is
 * borrowed and may not all be there yet. */
struct record record_at(const char *p, bool swap);

/* Whether the handler may want to see records of TYPE in their order. */
bool record_is_timed(uint32_t type);

/* Gives R, whole, to the handler; OFFSET is its place in the input. */
void record_deliver(struct record_run *run, const struct record *r, uint64_t offset);

/* The same for a SAMPLE. */
void record_sample(struct record_run *run, const struct record *r, uint64_t offset);

/* The same for a SAMPLE that waited, whose chain the N addresses at LATER end. It is
 * freed. */
void record_join(struct record_run *run, struct deferred_item *waited,
	const uint64_t *later, size_t n);

/* The same for what has waited too long, or with ANY for all that waits. */
void record_give_up(struct record_run *run, bool any);

/* The same for a BUILD_ID, which also makes up a section of the header. */
void record_build_id(struct record_run *run, const struct record *r, uint64_t offset);

/* Tells the handler that a record could not be used. */
void record_bad(const struct record_run *run, uint64_t offset, const char *why);

#endif
