/* SPDX-License-Identifier: ISC */
/* Tests of utf8: exactly the well-formed sequences of the Unicode Standard, table 3-7. */
#include "unit.h"
#include "utf8.h"

static uint32_t
point_of(struct str s, size_t *n)
{
	uint32_t point;

	*n = utf8_next(s, &point);
	return point;
}

UNIT(reads_the_first_and_last_of_each_length)
{
	static const struct {
		struct str s;
		uint32_t point;
	} rows[] = {
		{ { "\0", 1 }, 0 },
		{ { "\x7f", 1 }, 0x7f },
		{ { "\xc2\x80", 2 }, 0x80 },
		{ { "\xdf\xbf", 2 }, 0x7ff },
		{ { "\xe0\xa0\x80", 3 }, 0x800 },
		{ { "\xed\x9f\xbf", 3 }, 0xd7ff },
		{ { "\xee\x80\x80", 3 }, 0xe000 },
		{ { "\xef\xbf\xbf", 3 }, 0xffff },
		{ { "\xf0\x90\x80\x80", 4 }, 0x10000 },
		{ { "\xf4\x8f\xbf\xbf", 4 }, 0x10ffff },
	};
	size_t i, n;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_U64(point_of(rows[i].s, &n), rows[i].point);
		CHECK_U64(n, rows[i].s.n);
	}
}

UNIT(malformed_sequences_are_one_byte_each)
{
	static const struct str rows[] = {
		{ "\x80", 1 },		   /* a continuation alone */
		{ "\xc0\x80", 2 },	   /* overlong */
		{ "\xc1\xbf", 2 },	   /* overlong */
		{ "\xe0\x9f\xbf", 3 },	   /* overlong */
		{ "\xed\xa0\x80", 3 },	   /* a surrogate */
		{ "\xf0\x8f\xbf\xbf", 4 }, /* overlong */
		{ "\xf4\x90\x80\x80", 4 }, /* above U+10FFFF */
		{ "\xf5\x80\x80\x80", 4 },
		{ "\xe2\x82", 2 }, /* cut short */
		{ "\xff", 1 },
	};
	size_t i, n;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK(point_of(rows[i], &n) == UTF8_INVALID);
		CHECK_U64(n, 1);
	}
}

UNIT(encoded_characters_read_back)
{
	char bytes[UTF8_LONGEST];
	uint32_t point;
	size_t n;

	for (point = 0; point < 0x110000; point += point < 0x900 ? 1 : 97) {
		if (point >= 0xd800 && point <= 0xdfff)
			continue;
		n = utf8_put(bytes, point);
		CHECK_U64(point_of((struct str){ bytes, n }, &n), point);
	}
	CHECK_U64(n, UTF8_LONGEST);
}

UNIT(controls_and_direction_marks_are_not_visible)
{
	static const uint32_t hidden[] = { 0, '\n', 0x1b, 0x7f, 0x85, 0x9b, 0x9f, 0x61c,
		0x200b, 0x200e, 0x2028, 0x202e, 0x2066, 0x2069, 0xfeff, 0xfff9, 0xfffe,
		0xffff, 0xe0001, UTF8_INVALID };
	static const uint32_t shown[] = { ' ', '~', 0xa0, 0x300, 0x200d, 0x2014, 0x4e2d,
		0xfffd, 0x1f600 };
	size_t i;

	for (i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
		CHECK(!utf8_is_visible(hidden[i]));
	for (i = 0; i < sizeof shown / sizeof shown[0]; i++)
		CHECK(utf8_is_visible(shown[i]));
}

UNIT(columns_are_as_in_a_terminal)
{
	CHECK_U64(utf8_columns('a'), 1);
	CHECK_U64(utf8_columns(0x4e2d), 2); /* a Chinese character */
	CHECK_U64(utf8_columns(0x301), 0);  /* a combining accent */
}

UNIT_MAIN
