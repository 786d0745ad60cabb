/* SPDX-License-Identifier: ISC */
/* Records put together; see packet.h. */
#include "packet.h"

#include <linux/perf_event.h>

enum { STRING_ALIGN = 64 };

size_t
packet_begin(struct buf *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t start = b->n;

	buf_str(b, (struct str){ (const char *)&h, sizeof h });
	return start;
}

void
packet_zeroes(struct buf *b, size_t n)
{
	memset(buf_room(b, n), 0, n);
	b->n += n;
}

bool
packet_end(struct buf *b, size_t start)
{
	struct perf_event_header h;

	packet_zeroes(b, (8 - (b->n - start) % 8) % 8);
	if (b->n - start > PACKET_MOST + sizeof h) {
		b->n = start;
		return false;
	}
	memcpy(&h, b->s + start, sizeof h);
	h.size = (uint16_t)(b->n - start);
	memcpy(b->s + start, &h, sizeof h);
	return true;
}

void
packet_u32(struct buf *b, uint32_t value)
{
	buf_str(b, (struct str){ (const char *)&value, sizeof value });
}

void
packet_u64(struct buf *b, uint64_t value)
{
	buf_str(b, (struct str){ (const char *)&value, sizeof value });
}

void
packet_text(struct buf *b, struct str text, size_t align)
{
	buf_str(b, text);
	packet_zeroes(b, align - text.n % align);
}

void
packet_string(struct buf *b, struct str text)
{
	packet_u32(b, (uint32_t)(text.n + STRING_ALIGN - text.n % STRING_ALIGN));
	packet_text(b, text, STRING_ALIGN);
}
