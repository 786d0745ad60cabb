/* SPDX-License-Identifier: ISC */
/* Ring buffers filled as by the kernel: ring.h. */
#include "ring.h"
#include "bytes.h"
#include "unit.h"

enum { SIZE = 4096 };

/* A ring of SIZE bytes in plain memory, empty at position AT. */
static struct ring
make(struct perf_event_mmap_page *page, char *data, uint64_t at)
{
	memset(page, 0, sizeof *page);
	memset(data, 0, SIZE);
	page->data_head = page->data_tail = at;
	return (struct ring){ .page = page, .data = data, .size = SIZE };
}

/* Appends a record with N bytes of BODY, around the end if necessary. */
static void
put(struct ring *r, uint32_t type, const void *body, size_t n)
{
	struct perf_event_header h = { .type = type, .size = (uint16_t)(sizeof h + n) };
	char bytes[512];
	size_t i;

	memcpy(bytes, &h, sizeof h);
	if (n)
		memcpy(bytes + sizeof h, body, n);
	for (i = 0; i < h.size; i++)
		r->data[r->page->data_head++ % SIZE] = bytes[i];
}

static struct perf_event_mmap_page page;
static char data[SIZE];

UNIT(released_records_are_gone)
{
	uint64_t body[2] = { 1, 2 };
	struct ring r = make(&page, data, 0);
	struct ring_content c;

	put(&r, 9, body, sizeof body);
	put(&r, 9, body, sizeof body);
	c = ring_content(&r);
	CHECK_U64(c.part[0].n, 48);
	CHECK_U64(c.part[1].n, 0);
	ring_release(&r, 24);
	c = ring_content(&r);
	CHECK_U64(c.part[0].n, 24);
	CHECK(c.part[0].s == data + 24);
	ring_release(&r, 24);
	c = ring_content(&r);
	CHECK_U64(c.part[0].n + c.part[1].n, 0);
}

UNIT(records_go_around_the_end)
{
	uint64_t body[4] = { 1, 77, 3, 4 }, at, second;
	struct ring_stats all = { 0 };
	struct ring_record record;
	struct buf copy = { 0 };
	struct ring_content c;
	struct ring r;

	/* Each position of the ring's end within a record; heads only grow. */
	for (at = 0; at <= 48; at += 8) {
		r = make(&page, data, ((uint64_t)1 << 40) - at);
		put(&r, 9, body, sizeof body);
		put(&r, 3, body, 8);
		c = ring_content(&r);
		CHECK_U64(c.part[0].n + c.part[1].n, 56);
		record.at = record.h.size = 0;
		CHECK(ring_next(&c, &record));
		CHECK(record.h.type == 9 && record.at == 0);
		CHECK_U64(record.bytes.n, 40);
		memcpy(&second, record.bytes.s + 16, 8);
		CHECK_U64(second, 77);
		ring_stats_add(&all, &record, &copy);
		CHECK(ring_next(&c, &record));
		CHECK(record.h.type == 3 && record.at == 40);
		CHECK(!ring_next(&c, &record));
		CHECK_STR(str_from(buf_view(&copy), 8),
			((struct str){ (const char *)body, 32 }));
		buf_clear(&copy);
	}
	buf_release(&copy);
}

UNIT(a_full_ring_is_all_there)
{
	struct ring r = make(&page, data, 128);
	struct ring_content c;

	page.data_head = 128 + SIZE;
	c = ring_content(&r);
	CHECK_U64(c.part[0].n, SIZE - 128);
	CHECK_U64(c.part[1].n, 128);
}

UNIT(nonsense_ends_the_walk)
{
	struct ring r = make(&page, data, 0);
	struct ring_record record = { 0 };
	struct ring_content c;

	put(&r, 9, NULL, 0);
	page.data_head += 24; /* zeroes: a record of size 0 */
	c = ring_content(&r);
	CHECK(ring_next(&c, &record));
	CHECK(!ring_next(&c, &record));
	CHECK(!ring_next(&c, &record));
	CHECK_U64(record.at, 8);
}

static void
count(struct ring_stats *t, const struct ring *r)
{
	struct ring_content c = ring_content(r);
	struct ring_record record = { 0 };
	struct buf out = { 0 };

	while (ring_next(&c, &record))
		ring_stats_add(t, &record, &out);
	buf_release(&out);
}

UNIT(samples_and_losses_are_counted)
{
	uint64_t lost[2] = { 5, 12 };
	struct synth_files ids = { 0 };
	struct ring_stats t = { .files = &ids };
	struct ring r = make(&page, data, 0);

	put(&r, PERF_RECORD_SAMPLE, lost, sizeof lost);
	put(&r, PERF_RECORD_LOST, lost, sizeof lost);
	put(&r, PERF_RECORD_SAMPLE, NULL, 0);
	put(&r, PERF_RECORD_LOST, NULL, 0); /* damaged */
	count(&t, &r);
	CHECK_U64(t.samples, 2);
	CHECK_U64(t.lost, 12);
	CHECK_U64(ids.n, 0);
	synth_files_release(&ids);
}

/* The body of an MMAP2 record, perf_event_open(2). */
struct mmap2 {
	uint32_t pid, tid;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t rights, flags;
	char path[32];
};

UNIT(files_without_a_build_id_are_wanted)
{
	struct mmap2 m = { .pid = 1, .inode = 5, .rights = 5, .path = "/no/such/file" };
	struct synth_files ids = { 0 };
	struct ring_stats t = { .files = &ids };
	struct ring r = make(&page, data, 0);

	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	m.rights = 1; /* not code */
	m.inode = 6;
	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	memcpy(m.path, "[vdso]", 7);
	m.rights = 5;
	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	put(&r, PERF_RECORD_MMAP2, &m, 16); /* damaged */
	count(&t, &r);
	CHECK_U64(ids.n, 1);
	CHECK(ids.items[0].wanted && ids.items[0].id.n == 0);
	synth_files_release(&ids);
}

UNIT(sizes_are_powers_of_two_of_pages)
{
	uint64_t least = ring_least();

	CHECK_U64(ring_rounded(1), least);
	CHECK_U64(ring_rounded(least), least);
	CHECK_U64(ring_rounded(least + 1), 2 * least);
	CHECK_U64(ring_rounded(3 << 20), 4 << 20);
	CHECK_U64(ring_rounded(UINT64_MAX), (uint64_t)1 << 30);
}

/* Stack copies. */
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

/* The sample of S with SIZE for its stack copy; OLD follows the copied bytes. */
static struct str
make_sample(struct buf *b, const struct shape *s, uint64_t size, char old)
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

/* The output for R in a ring that ends AT bytes behind its beginning. */
static struct str
pass(struct ring_stats *s, struct str r, size_t at, struct buf *out)
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
		ring_stats_add(s, &record, out);
	return buf_view(out);
}

/* S is output with SIZE for its stack copy, wherever the ring ends; 0: unchanged. */
static void
check(struct ring_stats *s, const struct shape *shape, uint64_t size)
{
	struct buf in = { 0 }, want = { 0 }, out = { 0 };
	struct str r = make_sample(&in, shape, shape->size, 'x');
	size_t at;

	make_sample(&want, shape, size ? size : shape->size, size ? 0 : 'x');
	for (at = 8; at <= r.n; at += 8)
		CHECK_STR(pass(s, r, at, &out), buf_view(&want));
	buf_release(&in);
	buf_release(&want);
	buf_release(&out);
}

UNIT(only_copied_bytes_are_kept)
{
	struct perf_event_attr a = copying(0, 0);
	struct shape s = { .id = 7, .chain = 4, .abi = 2, .size = 64 };
	struct ring_stats all = { 0 };

	ring_stats_expect(&all, &a, 7);
	for (s.copied = 0; s.copied < 64; s.copied++)
		check(&all, &s, s.copied / 8 * 8 + 8);
	CHECK(all.copies > 64 && all.full == 0);
	ring_stats_release(&all);
}

UNIT(full_copies_stay_full_and_are_counted)
{
	struct perf_event_attr a = copying(0, 0);
	struct shape s = { .id = 7, .chain = 0, .abi = 2, .size = 64, .copied = 64 };
	struct ring_stats all = { 0 };

	ring_stats_expect(&all, &a, 7);
	check(&all, &s, 64);
	CHECK(all.full > 0 && all.full == all.copies);
	ring_stats_release(&all);
}

UNIT(threads_without_user_memory_have_no_copy)
{
	struct perf_event_attr a = copying(0, 0);
	struct shape s = { .id = 7, .chain = 3, .abi = 0, .size = 0 };
	struct ring_stats all = { 0 };

	ring_stats_expect(&all, &a, 7);
	check(&all, &s, 0);
	CHECK_U64(all.copies, 0);
	ring_stats_release(&all);
}

UNIT(events_are_identified_by_their_ids)
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
	struct ring_stats all = { 0 };

	ring_stats_expect(&all, &group, 30);
	ring_stats_expect(&all, &plain, 10);
	ring_stats_expect(&all, &one, 20);
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
	ring_stats_release(&all);
}

UNIT(events_without_copies_pass_as_they_are)
{
	struct perf_event_attr none = { .sample_type = basic };
	struct perf_event_attr raw = copying(PERF_SAMPLE_RAW, 0);
	struct shape s = { .id = 7, .chain = 1, .abi = 2, .size = 64, .copied = 9 };
	struct ring_stats all = { 0 };

	ring_stats_expect(&all, &none, 7);
	ring_stats_expect(&all, &raw, 7);
	CHECK_U64(all.n, 0);
	check(&all, &s, 0);
	ring_stats_release(&all);
}

/* Kernels do not make them; nothing is read beyond the record. */
UNIT(samples_that_make_no_sense_pass_as_they_are)
{
	struct perf_event_attr a =
		copying(PERF_SAMPLE_READ, PERF_FORMAT_GROUP | PERF_FORMAT_ID);
	struct shape s = { .id = 7, .chain = 1, .abi = 2, .size = 64, .copied = 9 };
	struct ring_stats all = { 0 };
	struct buf in = { 0 }, out = { 0 };
	struct str r;
	size_t at;
	int i;

	ring_stats_expect(&all, &a, 7);
	s.read_n = 3;
	memcpy(s.read, (uint64_t[]){ 1, 1000, 7 }, 3 * 8);
	r = make_sample(&in, &s, s.size, 'x');
	for (at = 8; at + 8 <= in.n; at += 8) {
		for (i = 0; i < 3; i++) {
			static const uint64_t wrong[] = { UINT64_MAX, UINT64_MAX / 8 + 1,
				13 };

			make_sample(&in, &s, s.size, 'x');
			memcpy(in.s + at, &wrong[i], 8);
			pass(&all, r, r.n, &out);
			CHECK(out.n == r.n || (at != 56 && out.n <= r.n));
		}
	}
	ring_stats_release(&all);
	buf_release(&in);
	buf_release(&out);
}

UNIT_MAIN
