/* SPDX-License-Identifier: ISC */
/*
 * The profiles of stackprof, the sampling profiler of Ruby, however they were written: as JSON
 * or by Ruby's Marshal.
 *
 * raw, which is there with raw: true only, is runs of equal samples: the number of frames, the
 * frames, outermost first, and how many samples. interval, time stamps and what passed before
 * each sample are in microseconds.
 *
 *	mode	a sample weighs
 *	cpu	the interval: the clock of the process
 *	wall	the time since the sample before it
 *	object	1: each interval-th object that was made
 *	custom	1
 *
 * Older stackprof writes garbage collection as one frame without its callers: it is put on the
 * stack before it. Newer ones add what the collector does, and these samples stay as they are.
 *
 * tmm1/stackprof, ext/stackprof/stackprof.c and lib/stackprof/report.rb.
 */
#ifndef STACKPROF_RAW_H
#define STACKPROF_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/cache.h"
#include "collapse.h"
#include "stacks/frame-names.h"
#include "intern.h"

/* No number, in a column. */
#define STACKPROF_NONE UINT64_MAX

/* A column of whole numbers: ids have up to 64 bits. */
struct stackprof_numbers {
	uint64_t *items;
	size_t n, cap;
};

enum stackprof_mode { STACKPROF_OTHER, STACKPROF_CPU, STACKPROF_WALL };

/* One with c and stackprof_init is empty. */
struct stackprof_raw {
	struct collapse *c;
	enum stackprof_mode mode;
	bool has_raw;
	uint64_t interval; /* STACKPROF_NONE: not known */
	uint64_t missed;
	struct stackprof_numbers raw;		/* that no run was made of yet */
	struct stackprof_numbers times, deltas; /* by sample */
	struct intern ids;			/* frames by the bytes of their ids */
	struct stackprof_frame {
		uint32_t name; /* an id of the sink */
		bool collector;
	} * frames; /* by id of ids */
	size_t frame_n, frame_cap;
	struct stackprof_run {
		uint64_t count;
		uint32_t node;
	} * runs;
	size_t run_n, run_cap;
	size_t sample;	    /* the next one, in times and deltas */
	uint64_t clock;	    /* the sum of the deltas so far */
	uint32_t last;	    /* the node of the stack before; TREE_ROOT: none */
	struct cache nodes; /* of stacks, by their ids */
	uint32_t *stack;    /* innermost first */
	size_t stack_cap;
};

void stackprof_raw_init(struct stackprof_raw *r, struct collapse *c);
void stackprof_raw_release(struct stackprof_raw *r);

void stackprof_raw_set_mode(struct stackprof_raw *r, struct str name);

/* The column called KEY, which is about to be read; NULL when KEY is none. */
struct stackprof_numbers *stackprof_raw_column(struct stackprof_raw *r, struct str key);

/* Adds the N VALUES to the column TO. What is in raw once there are frames is folded to runs as
 * it comes: frames stand before it, and it is most of the file. */
void stackprof_raw_add(struct stackprof_raw *r, struct stackprof_numbers *to,
	const uint64_t *values, size_t n);

/* The frame with ID is F; the first of several counts. */
void stackprof_raw_frame(
	struct stackprof_raw *r, uint64_t id, const struct frame_names_script *f);

/* Pours all into the sink. False, after a message, when IN was read to its end, being WHOLE, and
 * has no raw. */
bool stackprof_raw_fold(struct stackprof_raw *r, const struct input *in, bool whole);

#endif
