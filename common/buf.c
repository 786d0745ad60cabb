/* SPDX-License-Identifier: ISC */
/* Growable bytes; see buf.h. */
#include "buf.h"
#include "utf8.h"

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

/* The number of plain bytes at the start of S. */
static size_t
plain_length(struct str s)
{
	static const bool special[256] = { ['&'] = true,
		['<'] = true,
		['>'] = true,
		['"'] = true,
		['\\'] = true,
		[']'] = true };
	size_t i = 0;

	while (i < s.n && s.s[i] >= ' ' && s.s[i] < 0x7f &&
		!special[(unsigned char)s.s[i]])
		i++;
	return i;
}

bool
buf_plain(struct buf *b, struct str *rest, struct str *special, uint32_t *point)
{
	size_t n = plain_length(*rest);

	buf_str(b, str_head(*rest, n));
	*rest = str_from(*rest, n);
	if (!rest->n)
		return false;
	n = utf8_next(*rest, point);
	*special = str_head(*rest, n);
	*rest = str_from(*rest, n);
	return true;
}

void
buf_visible(struct buf *b, struct str text, struct str mark, uint32_t most)
{
	struct str special;
	uint32_t point;

	while (buf_plain(b, &text, &special, &point))
		buf_str(b, point <= most && utf8_is_visible(point) ? special : mark);
}

void
buf_decoded(struct buf *b, struct str text)
{
	uint64_t byte;

	for (; text.n; text = str_from(text, 1)) {
		if (text.s[0] == '%' && text.n >= 3 &&
			str_hex_to_u64((struct str){ text.s + 1, 2 }, &byte)) {
			buf_char(b, (char)byte);
			text = str_from(text, 2);
		} else {
			buf_char(b, text.s[0]);
		}
	}
}

/* Bytes that a header value holds unescaped: visible ones, except '%' and those special in XML. */
static bool
is_plain(char c)
{
	return c > ' ' && c < 0x7f && !strchr("%<>&]", c);
}

void
buf_encoded(struct buf *b, struct str text, char special)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		if (is_plain(text.s[i]) && text.s[i] != special)
			buf_char(b, text.s[i]);
		else
			buf_fmt(b, "%%%02X", (unsigned char)text.s[i]);
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
buf_hex(struct buf *b, struct str bytes)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < bytes.n; i++) {
		buf_char(b, digits[(unsigned char)bytes.s[i] >> 4]);
		buf_char(b, digits[bytes.s[i] & 15]);
	}
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

void
buf_double(struct buf *b, double value)
{
	char text[32];
	int digits = 6; /* fewer would write 20 as 2e+01 */

	do
		snprintf(text, sizeof text, "%.*g", digits, value);
	while (digits++ < 17 && strtod(text, NULL) != value);
	buf_str(b, str_of(text));
}
