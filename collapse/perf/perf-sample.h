/* SPDX-License-Identifier: ISC */
/* The header line of a sample in perf script text. */
#ifndef PERF_SAMPLE_H
#define PERF_SAMPLE_H

#include "collapse.h"

enum perf_sample_kind {
	PERF_SAMPLE_NONE,     /* no header line, or one that names nothing but a comm */
	PERF_SAMPLE,	      /* with a time or an event */
	PERF_SAMPLE_SIDEBAND, /* a PERF_RECORD_... line, which has no stack */
	PERF_SAMPLE_TOO_BIG   /* a period of more than 64 bits */
};

/* Reads LINE into S, borrowed from LINE. *TAIL gets what follows the event: a
 * tracepoint's text, an only frame. */
enum perf_sample_kind perf_sample_parse(
	struct str line, struct collapse_sample *s, struct str *tail);

/* Reads LINE, which has neither time nor address: what is left of a header when
 * -F asks for little, such as "work  2349 " or "work cycles: ". */
void perf_sample_parse_bare(struct str line, struct collapse_sample *s);

/* Whether LINE has a time stamp or an event, or is a PERF_RECORD_ line. */
bool perf_sample_is_header(struct str line);

#endif
