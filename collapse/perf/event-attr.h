/* SPDX-License-Identifier: ISC */
/*
 * The events of a recording: the fields that each struct perf_event_attr requests, the
 * ids of each event, and the places of these ids in records. (Linux:
 * include/uapi/linux/perf_event.h.)
 */
#ifndef EVENT_ATTR_H
#define EVENT_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "bytes.h"
#include "idmap.h"
#include "recording.h"
#include "str.h"

/* Bits of read_format. */
enum {
	EVENT_ATTR_READ_ENABLED = 1 << 0,
	EVENT_ATTR_READ_RUNNING = 1 << 1,
	EVENT_ATTR_READ_ID = 1 << 2,
	EVENT_ATTR_READ_GROUP = 1 << 3,
	EVENT_ATTR_READ_LOST = 1 << 4
};

/* Bits of branch_type. */
enum { EVENT_ATTR_BRANCH_INDEX = 1 << 17, EVENT_ATTR_BRANCH_COUNTERS = 1 << 19 };

/* Places of bits in the flags of an attr. */
enum {
	EVENT_ATTR_INHERIT = 1,
	EVENT_ATTR_EXCLUDE_USER = 4,
	EVENT_ATTR_EXCLUDE_KERNEL = 5,
	EVENT_ATTR_EXCLUDE_HV = 6,
	EVENT_ATTR_FREQ = 10,
	EVENT_ATTR_PRECISE = 15, /* and 16 */
	EVENT_ATTR_ID_ALL = 18,
	EVENT_ATTR_EXCLUDE_HOST = 19,
	EVENT_ATTR_EXCLUDE_GUEST = 20,
	EVENT_ATTR_USE_CLOCKID = 25
};

struct event_attr {
	struct recording_event event;
	/* The fields of its samples. event has the same ones, or its leader's after a
	 * sample that was one of a group. */
	uint64_t sample_type, read_format, branch_type, user_regs;
	uint64_t flags;
	/* The places of id and time: words from the front of a sample, or -1; words
	 * from the end of other records, or 0. */
	int8_t sample_id, sample_time, record_id, record_time;
	uint8_t trailer_words, other_words; /* ADDR, ID and STREAM_ID of a sample */
	uint8_t regs;			    /* number of registers */
	uint64_t address;		    /* of a breakpoint */
	uint32_t size;			    /* of the attr in the file */
	uint32_t breakpoint;
	uint32_t clockid;
};

struct event_attr_set {
	struct arena arena;
	struct event_attr **list;
	const struct recording_event **events; /* the same */
	size_t n, cap, events_cap;
	struct idmap ids; /* to the index of the event */
	bool swap;
};

void event_attr_set_release(struct event_attr_set *set);

/* Reads the attr at the start of B, by its own size but at most LIMIT bytes, and adds
 * it. Returns NULL if it is damaged or there are too many. B is then at the end of the
 * attr. */
struct event_attr *event_attr_add(
	struct event_attr_set *set, struct bytes *b, size_t limit);

/* Assigns ID to A. */
void event_attr_add_id(
	struct event_attr_set *set, const struct event_attr *a, uint64_t id);

/* The attr that has ID, or NULL. */
struct event_attr *event_attr_of_id(const struct event_attr_set *set, uint64_t id);

/* Names A, unless NAME is empty. */
void event_attr_name(struct event_attr_set *set, struct event_attr *a, struct str name);

static inline bool
event_attr_flag(const struct event_attr *a, int bit)
{
	return a->flags >> bit & 1;
}

/* The event of the sample BODY, or NULL. */
struct event_attr *event_attr_of_sample(
	const struct event_attr_set *set, struct str body);

/* Reads the time of a record with BODY. Returns false without one. */
bool event_attr_time(const struct event_attr_set *set, struct str body, bool is_sample,
	uint64_t *time);

/* The fields behind the body of a record other than a sample. */
struct event_attr_trailer {
	bool has_tid, has_time;
	uint32_t pid, tid;
	uint64_t time;
};

/* Cuts the trailer off *BODY. */
struct event_attr_trailer event_attr_cut_trailer(
	const struct event_attr_set *set, struct str *body);

#endif
