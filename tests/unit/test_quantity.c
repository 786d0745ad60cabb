/* SPDX-License-Identifier: ISC */
/* Tests of quantity: units of time and size, and of other counts. */
#include "unit.h"
#include "stacks/quantity.h"

/* A value of 1 of UNIT, in the unit NAME; 0 if UNIT is of another kind. */
static uint64_t
times(struct str unit, struct str name)
{
	struct quantity q = quantity_of(STR("alloc_x"), unit);

	return str_eq(q.unit, name) ? q.times : 0;
}

UNIT(times_become_ns)
{
	static const char *const seconds[] = { "s", "sec", "second", "seconds",
		"Seconds" };
	size_t i;

	for (i = 0; i < sizeof seconds / sizeof *seconds; i++)
		CHECK_U64(times(str_of(seconds[i]), STR("ns")), 1000000000);
	CHECK_U64(times(STR("ns"), STR("ns")), 1);
	CHECK_U64(times(STR("nanoseconds"), STR("ns")), 1);
	CHECK_U64(times(STR("us"), STR("ns")), 1000);
	CHECK_U64(times(STR("\xc2\xb5s"), STR("ns")), 1000);
	CHECK_U64(times(STR("\xce\xbcs"), STR("ns")), 1000);
	CHECK_U64(times(STR("ms"), STR("ns")), 1000000);
	CHECK_U64(times(STR("hours"), STR("ns")), UINT64_C(3600000000000));
	/* Not units of time. */
	CHECK_U64(times(STR("m"), STR("m")), 1);
	CHECK_U64(times(STR("n"), STR("n")), 1);
}

UNIT(sizes_become_bytes)
{
	CHECK_U64(times(STR("bytes"), STR("bytes")), 1);
	CHECK_U64(times(STR("kB"), STR("bytes")), 1024);
	CHECK_U64(times(STR("megabytes"), STR("bytes")), 1 << 20);
}

UNIT(counts_have_the_unit_of_the_type)
{
	CHECK(quantity_of(STR("samples"), STR("count")).is_samples);
	CHECK(!quantity_of(STR("samples"), STR("count")).unit.n);
	CHECK_STR(quantity_of(STR("alloc_objects"), STR("count")).unit, STR("objects"));
	CHECK_STR(quantity_of(STR("contentions"), STR("count")).unit, STR("contentions"));
	CHECK_STR(quantity_of(STR("x_"), STR("count")).unit, STR("x_"));
	CHECK_STR(quantity_of(STR("cycles"), STR("cycles")).unit, STR("cycles"));
	CHECK(!quantity_of(STR(""), STR("")).unit.n);
}

UNIT(values_that_overflow_64_bits_are_refused)
{
	struct quantity q = { .times = 1000 };
	int64_t v;

	CHECK(quantity_scale(&q, -5, &v) && v == -5000);
	CHECK(!quantity_scale(&q, INT64_MAX / 999, &v));
	CHECK(!quantity_scale(&q, INT64_MIN, &v));
}

UNIT_MAIN
