/* SPDX-License-Identifier: ISC */
/* A window that grows; see records.h. */
#include "records.h"

bool
records_grow(struct records *r)
{
	enum { LEAST = 64 * 1024 };
	size_t had = (size_t)(r->end - r->at), want = had < LEAST ? LEAST : had * 2;
	struct str window;

	if (r->at != r->start)
		input_skip(r->in, (size_t)(r->at - r->start));
	window = input_window(r->in, want);
	r->start = r->at = window.s;
	r->end = window.n ? window.s + window.n : window.s;
	return window.n > had;
}
