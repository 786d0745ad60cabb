/* SPDX-License-Identifier: ISC */
/* Ring buffers of the kernel, and the records in them; see ring.h. */
#include "ring.h"
#include "bytes.h"
#include "mem.h"
#include "perf-attr.h"
#include "search.h"
#include "stream.h"
#include "sysfile.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WORD = sizeof(uint64_t) };

/* The fields of a sample before READ, a word each. */
static const uint64_t fixed = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
	PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
static const uint64_t known = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
	PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

uint64_t
ring_least(void)
{
	long n = sysconf(_SC_PAGESIZE);

	return n > 0 ? (uint64_t)n : 4096;
}

uint64_t
ring_rounded(uint64_t bytes)
{
	uint64_t size = ring_least();

	while (size < bytes && size < (uint64_t)1 << 30)
		size *= 2;
	return size;
}

/* Whether the kernel does not limit this user's locked memory. */
static bool
is_unlimited(void)
{
	int64_t paranoid = 2;

	sysfile_number(&paranoid, "/proc/sys/kernel/perf_event_paranoid");
	return geteuid() == 0 || paranoid < 0;
}

/* The bytes that a user may lock for rings: an amount for each online processor, plus
 * RLIMIT_MEMLOCK. */
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
	while (size > ring_least() && size + ring_least() > budget)
		size /= 2;
	return size;
}

bool
ring_map(struct ring *r, int fd, size_t size)
{
	size_t page = (size_t)ring_least();
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
		munmap(r->page, (size_t)ring_least() + r->size);
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

/* The N bytes at place AT of C, which must exist: in place, or joined in COPY. */
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
	size_t total = c->part[0].n + c->part[1].n;

	r->at += r->h.size;
	r->h.size = 0;
	if (total - r->at < sizeof r->h)
		return false;
	memcpy(&r->h, bytes_at(c, r->at, sizeof r->h, r->copy).s, sizeof r->h);
	if (r->h.size < sizeof r->h || r->h.size > total - r->at) {
		r->h.size = 0;
		return false;
	}
	r->bytes = bytes_at(c, r->at, r->h.size, r->copy);
	return true;
}

static void
count_lost(struct ring_stats *t, struct bytes b)
{
	uint64_t lost;

	bytes_skip(&b, 8); /* the event */
	lost = bytes_u64(&b);
	t->lost += b.bad ? 0 : lost;
}

/* Reads the map B of a record with the flags MISC. Returns false unless it maps a
 * file's code. */
static bool
read_map(struct copies_map *m, struct synth_file *file, struct bytes b, uint16_t misc)
{
	enum { ID_MOST = 20, ID_FIELD = 24 };
	struct bytes id;
	uint32_t rights;

	*m = (struct copies_map){ .pid = (long)bytes_u32(&b) };
	bytes_skip(&b, 4);
	m->start = bytes_u64(&b);
	m->end = m->start + bytes_u64(&b);
	bytes_skip(&b, 8);
	id = bytes_of(bytes_take(&b, ID_FIELD), false);
	rights = bytes_u32(&b);
	bytes_skip(&b, 4);
	m->path = bytes_rest(&b);
	m->path = str_cut(&m->path, 0);
	*file = (struct synth_file){
		.path = m->path, .pid = m->pid, .start = m->start, .end = m->end
	};
	if (misc & STREAM_HAS_BUILD_ID) {
		m->build_id.n = bytes_u8(&id);
		bytes_skip(&id, 3);
		m->build_id = str_head(bytes_take(&id, ID_MOST), m->build_id.n);
	} else {
		file->major = bytes_u32(&id);
		file->minor = bytes_u32(&id);
		file->inode = m->inode = bytes_u64(&id);
	}
	return !b.bad && rights & PROT_EXEC && str_starts(m->path, STR("/")) &&
		!str_starts(m->path, STR("//"));
}

static void
note_map(struct ring_stats *t, struct bytes b, uint16_t misc)
{
	struct synth_file file;
	struct copies_map m;

	if (!read_map(&m, &file, b, misc))
		return;
	if (file.inode)
		synth_want_build_id(t->files, &file);
	if (t->binaries)
		copies_add(t->binaries, &m);
}

static void
note_process(struct ring_stats *t, struct bytes b)
{
	pid_t pid = (pid_t)bytes_u32(&b), parent = (pid_t)bytes_u32(&b);

	if (!b.bad)
		runtimes_note(t->runtimes, pid, parent);
}

/* Stack copies. */
static size_t
count_bits(uint64_t bits)
{
	return (size_t)__builtin_popcountll(bits);
}

void
ring_stats_expect(struct ring_stats *t, const struct perf_event_attr *a, uint64_t id)
{
	size_t at = search_upto(t->layouts, t->n, sizeof *t->layouts, id);

	if (!(a->sample_type & PERF_SAMPLE_STACK_USER) ||
		!(a->sample_type & PERF_SAMPLE_IDENTIFIER) ||
		a->sample_type & ~(fixed | known))
		return;
	t->layouts = mem_grow(t->layouts, &t->cap, t->n + 1, sizeof *t->layouts);
	memmove(t->layouts + at + 1, t->layouts + at, (t->n++ - at) * sizeof *t->layouts);
	t->layouts[at] = (struct ring_layout){ .id = id,
		.type = a->sample_type,
		.format = a->read_format,
		.regs = count_bits(a->sample_regs_user) };
}

/* Skips N words, or to the end. */
static void
skip(struct bytes *b, uint64_t n)
{
	bytes_skip(b, n > bytes_left(b) / WORD ? UINT64_MAX : n * WORD);
}

/* Skips the counters; perf_event_open(2), "Reading results". */
static void
skip_read(struct bytes *b, uint64_t format)
{
	size_t times = count_bits(format &
		(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
	size_t each = 1 + count_bits(format & (PERF_FORMAT_ID | PERF_ATTR_LOST));
	uint64_t n = format & PERF_FORMAT_GROUP ? bytes_u64(b) : 1;

	skip(b, times);
	skip(b, n > bytes_left(b) / WORD ? n : n * each);
}

/* Skips to the size of the stack copy in the sample B. Returns false if its event has
 * no copies. */
static bool
find_copy(const struct ring_stats *t, struct bytes *b)
{
	uint64_t id = bytes_u64(b);
	size_t upto = search_upto(t->layouts, t->n, sizeof *t->layouts, id);
	const struct ring_layout *l = upto ? &t->layouts[upto - 1] : NULL;

	if (!l || l->id != id)
		return false;
	skip(b, count_bits(l->type & fixed) - 1);
	if (l->type & PERF_SAMPLE_READ)
		skip_read(b, l->format);
	if (l->type & PERF_SAMPLE_CALLCHAIN)
		skip(b, bytes_u64(b));
	if (l->type & PERF_SAMPLE_REGS_USER && bytes_u64(b) != PERF_SAMPLE_REGS_ABI_NONE)
		skip(b, l->regs);
	return true;
}

/* Adds the sample R with COPIED bytes of its stack copy, which begins at AT. */
static void
put_short(const struct ring_record *r, const char *at, uint64_t copied, struct buf *out)
{
	size_t start = out->n, before = (size_t)(at - r->bytes.s) - WORD;
	uint64_t size = copied / WORD * WORD + WORD;
	uint16_t all = (uint16_t)(before + WORD + size + WORD);

	buf_str(out, str_head(r->bytes, before));
	memcpy(out->s + start + offsetof(struct perf_event_header, size), &all,
		sizeof all);
	stream_put_u64(out, size);
	stream_put_bytes(out, at, (size_t)copied);
	stream_put_zeroes(out, (size_t)(size - copied));
	stream_put_u64(out, copied);
}

/* Adds the sample R to OUT, its stack copy shortened. */
static void
put_sample(struct ring_stats *t, const struct ring_record *r, struct bytes b,
	struct buf *out)
{
	uint64_t size = find_copy(t, &b) ? bytes_u64(&b) : 0, copied = size;

	/* Nothing follows a size of 0. */
	if (size && size % WORD == 0 && bytes_left(&b) == size + WORD) {
		memcpy(&copied, bytes_rest(&b).s + size, sizeof copied);
		t->copies++;
		t->full += copied >= size;
	}
	if (copied < size)
		put_short(r, bytes_rest(&b).s, copied, out);
	else
		buf_str(out, r->bytes);
}

void
ring_stats_add(struct ring_stats *t, const struct ring_record *r, struct buf *out)
{
	struct bytes body = bytes_of(str_from(r->bytes, sizeof r->h), false);

	if (r->h.type == PERF_RECORD_SAMPLE) {
		t->samples++;
		put_sample(t, r, body, out);
		return;
	}
	if (r->h.type == PERF_RECORD_LOST)
		count_lost(t, body);
	else if (r->h.type == PERF_RECORD_MMAP2)
		note_map(t, body, r->h.misc);
	else if (r->h.type == PERF_RECORD_FORK)
		note_process(t, body);
	buf_str(out, r->bytes);
}

void
ring_stats_release(struct ring_stats *t)
{
	free(t->layouts);
	t->layouts = NULL;
	t->n = t->cap = 0;
}
