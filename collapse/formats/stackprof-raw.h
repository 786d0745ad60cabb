/* SPDX-License-Identifier: ISC */
/*
 * Profiles of stackprof, a sampling profiler for Ruby, in JSON or Ruby's Marshal format.
 *
 * "raw", which requires raw: true, is runs of equal samples: the number of frames, the
 * frames, outermost first, and the number of samples. The interval, time stamps and
 * deltas are in microseconds.
 *
 *	mode	a sample weighs
 *	cpu	the interval of CPU time
 *	wall	the time since the previous sample
 *	object	1: every interval-th allocated object
 *	custom	1
 *
 * Older versions write garbage collection as one frame without callers: it goes on top of
 * the previous stack. Newer versions add the collector's phase; these samples are not
 * changed.
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

/* An invalid number in a column. */
#define STACKPROF_NONE UINT64_MAX

/* A column of integers; ids need 64 bits. */
struct stackprof_numbers {
	uint64_t *items;
	size_t n, cap;
};

enum stackprof_mode { STACKPROF_OTHER, STACKPROF_CPU, STACKPROF_WALL };

/* stackprof_raw_init makes it empty. */
struct stackprof_raw {
	struct collapse *c;
	enum stackprof_mode mode;
	bool has_raw;
	uint64_t interval; /* STACKPROF_NONE: unknown */
	uint64_t missed;
	struct stackprof_numbers raw;		/* not turned into runs yet */
	struct stackprof_numbers times, deltas; /* by sample */
	struct intern ids;			/* frames by the bytes of their ids */
	struct stackprof_frame {
		uint32_t name; /* an id in the sink */
		bool collector;
	} * frames; /* by id in ids */
	size_t frame_n, frame_cap;
	struct stackprof_run {
		uint64_t count;
		uint32_t node;
	} * runs;
	size_t run_n, run_cap;
	size_t sample;	    /* the index of the next one in times and deltas */
	uint64_t clock;	    /* the sum of the deltas so far */
	uint32_t last;	    /* node of the last stack; TREE_ROOT: none */
	struct cache nodes; /* of stacks, by their ids */
	uint32_t *stack;    /* innermost first */
	size_t stack_cap;
};

void stackprof_raw_init(struct stackprof_raw *r, struct collapse *c);
void stackprof_raw_release(struct stackprof_raw *r);

void stackprof_raw_set_mode(struct stackprof_raw *r, struct str name);

/* The column KEY, emptied to be read; NULL if KEY is not a column. */
struct stackprof_numbers *stackprof_raw_column(struct stackprof_raw *r, struct str key);

/* Adds the N VALUES to the column TO. Once frames are known, raw is turned into runs as
 * it is read: frames precede it, and it makes up most of the file. */
void stackprof_raw_add(struct stackprof_raw *r, struct stackprof_numbers *to,
	const uint64_t *values, size_t n);

/* Defines the frame ID as F; the first definition counts. */
void stackprof_raw_frame(
	struct stackprof_raw *r, uint64_t id, const struct frame_names_script *f);

/* Adds all runs to the sink. WHOLE: IN was read completely. Returns false, after a
 * message, if a whole input has no raw. */
bool stackprof_raw_fold(struct stackprof_raw *r, const struct input *in, bool whole);

#endif
