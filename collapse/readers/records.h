/* SPDX-License-Identifier: ISC */
/*
 * Records of unknown length, one after the other from an input: a record is read with a
 * cursor over the buffer; if it crosses the buffer's end, the buffer is enlarged and the
 * record read again.
 *
 *	while (records_more(&r, &b)) {
 *		read_record(&b, &record);
 *		if (!b.bad) {
 *			records_take(&r, &b);
 *			use(&record);		borrowed until the next call
 *		} else if (!records_grow(&r)) {
 *			the input ends within a record
 *		}
 *	}
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes.h"
#include "input.h"

/* Begins at the current place if zeroed with its input set. */
struct records {
	struct input *in;
	struct str window;
	struct bytes rest; /* unread part of window */
};

/* Buffers more. Returns false at the end of the input. */
bool records_grow(struct records *r);

/* Sets B to the buffered bytes. Returns false at the end of the input. */
static inline bool
records_more(struct records *r, struct bytes *b)
{
	if (!bytes_left(&r->rest) && !records_grow(r))
		return false;
	*b = r->rest;
	return true;
}

/* Advances to the position of B. */
static inline void
records_take(struct records *r, const struct bytes *b)
{
	bytes_skip(&r->rest, bytes_between(&r->rest, b));
}

#endif
