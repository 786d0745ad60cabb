/* SPDX-License-Identifier: ISC */
/* Which units of a file have code at an address, as something says: spans of addresses. */
#ifndef SPANS_H
#define SPANS_H

#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t start, end;
	uint64_t reach; /* the highest end of this one and those before */
	uint64_t unit;	/* where it begins in .debug_info */
};

/* A zeroed struct spans is empty. */
struct spans {
	struct span *at; /* by start, of equal ones the last unit first */
	size_t n, cap;
};

void spans_release(struct spans *s);

void spans_add(struct spans *s, uint64_t start, uint64_t end, uint64_t unit);

/* Puts S in order: to be called after the last spans_add, before spans_find. */
void spans_sort(struct spans *s);

/* The span of ADDRESS that starts last among those before AFTER, NULL for all: where several
 * overlap, that is the narrowest. NULL when there is no more. Borrowed from S. */
const struct span *spans_find(
	const struct spans *s, uint64_t address, const struct span *after);

#endif
