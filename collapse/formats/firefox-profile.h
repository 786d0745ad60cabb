/* SPDX-License-Identifier: ISC */
/*
 * Profiles of Firefox, its own ("Gecko") and those of Firefox Profiler ("processed"):
 * what a reader fills in, and how it becomes stacks. A profile has tables, of which a
 * row names rows of others:
 *
 *	stack -> frame -> func -> name, a text
 *			  func -> resource -> library (to version 69)
 *		 frame -> library (from version 70)
 *
 * They belong to a thread, or from version 56 on, one after another, to all. A sample
 * names a row of stacks. Each row gets its node of the sink once, and each row of
 * frames its names: one, or several where functions were inlined.
 */
#ifndef FIREFOX_PROFILE_H
#define FIREFOX_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "collapse.h"
#include "input.h"
#include "readers/json-profile.h"
#include "readers/json-columns.h"
#include "readers/json-read.h"
#include "stacks/libraries.h"
#include "stacks/stack-table.h"
#include "str.h"

/* Deeper stacks are damage: what walks stacks stops long before. */
enum { FIREFOX_DEEPEST = 8192 };

struct firefox_stacks {
	struct json_ints prefix; /* the caller's row; -1: none */
	struct json_ints frame;
	bool given;
	bool by_offset;		  /* prefix says how many rows back, 0: none */
	struct stack_table table; /* of the columns, which it empties */
	bool settled;
};

struct firefox_frames {
	struct json_ints func, inline_depth, lib;
	struct json_ints line;	     /* with --srcline; -1: not known */
	struct json_doubles address; /* from where the library begins; -1: none */
	bool given;
};

struct firefox_funcs {
	struct json_ints name, resource;
	struct json_ints file, source,
		line;	  /* with --srcline: a text, or a row of sources */
	struct buf is_js; /* a byte each */
	bool given;
};

struct firefox_resources {
	struct json_ints lib;
	bool given;
};

/* From version 56 or so on. */
struct firefox_sources {
	struct json_ints file; /* a text */
	bool given;
};

struct firefox_strings {
	struct json_texts texts;
	bool given;
};

struct firefox_libs {
	struct json_ints ids; /* of libraries.h */
	bool given;
};

/* A zeroed one has no table. */
struct firefox_tables {
	struct firefox_stacks stacks;
	struct firefox_frames frames;
	struct firefox_funcs funcs;
	struct firefox_resources resources;
	struct firefox_sources sources;
	struct firefox_strings strings;
	struct firefox_libs libs;
};

/* What a weight is. */
enum firefox_unit { FIREFOX_SAMPLES, FIREFOX_MS, FIREFOX_BYTES };

/* Weights. As a rule they are all 1, and then not kept. */
struct firefox_weights {
	double *items; /* NULL: all N are 1 */
	size_t n, cap;
};

/* Samples, or what is written down like samples. */
struct firefox_samples {
	struct json_ints stack;	  /* a row of stacks; -1: none */
	struct json_doubles time; /* ms, read only when asked for */
	struct firefox_weights weight;
	bool by_delta; /* times are from one sample to the next */
	bool weighed;  /* weights are given */
	enum firefox_unit unit;
};

enum firefox_kind {
	FIREFOX_TIMER, /* the samples of all profilers */
	FIREFOX_JS_ALLOCATIONS,
	FIREFOX_NATIVE_ALLOCATIONS,
	FIREFOX_KINDS
};

/* A zeroed one has nothing. */
struct firefox_thread {
	struct str name, pid, tid;			/* borrowed from the fold */
	struct firefox_samples *samples[FIREFOX_KINDS]; /* NULL: none */
	struct firefox_tables *own;			/* NULL: none */
};

void firefox_thread_release(struct firefox_thread *t);

/* Samples of KIND for T, made when there are none. */
struct firefox_samples *firefox_thread_samples(
	struct firefox_thread *t, enum firefox_kind kind);

/* The tables of T, made when there are none. */
struct firefox_tables *firefox_thread_tables(struct firefox_thread *t);

/* The tables that hold for the thread under way: its own, or those of all. */
struct firefox_view {
	struct stack_table *stacks;
	const struct firefox_frames *frames;
	const struct firefox_funcs *funcs;
	const struct firefox_resources *resources;
	const struct firefox_sources *sources;
	const struct firefox_strings *strings;
	const struct firefox_libs *libs;
};

struct firefox_fold {
	struct json_profile file;
	struct arena arena;	      /* texts of threads */
	struct firefox_tables shared; /* those of all threads */
	bool timed;		      /* times are asked for */
	struct collapse *c;	      /* not owned */
	struct input *in;	      /* not owned */
	struct libraries libraries;
	struct buf name;  /* of a frame */
	bool probe_rs;	  /* the profile is from there */
	int32_t firmware; /* the library of its addresses without one, or -1 */
	struct firefox_view view;
	struct stack_memo callers, leaves; /* by row of frames: a place in spans */
	uint32_t *spans;		   /* a count and that many ids, and so on */
	size_t span_n, span_cap;
	unsigned char *calls; /* by row of frames, of probe-rs */
	size_t call_n;
	bool judged;  /* the stacks of all, for calls */
	double times; /* what a weight is multiplied by */
	struct firefox_thread *waiting;
	size_t waiting_n, waiting_cap;
};

/* Begins to read the profile IN into C. */
void firefox_fold_begin(struct firefox_fold *f, struct input *in, struct collapse *c);

/* Takes a text or a number as text: a pid is one or the other. Borrowed from F. */
struct str firefox_fold_text(struct firefox_fold *f, struct json_reader *p);

/* Takes the value of KEY when it says who T is; false when it does not. */
bool firefox_fold_identity(struct firefox_fold *f, struct firefox_thread *t,
	struct str key, struct json_reader *p);

/* Pours the samples of KIND of T into the sink; the tables that T has not are those of
 * all. Rows of both are settled. */
void firefox_fold_thread(
	struct firefox_fold *f, struct firefox_thread *t, enum firefox_kind kind);

/* Keeps T, which F then owns, for firefox_fold_end. */
void firefox_fold_wait(struct firefox_fold *f, const struct firefox_thread *t);

/* Pours all threads that wait: their samples, then what else they have, so that
 * samples are what is folded when no event was asked for. Times count from the
 * first sample of all. Releases F. False when the profile was damaged and nothing could
 * be folded (json_profile_end). */
bool firefox_fold_end(struct firefox_fold *f);

#endif
