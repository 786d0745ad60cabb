/* SPDX-License-Identifier: ISC */
/* Records put together: record-put.h. */
#include "record-put.h"
#include "unit.h"

static uint16_t
u16(const struct buf *b, size_t at)
{
	uint16_t v;

	memcpy(&v, b->s + at, sizeof v);
	return v;
}

static uint32_t
u32(const struct buf *b, size_t at)
{
	uint32_t v;

	memcpy(&v, b->s + at, sizeof v);
	return v;
}

UNIT(a_record_is_padded_to_8_bytes_and_knows_its_size)
{
	struct buf b = { 0 };
	size_t at = record_put_begin(&b, RECORD_PUT_FEATURE, 2);

	record_put_u32(&b, 7);
	CHECK(record_put_end(&b, at));
	CHECK_U64(b.n, 16);
	CHECK_U64(u32(&b, 0), RECORD_PUT_FEATURE);
	CHECK_U64(u16(&b, 4), 2);
	CHECK_U64(u16(&b, 6), 16);
	CHECK_U64(u32(&b, 8), 7);
	CHECK_U64(u32(&b, 12), 0);
	at = record_put_begin(&b, RECORD_PUT_FINISHED_ROUND, 0);
	CHECK(record_put_end(&b, at));
	CHECK_U64(b.n, 24);
	CHECK_U64(u16(&b, 22), 8);
	buf_release(&b);
}

UNIT(a_record_that_is_too_long_is_taken_out)
{
	struct buf b = { 0 };
	size_t at, i;

	buf_str(&b, STR("before--"));
	at = record_put_begin(&b, 1, 0);
	for (i = 0; i < RECORD_PUT_MOST / 8; i++)
		record_put_u64(&b, i);
	CHECK(record_put_end(&b, at));
	CHECK_U64(u16(&b, 8 + 6), 65528);
	at = record_put_begin(&b, 1, 0);
	for (i = 0; i <= RECORD_PUT_MOST / 8; i++)
		record_put_u64(&b, i);
	CHECK(!record_put_end(&b, at));
	CHECK_U64(b.n, 8 + 65528);
	buf_release(&b);
}

UNIT(texts_are_terminated_and_filled_up)
{
	struct buf b = { 0 };

	record_put_text(&b, STR("seven77"), 8);
	CHECK_STR(buf_view(&b), STR("seven77\0"));
	buf_clear(&b);
	record_put_text(&b, STR("eight888"), 8);
	CHECK_STR(buf_view(&b), STR("eight888\0\0\0\0\0\0\0\0"));
	buf_clear(&b);
	record_put_string(&b, STR("vm"));
	CHECK_U64(b.n, 4 + 64);
	CHECK_U64(u32(&b, 0), 64);
	buf_clear(&b);
	record_put_string(&b, (struct str){ 0 });
	CHECK_U64(u32(&b, 0), 64);
	buf_release(&b);
}

UNIT_MAIN
