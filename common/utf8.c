/* SPDX-License-Identifier: ISC */
/* Characters; see utf8.h. */
#include "utf8.h"

/* By the first byte: the number of bytes that follow, and the range of the first of them (the
 * others are 80..bf), which excludes surrogates and overlong forms. */
struct lead {
	unsigned char from, to, more, low, high;
};

static const struct lead LEADS[] = {
	{ 0xc2, 0xdf, 1, 0x80, 0xbf },
	{ 0xe0, 0xe0, 2, 0xa0, 0xbf },
	{ 0xe1, 0xec, 2, 0x80, 0xbf },
	{ 0xed, 0xed, 2, 0x80, 0x9f },
	{ 0xee, 0xef, 2, 0x80, 0xbf },
	{ 0xf0, 0xf0, 3, 0x90, 0xbf },
	{ 0xf1, 0xf3, 3, 0x80, 0xbf },
	{ 0xf4, 0xf4, 3, 0x80, 0x8f },
};

struct range {
	uint32_t from, to;
};

/* Blocks that terminals and monospace fonts draw two columns wide (the East Asian Wide blocks of
 * Unicode's UAX 11, and pictographs), and blocks of combining marks. */
static const struct range WIDE[] = { { 0x1100, 0x115f }, { 0x2e80, 0xa4cf },
	{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 },
	{ 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f900, 0x1f9ff },
	{ 0x20000, 0x3fffd } };
static const struct range NONE[] = { { 0x300, 0x36f }, { 0x200b, 0x200f },
	{ 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f } };

static const struct lead *
find_lead(unsigned char c)
{
	size_t i;

	for (i = 0; i < sizeof LEADS / sizeof LEADS[0]; i++)
		if (c >= LEADS[i].from && c <= LEADS[i].to)
			return &LEADS[i];
	return NULL;
}

size_t
utf8_next(struct str s, uint32_t *point)
{
	const unsigned char *p = (const unsigned char *)s.s;
	const struct lead *lead;
	uint32_t c = p[0];
	size_t i;

	*point = c;
	if (c < 0x80)
		return 1;
	*point = UTF8_INVALID;
	lead = find_lead(p[0]);
	if (!lead || s.n <= lead->more || p[1] < lead->low || p[1] > lead->high)
		return 1;
	c &= 0x3fU >> lead->more;
	for (i = 1; i <= lead->more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3fU);
	}
	*point = c;
	return i;
}

size_t
utf8_put(char to[UTF8_LONGEST], uint32_t point)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4, i;

	for (i = n - 1; i > 0; i--, point >>= 6)
		to[i] = (char)(0x80 | (point & 0x3f));
	to[0] = (char)(lead[n] | point);
	return n;
}

static bool
is_in(uint32_t point, const struct range *ranges, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (point >= ranges[i].from && point <= ranges[i].to)
			return true;
	return false;
}

/* Excludes controls; marks, embeddings and isolates of direction; line separators; zero-width
 * characters that join nothing; annotation marks; non-characters; tags. */
bool
utf8_is_visible(uint32_t point)
{
	static const struct range hidden[] = { { 0, 0x1f }, { 0x7f, 0x9f },
		{ 0x61c, 0x61c }, { 0x200b, 0x200b }, { 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb }, { 0xfffe, 0xffff }, { 0xe0000, 0xe007f } };

	return point != UTF8_INVALID &&
		!is_in(point, hidden, sizeof hidden / sizeof hidden[0]);
}

unsigned
utf8_columns(uint32_t point)
{
	if (point < 0x300 || point == UTF8_INVALID)
		return 1;
	if (is_in(point, NONE, sizeof NONE / sizeof NONE[0]))
		return 0;
	return is_in(point, WIDE, sizeof WIDE / sizeof WIDE[0]) ? 2 : 1;
}
