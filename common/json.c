/* SPDX-License-Identifier: ISC */
/* JSON; see json.h. */
#include "json.h"
#include "utf8.h"

/* Adds the comma before an element or member, except the first. */
static void
separate(struct buf *b)
{
	if (b->n && b->s[b->n - 1] != '{' && b->s[b->n - 1] != '[' &&
		b->s[b->n - 1] != ':')
		buf_char(b, ',');
}

static void
put_point(struct buf *b, uint32_t point)
{
	if (point == UTF8_INVALID)
		point = 0xfffd;
	if (point > 0xffff) {
		buf_fmt(b, "\\u%04x", (unsigned)(0xd800 + ((point - 0x10000) >> 10)));
		point = 0xdc00 + ((point - 0x10000) & 0x3ff);
	}
	if (point < 0x20 || point >= 0x7f || point == '<' || point == '>' || point == '&')
		buf_fmt(b, "\\u%04x", (unsigned)point);
	else if (point == '"' || point == '\\')
		buf_fmt(b, "\\%c", (int)point);
	else
		buf_char(b, (char)point);
}

static void
put_string(struct buf *b, struct str s)
{
	uint32_t point;
	size_t n;

	buf_char(b, '"');
	for (; s.n; s = str_from(s, n)) {
		n = utf8_next(s, &point);
		put_point(b, point);
	}
	buf_char(b, '"');
}

static void
put_key(struct buf *b, const char *key)
{
	separate(b);
	put_string(b, str_of(key));
	buf_char(b, ':');
}

void
json_begin(struct buf *b, const char *key)
{
	if (key)
		put_key(b, key);
	buf_char(b, '{');
}

void
json_end(struct buf *b)
{
	buf_char(b, '}');
}

void
json_str(struct buf *b, const char *key, struct str value)
{
	put_key(b, key);
	put_string(b, value);
}

/* Adds VALUE with U+FFFD for invisible characters. */
static void
put_shown(struct buf *b, struct str value)
{
	struct buf shown = { 0 };

	buf_visible(&shown, value, BUF_MARK, BUF_MOST);
	put_string(b, buf_view(&shown));
	buf_release(&shown);
}

void
json_shown(struct buf *b, const char *key, struct str value)
{
	put_key(b, key);
	put_shown(b, value);
}

void
json_u64(struct buf *b, const char *key, uint64_t value)
{
	put_key(b, key);
	buf_u64(b, value);
}

void
json_bool(struct buf *b, const char *key, bool value)
{
	put_key(b, key);
	buf_str(b, value ? STR("true") : STR("false"));
}

void
json_number(struct buf *b, const char *key, struct str digits)
{
	put_key(b, key);
	buf_str(b, digits);
}

void
json_double(struct buf *b, const char *key, double value)
{
	put_key(b, key);
	buf_double(b, value);
}

void
json_exact(struct buf *b, const char *key, const uint64_t *values, size_t n)
{
	size_t i;

	json_array(b, key);
	for (i = 0; i < n; i++) {
		separate(b);
		buf_char(b, '"');
		buf_u64(b, values[i]);
		buf_char(b, '"');
	}
	json_array_end(b);
}

void
json_array(struct buf *b, const char *key)
{
	put_key(b, key);
	buf_char(b, '[');
}

void
json_element_array(struct buf *b)
{
	separate(b);
	buf_char(b, '[');
}

void
json_array_end(struct buf *b)
{
	buf_char(b, ']');
}

void
json_element_str(struct buf *b, struct str value)
{
	separate(b);
	put_string(b, value);
}

void
json_element_shown(struct buf *b, struct str value)
{
	separate(b);
	put_shown(b, value);
}

void
json_element_double(struct buf *b, double value)
{
	separate(b);
	buf_double(b, value);
}

void
json_element_u64(struct buf *b, uint64_t value)
{
	separate(b);
	buf_u64(b, value);
}

void
json_element_number(struct buf *b, struct str digits)
{
	separate(b);
	buf_str(b, digits);
}

void
json_element_begin(struct buf *b)
{
	separate(b);
	buf_char(b, '{');
}
