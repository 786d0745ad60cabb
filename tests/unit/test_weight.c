/* SPDX-License-Identifier: ISC */
/* Tests of weight: exact sums and shares. */
#include "weight.h"
#include "unit.h"

static struct weight
weight(const char *text)
{
	struct weight w = { 0 };
	bool rounded = false;

	CHECK(weight_read(str_of(text), &w, &rounded) && !rounded);
	return w;
}

static void
check_text(struct weight w, struct str text)
{
	struct buf b = { 0 };

	weight_put(&b, w);
	CHECK_STR(buf_view(&b), text);
	buf_release(&b);
}

UNIT(weights_are_written_as_they_were_read)
{
	check_text(weight("0"), STR("0"));
	check_text(weight("007.50"), STR("7.5"));
	check_text(weight(".000000001"), STR("0.000000001"));
	check_text(weight("18446744073709551615.999999999"),
		STR("18446744073709551615.999999999"));
	check_text(weight_of(1234, 2), STR("12.34"));
	check_text(weight_of(UINT64_MAX, 9), STR("18446744073.709551615"));
}

UNIT(the_tenth_decimal_rounds_the_ninth)
{
	struct weight w = { 0 };
	bool rounded = false;

	CHECK(weight_read(STR("0.9999999995"), &w, &rounded) && rounded);
	check_text(w, STR("1"));
	rounded = false;
	CHECK(weight_read(STR("0.00000000049"), &w, &rounded) && rounded);
	check_text(w, STR("0"));
	rounded = false;
	CHECK(weight_read(STR("0.1230000000000"), &w, &rounded) && !rounded);
	CHECK(!weight_read(STR("18446744073709551615.9999999995"), &w, &rounded));
	CHECK(!weight_read(STR("18446744073709551616"), &w, &rounded));
	CHECK(!weight_read(STR("."), &w, &rounded));
	CHECK(!weight_read(STR("1.2.3"), &w, &rounded));
	CHECK(!weight_read(STR("-1"), &w, &rounded));
}

UNIT(sums_are_exact_or_refused)
{
	struct weight w = weight("0.999999999");

	CHECK(weight_add(&w, weight("0.000000001")));
	check_text(w, STR("1"));
	w = weight("18446744073709551615.5");
	CHECK(!weight_add(&w, weight("0.5")));
	CHECK(!weight_add(&w, weight("1")));
	check_text(w, STR("18446744073709551615.5"));
	CHECK(weight_add(&w, weight("0.4")));
}

UNIT(differences_end_at_zero)
{
	check_text(weight_minus(weight("3.25"), weight("1.5")), STR("1.75"));
	check_text(weight_minus(weight("3.25"), weight("3.5")), STR("0"));
	CHECK(weight_cmp(weight("2"), weight("2.000")) == 0);
	CHECK(weight_cmp(weight("2.1"), weight("2.11")) < 0);
	CHECK(weight_cmp(weight("3"), weight("2.11")) > 0);
}

UNIT(shares_are_rounded_half_up_and_some_while_something_is_left)
{
	CHECK_U64(weight_share(10, weight("1"), weight("4")), 3);
	CHECK_U64(weight_share(10, weight("0"), weight("4")), 0);
	CHECK_U64(weight_share(10, weight("0.000000001"), weight("18446744073709551615")),
		1);
	CHECK_U64(weight_share(0, weight("1"), weight("4")), 0);
	CHECK_U64(weight_share(7, weight("2.5"), weight("2.5")), 7);
	CHECK_U64(weight_share(UINT64_MAX, weight("2"), weight("2")), UINT64_MAX);
	CHECK_U64(weight_share(UINT64_MAX, weight("1"), weight("3")), UINT64_MAX / 3);
	CHECK_U64(weight_share(UINT64_MAX, weight("3"), weight("2")), UINT64_MAX);
	CHECK_U64(weight_share(3, weight("6"), weight("2")), 9);
}

UNIT(products_are_exact)
{
	uint64_t r;

	CHECK(weight_times(7, 3, 2, &r) && r == 11);
	CHECK(weight_times(UINT64_MAX, UINT64_MAX, UINT64_MAX, &r) && r == UINT64_MAX);
	CHECK(weight_times(UINT64_MAX, 3, 7, &r) && r == 7905747460161236406);
	CHECK(weight_times(3, 1, 2, &r) && r == 2);
	CHECK(weight_times(4, 1, 3, &r) && r == 1);
	CHECK(weight_times(1u << 31, UINT64_C(1) << 62, UINT64_C(1) << 30, &r) &&
		r == UINT64_C(1) << 63);
	CHECK(!weight_times(UINT64_MAX, 2, 1, &r));
	CHECK(!weight_times(1, 1, 0, &r));
	CHECK(weight_times(0, 5, 9, &r) && r == 0);
}

UNIT_MAIN
