/* SPDX-License-Identifier: ISC */
/*
 * Records, one by one; see record.h. First samples: the body of a SAMPLE is a sequence
 * of fields, each present if its bit of sample_type is set.
 * (include/uapi/linux/perf_event.h, PERF_RECORD_SAMPLE)
 *
 *	IDENTIFIER IP TID TIME ADDR ID STREAM_ID CPU PERIOD READ CALLCHAIN
 *	RAW BRANCH_STACK REGS_USER STACK_USER ...
 *
 * The last two words of CALLCHAIN may stand for a user part that comes later, in a
 * record of its own (struct record_deferred).
 *
 * With READ, samples contain counters: a sample of a leader has all of its group. Each
 * member that has counted since its last value becomes a sample of its own, with the
 * difference as its period, as in perf. (tools/perf/util/session.c,
 * deliver_sample_group)
 *
 * Then records of processes, maps and losses.
 */
#include "record.h"
#include "bytes.h"
#include "mem.h"

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
	record_deferred_release(&run->deferred);
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

/* Limits on waiting samples: a thread may sleep for any length of time. */
enum { DEFERRED_BYTES = 32 << 20, DEFERRED_MOST = 1 << 17 };

void
record_deferred_release(struct record_deferred *d)
{
	struct record_waiting *i, *newer;

	for (i = d->oldest; i; i = newer) {
		newer = i->newer;
		free(i);
	}
	idmap_release(&d->last);
	*d = (struct record_deferred){ 0 };
}

/* Rebuilds the table from the samples that still wait. */
static void
sweep(struct record_deferred *d)
{
	struct record_waiting *i;

	idmap_release(&d->last);
	for (i = d->oldest; i; i = i->newer)
		*idmap_put(&d->last, i->cookie, i->tid) = (uintptr_t)i;
}

void
record_deferred_hold(struct record_deferred *d, uint32_t tid, uint64_t cookie,
	struct str record, uint64_t offset)
{
	enum { LEAST = 1024 };
	struct record_waiting *i = mem_alloc(sizeof *i + record.n), *last;
	uint64_t *place;

	if (d->last.n > LEAST + 4 * d->n)
		sweep(d);
	place = idmap_put(&d->last, cookie, tid);
	last = (struct record_waiting *)(uintptr_t)*place;
	*i = (struct record_waiting){ .next = last ? last->next : i,
		.older = d->newest,
		.cookie = cookie,
		.offset = offset,
		.tid = tid,
		.size = (uint32_t)record.n };
	memcpy(i->record, record.s, record.n);
	if (last)
		last->next = i;
	*place = (uintptr_t)i;
	*(d->newest ? &d->newest->newer : &d->oldest) = i;
	d->newest = i;
	d->n++;
	d->bytes += record.n;
}

struct record_waiting *
record_deferred_take(struct record_deferred *d, uint32_t tid, uint64_t cookie)
{
	uint64_t *place = idmap_find(&d->last, cookie, tid);
	struct record_waiting *i, *last;

	if (!place || !*place)
		return NULL;
	last = (struct record_waiting *)(uintptr_t)*place;
	i = last->next;
	if (i == last)
		*place = 0;
	else
		last->next = i->next;
	*(i->older ? &i->older->newer : &d->oldest) = i->newer;
	*(i->newer ? &i->newer->older : &d->newest) = i->older;
	d->n--;
	d->bytes -= i->size;
	return i;
}

struct record_waiting *
record_deferred_oldest(struct record_deferred *d, bool any)
{
	if (!d->oldest || (!any && d->n <= DEFERRED_MOST && d->bytes <= DEFERRED_BYTES))
		return NULL;
	return record_deferred_take(d, d->oldest->tid, d->oldest->cookie);
}

enum { WORD = 8, BRANCH_WORDS = 3 };

/* The sample being decoded. */
struct body {
	struct record_run *run;
	struct event_attr *attr;
	struct bytes b;
	struct bytes read; /* at READ, or empty */
	struct recording_sample s;
	size_t size;	/* of the record */
	size_t words_n; /* of run->words */
};

/* Reads the next N words as numbers of this machine: in place, or converted in a copy;
 * NULL for none. The copy has room for all words of the record, so it does not move
 * while the sample lasts. */
static const uint64_t *
read_words(struct body *d, uint64_t n)
{
	struct str raw;
	struct bytes b;
	uint64_t *to;
	size_t i;

	if (n > bytes_left(&d->b) / WORD) {
		bytes_fail(&d->b);
		return NULL;
	}
	if (!n)
		return NULL;
	raw = bytes_take(&d->b, n * WORD);
	if (!d->b.swap && (uintptr_t)raw.s % _Alignof(uint64_t) == 0)
		return (const void *)raw.s;
	to = d->run->words + d->words_n;
	d->words_n += (size_t)n;
	for (b = bytes_of(raw, d->b.swap), i = 0; i < n; i++)
		to[i] = bytes_u64(&b);
	return to;
}

static void
read_ids(struct body *d)
{
	uint64_t type = d->attr->sample_type;

	if (type & RECORDING_HAS_IDENTIFIER)
		bytes_skip(&d->b, WORD);
	if (type & RECORDING_HAS_IP)
		d->s.ip = bytes_u64(&d->b);
	if (type & RECORDING_HAS_TID) {
		d->s.pid = bytes_u32(&d->b);
		d->s.tid = bytes_u32(&d->b);
	}
	if (type & RECORDING_HAS_TIME)
		d->s.time = bytes_u64(&d->b);
	bytes_skip(&d->b, (uint64_t)d->attr->other_words * WORD);
	if (type & RECORDING_HAS_CPU) {
		d->s.cpu = bytes_u32(&d->b);
		bytes_skip(&d->b, 4);
	}
	if (type & RECORDING_HAS_PERIOD)
		d->s.period = bytes_u64(&d->b);
	d->s.has_ip = type & RECORDING_HAS_IP;
	d->s.has_tid = type & RECORDING_HAS_TID;
	d->s.has_time = type & RECORDING_HAS_TIME;
	d->s.has_cpu = type & RECORDING_HAS_CPU;
	d->s.has_period = type & RECORDING_HAS_PERIOD;
}

/* The words of one counter in READ: its value, and optional ones. */
static size_t
counter_words(uint64_t format)
{
	return 1 + (format & EVENT_ATTR_READ_ID ? 1 : 0) +
		(format & EVENT_ATTR_READ_LOST ? 1 : 0);
}

/* Skips the counters, and keeps their place. */
static void
skip_read(struct body *d)
{
	uint64_t format = d->attr->read_format, n = 1;

	d->read = d->b;
	if (format & EVENT_ATTR_READ_GROUP)
		n = bytes_u64(&d->b);
	else
		bytes_skip(&d->b, WORD);
	bytes_skip(&d->b, format & EVENT_ATTR_READ_ENABLED ? WORD : 0);
	bytes_skip(&d->b, format & EVENT_ATTR_READ_RUNNING ? WORD : 0);
	if (!(format & EVENT_ATTR_READ_GROUP))
		bytes_skip(&d->b, WORD * (counter_words(format) - 1));
	else if (n > bytes_left(&d->b) / WORD)
		bytes_fail(&d->b);
	else
		bytes_skip(&d->b, n * WORD * counter_words(format));
}

static void
read_branches(struct body *d)
{
	uint64_t n = bytes_u64(&d->b), i;
	struct record_run *run = d->run;

	bytes_skip(&d->b, d->attr->branch_type & EVENT_ATTR_BRANCH_INDEX ? WORD : 0);
	if (n > bytes_left(&d->b) / (BRANCH_WORDS * WORD)) {
		bytes_fail(&d->b);
		return;
	}
	if (n > run->branches_cap)
		run->branches = mem_grow(run->branches, &run->branches_cap, (size_t)n,
			sizeof *run->branches);
	for (i = 0; i < n; i++) {
		run->branches[i].from = bytes_u64(&d->b);
		run->branches[i].to = bytes_u64(&d->b);
		bytes_skip(&d->b, WORD);
	}
	bytes_skip(
		&d->b, d->attr->branch_type & EVENT_ATTR_BRANCH_COUNTERS ? n * WORD : 0);
	d->s.branches = run->branches;
	d->s.branch_n = (size_t)n;
}

/* Reads the stack. The kernel fills less than requested where memory ends, and makes
 * room for less if the record would outgrow its 16-bit size. fg-record shortens the
 * room to the filled part. */
static void
read_stack(struct body *d)
{
	enum { SLACK = 2 * WORD };
	uint64_t size = bytes_u64(&d->b), filled;

	if (!size)
		return;
	d->s.stack = bytes_take(&d->b, size);
	filled = bytes_u64(&d->b);
	if (filled < d->s.stack.n)
		d->s.stack.n = (size_t)filled;
	d->s.stack_full = filled >= size &&
		(size >= d->attr->event.stack_bytes || d->size + SLACK > UINT16_MAX);
}

/* Reads the fields up to the stack; later ones are not used. */
static void
read_fields(struct body *d)
{
	uint64_t type = d->attr->sample_type, n;

	read_ids(d);
	if (type & RECORDING_HAS_READ)
		skip_read(d);
	if (type & RECORDING_HAS_CALLCHAIN) {
		n = bytes_u64(&d->b);
		d->s.chain = read_words(d, n);
		d->s.callchain_n = d->s.chain ? (size_t)n : 0;
	}
	if (type & RECORDING_HAS_RAW)
		bytes_skip(&d->b, bytes_u32(&d->b));
	if (type & RECORDING_HAS_BRANCHES)
		read_branches(d);
	if (type & RECORDING_HAS_REGS) {
		d->s.regs_abi = bytes_u64(&d->b);
		if (d->s.regs_abi)
			d->s.regs = read_words(d, d->attr->regs);
	}
	if (type & RECORDING_HAS_STACK)
		read_stack(d);
}

/* Delivers the sample as one of A, with the fields of its own attr. */
static void
deliver(struct body *d, struct event_attr *a)
{
	const struct recording_handler *h = d->run->handler;

	a->event.sample_type = d->attr->sample_type;
	a->event.read_format = d->attr->read_format;
	a->event.branch_type = d->attr->branch_type;
	a->event.user_regs = d->attr->user_regs;
	d->s.event = &a->event;
	d->run->samples++;
	if (h->sample)
		h->sample(h->context, &d->s);
}

/* Delivers a sample of the member with ID: its count since its last VALUE, by thread if
 * counters are inherited. */
static void
deliver_counter(struct body *d, uint64_t id, uint64_t value)
{
	struct event_attr *a = event_attr_of_id(d->run->attrs, id);
	bool inherited = event_attr_flag(d->attr, EVENT_ATTR_INHERIT) && d->s.has_tid;
	uint64_t *last, since;

	if (!a)
		return;
	last = idmap_put(&d->run->counters, id, inherited ? d->s.tid : 0);
	since = value < *last ? value : value - *last;
	*last = value;
	if (!since)
		return;
	d->s.period = since;
	d->s.has_period = true;
	deliver(d, a);
}

static void
deliver_counters(struct body *d)
{
	uint64_t format = d->attr->read_format, n = 1, value = 0, id;
	bool group = format & EVENT_ATTR_READ_GROUP;
	struct bytes *b = &d->read;

	if (group)
		n = bytes_u64(b);
	else
		value = bytes_u64(b);
	bytes_skip(b, format & EVENT_ATTR_READ_ENABLED ? WORD : 0);
	bytes_skip(b, format & EVENT_ATTR_READ_RUNNING ? WORD : 0);
	for (; n > 0; n--) {
		if (group)
			value = bytes_u64(b);
		id = bytes_u64(b);
		bytes_skip(b, format & EVENT_ATTR_READ_LOST ? WORD : 0);
		deliver_counter(d, id, value);
	}
}

/* The user part of a chain, innermost first. */
struct later {
	const uint64_t *chain;
	size_t n;
};

/* Whether the user part of the chain comes later. */
static bool
is_deferred(const struct recording_sample *s)
{
	return s->callchain_n >= 2 &&
		s->chain[s->callchain_n - 2] == RECORDING_MARK_LATER && s->has_tid;
}

/* Replaces the cookie with the part that came later. */
static void
join(struct body *d, const struct later *later)
{
	struct record_run *run = d->run;
	size_t n = d->s.callchain_n - 2, all = n + 1 + later->n;

	if (run->joined_cap < all)
		run->joined =
			mem_grow(run->joined, &run->joined_cap, all, sizeof *run->joined);
	if (n)
		memcpy(run->joined, d->s.chain, n * sizeof *run->joined);
	run->joined[n++] = RECORDING_MARK_USER;
	if (later->n)
		memcpy(run->joined + n, later->chain, later->n * sizeof *run->joined);
	d->s.chain = run->joined;
	d->s.callchain_n = all;
}

/* Delivers R with LATER, the user part of its chain. If LATER is NULL, R waits for a
 * deferred part. */
static void
handle_sample(struct record_run *run, const struct record *r, uint64_t offset,
	const struct later *later)
{
	struct body d = { .run = run, .attr = event_attr_of_sample(run->attrs, r->body) };
	int mode = r->misc & 7;

	if (!d.attr) {
		record_bad(run, offset, "a sample of an event that is not known");
		return;
	}
	if (run->words_cap < r->body.n / WORD)
		run->words = mem_grow(run->words, &run->words_cap, r->body.n / WORD,
			sizeof *run->words);
	d.b = bytes_of(r->body, run->attrs->swap);
	d.size = r->size;
	d.s.mode = mode <= RECORDING_GUEST_USER ? (enum recording_mode)mode
						: RECORDING_UNKNOWN;
	read_fields(&d);
	if (d.b.bad) {
		record_bad(run, offset, "a sample is cut short");
		return;
	}
	if (is_deferred(&d.s) && !later) {
		record_deferred_hold(&run->deferred, d.s.tid,
			d.s.chain[d.s.callchain_n - 1],
			(struct str){ r->body.s - RECORD_HEADER, r->size }, offset);
		record_give_up(run, false);
		return;
	}
	if (is_deferred(&d.s))
		join(&d, later);
	if (!d.s.has_period)
		d.s.period = d.attr->event.fixed_period ? d.attr->event.fixed_period : 1;
	if (d.attr->sample_type & RECORDING_HAS_READ &&
		d.attr->read_format & EVENT_ATTR_READ_ID)
		deliver_counters(&d);
	else
		deliver(&d, d.attr);
}

/* Delivers WAITED with the user part of its chain, and frees it. */
static void
deliver_waited(
	struct record_run *run, struct record_waiting *waited, const struct later *later)
{
	struct record r = record_at(waited->record, run->attrs->swap);

	handle_sample(run, &r, waited->offset, later);
	free(waited);
}

void
record_give_up(struct record_run *run, bool any)
{
	struct later nothing = { NULL, 0 };
	struct record_waiting *waited;

	while ((waited = record_deferred_oldest(&run->deferred, any))) {
		run->unjoined++;
		deliver_waited(run, waited, &nothing);
	}
}

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

static bool
is_kernel(uint16_t misc)
{
	int mode = misc & 7;

	return mode == RECORDING_KERNEL || mode == RECORDING_GUEST_KERNEL;
}

/* Reads the rest of B, up to a NUL if there is one. */
static struct str
read_text(struct bytes *b)
{
	struct str all = bytes_take(b, bytes_left(b));

	return str_head(all, str_find(all, '\0'));
}

/* Build ids are padded with zeroes to 20 bytes. Without a size, zeroes at the end count
 * as padding. */
static struct str
strip_zeroes(struct str id)
{
	static const char none[4];

	while (id.n >= 4 && memcmp(id.s + id.n - 4, none, 4) == 0)
		id.n -= 4;
	return id;
}

/* The current record, for the functions by type. */
struct delivery {
	struct record_run *run;
	const struct recording_handler *h;
	struct event_attr_trailer trailer;
	uint32_t type;
	uint16_t misc;
};

static void
read_build_id(struct bytes *b, struct recording_mmap *m)
{
	uint8_t size = bytes_u8(b);

	bytes_skip(b, 3);
	m->build_id = bytes_take(b, ID_MOST);
	if (size && size <= ID_MOST)
		m->build_id = str_head(m->build_id, size);
	else
		m->build_id = strip_zeroes(m->build_id);
}

/* Reads protection and flags. Linux 3.12 to 3.15 wrote the path in their place, so this
 * reads 4 letters of it; perf inject -j writes the mode of the file that it made. */
static void
read_protection(struct bytes *b, struct recording_mmap *m)
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
	struct recording_mmap m = { .kernel = is_kernel(d->misc),
		.time = d->trailer.time };

	m.pid = bytes_u32(b);
	m.tid = bytes_u32(b);
	m.start = bytes_u64(b);
	m.length = bytes_u64(b);
	m.offset = bytes_u64(b);
	m.executable = !(d->misc & MISC_MMAP_DATA);
	if (d->type == RECORD_MMAP2) {
		if (d->misc & MISC_BUILD_ID)
			read_build_id(b, &m);
		else
			bytes_skip(b, 24); /* major, minor, inode, its generation */
		read_protection(b, &m);
	}
	m.path = read_text(b);
	if (!b->bad && d->h->mmap)
		d->h->mmap(d->h->context, &m);
}

static void
deliver_comm(const struct delivery *d, struct bytes *b)
{
	struct recording_comm c = { .exec = d->misc & MISC_COMM_EXEC };

	c.pid = bytes_u32(b);
	c.tid = bytes_u32(b);
	c.name = read_text(b);
	if (!b->bad && d->h->comm)
		d->h->comm(d->h->context, &c);
}

static void
deliver_task(const struct delivery *d, struct bytes *b)
{
	void (*handle)(void *, const struct recording_task *) =
		d->type == RECORD_FORK ? d->h->fork : d->h->exit;
	struct recording_task t;

	t.pid = bytes_u32(b);
	t.parent_pid = bytes_u32(b);
	t.tid = bytes_u32(b);
	t.parent_tid = bytes_u32(b);
	t.found = d->type == RECORD_FORK && d->misc & MISC_FORK_EXEC;
	if (!b->bad && handle)
		handle(d->h->context, &t);
}

/* A system-wide recording also names the other task; this one is in the trailer of
 * both. */
static void
deliver_switch(const struct delivery *d, struct bytes *b)
{
	struct recording_switch s = { .pid = d->trailer.pid, .tid = d->trailer.tid };

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
	struct recording_ksymbol k;

	k.address = bytes_u64(b);
	k.length = bytes_u32(b);
	bytes_skip(b, 2); /* BPF or not */
	k.gone = bytes_u16(b) & KSYMBOL_GONE;
	k.name = read_text(b);
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

/* Delivers a part of a chain to all samples of its thread that wait for it. */
static void
deliver_deferred(const struct delivery *d, struct bytes *b)
{
	uint64_t cookie = bytes_u64(b), n = bytes_u64(b), *words;
	struct record_waiting *waited;
	struct later later;
	size_t i, at;

	if (b->bad || !d->trailer.has_tid || n > bytes_left(b) / sizeof *words) {
		bytes_fail(b);
		return;
	}
	words = mem_zero((size_t)n + 1, sizeof *words);
	for (i = 0; i < n; i++)
		words[i] = bytes_u64(b);
	/* The kernel begins with the mark of the user space. */
	at = n && words[0] == RECORDING_MARK_USER;
	later = (struct later){ words + at, (size_t)n - at };
	while ((waited = record_deferred_take(&d->run->deferred, d->trailer.tid, cookie)))
		deliver_waited(d->run, waited, &later);
	free(words);
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
		handle_sample(run, r, offset, NULL);
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
	const struct recording_handler *h = run->handler;
	struct bytes b = bytes_of(r->body, run->attrs->swap);
	struct str id, path;
	uint8_t size;

	bytes_skip(&b, 4); /* pid of the machine */
	id = bytes_take(&b, ID_MOST);
	size = bytes_u8(&b);
	bytes_skip(&b, 3);
	path = read_text(&b);
	if (b.bad) {
		record_bad(run, offset, "a build id is cut short");
		return;
	}
	id = r->misc & MISC_ID_SIZE && size && size <= ID_MOST ? str_head(id, size)
							       : strip_zeroes(id);
	if (h->build_id && id.n && path.n)
		h->build_id(h->context, path, id, is_kernel(r->misc));
}
