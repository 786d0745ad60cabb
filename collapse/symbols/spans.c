/* SPDX-License-Identifier: ISC */
/* Spans of addresses; see spans.h. */
#include "spans.h"
#include "mem.h"
#include "search.h"

void
spans_release(struct spans *s)
{
	free(s->at);
	*s = (struct spans){ 0 };
}

void
spans_add(struct spans *s, uint64_t start, uint64_t end, uint64_t unit)
{
	*MEM_ADD(s->at, s->n, s->cap) =
		(struct span){ .start = start, .end = end, .unit = unit };
}

static int
by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->unit > y->unit ? -1 : x->unit < y->unit;
}

void
spans_sort(struct spans *s)
{
	uint64_t reach = 0;

	if (s->n)
		qsort(s->at, s->n, sizeof *s->at, by_start);
	for (size_t i = 0; i < s->n; i++) {
		reach = s->at[i].end > reach ? s->at[i].end : reach;
		s->at[i].reach = reach;
	}
}

const struct span *
spans_find(const struct spans *s, uint64_t address, const struct span *after)
{
	size_t n = after ? (size_t)(after - s->at)
			 : search_upto(s->at, s->n, sizeof *s->at, address);

	for (; n && s->at[n - 1].reach > address; n--)
		if (s->at[n - 1].end > address)
			return &s->at[n - 1];
	return NULL;
}
