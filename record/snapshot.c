/* SPDX-License-Identifier: ISC */
/* Shortening stack copies; see snapshot.h. */
#include "snapshot.h"
#include "mem.h"
#include "perf-attr.h"

enum { WORD = sizeof(uint64_t) };

/* The fields of a sample before READ, a word each. */
static const uint64_t fixed = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
	PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
static const uint64_t known = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
	PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

static size_t
count_bits(uint64_t bits)
{
	return (size_t)__builtin_popcountll(bits);
}

/* A key and an item, for bsearch. */
static int
by_id(const void *key, const void *item)
{
	uint64_t id = *(const uint64_t *)key;
	const struct snapshot_layout *l = item;

	return (id > l->id) - (id < l->id);
}

void
snapshot_add(struct snapshots *s, const struct perf_event_attr *a, uint64_t id)
{
	size_t at = s->n;

	if (!(a->sample_type & PERF_SAMPLE_STACK_USER) ||
		!(a->sample_type & PERF_SAMPLE_IDENTIFIER) ||
		a->sample_type & ~(fixed | known))
		return;
	s->layouts = mem_grow(s->layouts, &s->cap, s->n + 1, sizeof *s->layouts);
	for (; at && s->layouts[at - 1].id > id; at--)
		s->layouts[at] = s->layouts[at - 1];
	s->layouts[at] = (struct snapshot_layout){ .id = id,
		.type = a->sample_type,
		.format = a->read_format,
		.regs = (unsigned)count_bits(a->sample_regs_user) };
	s->n++;
}

/* A sample under way. */
struct cursor {
	const struct ring_content *c;
	size_t at, end; /* in the content */
};

/* The next word; 0 behind the end. */
static uint64_t
take(struct cursor *k)
{
	if (k->end - k->at < WORD)
		return 0;
	k->at += WORD;
	return ring_word(k->c, k->at - WORD);
}

/* Passes over N words, or to the end. */
static void
skip(struct cursor *k, uint64_t n)
{
	k->at = n > (k->end - k->at) / WORD ? k->end : k->at + (size_t)n * WORD;
}

/* Passes over the counters; perf_event_open(2), "Reading results". */
static void
skip_read(struct cursor *k, uint64_t format)
{
	size_t times = count_bits(format &
		(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
	size_t each = 1 + count_bits(format & (PERF_FORMAT_ID | PERF_ATTR_LOST));
	uint64_t n = 1;

	if (format & PERF_FORMAT_GROUP)
		n = take(k);
	skip(k, times);
	skip(k, n > (k->end - k->at) / WORD ? n : n * each);
}

/* The place of the size of the stack copy; 0 when there is none. */
static size_t
find_copy(const struct snapshots *s, struct cursor *k)
{
	uint64_t id = ring_word(k->c, k->at);
	const struct snapshot_layout *l =
		bsearch(&id, s->layouts, s->n, sizeof *s->layouts, by_id);

	if (!l)
		return 0;
	skip(k, count_bits(l->type & fixed));
	if (l->type & PERF_SAMPLE_READ)
		skip_read(k, l->format);
	if (l->type & PERF_SAMPLE_CALLCHAIN)
		skip(k, take(k));
	if (l->type & PERF_SAMPLE_REGS_USER && take(k) != PERF_SAMPLE_REGS_ABI_NONE)
		skip(k, l->regs);
	return k->at;
}

/* Adds R, in which the size of the stack copy stands at AT, with COPIED bytes of it. */
static void
put_short(const struct ring_content *c, const struct ring_record *r, size_t at,
	uint64_t copied, struct buf *out)
{
	struct perf_event_header h = r->h;
	uint64_t size = copied / WORD * WORD + WORD, zero = 0;

	h.size = (uint16_t)(at - r->at + WORD + size + WORD);
	buf_str(out, (struct str){ (const char *)&h, sizeof h });
	ring_copy(c, r->at + sizeof h, at - r->at - sizeof h, out);
	buf_str(out, (struct str){ (const char *)&size, WORD });
	ring_copy(c, at + WORD, (size_t)copied, out);
	buf_str(out, (struct str){ (const char *)&zero, (size_t)(size - copied) });
	buf_str(out, (struct str){ (const char *)&copied, WORD });
}

void
snapshot_put(struct snapshots *s, const struct ring_content *c,
	const struct ring_record *r, struct buf *out)
{
	struct cursor k = { c, r->at + sizeof r->h, r->at + r->h.size };
	uint64_t size = 0, copied = 0;
	size_t at = 0;

	if (r->h.type == PERF_RECORD_SAMPLE && s->n && k.end - k.at >= WORD)
		at = find_copy(s, &k);
	if (at)
		size = take(&k);
	/* With a size of 0 nothing follows. */
	if (size && size % WORD == 0 && k.end - k.at == size + WORD)
		copied = ring_word(c, k.end - WORD);
	else
		size = 0;
	s->copies += size > 0;
	s->full += size && copied >= size;
	if (copied < size)
		put_short(c, r, at, copied, out);
	else
		ring_copy(c, r->at, r->h.size, out);
}

void
snapshot_release(struct snapshots *s)
{
	free(s->layouts);
	*s = (struct snapshots){ 0 };
}
