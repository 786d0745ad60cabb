/* SPDX-License-Identifier: ISC */
/* A cursor over untrusted bytes: bytes.h. */
#include "bytes.h"
#include "unit.h"

static bool
is_big_endian(void)
{
	const uint16_t one = 1;

	return *(const unsigned char *)&one == 0;
}

/* A little-endian cursor. */
static struct bytes
little(struct str s)
{
	return bytes_of(s, is_big_endian());
}

static struct bytes
big(struct str s)
{
	return bytes_of(s, !is_big_endian());
}

UNIT(numbers_in_both_orders)
{
	struct str s =
		STR("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
	struct bytes b = little(s);

	CHECK_U64(bytes_u8(&b), 1);
	CHECK_U64(bytes_u16(&b), 0x0302);
	CHECK_U64(bytes_u32(&b), 0x07060504);
	CHECK_U64(bytes_u64(&b), 0x0f0e0d0c0b0a0908);
	CHECK(!b.bad && bytes_left(&b) == 0);
	b = big(s);
	CHECK_U64(bytes_u8(&b), 1);
	CHECK_U64(bytes_u16(&b), 0x0203);
	CHECK_U64(bytes_u32(&b), 0x04050607);
	CHECK_U64(bytes_u64(&b), 0x08090a0b0c0d0e0f);
	CHECK(!b.bad && bytes_left(&b) == 0);
}

UNIT(high_bits_are_not_signs)
{
	struct str s = STR("\xff\xff\xff\xff\xff\xff\xff\xff");
	struct bytes b = little(s);

	CHECK_U64(bytes_u8(&b), 0xff);
	CHECK_U64(bytes_u16(&b), 0xffff);
	CHECK_U64(bytes_u32(&b), 0xffffffff);
	b = big(s);
	CHECK_U64(bytes_u64(&b), UINT64_MAX);
}

UNIT(numbers_of_any_size)
{
	struct str s =
		STR("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
	static const unsigned sizes[] = { 0, 3, 5, 9, 16, UINT32_MAX };
	struct bytes b = big(s);

	CHECK_U64(bytes_uint(&b, 1), 1);
	CHECK_U64(bytes_uint(&b, 2), 0x0203);
	CHECK_U64(bytes_uint(&b, 4), 0x04050607);
	CHECK_U64(bytes_uint(&b, 8), 0x08090a0b0c0d0e0f);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		b = big(s);
		CHECK_U64(bytes_uint(&b, sizes[i]), 0);
		CHECK(b.bad && bytes_left(&b) == 0);
	}
}

/* Each reader, on every length that is too short for it. */
UNIT(beyond_the_end_is_zero_and_bad_for_good)
{
	struct str s = STR("\xff\xff\xff\xff\xff\xff\xff");
	struct bytes b;

	for (size_t n = 0; n < 8; n++) {
		b = little(str_head(s, n));
		CHECK_U64(bytes_u64(&b), 0);
		CHECK(b.bad && bytes_left(&b) == 0);
		CHECK_U64(bytes_u8(&b), 0);
		b = little(str_head(s, n));
		CHECK((bytes_u32(&b) == 0) == (n < 4) && b.bad == (n < 4));
		b = little(str_head(s, n));
		CHECK((bytes_u16(&b) == 0) == (n < 2) && b.bad == (n < 2));
		b = little(str_head(s, n));
		CHECK((bytes_u8(&b) == 0) == (n < 1) && b.bad == (n < 1));
		b = little(str_head(s, n));
		CHECK(bytes_take(&b, n + 1).n == 0 && b.bad);
		b = little(str_head(s, n));
		CHECK(bytes_take(&b, UINT64_MAX).n == 0 && b.bad);
		b = little(str_head(s, n));
		bytes_skip(&b, n);
		CHECK(!b.bad && bytes_left(&b) == 0);
	}
}

UNIT(a_part_ends_where_it_says_and_the_rest_follows)
{
	struct str s = STR("\x01\x02\x03\x04\x05");
	struct bytes all = little(s), b = all, part;

	bytes_skip(&b, 1);
	part = bytes_part(&b, 2);
	CHECK(bytes_left(&part) == 2 && bytes_left(&b) == 2);
	CHECK(bytes_peek(&part) == 2 && bytes_peek(&b) == 4);
	CHECK(bytes_between(&all, &part) == 1 && bytes_offset(&b, s) == 3);
	CHECK_STR(bytes_rest(&part), STR("\x02\x03"));
	CHECK_U64(bytes_u32(&part), 0);
	CHECK(part.bad && bytes_left(&part) == 0 && bytes_peek(&part) == -1);
	CHECK(!b.bad && bytes_left(&b) == 2);
	part = bytes_part(&b, 0);
	CHECK(!part.bad && bytes_left(&part) == 0 && !b.bad);
	part = bytes_part(&b, 2);
	CHECK(bytes_left(&part) == 2 && bytes_left(&b) == 0 && !b.bad);
}

/* Neither goes beyond the whole, nor is an end before the beginning accepted. */
UNIT(a_part_that_is_too_long_makes_both_bad)
{
	static const uint64_t more[] = { 4, 255, SIZE_MAX / 2, SIZE_MAX - 1, UINT64_MAX };

	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		struct bytes b = little(STR("\x01\x02\x03")),
			     part = bytes_part(&b, more[i]);

		CHECK(b.bad && bytes_left(&b) == 0);
		CHECK(part.bad && bytes_left(&part) == 0 && bytes_u8(&part) == 0);
		part = bytes_part(&b, 0);
		CHECK(part.bad && bytes_left(&part) == 0);
	}
}

UNIT(a_cut_only_shortens)
{
	struct bytes b = little(STR("\x01\x02\x03"));

	bytes_cut(&b, UINT64_MAX);
	bytes_cut(&b, 3);
	CHECK(bytes_left(&b) == 3);
	bytes_cut(&b, 1);
	bytes_cut(&b, 2);
	CHECK(bytes_left(&b) == 1);
	(void)bytes_u16(&b);
	bytes_cut(&b, 5);
	CHECK(b.bad && bytes_left(&b) == 0);
	b = little((struct str){ 0 });
	bytes_cut(&b, 0);
	CHECK(!b.bad && bytes_left(&b) == 0 && bytes_part(&b, 0).bad == false);
}

UNIT(empty_bytes_hold_no_value)
{
	struct bytes b = little((struct str){ 0 });

	CHECK(bytes_take(&b, 0).n == 0 && !b.bad);
	bytes_skip(&b, 0);
	CHECK(!b.bad);
	CHECK(bytes_cstr(&b).n == 0 && b.bad);
}

UNIT(takes_are_borrowed)
{
	struct str s = STR("abcdef");
	struct bytes b = little(s);

	CHECK_STR(bytes_take(&b, 2), STR("ab"));
	bytes_skip(&b, 1);
	CHECK(bytes_take(&b, 3).s == s.s + 3);
}

UNIT(uleb128)
{
	static const struct {
		struct str in;
		uint64_t value;
	} cases[] = {
		{ { "\x00", 1 }, 0 },
		{ { "\x02", 1 }, 2 },
		{ { "\x7f", 1 }, 127 },
		{ { "\x80\x01", 2 }, 128 },
		{ { "\x82\x01", 2 }, 130 },
		{ { "\xb9\x64", 2 }, 12857 },
		{ { "\x80\x80\x80\x00", 4 }, 0 }, /* padded */
		{ { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 }, UINT64_MAX },
		/* The 65th bit and higher ones are dropped. */
		{ { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10 }, UINT64_MAX },
		{ { "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 12 }, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bytes b = little(cases[i].in);

		CHECK_U64(bytes_uleb(&b), cases[i].value);
		CHECK(!b.bad && bytes_left(&b) == 0);
	}
}

UNIT(sleb128)
{
	static const struct {
		struct str in;
		int64_t value;
	} cases[] = {
		{ { "\x02", 1 }, 2 },
		{ { "\x7e", 1 }, -2 },
		{ { "\xff\x00", 2 }, 127 },
		{ { "\x81\x7f", 2 }, -127 },
		{ { "\x80\x01", 2 }, 128 },
		{ { "\x80\x7f", 2 }, -128 },
		{ { "\xff\xff\x7f", 3 }, -1 }, /* padded */
		{ { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10 }, INT64_MAX },
		{ { "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10 }, INT64_MIN },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bytes b = little(cases[i].in);

		CHECK_U64((uint64_t)bytes_sleb(&b), (uint64_t)cases[i].value);
		CHECK(!b.bad && bytes_left(&b) == 0);
	}
}

UNIT(a_cut_leb128_is_bad)
{
	struct bytes b = little(STR("\x80\x80\x80"));

	(void)bytes_uleb(&b);
	CHECK(b.bad);
	b = little(STR("\xff\xff\xff"));
	(void)bytes_sleb(&b);
	CHECK(b.bad);
	b = little((struct str){ 0 });
	CHECK_U64(bytes_uleb(&b), 0);
	CHECK(b.bad);
}

UNIT(texts_end_with_nul)
{
	struct bytes b = little((struct str){ "ab\0\0cd", 6 });

	CHECK_STR(bytes_cstr(&b), STR("ab"));
	CHECK_STR(bytes_cstr(&b), STR(""));
	CHECK(!b.bad && bytes_left(&b) == 2);
	CHECK_STR(bytes_cstr(&b), STR(""));
	CHECK(b.bad && bytes_left(&b) == 0);
}

UNIT_MAIN
