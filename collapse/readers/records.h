/* SPDX-License-Identifier: ISC */
/*
 * Records of unknown length, one after the other from an input: a record is read with a
 * cursor over what is buffered, and read once more when that turns out to end within it.
 *
 *	while (records_more(&r, &b)) {
 *		read_record(&b, &record);
 *		if (!b.bad) {
 *			records_take(&r, &b);
 *			use(&record);		what it borrows ends with the next call
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

/* One with its in set begins at the current place. */
struct records {
	struct input *in;
	struct str window;
	struct bytes rest; /* of the window */
};

/* Makes more be buffered; false at the end of the input. */
bool records_grow(struct records *r);

/* Sets B to what is buffered; false at the end of the input. */
static inline bool
records_more(struct records *r, struct bytes *b)
{
	if (!bytes_left(&r->rest) && !records_grow(r))
		return false;
	*b = r->rest;
	return true;
}

/* Goes forward to where B is. */
static inline void
records_take(struct records *r, const struct bytes *b)
{
	bytes_skip(&r->rest, bytes_between(&r->rest, b));
}

#endif
