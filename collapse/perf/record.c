/* SPDX-License-Identifier: ISC */
/* Records that are not samples; see record.h. */
#include "record.h"
#include "bytes.h"
#include "mem.h"

/* Bits of misc; their meaning depends on the type. */
enum {
	MISC_MMAP_DATA = 1 << 13,
	MISC_COMM_EXEC = 1 << 13,
	MISC_FORK_EXEC = 1 << 13,
	MISC_SWITCH_OUT = 1 << 13,
	MISC_BUILD_ID = 1 << 14,
	MISC_PREEMPTED = 1 << 14,
	MISC_ID_SIZE = 1 << 15,
	MISC_FILTERED = 1 << 15 /* dropped by a filter, so not lost */
};

enum { PROT_CODE = 4, PROT_MOST = UINT16_MAX, KSYMBOL_GONE = 1, ID_MOST = 20 };

struct record
record_at(const char *p, bool swap)
{
	struct bytes b = bytes_of((struct str){ p, RECORD_HEADER }, swap);
	struct record r;

	r.type = bytes_u32(&b);
	r.misc = bytes_u16(&b);
	r.size = bytes_u16(&b);
	r.body.s = p + RECORD_HEADER;
	r.body.n = r.size < RECORD_HEADER ? 0 : (size_t)r.size - RECORD_HEADER;
	return r;
}

void
record_run_release(struct record_run *run)
{
	idmap_release(&run->counters);
	free(run->words);
	free(run->branches);
	free(run->joined);
	deferred_release(&run->deferred);
	run->words = NULL;
	run->branches = NULL;
	run->joined = NULL;
}

void
record_bad(const struct record_run *run, uint64_t offset, const char *why)
{
	if (run->handler->bad)
		run->handler->bad(run->handler->context, offset, why);
}

static bool
is_kernel(uint16_t misc)
{
	int mode = misc & 7;

	return mode == READER_KERNEL || mode == READER_GUEST_KERNEL;
}

/* What is left of B up to a NUL, or all. */
static struct str
take_text(struct bytes *b)
{
	struct str all = bytes_take(b, bytes_left(b));

	return str_head(all, str_find(all, '\0'));
}

/* Build ids are written with zeroes up to 20 bytes. Without a size, zeroes at
 * the end are taken for such. */
static struct str
strip_zeroes(struct str id)
{
	static const char none[4];

	while (id.n >= 4 && memcmp(id.s + id.n - 4, none, 4) == 0)
		id.n -= 4;
	return id;
}

/* A record under way: what the functions by type need. */
struct delivery {
	struct record_run *run;
	const struct reader_handler *h;
	struct event_attr_trailer trailer;
	uint32_t type;
	uint16_t misc;
};

static void
take_build_id(struct bytes *b, struct reader_mmap *m)
{
	uint8_t size = bytes_u8(b);

	bytes_skip(b, 3);
	m->build_id = bytes_take(b, ID_MOST);
	if (size && size <= ID_MOST)
		m->build_id = str_head(m->build_id, size);
	else
		m->build_id = strip_zeroes(m->build_id);
}

/* Protection and flags. Linux 3.12 to 3.15 wrote the path where later ones have
 * these, 4 letters of it; perf inject -j writes the mode of the file that it made. */
static void
take_protection(struct bytes *b, struct reader_mmap *m)
{
	struct bytes path = *b;
	uint32_t protection = bytes_u32(b);

	bytes_skip(b, 4); /* flags */
	if (protection > PROT_MOST)
		*b = path;
	else if (protection & PROT_CODE)
		m->executable = true;
}

static void
deliver_mmap(const struct delivery *d, struct bytes *b)
{
	struct reader_mmap m = { .kernel = is_kernel(d->misc), .time = d->trailer.time };

	m.pid = bytes_u32(b);
	m.tid = bytes_u32(b);
	m.start = bytes_u64(b);
	m.length = bytes_u64(b);
	m.offset = bytes_u64(b);
	m.executable = !(d->misc & MISC_MMAP_DATA);
	if (d->type == RECORD_MMAP2) {
		if (d->misc & MISC_BUILD_ID)
			take_build_id(b, &m);
		else
			bytes_skip(b, 24); /* major, minor, inode, its generation */
		take_protection(b, &m);
	}
	m.path = take_text(b);
	if (!b->bad && d->h->mmap)
		d->h->mmap(d->h->context, &m);
}

static void
deliver_comm(const struct delivery *d, struct bytes *b)
{
	struct reader_comm c = { .exec = d->misc & MISC_COMM_EXEC };

	c.pid = bytes_u32(b);
	c.tid = bytes_u32(b);
	c.name = take_text(b);
	if (!b->bad && d->h->comm)
		d->h->comm(d->h->context, &c);
}

static void
deliver_task(const struct delivery *d, struct bytes *b)
{
	void (*deliver)(void *, const struct reader_task *) =
		d->type == RECORD_FORK ? d->h->fork : d->h->exit;
	struct reader_task t;

	t.pid = bytes_u32(b);
	t.parent_pid = bytes_u32(b);
	t.tid = bytes_u32(b);
	t.parent_tid = bytes_u32(b);
	t.found = d->type == RECORD_FORK && d->misc & MISC_FORK_EXEC;
	if (!b->bad && deliver)
		deliver(d->h->context, &t);
}

/* A recording of CPUs also names who comes or went; the task itself is in the
 * trailer of both. */
static void
deliver_switch(const struct delivery *d, struct bytes *b)
{
	struct reader_switch s = { .pid = d->trailer.pid, .tid = d->trailer.tid };

	if (!d->trailer.has_tid) {
		bytes_fail(b);
		return;
	}
	s.time = d->trailer.time;
	s.out = d->misc & MISC_SWITCH_OUT;
	s.preempted = s.out && d->misc & MISC_PREEMPTED;
	if (d->h->switched)
		d->h->switched(d->h->context, &s);
}

static void
deliver_ksymbol(const struct delivery *d, struct bytes *b)
{
	struct reader_ksymbol k;

	k.address = bytes_u64(b);
	k.length = bytes_u32(b);
	bytes_skip(b, 2); /* BPF or not */
	k.gone = bytes_u16(b) & KSYMBOL_GONE;
	k.name = take_text(b);
	if (!b->bad && d->h->ksymbol)
		d->h->ksymbol(d->h->context, &k);
}

static void
deliver_lost(const struct delivery *d, struct bytes *b)
{
	uint64_t n;

	if (d->type == RECORD_LOST)
		bytes_skip(b, 8); /* id */
	else if (d->misc & MISC_FILTERED)
		return;
	n = bytes_u64(b);
	if (!b->bad && n && d->h->lost)
		d->h->lost(d->h->context, n);
}

/* A part of a chain, for all samples of its thread that wait for it. */
static void
deliver_deferred(const struct delivery *d, struct bytes *b)
{
	uint64_t cookie = bytes_u64(b), n = bytes_u64(b);
	struct deferred_item *waited;
	uint64_t *later;
	size_t i, at;

	if (b->bad || !d->trailer.has_tid || n > bytes_left(b) / sizeof *later) {
		bytes_fail(b);
		return;
	}
	later = mem_zero((size_t)n + 1, sizeof *later);
	for (i = 0; i < n; i++)
		later[i] = bytes_u64(b);
	/* The kernel begins with the mark of the user space. */
	at = n && later[0] == DEFERRED_USER;
	while ((waited = deferred_take(&d->run->deferred, d->trailer.tid, cookie)))
		record_join(d->run, waited, later + at, (size_t)n - at);
	free(later);
}

static const struct kind {
	void (*deliver)(const struct delivery *d, struct bytes *b);
	const char *why; /* it could not be used */
} kinds[] = {
	[RECORD_MMAP] = { deliver_mmap, "a map is cut short" },
	[RECORD_LOST] = { deliver_lost, "a count of lost records is cut short" },
	[RECORD_COMM] = { deliver_comm, "a name of a thread is cut short" },
	[RECORD_EXIT] = { deliver_task, "an end of a thread is cut short" },
	[RECORD_FORK] = { deliver_task, "a start of a thread is cut short" },
	[RECORD_SAMPLE] = { NULL, NULL },
	[RECORD_MMAP2] = { deliver_mmap, "a map is cut short" },
	[RECORD_LOST_SAMPLES] = { deliver_lost, "a count of lost samples is cut short" },
	[RECORD_SWITCH] = { deliver_switch, "a switch does not say of which thread" },
	[RECORD_SWITCH_CPU_WIDE] = { deliver_switch,
		"a switch does not say of which thread" },
	[RECORD_KSYMBOL] = { deliver_ksymbol, "a symbol of the kernel is cut short" },
	[RECORD_CALLCHAIN_DEFERRED] = { deliver_deferred,
		"a deferred call chain is damaged" },
};

bool
record_is_timed(uint32_t type)
{
	return type == RECORD_SAMPLE ||
		(type < sizeof kinds / sizeof *kinds && kinds[type].deliver);
}

void
record_deliver(struct record_run *run, const struct record *r, uint64_t offset)
{
	struct delivery d = { run, run->handler, { 0 }, r->type, r->misc };
	struct str body = r->body;
	struct bytes b;

	if (r->type == RECORD_SAMPLE) {
		record_sample(run, r, offset);
		return;
	}
	if (!record_is_timed(r->type))
		return;
	d.trailer = event_attr_cut_trailer(run->attrs, &body);
	b = bytes_of(body, run->attrs->swap);
	kinds[r->type].deliver(&d, &b);
	if (b.bad)
		record_bad(run, offset, kinds[r->type].why);
}

void
record_build_id(struct record_run *run, const struct record *r, uint64_t offset)
{
	const struct reader_handler *h = run->handler;
	struct bytes b = bytes_of(r->body, run->attrs->swap);
	struct str id, path;
	uint8_t size;

	bytes_skip(&b, 4); /* pid of the machine */
	id = bytes_take(&b, ID_MOST);
	size = bytes_u8(&b);
	bytes_skip(&b, 3);
	path = take_text(&b);
	if (b.bad) {
		record_bad(run, offset, "a build id is cut short");
		return;
	}
	id = r->misc & MISC_ID_SIZE && size && size <= ID_MOST ? str_head(id, size)
							       : strip_zeroes(id);
	if (h->build_id && id.n && path.n)
		h->build_id(h->context, path, id, is_kernel(r->misc));
}
