/* SPDX-License-Identifier: ISC */
/*
 * A thread of a profile of Firefox Profiler: who it is, its samples, and the
 * tables that it has for itself.
 */
#ifndef FIREFOX_THREAD_H
#define FIREFOX_THREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "firefox-tables.h"
#include "json-read.h"
#include "str.h"

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
	struct str name, pid, tid; /* borrowed from the arena of who reads */
	struct firefox_samples *samples[FIREFOX_KINDS]; /* NULL: none */
	struct firefox_tables *own;			/* NULL: none */
};

void firefox_thread_release(struct firefox_thread *t);

/* Takes a thread, with the times of its samples when TIMES. Texts go to A, libraries
 * to N. */
void firefox_thread_take(struct firefox_thread *t, struct json_reader *p, struct arena *a,
	struct libraries *n, bool times);

/* The weight of sample I, NAN when it has none. */
double firefox_weight(const struct firefox_samples *s, size_t i);

/* Samples of KIND for T, made when there are none. */
struct firefox_samples *firefox_thread_samples(
	struct firefox_thread *t, enum firefox_kind kind);

/* The tables of T, made when there are none. */
struct firefox_tables *firefox_thread_tables(struct firefox_thread *t);

/* Takes a text or a number as text: a pid is one or the other. */
struct str firefox_text(struct json_reader *p, struct arena *a);

#endif
