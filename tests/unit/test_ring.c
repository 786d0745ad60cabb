/* SPDX-License-Identifier: ISC */
/* Ring buffers as the kernel fills them: ring.h. */
#include "ring.h"
#include "unit.h"

enum { SIZE = 4096 };

/* A ring of SIZE bytes in plain memory, empty at place AT. */
static struct ring
make(struct perf_event_mmap_page *page, char *data, uint64_t at)
{
	memset(page, 0, sizeof *page);
	memset(data, 0, SIZE);
	page->data_head = page->data_tail = at;
	return (struct ring){ .page = page, .data = data, .size = SIZE };
}

/* Puts a record of N bytes of BODY behind what is there, around the end if need be. */
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

UNIT(what_is_given_back_is_gone)
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
	struct ring_record record;
	struct buf copy = { 0 };
	struct ring_content c;
	struct ring r;

	/* Each place that the end can have in a record; heads only grow. */
	for (at = 0; at <= 48; at += 8) {
		r = make(&page, data, ((uint64_t)1 << 40) - at);
		put(&r, 9, body, sizeof body);
		put(&r, 3, body, 8);
		c = ring_content(&r);
		CHECK_U64(c.part[0].n + c.part[1].n, 56);
		record.at = record.h.size = 0;
		CHECK(ring_next(&c, &record));
		CHECK(record.h.type == 9 && record.at == 0);
		CHECK_U64(record.body.n, 32);
		memcpy(&second, record.body.s + 8, 8);
		CHECK_U64(second, 77);
		CHECK_U64(ring_word(&c, 16), 77);
		CHECK(ring_next(&c, &record));
		CHECK(record.h.type == 3 && record.at == 40);
		CHECK(!ring_next(&c, &record));
		buf_clear(&copy);
		ring_copy(&c, 8, 32, &copy);
		CHECK_STR(buf_view(&copy), ((struct str){ (const char *)body, 32 }));
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

/* Counts all records of R. */
static void
count(struct ring_stats *t, const struct ring *r)
{
	struct ring_content c = ring_content(r);
	struct ring_record record = { 0 };

	while (ring_next(&c, &record))
		ring_stats_add(t, &record);
}

UNIT(samples_and_losses_are_counted)
{
	uint64_t lost[2] = { 5, 12 };
	struct buildids ids = { 0 };
	struct ring_stats t = { .buildids = &ids };
	struct ring r = make(&page, data, 0);

	put(&r, PERF_RECORD_SAMPLE, lost, sizeof lost);
	put(&r, PERF_RECORD_LOST, lost, sizeof lost);
	put(&r, PERF_RECORD_SAMPLE, NULL, 0);
	put(&r, PERF_RECORD_LOST, NULL, 0); /* damaged */
	count(&t, &r);
	CHECK_U64(t.samples, 2);
	CHECK_U64(t.lost, 12);
	CHECK_U64(ids.known, 0);
	buildid_release(&ids);
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
	struct buildids ids = { 0 };
	struct ring_stats t = { .buildids = &ids };
	struct ring r = make(&page, data, 0);

	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	m.rights = 1; /* no code */
	m.inode = 6;
	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	memcpy(m.path, "[vdso]", 7);
	m.rights = 5;
	put(&r, PERF_RECORD_MMAP2, &m, sizeof m);
	put(&r, PERF_RECORD_MMAP2, &m, 16); /* damaged */
	count(&t, &r);
	CHECK_U64(ids.known, 1);
	CHECK(ids.entries[0].wanted && ids.entries[0].id.n == 0);
	buildid_release(&ids);
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

UNIT_MAIN
