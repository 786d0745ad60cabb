/* SPDX-License-Identifier: ISC */
/* Shortening stack copies: snapshot.h. */
#include "snapshot.h"
#include "bytes.h"
#include "unit.h"

enum { RING = 4096, REGS = 3 };

static const uint64_t basic = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
	PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

static struct perf_event_attr
copying(uint64_t more, uint64_t format)
{
	return (struct perf_event_attr){ .sample_type = basic | PERF_SAMPLE_CALLCHAIN |
			PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | more,
		.read_format = format,
		.sample_regs_user = 7,
		.sample_stack_user = 64 };
}

/* A sample to make. */
struct shape {
	uint64_t id, chain, abi;
	uint64_t read[8]; /* words of READ */
	size_t read_n;
	uint64_t size, copied;
};

static void
put_word(struct buf *b, uint64_t word)
{
	buf_str(b, (struct str){ (const char *)&word, sizeof word });
}

/* The sample of S with SIZE for its stack copy; behind what was copied is OLD. */
static struct str
make(struct buf *b, const struct shape *s, uint64_t size, char old)
{
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .misc = 2 };
	uint64_t i;

	buf_clear(b);
	buf_str(b, (struct str){ (const char *)&h, sizeof h });
	put_word(b, s->id);
	for (i = 0; i < 5; i++)
		put_word(b, 100 + i);
	for (i = 0; i < s->read_n; i++)
		put_word(b, s->read[i]);
	put_word(b, s->chain);
	for (i = 0; i < s->chain; i++)
		put_word(b, 200 + i);
	put_word(b, s->abi);
	for (i = 0; i < REGS && s->abi; i++)
		put_word(b, 300 + i);
	put_word(b, size);
	for (i = 0; i < size; i++)
		buf_char(b, i < s->copied ? 'c' : old);
	if (size)
		put_word(b, s->copied);
	h.size = (uint16_t)b->n;
	memcpy(b->s, &h, sizeof h);
	return buf_view(b);
}

/* R as it comes out when it lies in a ring that ends AT bytes behind its beginning. */
static struct str
pass(struct snapshots *s, struct str r, size_t at, struct buf *out)
{
	static char ring[RING];
	struct ring_content c = { { { ring + RING - at, at }, { ring, r.n - at } } };
	struct ring_record record;

	memset(ring, 'y', sizeof ring);
	memcpy(ring + RING - at, r.s, at);
	memcpy(ring, r.s + at, r.n - at);
	buf_clear(out);
	record.at = record.h.size = 0;
	if (ring_next(&c, &record))
		snapshot_put(s, &c, &record, out);
	return buf_view(out);
}

/* S comes out with SIZE for its stack copy, wherever the ring ends; 0: as it is. */
static void
check(struct snapshots *s, const struct shape *shape, uint64_t size)
{
	struct buf in = { 0 }, want = { 0 }, out = { 0 };
	struct str r = make(&in, shape, shape->size, 'x');
	size_t at;

	make(&want, shape, size ? size : shape->size, size ? 0 : 'x');
	for (at = 8; at <= r.n; at += 8)
		CHECK_STR(pass(s, r, at, &out), buf_view(&want));
	buf_release(&in);
	buf_release(&want);
	buf_release(&out);
}

UNIT(only_what_was_copied_is_kept)
{
	struct perf_event_attr a = copying(0, 0);
	struct shape s = { .id = 7, .chain = 4, .abi = 2, .size = 64 };
	struct snapshots all = { 0 };

	snapshot_add(&all, &a, 7);
	for (s.copied = 0; s.copied < 64; s.copied++)
		check(&all, &s, s.copied / 8 * 8 + 8);
	CHECK(all.copies > 64 && all.full == 0);
	snapshot_release(&all);
}

UNIT(full_copies_stay_full_and_are_counted)
{
	struct perf_event_attr a = copying(0, 0);
	struct shape s = { .id = 7, .chain = 0, .abi = 2, .size = 64, .copied = 64 };
	struct snapshots all = { 0 };

	snapshot_add(&all, &a, 7);
	check(&all, &s, 64);
	CHECK(all.full > 0 && all.full == all.copies);
	snapshot_release(&all);
}

UNIT(threads_without_user_memory_have_no_copy)
{
	struct perf_event_attr a = copying(0, 0);
	struct shape s = { .id = 7, .chain = 3, .abi = 0, .size = 0 };
	struct snapshots all = { 0 };

	snapshot_add(&all, &a, 7);
	check(&all, &s, 0);
	CHECK_U64(all.copies, 0);
	snapshot_release(&all);
}

UNIT(events_are_told_apart_by_their_ids)
{
	enum {
		FORMAT = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			PERF_FORMAT_ID
	};
	struct perf_event_attr plain = copying(0, FORMAT);
	struct perf_event_attr group =
		copying(PERF_SAMPLE_READ, FORMAT | PERF_FORMAT_GROUP);
	struct perf_event_attr one = copying(PERF_SAMPLE_READ, FORMAT);
	struct shape s = { .id = 30, .chain = 1, .abi = 2, .size = 64, .copied = 9 };
	struct snapshots all = { 0 };

	snapshot_add(&all, &group, 30);
	snapshot_add(&all, &plain, 10);
	snapshot_add(&all, &one, 20);
	s.read_n = 7;
	memcpy(s.read, (uint64_t[]){ 2, 50, 51, 1000, 30, 2000, 31 }, 7 * 8);
	check(&all, &s, 16);
	s.id = 20;
	s.read_n = 4;
	check(&all, &s, 16);
	s.id = 10;
	s.read_n = 0;
	check(&all, &s, 16);
	s.id = 40; /* unknown: as it is */
	check(&all, &s, 0);
	snapshot_release(&all);
}

UNIT(events_without_copies_pass_as_they_are)
{
	struct perf_event_attr none = { .sample_type = basic };
	struct perf_event_attr raw = copying(PERF_SAMPLE_RAW, 0);
	struct shape s = { .id = 7, .chain = 1, .abi = 2, .size = 64, .copied = 9 };
	struct snapshots all = { 0 };

	snapshot_add(&all, &none, 7);
	snapshot_add(&all, &raw, 7);
	CHECK_U64(all.n, 0);
	check(&all, &s, 0);
	snapshot_release(&all);
}

/* No kernel makes them; nothing is read beyond the record. */
UNIT(samples_that_make_no_sense_pass_as_they_are)
{
	struct perf_event_attr a =
		copying(PERF_SAMPLE_READ, PERF_FORMAT_GROUP | PERF_FORMAT_ID);
	struct shape s = { .id = 7, .chain = 1, .abi = 2, .size = 64, .copied = 9 };
	struct snapshots all = { 0 };
	struct buf in = { 0 }, out = { 0 };
	struct str r;
	size_t at;
	int i;

	snapshot_add(&all, &a, 7);
	s.read_n = 3;
	memcpy(s.read, (uint64_t[]){ 1, 1000, 7 }, 3 * 8);
	r = make(&in, &s, s.size, 'x');
	for (at = 8; at + 8 <= in.n; at += 8) {
		for (i = 0; i < 3; i++) {
			static const uint64_t wrong[] = { UINT64_MAX, UINT64_MAX / 8 + 1,
				13 };

			make(&in, &s, s.size, 'x');
			memcpy(in.s + at, &wrong[i], 8);
			pass(&all, r, r.n, &out);
			CHECK(out.n == r.n || (at != 56 && out.n <= r.n));
		}
	}
	snapshot_release(&all);
	buf_release(&in);
	buf_release(&out);
}

UNIT_MAIN
