/* SPDX-License-Identifier: ISC */
/* The stack that was read last; see perf-trail.h. */
#include "perf-trail.h"
#include "mem.h"

void
perf_trail_release(struct perf_trail *t)
{
	free(t->steps);
	*t = (struct perf_trail){ 0 };
}

void
perf_trail_forget(struct perf_trail *t)
{
	t->frames.n = 0;
	t->n = 0;
}

/* How many bytes at the ends of A and B are the same. */
static size_t
common_end(struct str a, struct str b)
{
	enum { WORD = 8 };
	const char *p = a.s + a.n, *q = b.s + b.n;
	size_t most = a.n < b.n ? a.n : b.n, n = 0;

	while (n + WORD <= most && memcmp(p - n - WORD, q - n - WORD, WORD) == 0)
		n += WORD;
	while (n < most && p[-(ptrdiff_t)n - 1] == q[-(ptrdiff_t)n - 1])
		n++;
	return n;
}

void
perf_trail_begin(struct perf_trail *t, struct str frames, uint64_t context)
{
	size_t same = 0, bytes;

	if (t->n && t->context == context)
		same = common_end(t->frames, frames);
	for (; t->n > 0; t->n--) {
		bytes = t->steps[t->n - 1].bytes;
		if (bytes <= same &&
			(bytes == frames.n || frames.s[frames.n - bytes - 1] == '\n'))
			break;
	}
	t->frames = frames;
	t->context = context;
}

void
perf_trail_push(struct perf_trail *t, size_t bytes, uint32_t node)
{
	t->steps = mem_grow(t->steps, &t->cap, t->n + 1, sizeof *t->steps);
	t->steps[t->n++] = (struct perf_step){ bytes, node };
}
