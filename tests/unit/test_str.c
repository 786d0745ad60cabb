/* SPDX-License-Identifier: ISC */
/* Slices of bytes: str.h. */
#include "unit.h"

UNIT(equal_takes_any_byte)
{
	CHECK(str_eq(STR("a\0b"), STR("a\0b")));
	CHECK(!str_eq(STR("a\0b"), STR("a\0c")));
	CHECK(!str_eq(STR("a"), STR("ab")));
	CHECK(str_eq((struct str){ 0 }, STR("")));
}

UNIT(starts_and_ends)
{
	CHECK(str_starts(STR("abc"), STR("ab")));
	CHECK(!str_starts(STR("a"), STR("ab")));
	CHECK(str_starts(STR("a"), (struct str){ 0 }));
	CHECK(str_ends(STR("abc"), STR("bc")));
	CHECK(!str_ends(STR("c"), STR("bc")));
	CHECK(str_ends((struct str){ 0 }, STR("")));
}

UNIT(from_and_head_stop_at_the_ends)
{
	CHECK_STR(str_from(STR("abc"), 1), STR("bc"));
	CHECK_STR(str_from(STR("abc"), 9), STR(""));
	CHECK_STR(str_from((struct str){ 0 }, 1), STR(""));
	CHECK_STR(str_head(STR("abc"), 2), STR("ab"));
	CHECK_STR(str_head(STR("abc"), 9), STR("abc"));
}

UNIT(order_is_by_bytes_then_length)
{
	CHECK(str_cmp(STR("a"), STR("b")) < 0);
	CHECK(str_cmp(STR("a"), STR("a ")) < 0);
	CHECK(str_cmp(STR("\xff"), STR("a")) > 0);
	CHECK(str_cmp(STR("ab"), STR("ab")) == 0);
	CHECK(str_cmp((struct str){ 0 }, STR("")) == 0);
	CHECK(str_cmp((struct str){ 0 }, STR("a")) < 0);
}

UNIT(find_gives_the_length_when_absent)
{
	CHECK_U64(str_find(STR("a;b;c"), ';'), 1);
	CHECK_U64(str_rfind(STR("a;b;c"), ';'), 3);
	CHECK_U64(str_find(STR("abc"), ';'), 3);
	CHECK_U64(str_rfind(STR("abc"), ';'), 3);
	CHECK_U64(str_rfind(STR(";"), ';'), 0);
	CHECK_U64(str_find((struct str){ 0 }, ';'), 0);
}

UNIT(search_finds_the_first)
{
	CHECK_U64(str_search(STR("aab aab"), STR("ab")), 1);
	CHECK_U64(str_search(STR("aaab"), STR("aab")), 1);
	CHECK_U64(str_search(STR("abc"), STR("abcd")), 3);
	CHECK_U64(str_search(STR("abc"), STR("")), 0);
	CHECK_U64(str_search(STR("abc"), STR("c")), 2);
	CHECK_U64(str_search((struct str){ 0 }, STR("c")), 0);
}

/* In long texts, the search looks for the pattern's rarest byte. */
UNIT(search_finds_the_first_in_long_text)
{
	enum { LONG = 8192 };
	static const char *const needles[] = { "Z", "aZ", "Za", "e Z\"", "\"ee", "eee",
		"e" };
	char text[LONG];
	struct str all = { text, LONG }, needle;
	size_t i, at;

	for (i = 0; i < sizeof needles / sizeof *needles; i++) {
		needle = str_of(needles[i]);
		memset(text, ' ', LONG);
		CHECK_U64(str_search(all, needle), LONG);
		for (at = 0; at + needle.n <= LONG; at += LONG / 8 - 1) {
			memset(text, ' ', LONG);
			memcpy(text + at, needle.s, needle.n);
			CHECK_U64(str_search(all, needle), at);
		}
		memset(text, ' ', LONG);
		memcpy(text + LONG - needle.n, needle.s, needle.n);
		CHECK_U64(str_search(all, needle), LONG - needle.n);
		CHECK_U64(str_search(str_head(all, LONG - 1), needle), LONG - 1);
	}
}

UNIT(cut_leaves_the_rest)
{
	struct str rest = STR("a;;b");

	CHECK_STR(str_cut(&rest, ';'), STR("a"));
	CHECK_STR(str_cut(&rest, ';'), STR(""));
	CHECK_STR(rest, STR("b"));
	CHECK_STR(str_cut(&rest, ';'), STR("b"));
	CHECK_STR(rest, STR(""));
	CHECK_STR(str_cut(&rest, ';'), STR(""));
}

UNIT(words_are_between_blanks)
{
	struct str rest = STR(" \ta  b\t");

	CHECK_STR(str_word(&rest), STR("a"));
	CHECK_STR(str_word(&rest), STR("b"));
	CHECK_STR(str_word(&rest), STR(""));
	CHECK_STR(rest, STR(""));
}

UNIT(trim_and_base)
{
	CHECK_STR(str_trim(STR("\r\n a b\t\n")), STR("a b"));
	CHECK_STR(str_trim(STR(" \t ")), STR(""));
	CHECK_STR(str_base(STR("/usr/lib/x.so")), STR("x.so"));
	CHECK_STR(str_base(STR("x.so")), STR("x.so"));
	CHECK_STR(str_base(STR("/usr/")), STR(""));
}

static uint64_t
decimal(const char *text)
{
	uint64_t v = 77;

	return str_to_u64(str_of(text), &v) ? v : 77;
}

static uint64_t
hexadecimal(const char *text)
{
	uint64_t v = 77;

	return str_hex_to_u64(str_of(text), &v) ? v : 77;
}

UNIT(numbers_are_digits_of_64_bits)
{
	CHECK_U64(decimal("0"), 0);
	CHECK_U64(decimal("007"), 7);
	CHECK_U64(decimal("18446744073709551615"), UINT64_MAX);
	CHECK_U64(decimal("18446744073709551616"), 77);
	CHECK_U64(decimal("99999999999999999999"), 77);
	CHECK_U64(decimal(""), 77);
	CHECK_U64(decimal("-1"), 77);
	CHECK_U64(decimal(" 1"), 77);
	CHECK_U64(decimal("1x"), 77);
	CHECK_U64(hexadecimal("fF"), 255);
	CHECK_U64(hexadecimal("ffffffffffffffff"), UINT64_MAX);
	CHECK_U64(hexadecimal("10000000000000000"), 77);
	CHECK_U64(hexadecimal(""), 77);
	CHECK_U64(hexadecimal("0x1"), 77);
	CHECK_U64(hexadecimal("g"), 77);
	CHECK_U64(hexadecimal("@"), 77);
	CHECK_U64(hexadecimal("\x10"), 77);
}

/* Every byte, at every length around the word sizes, counts. */
UNIT(hash_and_digest_see_every_byte)
{
	char text[100];
	struct str_digest d, e;
	size_t n, i;

	memset(text, 'x', sizeof text);
	for (n = 1; n <= sizeof text; n++) {
		struct str s = { text, n };
		uint64_t h = str_hash(s);

		d = str_digest(s);
		CHECK(str_hash(str_head(s, n - 1)) != h);
		for (i = 0; i < n; i++) {
			text[i] ^= 1;
			CHECK(str_hash(s) != h);
			e = str_digest(s);
			CHECK(e.a != d.a && e.b != d.b);
			text[i] ^= 1;
		}
	}
}

/* Zero bytes at the end are bytes too. */
UNIT(hash_and_digest_see_the_length)
{
	static const char zeroes[64];
	struct str_digest last = str_digest((struct str){ 0 }), d;
	size_t n;

	for (n = 1; n <= sizeof zeroes; n++) {
		d = str_digest((struct str){ zeroes, n });
		CHECK(d.a != last.a && d.b != last.b);
		CHECK(str_hash((struct str){ zeroes, n }) !=
			str_hash((struct str){ zeroes, n - 1 }));
		last = d;
	}
}

UNIT(hash_does_not_depend_on_alignment)
{
	char text[80];
	size_t at;
	uint64_t h = str_hash(STR("a name of some length, longer than 32 bytes"));

	for (at = 0; at < 16; at++) {
		memcpy(text + at, "a name of some length, longer than 32 bytes", 43);
		CHECK_U64(str_hash((struct str){ text + at, 43 }), h);
	}
}

/* TEXT as a number of bytes, 77 if invalid. */
static uint64_t
bytes_of_text(const char *text)
{
	uint64_t v = 77;

	return str_to_bytes(str_of(text), &v) ? v : 77;
}

UNIT(numbers_of_bytes)
{
	CHECK_U64(bytes_of_text("12"), 12);
	CHECK_U64(bytes_of_text("3K"), 3072);
	CHECK_U64(bytes_of_text("2G"), UINT64_C(2) << 30);
	CHECK_U64(bytes_of_text("16777215T"), UINT64_C(16777215) << 40);
	CHECK_U64(bytes_of_text("16777216T"), 77);
	CHECK_U64(bytes_of_text(""), 77);
	CHECK_U64(bytes_of_text("M"), 77);
	CHECK_U64(bytes_of_text("2MB"), 77);
	CHECK_U64(bytes_of_text("-1M"), 77);
}

UNIT_MAIN
