/* SPDX-License-Identifier: ISC */
/*
 * Threads of a profile of Firefox Profiler to stacks: for each sample a row of
 * the stack table, for each row a node of the tree, for each row of the frame
 * table the names of one frame, or of several where functions were inlined.
 * Each is worked out once.
 */
#ifndef FIREFOX_FOLD_H
#define FIREFOX_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "firefox-stacks.h"
#include "firefox-tables.h"
#include "firefox-thread.h"
#include "input.h"
#include "libraries.h"

/* The tables that hold for the thread under way: its own, or those of all. */
struct firefox_view {
	const struct firefox_stacks *stacks;
	const struct firefox_frames *frames;
	const struct firefox_funcs *funcs;
	const struct firefox_resources *resources;
	const struct firefox_strings *strings;
	const struct firefox_libs *libs;
};

struct firefox_fold {
	struct collapse *c; /* not owned */
	struct input *in;   /* not owned */
	struct libraries libraries;
	bool probe_rs;	  /* the profile is from there */
	int32_t firmware; /* the library of its addresses without one, or -1 */
	struct firefox_view view;
	struct firefox_memo nodes;	     /* by row of stacks */
	struct firefox_memo callers, leaves; /* by row of frames: a place in spans */
	uint32_t *spans;		     /* a count and that many ids, and so on */
	size_t span_n, span_cap;
	unsigned char *calls; /* by row of frames, of probe-rs */
	size_t call_n;
	bool judged; /* the stacks of all, for calls */
	uint32_t root;
	double times;  /* what a weight is multiplied by */
	int32_t *rows; /* of a stack under way */
	struct firefox_thread *waiting;
	size_t waiting_n, waiting_cap;
};

/* Prepares F for the profile IN. */
void firefox_fold_init(struct firefox_fold *f, struct collapse *c, struct input *in);
void firefox_fold_release(struct firefox_fold *f);

/* Pours the samples of KIND of T into the sink; SHARED has the tables that T has
 * not. Rows of T's tables and of SHARED are settled. */
void firefox_fold_thread(struct firefox_fold *f, struct firefox_thread *t,
	struct firefox_tables *shared, enum firefox_kind kind);

/* Keeps T, which F then owns, for firefox_fold_waiting. */
void firefox_fold_wait(struct firefox_fold *f, const struct firefox_thread *t);

/* Pours all threads that wait: their samples, then what else they have, so that
 * samples are what is folded when no event was asked for. Times count from the
 * first sample of all. */
void firefox_fold_waiting(struct firefox_fold *f, struct firefox_tables *shared);

/* Counts what could not be used; WHY says what it was, for the first. */
void firefox_fold_lose(struct firefox_fold *f, enum collapse_loss kind, const char *why);

#endif
