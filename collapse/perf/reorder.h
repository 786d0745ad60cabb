/* SPDX-License-Identifier: ISC */
/*
 * Records in the order of their times, within finished rounds.
 *
 * A round is one pass of the recorder over the buffers of all CPUs. A record
 * may be older than records of the previous pass on another CPU, but not
 * older than those of the pass before it. So when a round is finished, all
 * records up to the latest time of the previous round are final.
 * (tools/perf/util/ordered-events.c)
 *
 * Equal times keep the order of the recording. What arrives in order, as from
 * one CPU, is not sorted.
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

/* Who takes the records; the chunk stays until it returns. */
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
	uint64_t latest; /* time of all that was added */
	uint64_t limit;	 /* the latest time of the round before */
	uint64_t given;	 /* the latest time that was given out */
	uint64_t late;	 /* how many came after a later one was given out */
};

void reorder_release(struct reorder *r);

/* Holds RECORD, of TIME, which lies in CHUNK. */
void reorder_add(
	struct reorder *r, uint64_t time, struct str record, struct chunks_chunk *chunk);

/* A round is finished. */
void reorder_finish(struct reorder *r);

/* Gives out the elder half: for streams without rounds. */
void reorder_halve(struct reorder *r);

/* Gives out all. */
void reorder_end(struct reorder *r);

#endif
