/* SPDX-License-Identifier: ISC */
/* Growable bytes; see buf.h. */
#include "buf.h"

#include <stdarg.h>

void
buf_release(struct buf *b)
{
	free(b->s);
	*b = (struct buf){ 0 };
}

void
buf_str(struct buf *b, struct str s)
{
	if (!s.n)
		return;
	memcpy(buf_room(b, s.n), s.s, s.n);
	b->n += s.n;
}

void
buf_u64(struct buf *b, uint64_t value)
{
	char digits[20], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + value % 10);
	while (value /= 10);
	buf_str(b, (struct str){ p, (size_t)(digits + sizeof digits - p) });
}

void
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n <= 0)
		return;
	va_start(ap, fmt);
	vsnprintf(buf_room(b, (size_t)n + 1), (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

const char *
buf_cstr(struct buf *b)
{
	*buf_room(b, 1) = 0;
	return b->s;
}
