/* SPDX-License-Identifier: ISC */
/*
 * Calls of a trace: events that begin and end, or are complete with their
 * duration, to stacks of each thread.
 *
 * A call lasts from its beginning to the next end of its name on the thread.
 * Of those that begin at once the longer one is outside, of equal ones that
 * with a beginning and an end, then the first in the file. One that outlasts
 * its caller makes the caller last as long. One without an end lasts as long as
 * its caller, or until the last event of the thread.
 */
#ifndef CHROME_SPAN_H
#define CHROME_SPAN_H

#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "intern.h"

/* No name. */
#define CHROME_NONE UINT32_MAX

/* What stands for a duration. */
enum { CHROME_BEGIN = -1, CHROME_END = -2 };

struct chrome_event {
	int64_t ts, dur; /* ns; dur 0 or more: complete */
	uint32_t name;	 /* an id of names; CHROME_NONE: none */
	uint32_t thread;
};

/* A zeroed struct has none. */
struct chrome_spans {
	struct intern names;
	struct chrome_event *events; /* in the order of the file */
	size_t n, cap;
};

void chrome_spans_release(struct chrome_spans *s);

void chrome_spans_add(struct chrome_spans *s, const struct chrome_event *e);

/* Pours all calls into C: those of thread I as samples like WHOSE[I], of N threads. Ends
 * without a beginning are counted as lost. */
void chrome_spans_fold(struct chrome_spans *s, const struct collapse_sample *whose,
	uint32_t n, struct input *in, struct collapse *c);

#endif
