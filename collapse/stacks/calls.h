/* SPDX-License-Identifier: ISC */
/*
 * Calls and returns of threads, in the order in which they happened, as tracers write
 * them. Keeps the open calls of each thread, and computes self times. There are two ways:
 *
 *	every event has a time	calls_until, then calls_open or calls_close
 *	returns have a duration	calls_open and calls_return
 *
 * Formats pass the depth of a call if their text contains it, so that calls without a
 * return end with their caller, or else calls_depth. Returns of calls whose beginning was
 * not seen are counted in strays.
 *
 * Events in any order, such as trace events, or with names that come late, as in
 * speedscope's files, are not such a stream.
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
	uint64_t inner; /* ns of the calls that returned to it */
};

struct calls_thread {
	struct collapse_sample s; /* its root frames; use calls_copy for texts */
	uint32_t root;
	bool has_root;
	struct calls_level *levels; /* outermost first */
	size_t n, cap;
	uint64_t now; /* of the last calls_until */
	bool has_now;
	uint64_t outer; /* like inner, for calls whose caller was not seen to begin, */
	uint32_t outer_depth; /* and the depth of these calls */
};

/* The node of NAME called by ABOVE; TREE_ROOT in an unused one. */
struct calls_step {
	uint32_t above, name, node;
};

/* Empty when zeroed, with names.c set. */
struct calls {
	struct frame_names names; /* the function for calls_open, innermost frame first */
	struct intern keys, texts;
	struct calls_thread *threads; /* by id in keys */
	size_t cap;
	struct calls_step *steps; /* recent ones */
	uint64_t strays;	  /* returns of calls whose beginning was not seen */
};

void calls_release(struct calls *k);

/* The thread for KEY, any bytes; a new one has n 0 and an empty s. Valid until the next
 * call. */
struct calls_thread *calls_find(struct calls *k, struct str key);

/* A copy of TEXT, valid as long as K. */
struct str calls_copy(struct calls *k, struct str text);

/* Sets the function for calls_open: NAME in MODULE, by the rules of frame_names_add; or
 * calls_name_whole: NAME unchanged. */
void calls_name(struct calls *k, struct str name, struct str module);
void calls_name_whole(struct calls *k, struct str name);

/* The number of open calls on T. */
static inline uint32_t
calls_depth(const struct calls_thread *t)
{
	return t->n ? t->levels[t->n - 1].depth + 1 : 0;
}

/* Opens the function in K.names on T at DEPTH, from 0; ends calls at DEPTH or deeper. */
void calls_open(struct calls *k, struct calls_thread *t, uint32_t depth);

/* Ends the call at DEPTH on T, and its inner calls. Returns false if there is none. */
bool calls_close(struct calls_thread *t, uint32_t depth);

/* Adds the time from the last call up to NOW, in ns, to the innermost call of T. */
void calls_until(struct calls *k, struct calls_thread *t, uint64_t now);

/* Adds WEIGHT ns, beginning at T.s.time if T.s.has_time, to the innermost call of T,
 * which must exist. */
void calls_spend(struct calls *k, struct calls_thread *t, uint64_t weight);

/* Ends the call at DEPTH on T, which took DURATION ns. If its beginning was not seen, it
 * is the function in K.names, if that has frames, with an unknown caller. */
void calls_return(
	struct calls *k, struct calls_thread *t, uint32_t depth, uint64_t duration);

/* Warns of calls of IN that were open at its start, and if LEFT of those still open, as
 * their times are incomplete. */
void calls_tell(const struct calls *k, const struct input *in, bool left);

/* Parses digits with at most one point, a time in units of 10^DECIMALS ns, and truncates
 * finer digits. Returns false if malformed or on overflow. */
bool calls_read_time(struct str text, unsigned decimals, uint64_t *ns);

#endif
