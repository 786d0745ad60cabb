/* SPDX-License-Identifier: ISC */
/* Tests of quality: the header key for the quality of stacks. */
#include "unit.h"
#include "quality.h"

static struct str
put(struct buf *b, const uint64_t w[QUALITY_KINDS], uint64_t total)
{
	struct quality q = quality_of(w, total);

	buf_clear(b);
	quality_put(b, &q, total);
	return buf_view(b);
}

UNIT(shares_of_the_weight_are_written)
{
	const uint64_t w[QUALITY_KINDS] = { 97, 2, 1, 0, 3 };
	const uint64_t flat[QUALITY_KINDS] = { 0, 0, 0, 7, 0 };
	struct buf b = { 0 };

	CHECK_STR(put(&b, w, 100), STR("entry:0.97,cut:0.02,broken:0.01,unnamed:0.03"));
	CHECK_STR(put(&b, flat, 7), STR("entry:0,cut:0,broken:0,absent:1,unnamed:0"));
	buf_release(&b);
}

UNIT(the_weight_behind_a_share_can_be_recovered)
{
	const uint64_t total = 1234567890123,
		       w[QUALITY_KINDS] = { 987654321987, 1, 0, 0, 2 };
	struct buf b = { 0 };
	struct quality q;

	CHECK(quality_read(&q, put(&b, w, total)));
	CHECK_U64((uint64_t)(q.share[QUALITY_ENTRY] * (double)total + 0.5),
		w[QUALITY_ENTRY]);
	CHECK_U64((uint64_t)(q.share[QUALITY_CUT] * (double)total + 0.5), 1);
	CHECK_U64((uint64_t)(q.share[QUALITY_UNNAMED] * (double)total + 0.5), 2);
	buf_release(&b);
}

UNIT(unknown_words_are_skipped)
{
	struct quality q;

	CHECK(quality_read(&q, STR("entry:0.5,later:0.25,cut:0.5")));
	CHECK(q.share[QUALITY_ENTRY] == 0.5 && q.share[QUALITY_CUT] == 0.5);
	CHECK(q.share[QUALITY_UNNAMED] == 0);
}

UNIT(damaged_values_are_refused)
{
	static const char *const values[] = { "", "cut:0.5", "entry", "entry:", "entry:x",
		"entry:1.5", "entry:-0.5", "entry:inf", "entry:nan", "entry:1e9",
		"entry:0.5.5", "entry:0.00000000000000000000000001", "entry:0.5,cut:2" };
	struct quality q;
	size_t i;

	for (i = 0; i < sizeof values / sizeof *values; i++) {
		CHECK(!quality_read(&q, str_of(values[i])));
		CHECK(q.share[QUALITY_ENTRY] == 0);
	}
}

UNIT(no_share_exceeds_1_or_is_of_nothing)
{
	const uint64_t w[QUALITY_KINDS] = { 8, 0, 0, 0, 1 };
	struct buf b = { 0 };

	CHECK_STR(put(&b, w, 7), STR("entry:1,cut:0,broken:0,unnamed:0.14"));
	CHECK_STR(put(&b, w, 0), STR("entry:0,cut:0,broken:0,unnamed:0"));
	buf_release(&b);
}

UNIT(text_shows_shares_above_0)
{
	struct quality q = { { 0.997, 0.02, 0.004, 0, 0 } };
	struct buf b = { 0 };

	quality_put_words(&b, &q);
	CHECK_STR(buf_view(&b), STR("99 % whole stacks, 2 % truncated"));
	q = (struct quality){ { 1 } };
	buf_clear(&b);
	quality_put_words(&b, &q);
	CHECK_STR(buf_view(&b), STR("100 % whole stacks"));
	buf_release(&b);
}

UNIT(a_tenth_of_the_stacks_or_a_fifth_of_the_names_is_poor)
{
	struct quality q = { { 0.95, 0.05, 0, 0, 0.1 } };

	CHECK(!quality_is_poor(&q));
	q.share[QUALITY_ENTRY] = 0.85;
	CHECK(quality_is_poor_in_stacks(&q) && !quality_is_poor_in_names(&q));
	q = (struct quality){ { 1, 0, 0, 0, 0.25 } };
	CHECK(!quality_is_poor_in_stacks(&q) && quality_is_poor_in_names(&q));
	CHECK(quality_is_poor(&q));
}

UNIT(sums_do_not_depend_on_grouping)
{
	struct quality a = { { 1.0 / 3, 1 } }, b = { { 0.5 } }, c = { { 0.875 } },
		       left = a, right = b;

	quality_add(&left, 3, &b, 10);
	quality_add(&left, 13, &c, 8);
	quality_add(&right, 10, &c, 8);
	quality_add(&a, 3, &right, 18);
	CHECK(left.share[QUALITY_ENTRY] == a.share[QUALITY_ENTRY]);
	CHECK(left.share[QUALITY_ENTRY] == 13.0L / 21);
	left = (struct quality){ { 1 } };
	quality_add(&left, UINT64_MAX, &left, UINT64_MAX);
	CHECK(left.share[QUALITY_ENTRY] == 1);
	quality_add(&left, 0, &left, 0);
	CHECK(left.share[QUALITY_ENTRY] == 1);
}

UNIT_MAIN
