/* SPDX-License-Identifier: ISC */
/* One frame line of perf script text. */
#ifndef PERF_FRAME_H
#define PERF_FRAME_H

#include <stdbool.h>

#include "str.h"

struct perf_frame {
	struct str address; /* hexadecimal digits */
	struct str symbol;  /* without the offset; empty when unresolved */
	struct str module;  /* empty when unknown */
	bool has_module;    /* a "(...)" was there, even an empty one */
	bool inlined;
};

/* Reads LINE into F, borrowed from LINE. False when it is no frame line. */
bool perf_frame_parse(struct str line, struct perf_frame *f);

/* The place in TEXT of an address that a header line ends with, when the sample
 * has one frame and no call chain: sixteen columns and a blank. With NAMED, a
 * symbol and "(module)" must follow it. TEXT.n when there is none. */
size_t perf_frame_find(struct str text, bool named);

#endif
