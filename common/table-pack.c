/* SPDX-License-Identifier: ISC */
/* The table of all frames, deflated and in base64 (RFC 4648); see table.h. */
#include "deflate.h"
#include "table.h"
#include "inflate.h"

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			      "0123456789+/";

/* Adds four letters for the up to three bytes that IN begins with. */
static void
put_group(struct buf *b, struct str in)
{
	unsigned char byte[3] = { 0 };
	unsigned bits;
	size_t n = in.n < 3 ? in.n : 3;
	char *p = buf_room(b, 4);

	memcpy(byte, in.s, n);
	bits = (unsigned)byte[0] << 16 | (unsigned)byte[1] << 8 | byte[2];
	p[0] = LETTERS[bits >> 18];
	p[1] = LETTERS[bits >> 12 & 63];
	p[2] = '=';
	p[3] = '=';
	if (n > 1)
		p[2] = LETTERS[bits >> 6 & 63];
	if (n > 2)
		p[3] = LETTERS[bits & 63];
	b->n += 4;
}

bool
table_pack(struct buf *b, struct str text)
{
	struct buf packed = { 0 };
	struct str rest;

	if (text.n > TABLE_UNPACKED)
		return false;
	deflate_zlib(text, &packed);
	for (rest = buf_view(&packed); rest.n; rest = str_from(rest, 3))
		put_group(b, rest);
	buf_release(&packed);
	return true;
}

/* The value of each letter, 64 of any other byte. */
static void
find_values(unsigned char values[256])
{
	unsigned char i;

	memset(values, 64, 256);
	for (i = 0; i < 64; i++)
		values[(unsigned char)LETTERS[i]] = i;
}

/* Adds the bytes that LETTERS stand for; as browsers do, blanks are passed over, and the
 * signs at the end may be missing. */
static bool
put_bytes(struct buf *b, struct str letters)
{
	unsigned char values[256], value;
	unsigned bits = 0, have = 0;
	size_t i, end;

	find_values(values);
	letters = str_trim(letters);
	for (end = letters.n; end && letters.n - end < 2 && letters.s[end - 1] == '=';)
		end--;
	for (i = 0; i < end; i++) {
		if (str_is_blank(letters.s[i]) || letters.s[i] == '\n' ||
			letters.s[i] == '\r')
			continue;
		value = values[(unsigned char)letters.s[i]];
		if (value > 63)
			return false;
		bits = (bits << 6 | value) & 0xfff;
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		buf_char(b, (char)(bits >> have & 0xff));
	}
	return have < 6;
}

bool
table_unpack(struct str packed, struct buf *text)
{
	struct buf bytes = { 0 };
	bool good = put_bytes(&bytes, packed) &&
		inflate_all(INFLATE_ZLIB, buf_view(&bytes), text, TABLE_UNPACKED);

	buf_release(&bytes);
	return good;
}
