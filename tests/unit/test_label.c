/* SPDX-License-Identifier: ISC */
/* Tests of label and units: names and numbers for display. */
#include "unit.h"
#include "units.h"
#include "label.h"
#include "utf8.h"

static struct buf got;

static struct str
fit(struct str text, size_t columns)
{
	buf_clear(&got);
	label_fit(&got, text, columns);
	return buf_view(&got);
}

#define DOTS "\xe2\x80\xa6"

UNIT(short_names_are_whole)
{
	CHECK_STR(fit(STR("main"), 4), STR("main"));
	CHECK_STR(fit(STR("caf\xc3\xa9"), 4), STR("caf\xc3\xa9"));
	CHECK_STR(fit(STR("x"), 3), STR("x"));
}

UNIT(long_names_keep_both_ends)
{
	CHECK_STR(fit(STR("abcdefghij"), 9), STR("abcd" DOTS "ghij"));
	CHECK_STR(fit(STR("abcdefghij"), 8), STR("abcd" DOTS "hij"));
	CHECK_STR(fit(STR("abcdefghij"), 3), STR("a" DOTS "j"));
}

UNIT(two_columns_are_too_few)
{
	CHECK_STR(fit(STR("abcdefghij"), 2), STR(""));
	CHECK_STR(fit(STR("a"), 2), STR(""));
}

UNIT(characters_are_never_cut)
{
	CHECK_STR(fit(STR("\xc3\xa9\xc3\xa8\xc3\xa9\xc3\xa8\xc3\xa9"), 3),
		STR("\xc3\xa9" DOTS "\xc3\xa9"));
	/* characters two columns wide, of which one does not fit in three */
	CHECK_STR(fit(STR("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97"), 6),
		STR("\xe6\xbc\xa2" DOTS "\xe5\xad\x97"));
	CHECK_STR(fit(STR("\xff\xff\xff\xff\xff"), 3), STR("\xff" DOTS "\xff"));
}

UNIT(another_mark_may_stand_for_the_middle)
{
	buf_clear(&got);
	label_cut(&got, STR("abcdefghij"), 8, STR(".."));
	CHECK_STR(buf_view(&got), STR("abc..hij"));
}

static struct str
name_in(struct str name, size_t columns)
{
	buf_clear(&got);
	label_fit_name(&got, name, columns, true);
	return buf_view(&got);
}

UNIT(names_are_shortened_before_they_are_cut)
{
	const struct str tree = STR(
		"std::_Rb_tree<int, std::less<int> >::insert(pair<int, int>&&) const");

	CHECK_STR(name_in(tree, 100), tree);
	CHECK_STR(name_in(tree, 50), STR("std::_Rb_tree<..>::insert(pair<..>&&) const"));
	CHECK_STR(name_in(tree, 30), STR("std::_Rb_tree<..>::insert"));
	CHECK_STR(name_in(tree, 22), STR("_Rb_tree<..>::insert"));
	CHECK_STR(name_in(tree, 7), STR("insert"));
	CHECK_STR(name_in(tree, 5), STR("inse" DOTS));
	CHECK_STR(name_in(STR("io/netty/nio/NioEventLoop.read"), 20),
		STR("NioEventLoop.read"));
	CHECK_STR(name_in(STR("io/netty/nio/NioEventLoop.read"), 6), STR("read"));
	CHECK_STR(name_in(STR("/usr/lib/python3.11/json/decoder.py:raw_decode"), 30),
		STR("decoder.py:raw_decode"));
	CHECK_STR(name_in(STR("expand_body.constprop.0.cold"), 12), STR("expand_body"));
	CHECK_STR(name_in(STR("a.b.c_long"), 8), STR("b.c_long"));
	CHECK_STR(name_in(STR("<Vec<T> as Drop>::drop"), 12), STR("<..>::drop"));
}

UNIT(malformed_names_are_cut_as_they_are)
{
	CHECK_STR(name_in(STR("operator<<(a)"), 10), STR("operator<<"));
	CHECK_STR(name_in(STR("<module> of it"), 9), STR("<module>" DOTS));
	CHECK_STR(name_in(STR("a<b<c>::d_long"), 8), STR("d_long"));
	CHECK_STR(name_in(STR("(anonymous)(x"), 8), STR("(anonym" DOTS));
	CHECK_STR(name_in(STR(")))))))))"), 5), STR("))))" DOTS));
	CHECK_STR(name_in(STR("(a b c d)"), 5), STR("(a b" DOTS));
	CHECK_STR(name_in(STR(".cold.part.1"), 6), STR(".cold" DOTS));
	CHECK_STR(name_in(STR("a / b / c / d"), 6), STR("a / b" DOTS));
}

static struct str
amount(uint64_t value, unsigned scale, double factor, struct str unit)
{
	buf_clear(&got);
	units_put(&got, value, scale, factor, unit);
	return buf_view(&got);
}

UNIT(counts_are_exact_and_grouped)
{
	CHECK_STR(amount(0, 0, 1, STR("samples")), STR("0 samples"));
	CHECK_STR(amount(999, 0, 1, STR("x")), STR("999 x"));
	CHECK_STR(amount(1000, 0, 1, STR("x")), STR("1,000 x"));
	CHECK_STR(amount(UINT64_MAX, 0, 1, STR("cycles")),
		STR("18,446,744,073,709,551,615 cycles"));
	CHECK_STR(amount(123456789, 3, 1, STR("x")), STR("123,456.789 x"));
	CHECK_STR(amount(1001, 0, 0.5, STR("x")), STR("500.5 x"));
}

UNIT(times_and_bytes_have_the_unit_that_suits)
{
	CHECK_STR(amount(1234567890, 0, 1, STR("ns")), STR("1.235 s"));
	CHECK_STR(amount(12345, 0, 1, STR("us")), STR("12.35 ms"));
	CHECK_STR(amount(999, 0, 1, STR("ns")), STR("999 ns"));
	CHECK_STR(amount(90, 0, 1, STR("s")), STR("90 s"));
	CHECK_STR(amount(3 * 1048576 / 2, 0, 1, STR("bytes")), STR("1.5 MiB"));
	CHECK_STR(amount(0, 0, 1, STR("ns")), STR("0 ns"));
}

UNIT(the_end_goes_when_asked)
{
	struct buf b = { 0 };

	label_fit_right(&b, STR("abcdefgh"), 5);
	CHECK_STR(buf_view(&b), STR("abcd\xe2\x80\xa6"));
	buf_clear(&b);
	label_fit_right(&b, STR("abcde"), 5);
	CHECK_STR(buf_view(&b), STR("abcde"));
	buf_clear(&b);
	/* a combining mark at the end takes no column, but is removed, too */
	label_fit_right(&b, STR("abcdefe\xcc\x81"), 4);
	CHECK_STR(buf_view(&b), STR("abc\xe2\x80\xa6"));
	buf_release(&b);
}

UNIT(marks_alone_are_cut_too)
{
	struct buf name = { 0 }, b = { 0 };
	struct str rest;
	uint32_t point;
	int i;

	for (i = 0; i < 100000; i++)
		buf_str(&name, STR("\xcc\x81"));
	label_fit(&b, buf_view(&name), 10);
	CHECK(b.n <= LABEL_BYTES + 3);
	for (rest = buf_view(&b); rest.n;
		rest = str_from(rest, utf8_next(rest, &point))) {
		utf8_next(rest, &point);
		CHECK(point == 0x301 || point == 0x2026);
	}
	buf_release(&name);
	buf_release(&b);
}

UNIT_MAIN
