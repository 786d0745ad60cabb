/* SPDX-License-Identifier: ISC */
/* Spans of code addresses with their units in a file. */
#ifndef SPANS_H
#define SPANS_H

#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t start, end;
	uint64_t reach; /* the highest end up to this one */
	uint64_t unit;	/* its offset in .debug_info */
};

/* A zeroed struct spans is empty. */
struct spans {
	struct span *at; /* by start; of equal ones the last unit first */
	size_t n, cap;
};

void spans_release(struct spans *s);

void spans_add(struct spans *s, uint64_t start, uint64_t end, uint64_t unit);

/* Sorts S: after the last spans_add, before spans_find. */
void spans_sort(struct spans *s);

/* The span with ADDRESS that starts last among those before AFTER (NULL: all): of
 * overlapping ones the narrowest. NULL if there are no more. Borrowed from S. */
const struct span *spans_find(
	const struct spans *s, uint64_t address, const struct span *after);

#endif
