/* SPDX-License-Identifier: ISC */
/*
 * Calls and returns of threads, in the order in which they happened, as tracers write
 * them: for each thread the calls that are open, and what each has for itself, its time
 * without that of the calls it made. There are two ways:
 *
 *	every event has a time	calls_until, then calls_open or calls_close
 *	returns have a duration	calls_open and calls_return
 *
 * Formats say the depth of a call where their text has it, so that calls whose return is
 * missing end with their caller, or use calls_depth. A call that returns without having
 * been seen to begin is counted in strays.
 *
 * Tables in any order, such as trace events, or with names that come late, as in speedscope's
 * files, are not such a stream.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "frame-names.h"
#include "intern.h"
#include "str.h"

struct calls_level {
	uint32_t node, depth;
	uint64_t inner; /* ns of the calls that returned in it */
};

struct calls_thread {
	struct collapse_sample s; /* who it is; calls_copy what lasts no longer */
	uint32_t root;
	bool has_root;
	struct calls_level *levels; /* outermost first */
	size_t n, cap;
	uint64_t now; /* of the last calls_until */
	bool has_now;
	uint64_t outer; /* as inner, of calls below those whose beginning was not seen, */
	uint32_t outer_depth; /* and at which depth these calls are */
};

/* Where a call of NAME by ABOVE led to; node is TREE_ROOT in an empty one. */
struct calls_step {
	uint32_t above, name, node;
};

/* A zeroed one with its names.c set is empty. */
struct calls {
	struct frame_names
		names; /* the function that calls_open opens, innermost first */
	struct intern keys, texts;
	struct calls_thread *threads; /* by the ids of keys */
	size_t cap;
	struct calls_step *steps; /* of late */
	uint64_t strays;	  /* returns of calls that did not begin */
};

void calls_release(struct calls *k);

/* The thread that KEY stands for, any bytes: a new one when it was not known, with n 0
 * and an empty s. Valid until the next call. */
struct calls_thread *calls_find(struct calls *k, struct str key);

/* A copy of TEXT that lasts as long as K. */
struct str calls_copy(struct calls *k, struct str text);

/* Makes the function NAME, the bytes KEY standing for it, what calls_open opens: as
 * frame_names_add has it with MODULE, or as it is when it is WHOLE. */
void calls_name(struct calls *k, struct str name, struct str module);
void calls_name_whole(struct calls *k, struct str name);

/* How many calls are open on T. */
static inline uint32_t
calls_depth(const struct calls_thread *t)
{
	return t->n ? t->levels[t->n - 1].depth + 1 : 0;
}

/* Opens the function of K.names on T at DEPTH, counted from 0; calls as deep or deeper have
 * ended. */
void calls_open(struct calls *k, struct calls_thread *t, uint32_t depth);

/* Ends the call at DEPTH on T and those in it; false when there is none. */
bool calls_close(struct calls_thread *t, uint32_t depth);

/* Gives the time until NOW, in ns, to the innermost call of T. */
void calls_until(struct calls *k, struct calls_thread *t, uint64_t now);

/* Gives WEIGHT ns, which began at T.s.time if T.s.has_time, to the innermost call of T, of which
 * there must be one. */
void calls_spend(struct calls *k, struct calls_thread *t, uint64_t weight);

/* The call at DEPTH on T took DURATION, in ns: ends it. One that did not begin is the
 * function of K.names, if that has any frame, and its caller is not known. */
void calls_return(
	struct calls *k, struct calls_thread *t, uint32_t depth, uint64_t duration);

/* Warns of calls of IN that were open at its start, and with LEFT of those that are open now,
 * as the time of both is not all known. */
void calls_tell(const struct calls *k, const struct input *in, bool left);

/* Reads digits with at most one point in them, a time in units of 10^DECIMALS ns, and cuts
 * what is finer. False when it is no such number or 64 bits do not hold it. */
bool calls_read_time(struct str text, unsigned decimals, uint64_t *ns);

#endif
