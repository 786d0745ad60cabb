/* SPDX-License-Identifier: ISC */
/* Records in the order of their times; see reorder.h. */
#include "reorder.h"
#include "mem.h"

#include <string.h>

void
reorder_release(struct reorder *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		chunks_drop(r->pool, r->held[i].chunk);
	free(r->held);
	free(r->spare);
	r->held = r->spare = NULL;
	r->n = r->cap = r->spare_cap = 0;
}

void
reorder_add(
	struct reorder *r, uint64_t time, struct str record, struct chunks_chunk *chunk)
{
	if (r->n == r->cap)
		r->held = mem_grow(r->held, &r->cap, r->n + 1, sizeof *r->held);
	if (r->n && time < r->held[r->n - 1].time)
		r->unsorted = true;
	r->late += time < r->given;
	if (time > r->latest)
		r->latest = time;
	chunks_keep(chunk);
	r->held[r->n++] = (struct reorder_held){ time, record, chunk };
}

/* The end of the run of rising times that begins at AT. */
static size_t
run_end(const struct reorder_held *held, size_t n, size_t at)
{
	for (at++; at < n; at++)
		if (held[at].time < held[at - 1].time)
			break;
	return at < n ? at : n;
}

/* Merges [at, middle) and [middle, end) of FROM into the same places of TO. */
static void
merge(struct reorder_held *to, const struct reorder_held *from, size_t at, size_t middle,
	size_t end)
{
	size_t a = at, b = middle;

	while (a < middle && b < end)
		to[at++] = from[b].time < from[a].time ? from[b++] : from[a++];
	memcpy(to + at, a < middle ? from + a : from + b,
		(a < middle ? middle - a : end - b) * sizeof *to);
}

/* Merges runs pairwise until there is one: a round has about as many as there
 * are CPUs. */
static void
sort(struct reorder *r)
{
	struct reorder_held *swap;
	size_t at, middle, end, runs = 2, cap;

	if (r->spare_cap < r->n)
		r->spare = mem_grow(r->spare, &r->spare_cap, r->n, sizeof *r->spare);
	while (runs > 1) {
		for (runs = at = 0; at < r->n; at = end, runs++) {
			middle = run_end(r->held, r->n, at);
			end = middle < r->n ? run_end(r->held, r->n, middle) : middle;
			merge(r->spare, r->held, at, middle, end);
		}
		swap = r->held;
		r->held = r->spare;
		r->spare = swap;
		cap = r->cap;
		r->cap = r->spare_cap;
		r->spare_cap = cap;
	}
	r->unsorted = false;
}

/* Prefetches the start of RECORD, which was never touched in a mapped file. It usually
 * contains all that a stack needs. */
static void
fetch(struct str record)
{
#ifdef __GNUC__
	enum { LINE = 64, MOST = 24 * LINE };
	size_t at;

	for (at = 0; at < record.n && at < MOST; at += LINE)
		__builtin_prefetch(record.s + at);
#else
	(void)record;
#endif
}

/* Delivers the first N records. */
static void
deliver(struct reorder *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i + 1 < n)
			fetch(r->held[i + 1].record);
		r->taker.take(r->taker.context, r->held + i);
		chunks_drop(r->pool, r->held[i].chunk);
	}
	if (!n)
		return;
	if (r->held[n - 1].time > r->given)
		r->given = r->held[n - 1].time;
	r->n -= n;
	memmove(r->held, r->held + n, r->n * sizeof *r->held);
}

void
reorder_finish(struct reorder *r)
{
	size_t low = 0, high, middle;

	if (r->unsorted)
		sort(r);
	for (high = r->n; low < high;) {
		middle = low + (high - low) / 2;
		if (r->held[middle].time <= r->limit)
			low = middle + 1;
		else
			high = middle;
	}
	deliver(r, low);
	r->limit = r->latest;
}

void
reorder_halve(struct reorder *r)
{
	if (r->unsorted)
		sort(r);
	deliver(r, r->n - r->n / 2);
}

void
reorder_end(struct reorder *r)
{
	if (r->unsorted)
		sort(r);
	deliver(r, r->n);
}
