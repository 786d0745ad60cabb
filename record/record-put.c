/* SPDX-License-Identifier: ISC */
/* Records put together; see record-put.h. */
#include "record-put.h"

#include <linux/perf_event.h>
#include <time.h>

enum { STRING_ALIGN = 64 };

uint64_t
record_now(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

size_t
record_put_begin(struct buf *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t start = b->n;

	record_put_bytes(b, &h, sizeof h);
	return start;
}

bool
record_put_end(struct buf *b, size_t start)
{
	struct perf_event_header h;

	record_put_zeroes(b, (8 - (b->n - start) % 8) % 8);
	if (b->n - start > RECORD_PUT_MOST + sizeof h) {
		b->n = start;
		return false;
	}
	memcpy(&h, b->s + start, sizeof h);
	h.size = (uint16_t)(b->n - start);
	memcpy(b->s + start, &h, sizeof h);
	return true;
}

void
record_put_round(struct buf *b)
{
	record_put_end(b, record_put_begin(b, RECORD_PUT_FINISHED_ROUND, 0));
}

void
record_put_u32(struct buf *b, uint32_t value)
{
	record_put_bytes(b, &value, sizeof value);
}

void
record_put_u64(struct buf *b, uint64_t value)
{
	record_put_bytes(b, &value, sizeof value);
}

void
record_put_bytes(struct buf *b, const void *bytes, size_t n)
{
	buf_str(b, (struct str){ bytes, n });
}

void
record_put_zeroes(struct buf *b, size_t n)
{
	memset(buf_room(b, n), 0, n);
	b->n += n;
}

void
record_put_text(struct buf *b, struct str text, size_t align)
{
	buf_str(b, text);
	record_put_zeroes(b, align - text.n % align);
}

void
record_put_string(struct buf *b, struct str text)
{
	record_put_u32(b, (uint32_t)(text.n + STRING_ALIGN - text.n % STRING_ALIGN));
	record_put_text(b, text, STRING_ALIGN);
}
