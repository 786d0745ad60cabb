/* SPDX-License-Identifier: ISC */
/*
 * The body of a SAMPLE record: fields one after the other, each there when its
 * bit of sample_type is set. (include/uapi/linux/perf_event.h,
 * PERF_RECORD_SAMPLE)
 *
 *	IDENTIFIER IP TID TIME ADDR ID STREAM_ID CPU PERIOD READ CALLCHAIN
 *	RAW BRANCH_STACK REGS_USER STACK_USER ...
 *
 * The last two words of CALLCHAIN may stand for a user part that comes later, in a
 * record of its own; see deferred.h.
 *
 * With READ, counters come along: all of a group are read when its leader is
 * sampled. Then each member that has counted since its last value makes a
 * sample of its own, of what it counted, as with perf.
 * (tools/perf/util/session.c, deliver_sample_group)
 */
#include "bytes.h"
#include "mem.h"
#include "record.h"

enum { WORD = 8, BRANCH_WORDS = 3 };

/* A sample under way. */
struct body {
	struct record_run *run;
	struct event_attr *attr;
	struct bytes b;
	struct bytes read; /* at READ, or empty */
	struct reader_sample s;
	size_t size;	/* of the record */
	size_t words_n; /* of run->words */
};

/* The next N words, as numbers of this machine: where they lie, or put right in
 * a copy; NULL for none. The copy has room for all words of the record, so it is not moved
 * while the sample lasts. */
static const uint64_t *
take_words(struct body *d, uint64_t n)
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
take_ids(struct body *d)
{
	uint64_t type = d->attr->sample_type;

	if (type & EVENT_ATTR_IDENTIFIER)
		bytes_skip(&d->b, WORD);
	if (type & EVENT_ATTR_IP)
		d->s.ip = bytes_u64(&d->b);
	if (type & EVENT_ATTR_TID) {
		d->s.pid = bytes_u32(&d->b);
		d->s.tid = bytes_u32(&d->b);
	}
	if (type & EVENT_ATTR_TIME)
		d->s.time = bytes_u64(&d->b);
	bytes_skip(&d->b, (uint64_t)d->attr->other_words * WORD);
	if (type & EVENT_ATTR_CPU) {
		d->s.cpu = bytes_u32(&d->b);
		bytes_skip(&d->b, 4);
	}
	if (type & EVENT_ATTR_PERIOD)
		d->s.period = bytes_u64(&d->b);
	d->s.has_ip = type & EVENT_ATTR_IP;
	d->s.has_tid = type & EVENT_ATTR_TID;
	d->s.has_time = type & EVENT_ATTR_TIME;
	d->s.has_cpu = type & EVENT_ATTR_CPU;
	d->s.has_period = type & EVENT_ATTR_PERIOD;
}

/* The words of one counter in READ: its value, and what else is asked. */
static size_t
counter_words(uint64_t format)
{
	return 1 + (format & EVENT_ATTR_READ_ID ? 1 : 0) +
		(format & EVENT_ATTR_READ_LOST ? 1 : 0);
}

/* Passes over the counters, whose place is kept. */
static void
take_read(struct body *d)
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
take_branches(struct body *d)
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

/* The kernel fills less than was asked for where there is no more memory, and has
 * room for less where the record would outgrow the 16 bits of its size. What
 * fg-record writes has room for what was filled. */
static void
take_stack(struct body *d)
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

/* The fields up to the stack; what follows is of no use here. */
static void
take_fields(struct body *d)
{
	uint64_t type = d->attr->sample_type, n;

	take_ids(d);
	if (type & EVENT_ATTR_READ)
		take_read(d);
	if (type & EVENT_ATTR_CALLCHAIN) {
		n = bytes_u64(&d->b);
		d->s.chain = take_words(d, n);
		d->s.callchain_n = d->s.chain ? (size_t)n : 0;
	}
	if (type & EVENT_ATTR_RAW)
		bytes_skip(&d->b, bytes_u32(&d->b));
	if (type & EVENT_ATTR_BRANCHES)
		take_branches(d);
	if (type & EVENT_ATTR_REGS_USER) {
		d->s.regs_abi = bytes_u64(&d->b);
		if (d->s.regs_abi)
			d->s.regs = take_words(d, d->attr->regs);
	}
	if (type & EVENT_ATTR_STACK_USER)
		take_stack(d);
}

/* Gives it out as one of A, though it was taken as the attr of the sample asks. */
static void
deliver(struct body *d, struct event_attr *a)
{
	const struct reader_handler *h = d->run->handler;

	a->event.sample_type = d->attr->sample_type;
	a->event.read_format = d->attr->read_format;
	a->event.branch_type = d->attr->branch_type;
	a->event.user_regs = d->attr->user_regs;
	d->s.event = &a->event;
	d->run->samples++;
	if (h->sample)
		h->sample(h->context, &d->s);
}

/* A sample of the member that has ID, of what it counted since its last VALUE,
 * by thread where counters are inherited. */
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

/* Whether the user part of the chain comes later. */
static bool
is_deferred(const struct reader_sample *s)
{
	return s->callchain_n >= 2 && s->chain[s->callchain_n - 2] == DEFERRED_MARK &&
		s->has_tid;
}

/* Puts the part that came later in the place of its cookie. */
static void
join(struct body *d)
{
	struct record_run *run = d->run;
	size_t n = d->s.callchain_n - 2, all = n + 1 + run->later_n;

	if (run->joined_cap < all)
		run->joined =
			mem_grow(run->joined, &run->joined_cap, all, sizeof *run->joined);
	if (n)
		memcpy(run->joined, d->s.chain, n * sizeof *run->joined);
	run->joined[n++] = DEFERRED_USER;
	if (run->later_n)
		memcpy(run->joined + n, run->later, run->later_n * sizeof *run->joined);
	d->s.chain = run->joined;
	d->s.callchain_n = all;
}

static void
take_sample(struct record_run *run, const struct record *r, uint64_t offset, bool waited)
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
	d.s.mode = mode <= READER_GUEST_USER ? (enum reader_mode)mode : READER_UNKNOWN;
	take_fields(&d);
	if (d.b.bad) {
		record_bad(run, offset, "a sample is cut short");
		return;
	}
	if (is_deferred(&d.s) && !waited) {
		deferred_hold(&run->deferred, d.s.tid, d.s.chain[d.s.callchain_n - 1],
			(struct str){ r->body.s - RECORD_HEADER, r->size }, offset);
		record_give_up(run, false);
		return;
	}
	if (is_deferred(&d.s))
		join(&d);
	if (!d.s.has_period)
		d.s.period = d.attr->event.fixed_period ? d.attr->event.fixed_period : 1;
	if (d.attr->sample_type & EVENT_ATTR_READ &&
		d.attr->read_format & EVENT_ATTR_READ_ID)
		deliver_counters(&d);
	else
		deliver(&d, d.attr);
}

void
record_sample(struct record_run *run, const struct record *r, uint64_t offset)
{
	take_sample(run, r, offset, false);
}

void
record_join(struct record_run *run, struct deferred_item *waited, const uint64_t *later,
	size_t n)
{
	struct record r = record_at(waited->record, run->attrs->swap);

	run->later = later;
	run->later_n = n;
	take_sample(run, &r, waited->offset, true);
	run->later = NULL;
	run->later_n = 0;
	free(waited);
}

void
record_give_up(struct record_run *run, bool any)
{
	struct deferred_item *waited;

	while ((waited = deferred_oldest(&run->deferred, any))) {
		run->unjoined++;
		record_join(run, waited, NULL, 0);
	}
}
