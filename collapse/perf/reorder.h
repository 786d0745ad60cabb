/* SPDX-License-Identifier: ISC */
/*
 * Records in the order of their times, within finished rounds.
 *
 * A round is one pass of the recorder over the buffers of all CPUs. A record may be
 * older than records of the previous pass on another CPU, but not older than any of the
 * pass before that. So when a round is finished, all records up to the latest time of
 * the previous round are final. (tools/perf/util/ordered-events.c)
 *
 * Equal times keep the order of the recording. Records that arrive in order, as from
 * one CPU, are not sorted.
 */
#ifndef REORDER_H
#define REORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chunks.h"

struct reorder_held {
	uint64_t time;
	struct str record;
	struct chunks_chunk *chunk;
};

/* Receives the records; the chunk stays until it returns. */
struct reorder_taker {
	void *context;
	void (*take)(void *context, const struct reorder_held *held);
};

struct reorder {
	struct chunks_pool *pool;
	struct reorder_taker taker;
	struct reorder_held *held, *spare;
	size_t n, cap, spare_cap;
	bool unsorted;
	uint64_t latest; /* latest time added */
	uint64_t limit;	 /* latest time of the previous round */
	uint64_t given;	 /* latest time delivered */
	uint64_t late;	 /* records added after a later one was delivered */
};

void reorder_release(struct reorder *r);

/* Holds RECORD, with TIME, of CHUNK. */
void reorder_add(
	struct reorder *r, uint64_t time, struct str record, struct chunks_chunk *chunk);

/* Ends a round, and delivers the records that are final. */
void reorder_finish(struct reorder *r);

/* Delivers the older half, for streams without rounds. */
void reorder_halve(struct reorder *r);

/* Delivers all records. */
void reorder_end(struct reorder *r);

#endif
