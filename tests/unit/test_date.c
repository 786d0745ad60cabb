/* SPDX-License-Identifier: ISC */
#include "date.h"
#include "unit.h"

/* The time that TEXT begins with, as it is put, and what is left of TEXT; the same is kept in B. */
static struct str
cut(struct buf *b, const char *text)
{
	struct str rest = str_of(text);
	uint64_t ns;
	bool zoned;

	buf_clear(b);
	if (!date_cut(&rest, &ns, &zoned)) {
		CHECK(rest.s == text);
		return STR("none");
	}
	date_put(b, ns, zoned);
	buf_fmt(b, "|%u|", (unsigned)(ns % 1000000000));
	buf_str(b, rest);
	return buf_view(b);
}

UNIT(dates_are_read_in_many_layouts)
{
	static const struct {
		const char *text, *read;
	} all[] = { { "2026-11-23T05:20:01Z", "2026-11-23T05:20:01Z|0|" },
		{ "2026-11-23 05:20:01.5", "2026-11-23T05:20:01|500000000|" },
		{ "2026/11/23 at 05:20:01:9", "2026-11-23T05:20:01|0|:9" },
		{ "2026-11-23 05:20:01.123456789 +0130 UTC",
			"2026-11-23T03:50:01Z|123456789| UTC" },
		{ "2019-07-04 10:21:28,3 -0600", "2019-07-04T16:21:28Z|300000000|" },
		{ "2026-12-31T23:30:00-01:00 x", "2027-01-01T00:30:00Z|0| x" },
		{ "2026-01-01T00:30:00+01", "2025-12-31T23:30:00Z|0|" },
		{ "2000-02-29T00:00:00", "2000-02-29T00:00:00|0|" },
		{ "Tue Mar  3 05:20:01 2026", "2026-03-03T05:20:01|0|" },
		{ "Sat Nov 21 03:38 2026 Time", "2026-11-21T03:38:00|0| Time" },
		{ "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z|0|" },
		{ "2500-12-31T23:59:60Z", "2501-01-01T00:00:00Z|0|" } };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		CHECK_STR(cut(&b, all[i].text), str_of(all[i].read));
	buf_release(&b);
}

UNIT(what_is_no_date_is_refused)
{
	static const char *const all[] = { "", "x", "2026", "2026-11-23",
		"2026-13-01T00:00:00", "2026-00-01T00:00:00", "2026-11-31T00:00:00",
		"2026-11-00T00:00:00", "2100-02-29T00:00:00", "1969-12-31T23:59:59Z",
		"2501-01-01T00:00:00Z", "1970-01-01T00:30:00+01:00",
		"2026-11-23T24:00:00", "2026-11-23T23:60:00", "2026-11-23T23:59:61",
		"2026-11-23T5:20:01", "Mon Foo 23 05:20:00 2026",
		"Mon anF 23 05:20:00 2026", "Mon No", "Mon Nov 23 05:20:00",
		"Monday Nov 23 05:20:00 2026" };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		CHECK_STR(cut(&b, all[i]), STR("none"));
	buf_release(&b);
}

UNIT(days_are_those_of_the_calendar)
{
	/* A day after the other, across leap years and centuries. */
	static const uint64_t of_month[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	uint64_t parts[6] = { 1970, 1, 1, 0, 0, 0 }, ns, day = 0, most;

	for (; parts[0] <= 2500; parts[0]++)
		for (parts[1] = 1; parts[1] <= 12; parts[1]++) {
			most = of_month[parts[1] - 1];
			if (parts[1] == 2 && parts[0] % 4 == 0 &&
				(parts[0] % 100 || parts[0] % 400 == 0))
				most++;
			for (parts[2] = 1; parts[2] <= most; parts[2]++) {
				CHECK(date_of(parts, &ns));
				CHECK_U64(ns, day++ * UINT64_C(86400000000000));
			}
			CHECK(!date_of(parts, &ns));
		}
	parts[0] = UINT64_MAX;
	parts[1] = parts[2] = 1;
	CHECK(!date_of(parts, &ns));
	parts[0] = 2026;
	parts[2] = UINT64_MAX;
	CHECK(!date_of(parts, &ns));
}

UNIT(clocks_are_read_without_a_date)
{
	struct str text = STR("07:46:08.829 x");
	uint64_t ns;

	CHECK(date_cut_clock(&text, &ns));
	CHECK_U64(ns, UINT64_C(27968829000000));
	CHECK_STR(text, STR(" x"));
	CHECK(!date_cut_clock(&text, &ns));
}

UNIT_MAIN
