/* SPDX-License-Identifier: ISC */
/* A window that grows; see records.h. */
#include "records.h"

bool
records_grow(struct records *r)
{
	enum { LEAST = 64 * 1024 };
	size_t had = bytes_left(&r->rest), want = had < LEAST ? LEAST : had * 2;

	if (had != r->window.n)
		input_skip(r->in, r->window.n - had);
	r->window = input_window(r->in, want);
	r->rest = bytes_of(r->window, false);
	return r->window.n > had;
}
