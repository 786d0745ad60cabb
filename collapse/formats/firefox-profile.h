/* SPDX-License-Identifier: ISC */
/*
 * Profiles of Firefox, its own ("Gecko") and Firefox Profiler's ("processed"): the tables that a
 * reader fills in, and how they become stacks. Rows of a table name rows of others:
 *
 *	stack -> frame -> func -> name, a text
 *			  func -> resource -> library (to version 69)
 *		 frame -> library (from version 70)
 *
 * Tables belong to a thread; from version 56 on more and more of them are shared by all threads. A
 * sample names a row of stacks. Each row gets its node in the sink once, and each row of frames its
 * names: one, or several where functions were inlined.
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

/* Deeper stacks are damaged: stack walkers stop long before. */
enum { FIREFOX_DEEPEST = 8192 };

struct firefox_stacks {
	struct json_ints prefix; /* the caller's row; -1: none */
	struct json_ints frame;
	bool given;
	bool by_offset;		  /* prefix is a number of rows back, 0: none */
	struct stack_table table; /* made of the columns, which it empties */
	bool settled;
};

struct firefox_frames {
	struct json_ints func, inline_depth, lib;
	struct json_ints line;	     /* with --srcline; -1: unknown */
	struct json_doubles address; /* relative to the library's start; -1: none */
	bool given;
};

struct firefox_funcs {
	struct json_ints name, resource;
	struct json_ints file, source,
		line;	  /* with --srcline: a text, or a row of sources */
	struct buf is_js; /* one byte each */
	bool given;
};

struct firefox_resources {
	struct json_ints lib;
	bool given;
};

/* From about version 56 on. */
struct firefox_sources {
	struct json_ints file; /* a text */
	bool given;
};

struct firefox_strings {
	struct json_texts texts;
	bool given;
};

struct firefox_libs {
	struct json_ints ids; /* ids of libraries.h */
	bool given;
};

/* A zeroed firefox_tables has no table. */
struct firefox_tables {
	struct firefox_stacks stacks;
	struct firefox_frames frames;
	struct firefox_funcs funcs;
	struct firefox_resources resources;
	struct firefox_sources sources;
	struct firefox_strings strings;
	struct firefox_libs libs;
};

/* Unit of weights. */
enum firefox_unit { FIREFOX_SAMPLES, FIREFOX_MS, FIREFOX_BYTES };

/* Weights. Usually all are 1, and then they are not stored. */
struct firefox_weights {
	double *items; /* NULL: all N are 1 */
	size_t n, cap;
};

/* Samples, or allocations written like samples. */
struct firefox_samples {
	struct json_ints stack;	  /* a row of stacks; -1: none */
	struct json_doubles time; /* ms, read only when asked for */
	struct firefox_weights weight;
	bool by_delta; /* times are differences between samples */
	bool weighed;  /* weights are given */
	enum firefox_unit unit;
};

enum firefox_kind {
	FIREFOX_TIMER, /* the samples of all profilers */
	FIREFOX_JS_ALLOCATIONS,
	FIREFOX_NATIVE_ALLOCATIONS,
	FIREFOX_KINDS
};

/* A zeroed firefox_thread is empty. */
struct firefox_thread {
	struct str name, pid, tid;			/* borrowed from the fold */
	struct firefox_samples *samples[FIREFOX_KINDS]; /* NULL: none */
	struct firefox_tables *own;			/* NULL: none */
};

void firefox_thread_release(struct firefox_thread *t);

/* Returns T's samples of KIND, added if missing. T owns them. */
struct firefox_samples *firefox_thread_samples(
	struct firefox_thread *t, enum firefox_kind kind);

/* Returns T's own tables, added if missing. T owns them. */
struct firefox_tables *firefox_thread_tables(struct firefox_thread *t);

/* The tables of the current thread: its own, or the shared ones. */
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
	struct firefox_tables shared; /* tables of all threads */
	bool timed;		      /* times are needed */
	struct collapse *c;	      /* not owned */
	struct input *in;	      /* not owned */
	struct libraries libraries;
	struct buf name;  /* of a frame */
	bool probe_rs;	  /* written by probe-rs */
	int32_t firmware; /* probe-rs: library of addresses without one, or -1 */
	struct firefox_view view;
	struct stack_memo callers, leaves; /* by row of frames: place in spans */
	uint32_t *spans;		   /* runs of a count followed by as many ids */
	size_t span_n, span_cap;
	unsigned char *calls; /* probe-rs: by row of frames, see judge_calls */
	size_t call_n;
	bool judged;  /* the shared stacks are judged */
	double times; /* factor of weights */
	struct firefox_thread *waiting;
	size_t waiting_n, waiting_cap;
};

/* Begins to read the profile IN into C; F borrows both. */
void firefox_fold_begin(struct firefox_fold *f, struct input *in, struct collapse *c);

/* Reads a string, or a number as text: a pid may be either. Borrowed from F. */
struct str firefox_fold_text(struct firefox_fold *f, struct json_reader *p);

/* Reads the value of KEY if it is the name, pid or tid of T; else returns false. */
bool firefox_fold_identity(struct firefox_fold *f, struct firefox_thread *t,
	struct str key, struct json_reader *p);

/* Folds T's samples of KIND with T's tables; the shared ones replace missing ones. Settles the rows
 * of both. */
void firefox_fold_thread(
	struct firefox_fold *f, struct firefox_thread *t, enum firefox_kind kind);

/* Keeps T for firefox_fold_end; F takes ownership. */
void firefox_fold_wait(struct firefox_fold *f, const struct firefox_thread *t);

/* Folds all waiting threads: their timer samples, then their allocations, so that without --event
 * the samples are folded. Times count from the first sample of all. Releases F. Returns false if
 * the profile was damaged and nothing could be folded (json_profile_end). */
bool firefox_fold_end(struct firefox_fold *f);

#endif
