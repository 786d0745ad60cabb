/* SPDX-License-Identifier: ISC */
/*
 * Records in the order of their times, within finished rounds.
 *
 * A round is one pass of the recorder over the buffers of all CPUs. What a pass
 * finds may be elder than what the one before found on another CPU, but not
 * elder than what the pass before that found. So when a round is finished,
 * all up to the latest time of the round before can be given out for good.
 * (tools/perf/util/ordered-events.c)
 *
 * Equal times keep the order of the recording. What arrives in order, as from
 * one CPU, is not sorted.
 */
#ifndef ROUND_H
#define ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lane.h"

struct round_held {
	uint64_t time;
	struct str record;
	struct lane_chunk *chunk;
};

/* Who takes the records; the chunk stays until it returns. */
struct round_taker {
	void *context;
	void (*take)(void *context, const struct round_held *held);
};

struct round {
	struct lane_pool *pool;
	struct round_taker taker;
	struct round_held *held, *spare;
	size_t n, cap, spare_cap;
	bool unsorted;
	uint64_t latest; /* time of all that was added */
	uint64_t limit;	 /* the latest time of the round before */
	uint64_t given;	 /* the latest time that was given out */
	uint64_t late;	 /* how many came after a later one was given out */
};

void round_release(struct round *r);

/* Holds RECORD, of TIME, which lies in CHUNK. */
void round_add(
	struct round *r, uint64_t time, struct str record, struct lane_chunk *chunk);

/* A round is finished. */
void round_finish(struct round *r);

/* Gives out the elder half: for streams without rounds. */
void round_halve(struct round *r);

/* Gives out all. */
void round_end(struct round *r);

#endif
