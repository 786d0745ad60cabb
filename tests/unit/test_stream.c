/* SPDX-License-Identifier: ISC */
/* Records and the header: stream.h. */
#include "stream.h"
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
	size_t at = stream_put_begin(&b, STREAM_FEATURE, 2);

	stream_put_u32(&b, 7);
	CHECK(stream_put_end(&b, at));
	CHECK_U64(b.n, 16);
	CHECK_U64(u32(&b, 0), STREAM_FEATURE);
	CHECK_U64(u16(&b, 4), 2);
	CHECK_U64(u16(&b, 6), 16);
	CHECK_U64(u32(&b, 8), 7);
	CHECK_U64(u32(&b, 12), 0);
	at = stream_put_begin(&b, STREAM_FINISHED_ROUND, 0);
	CHECK(stream_put_end(&b, at));
	CHECK_U64(b.n, 24);
	CHECK_U64(u16(&b, 22), 8);
	buf_release(&b);
}

UNIT(a_record_that_is_too_long_is_removed)
{
	struct buf b = { 0 };
	size_t at, i;

	buf_str(&b, STR("before--"));
	at = stream_put_begin(&b, 1, 0);
	for (i = 0; i < STREAM_MOST / 8; i++)
		stream_put_u64(&b, i);
	CHECK(stream_put_end(&b, at));
	CHECK_U64(u16(&b, 8 + 6), 65528);
	at = stream_put_begin(&b, 1, 0);
	for (i = 0; i <= STREAM_MOST / 8; i++)
		stream_put_u64(&b, i);
	CHECK(!stream_put_end(&b, at));
	CHECK_U64(b.n, 8 + 65528);
	buf_release(&b);
}

UNIT(texts_are_terminated_and_filled_up)
{
	struct buf b = { 0 };

	stream_put_text(&b, STR("seven77"), 8);
	CHECK_STR(buf_view(&b), STR("seven77\0"));
	buf_clear(&b);
	stream_put_text(&b, STR("eight888"), 8);
	CHECK_STR(buf_view(&b), STR("eight888\0\0\0\0\0\0\0\0"));
	buf_release(&b);
}

/* The body of the feature NUMBER in the header B. */
static struct str
feature(const struct buf *b, uint64_t number)
{
	size_t at = 16;
	uint64_t found;

	for (; at + 16 <= b->n && u16(b, at + 6); at += u16(b, at + 6)) {
		memcpy(&found, b->s + at + 8, sizeof found);
		if (u32(b, at) == STREAM_FEATURE && found == number)
			return (struct str){ b->s + at + 16, u16(b, at + 6) - 16u };
	}
	return STR("");
}

/* A 32-bit length, then the text, terminated and padded to a multiple of 64. */
UNIT(strings_of_features_have_their_length)
{
	static const char *const argv[] = { "vm", "", NULL };
	struct perf_event_attr attr = { .size = 64 };
	struct stream_event event = { .attr = &attr, .name = STR("cycles") };
	struct stream_header h = { &event, 1, argv, 2 };
	struct buf b = { 0 }, body = { 0 };

	stream_put_header(&b, &h);
	buf_str(&body, feature(&b, 11));
	CHECK_U64(body.n, 4 + 2 * (4 + 64) + 4);
	if (body.n > 72) {
		CHECK_U64(u32(&body, 0), 2);
		CHECK_U64(u32(&body, 4), 64);
		CHECK_STR(str_of(body.s + 8), STR("vm"));
		CHECK_U64(u32(&body, 72), 64);
	}
	buf_release(&b);
	buf_release(&body);
}

/* Clock data: a version, the clock, wall-clock time and the time of that clock. */
UNIT(a_recording_with_a_clock_says_when_it_began)
{
	struct perf_event_attr attr = { .size = 64, .use_clockid = 1 };
	struct stream_event event = { .attr = &attr, .name = STR("cycles") };
	struct stream_header h = { &event, 1, NULL, 0 };
	struct buf b = { 0 }, body = { 0 };
	uint64_t day = 0;

	stream_put_header(&b, &h);
	buf_str(&body, feature(&b, 29));
	CHECK_U64(body.n, 24);
	if (body.n == 24) {
		CHECK_U64(u32(&body, 0), 1);
		CHECK_U64(u32(&body, 4), 1); /* CLOCK_MONOTONIC */
		memcpy(&day, body.s + 8, sizeof day);
		CHECK(day > UINT64_C(1700000000000000000));
	}
	buf_release(&b);
	buf_release(&body);
	attr.use_clockid = 0;
	stream_put_header(&b, &h);
	CHECK_U64(feature(&b, 29).n, 0);
	buf_release(&b);
}

UNIT_MAIN
