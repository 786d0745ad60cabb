/* SPDX-License-Identifier: ISC */
/* Ring buffers of the kernel; see ring.h. */
#include "ring.h"
#include "bytes.h"
#include "record-put.h"
#include "sysfile.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t
page_size(void)
{
	long n = sysconf(_SC_PAGESIZE);

	return n > 0 ? (uint64_t)n : 4096;
}

uint64_t
ring_least(void)
{
	return page_size();
}

uint64_t
ring_rounded(uint64_t bytes)
{
	uint64_t size = page_size();

	while (size < bytes && size < (uint64_t)1 << 30)
		size *= 2;
	return size;
}

/* Whether what this user locks is not counted. */
static bool
is_unlimited(void)
{
	int64_t paranoid = 2;

	sysfile_number(&paranoid, "/proc/sys/kernel/perf_event_paranoid");
	return geteuid() == 0 || paranoid < 0;
}

/* What the kernel lets a user lock for rings: so much for each processor that is
 * online, and RLIMIT_MEMLOCK beyond that. */
static uint64_t
allowed(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct rlimit limit = { 0, 0 };
	int64_t kb = 516;

	sysfile_number(&kb, "/proc/sys/kernel/perf_event_mlock_kb");
	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (limit.rlim_cur == RLIM_INFINITY)
		limit.rlim_cur = (rlim_t)1 << 40;
	return (uint64_t)(kb > 0 ? kb : 0) * 1024 * (uint64_t)(online > 0 ? online : 1) +
		limit.rlim_cur;
}

uint64_t
ring_fitting(uint64_t wanted, size_t cpus)
{
	uint64_t size = ring_rounded(wanted), budget;

	if (is_unlimited())
		return size;
	budget = allowed() / (cpus ? cpus : 1);
	while (size > page_size() && size + page_size() > budget)
		size /= 2;
	return size;
}

bool
ring_map(struct ring *r, int fd, size_t size)
{
	size_t page = (size_t)page_size();
	void *p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	*r = (struct ring){ 0 };
	if (p == MAP_FAILED)
		return false;
	*r = (struct ring){ .page = p, .data = (char *)p + page, .size = size, .fd = fd };
	return true;
}

void
ring_unmap(struct ring *r)
{
	if (r->page)
		munmap(r->page, (size_t)page_size() + r->size);
	*r = (struct ring){ 0 };
}

struct ring_content
ring_content(const struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;
	size_t n = (size_t)(head - tail), at = (size_t)(tail % r->size), first;

	if (n > r->size)
		n = r->size;
	first = n < r->size - at ? n : r->size - at;
	return (struct ring_content){ { { r->data + at, first },
		{ r->data, n - first } } };
}

void
ring_release(struct ring *r, size_t n)
{
	__atomic_store_n(&r->page->data_tail, r->page->data_tail + n, __ATOMIC_RELEASE);
}

/* The N bytes at place AT of C, which are there: where they lie, or in COPY. */
static struct str
bytes_at(const struct ring_content *c, size_t at, size_t n, char *copy)
{
	size_t first;

	if (at >= c->part[0].n)
		return str_head(str_from(c->part[1], at - c->part[0].n), n);
	first = c->part[0].n - at;
	if (n <= first)
		return str_head(str_from(c->part[0], at), n);
	memcpy(copy, c->part[0].s + at, first);
	memcpy(copy + first, c->part[1].s, n - first);
	return (struct str){ copy, n };
}

bool
ring_next(const struct ring_content *c, struct ring_record *r)
{
	size_t total = c->part[0].n + c->part[1].n, body;

	r->at += r->h.size;
	r->h.size = 0;
	if (total - r->at < sizeof r->h)
		return false;
	memcpy(&r->h, bytes_at(c, r->at, sizeof r->h, r->copy).s, sizeof r->h);
	if (r->h.size < sizeof r->h || r->h.size > total - r->at) {
		r->h.size = 0;
		return false;
	}
	body = r->h.size - sizeof r->h;
	r->body = bytes_at(c, r->at + sizeof r->h,
		body < RING_BODY_MOST ? body : RING_BODY_MOST, r->copy);
	return true;
}

uint64_t
ring_word(const struct ring_content *c, size_t at)
{
	char copy[sizeof(uint64_t)];
	uint64_t word;

	memcpy(&word, bytes_at(c, at, sizeof word, copy).s, sizeof word);
	return word;
}

void
ring_copy(const struct ring_content *c, size_t at, size_t n, struct buf *b)
{
	size_t first = 0;

	if (at < c->part[0].n) {
		first = c->part[0].n - at < n ? c->part[0].n - at : n;
		buf_str(b, str_head(str_from(c->part[0], at), first));
		at = 0;
	} else {
		at -= c->part[0].n;
	}
	buf_str(b, str_head(str_from(c->part[1], at), n - first));
}

static void
count_lost(struct ring_stats *t, struct str body)
{
	struct bytes b = bytes_of(body, false);
	uint64_t lost;

	bytes_skip(&b, 8); /* the event */
	lost = bytes_u64(&b);
	t->lost += b.bad ? 0 : lost;
}

static void
want_build_id(struct ring_stats *t, struct str body)
{
	struct bytes b = bytes_of(body, false);
	struct buildid_file file = { 0 };
	uint32_t rights;

	file.pid = (long)bytes_u32(&b);
	bytes_skip(&b, 4 + 3 * 8);
	file.major = bytes_u32(&b);
	file.minor = bytes_u32(&b);
	file.inode = bytes_u64(&b);
	bytes_skip(&b, 8);
	rights = bytes_u32(&b);
	bytes_skip(&b, 4);
	if (b.bad || !file.inode || !(rights & PROT_EXEC))
		return;
	file.path = (struct str){ b.at, bytes_left(&b) };
	file.path = str_cut(&file.path, 0);
	if (str_starts(file.path, STR("/")) && !str_starts(file.path, STR("//")))
		buildid_want(t->buildids, &file);
}

static void
note_process(struct ring_stats *t, struct str body)
{
	struct bytes b = bytes_of(body, false);
	pid_t pid = (pid_t)bytes_u32(&b), parent = (pid_t)bytes_u32(&b);

	if (!b.bad)
		runtimes_note(t->runtimes, pid, parent);
}

void
ring_stats_add(struct ring_stats *t, const struct ring_record *r)
{
	if (r->h.type == PERF_RECORD_SAMPLE)
		t->samples++;
	else if (r->h.type == PERF_RECORD_LOST)
		count_lost(t, r->body);
	else if (r->h.type == PERF_RECORD_MMAP2 && !(r->h.misc & RECORD_PUT_HAS_BUILD_ID))
		want_build_id(t, r->body);
	else if (r->h.type == PERF_RECORD_FORK)
		note_process(t, r->body);
}
