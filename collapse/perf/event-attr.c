/* SPDX-License-Identifier: ISC */
/* The events of a recording; see event-attr.h. */
#include "event-attr.h"
#include "buf.h"
#include "mem.h"

#include <inttypes.h>

enum {
	LEAST = 64,	  /* bytes of the first version of the struct */
	WORD = 8,	  /* bytes of a field of a sample */
	MOST = 64 * 1024, /* events: a limit for damaged files */
	MOST_IDS = 1 << 21
};

/* The fields of a trailer, each a word. */
enum {
	TRAILER = RECORDING_HAS_TID | RECORDING_HAS_TIME | RECORDING_HAS_ID |
		RECORDING_HAS_STREAM_ID | RECORDING_HAS_CPU | RECORDING_HAS_IDENTIFIER
};

void
event_attr_set_release(struct event_attr_set *set)
{
	size_t i;

	for (i = 0; i < set->n; i++)
		free(set->list[i]);
	free(set->list);
	free(set->events);
	idmap_release(&set->ids);
	arena_release(&set->arena);
	*set = (struct event_attr_set){ 0 };
}

/* Reads a word of bit fields. Compilers for big-endian machines begin with the highest
 * bit of each byte; precise_ip, of two bits, is then reversed. */
static uint64_t
read_flags(struct bytes *b)
{
	const uint16_t one = 1;
	bool little = *(const uint8_t *)&one;
	uint64_t flags = 0, bit;
	int i;

	if (little != b->swap)
		return bytes_u64(b);
	for (i = 0; i < 64; i += 8) {
		uint8_t byte = bytes_u8(b);

		for (bit = 0; bit < 8; bit++)
			flags |= (uint64_t)(byte >> (7 - bit) & 1) << (i + (int)bit);
	}
	bit = flags >> EVENT_ATTR_PRECISE & 3;
	flags &= ~((uint64_t)3 << EVENT_ATTR_PRECISE);
	return flags | ((bit >> 1 | (bit << 1 & 2)) << EVENT_ATTR_PRECISE);
}

/* Reads the fields from TYPE on. Fields that the file lacks are 0. */
static void
read_fields(struct event_attr *a, struct bytes *b)
{
	struct recording_event *e = &a->event;
	uint64_t period;

	e->type = bytes_u32(b);
	bytes_skip(b, 4); /* size */
	e->config = bytes_u64(b);
	period = bytes_u64(b);
	a->sample_type = bytes_u64(b);
	a->read_format = bytes_u64(b);
	a->flags = read_flags(b);
	bytes_skip(b, 4); /* wakeup_events */
	a->breakpoint = bytes_u32(b);
	a->address = bytes_u64(b);
	bytes_skip(b, 8); /* config2 */
	a->branch_type = bytes_u64(b);
	a->user_regs = bytes_u64(b);
	e->stack_bytes = bytes_u32(b);
	a->clockid = bytes_u32(b);
	e->tracepoint = e->type == 2;
	e->fixed_period = event_attr_flag(a, EVENT_ATTR_FREQ) ? 0 : period;
	e->sample_type = a->sample_type;
	e->read_format = a->read_format;
	e->branch_type = a->branch_type;
	e->user_regs = a->user_regs;
}

static int8_t
words(const struct event_attr *a, uint64_t fields)
{
	return (int8_t)__builtin_popcountll(a->sample_type & fields);
}

/* Finds the places of ids and times. As in perf, ids are in front as IDENTIFIER, or
 * behind fields that all events of the recording share. */
static void
find_places(struct event_attr *a)
{
	uint64_t type = a->sample_type;
	bool all = event_attr_flag(a, EVENT_ATTR_ID_ALL);

	a->sample_id = a->sample_time = -1;
	if (type & RECORDING_HAS_IDENTIFIER)
		a->sample_id = 0;
	else if (type & RECORDING_HAS_ID)
		a->sample_id = words(a,
			RECORDING_HAS_IP | RECORDING_HAS_TID | RECORDING_HAS_TIME |
				RECORDING_HAS_ADDR);
	if (type & RECORDING_HAS_TIME)
		a->sample_time = words(a,
			RECORDING_HAS_IDENTIFIER | RECORDING_HAS_IP | RECORDING_HAS_TID);
	if (all && type & RECORDING_HAS_IDENTIFIER)
		a->record_id = -1;
	else if (all && type & RECORDING_HAS_ID)
		a->record_id = (int8_t)(-1 -
			words(a, RECORDING_HAS_STREAM_ID | RECORDING_HAS_CPU));
	if (all && type & RECORDING_HAS_TIME)
		a->record_time = (int8_t)-words(a, TRAILER & ~RECORDING_HAS_TID);
	a->trailer_words = all ? (uint8_t)words(a, TRAILER) : 0;
	a->other_words = (uint8_t)words(
		a, RECORDING_HAS_ADDR | RECORDING_HAS_ID | RECORDING_HAS_STREAM_ID);
	a->regs = (uint8_t)__builtin_popcountll(a->user_regs);
}

/* Events without a name in the recording get perf's names, made from the numbers:
 * "cycles:u", "L1-dcache-load-misses", "raw 0x1a8", "mem:0x4010:rw".
 * (tools/perf/util/evsel.c, evsel__name) */
enum { HARDWARE, SOFTWARE, TRACEPOINT, CACHE, RAW, BREAKPOINT };

static const char *const hardware[] = { "cycles", "instructions", "cache-references",
	"cache-misses", "branches", "branch-misses", "bus-cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles" };

static const char *const software[] = { "cpu-clock", "task-clock", "page-faults",
	"context-switches", "cpu-migrations", "minor-faults", "major-faults",
	"alignment-faults", "emulation-faults", "dummy", "bpf-output",
	"cgroup-switches" };

static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB",
	"branch", "node" };

static const struct {
	const char *one, *many;
} accesses[] = { { "load", "loads" }, { "store", "stores" },
	{ "prefetch", "prefetches" } };

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void
put_hardware(struct buf *b, const struct event_attr *a)
{
	/* The upper half distinguishes kinds of cores. */
	uint32_t n = (uint32_t)a->event.config;

	buf_str(b, str_of(n < COUNT(hardware) ? hardware[n] : "unknown-hardware"));
}

static void
put_software(struct buf *b, const struct event_attr *a)
{
	uint64_t n = a->event.config;

	buf_str(b, str_of(n < COUNT(software) ? software[n] : "unknown-software"));
}

static void
put_cache(struct buf *b, const struct event_attr *a)
{
	uint8_t cache = (uint8_t)a->event.config;
	uint8_t access = (uint8_t)(a->event.config >> 8);
	uint8_t result = (uint8_t)(a->event.config >> 16);

	if (cache >= COUNT(caches) || access >= COUNT(accesses) || result > 1)
		buf_str(b, STR("invalid-cache"));
	else if (result)
		buf_fmt(b, "%s-%s-misses", caches[cache], accesses[access].one);
	else
		buf_fmt(b, "%s-%s", caches[cache], accesses[access].many);
}

static void
put_raw(struct buf *b, const struct event_attr *a)
{
	buf_fmt(b, "raw 0x%" PRIx64, a->event.config);
}

static void
put_breakpoint(struct buf *b, const struct event_attr *a)
{
	buf_fmt(b, "mem:0x%" PRIx64 ":", a->address);
	if (a->breakpoint & 1)
		buf_char(b, 'r');
	if (a->breakpoint & 2)
		buf_char(b, 'w');
	if (a->breakpoint & 4)
		buf_char(b, 'x');
}

static void (*const kinds[])(struct buf *b, const struct event_attr *a) = {
	[HARDWARE] = put_hardware,
	[SOFTWARE] = put_software,
	[CACHE] = put_cache,
	[RAW] = put_raw,
	[BREAKPOINT] = put_breakpoint,
};

/* Adds the levels if some are excluded, the precision, and host or guests if perf would
 * not choose them by default. */
static void
put_modifiers(struct buf *b, const struct event_attr *a)
{
	bool kernel = event_attr_flag(a, EVENT_ATTR_EXCLUDE_KERNEL);
	bool user = event_attr_flag(a, EVENT_ATTR_EXCLUDE_USER);
	bool hv = event_attr_flag(a, EVENT_ATTR_EXCLUDE_HV);
	bool host = event_attr_flag(a, EVENT_ATTR_EXCLUDE_HOST);
	bool guest = event_attr_flag(a, EVENT_ATTR_EXCLUDE_GUEST);
	int precise = (int)(a->flags >> EVENT_ATTR_PRECISE & 3);
	bool some = kernel || user || hv;
	size_t colon = b->n;

	buf_char(b, ':');
	if (some && !kernel)
		buf_char(b, 'k');
	if (some && !user)
		buf_char(b, 'u');
	if (some && !hv)
		buf_char(b, 'h');
	buf_fmt(b, "%.*s", precise, "ppp");
	if (host || guest == (some || precise)) {
		if (!host)
			buf_char(b, 'H');
		if (!guest)
			buf_char(b, 'G');
	}
	if (b->n == colon + 1)
		b->n = colon;
}

/* The name that perf would make for A from its numbers, owned by SET. */
static struct str
make_name(struct event_attr_set *set, const struct event_attr *a)
{
	struct buf b = { 0 };
	struct str name;

	if (a->event.tracepoint) {
		buf_str(&b, STR("unknown tracepoint"));
	} else if (a->event.type < COUNT(kinds)) {
		kinds[a->event.type](&b, a);
		put_modifiers(&b, a);
	} else {
		buf_fmt(&b, "unknown attr type: %" PRIu32, a->event.type);
	}
	name = arena_str(&set->arena, buf_view(&b));
	buf_release(&b);
	return name;
}

/* The size field of the attr at B. */
static uint32_t
stated_size(struct bytes b)
{
	uint32_t size;

	bytes_skip(&b, 4);
	size = bytes_u32(&b);
	return size ? size : LEAST;
}

struct event_attr *
event_attr_add(struct event_attr_set *set, struct bytes *b, size_t limit)
{
	uint32_t size = stated_size(*b);
	struct bytes fields;
	struct event_attr *a;
	struct str raw;

	raw = bytes_take(b, size < limit ? size : limit);
	if (raw.n < LEAST || size < LEAST || set->n == MOST)
		return NULL;
	a = mem_zero(1, sizeof *a);
	fields = bytes_of(raw, set->swap);
	read_fields(a, &fields);
	find_places(a);
	a->size = size;
	a->event.index = (uint32_t)set->n;
	a->event.name = make_name(set, a);
	if (set->n == set->cap)
		set->list = mem_grow(set->list, &set->cap, set->n + 1, sizeof *set->list);
	if (set->n == set->events_cap)
		set->events = mem_grow(
			set->events, &set->events_cap, set->n + 1, sizeof *set->events);
	set->events[set->n] = &a->event;
	return set->list[set->n++] = a;
}

void
event_attr_add_id(struct event_attr_set *set, const struct event_attr *a, uint64_t id)
{
	if (set->ids.n < MOST_IDS)
		*idmap_put(&set->ids, id, 0) = a->event.index;
}

struct event_attr *
event_attr_of_id(const struct event_attr_set *set, uint64_t id)
{
	const uint64_t *index = idmap_find(&set->ids, id, 0);

	return index ? set->list[*index] : NULL;
}

void
event_attr_name(struct event_attr_set *set, struct event_attr *a, struct str name)
{
	if (name.n)
		a->event.name = arena_str(&set->arena, name);
}

/* Reads the word of BODY at AT, counted from the end if AT is negative. */
static bool
word(const struct event_attr_set *set, struct str body, int at, uint64_t *value)
{
	size_t n = body.n / WORD;
	struct bytes b;

	if (at < 0 ? (size_t)-at > n : (size_t)at >= n)
		return false;
	b = bytes_of(
		str_from(body, at < 0 ? body.n - (size_t)-at * WORD : (size_t)at * WORD),
		set->swap);
	*value = bytes_u64(&b);
	return true;
}

struct event_attr *
event_attr_of_sample(const struct event_attr_set *set, struct str body)
{
	struct event_attr *first = set->n ? set->list[0] : NULL;
	uint64_t id;

	if (set->n < 2 || first->sample_id < 0)
		return first;
	if (!word(set, body, first->sample_id, &id))
		return NULL;
	return id ? event_attr_of_id(set, id) : first;
}

/* The event of BODY, a record other than a sample: the first event if the record names
 * none. NULL without events. */
static const struct event_attr *
find_of_record(const struct event_attr_set *set, struct str body)
{
	const struct event_attr *first = set->n ? set->list[0] : NULL, *a;
	uint64_t id;

	if (set->n < 2 || !first->record_id)
		return first;
	/* Records that perf itself made have 0. */
	if (!word(set, body, first->record_id, &id) || !id)
		return first;
	a = event_attr_of_id(set, id);
	return a ? a : first;
}

bool
event_attr_time(
	const struct event_attr_set *set, struct str body, bool is_sample, uint64_t *time)
{
	const struct event_attr *a =
		is_sample ? event_attr_of_sample(set, body) : find_of_record(set, body);

	if (!a || (is_sample ? a->sample_time < 0 : !a->record_time))
		return false;
	return word(set, body, is_sample ? a->sample_time : a->record_time, time);
}

struct event_attr_trailer
event_attr_cut_trailer(const struct event_attr_set *set, struct str *body)
{
	const struct event_attr *a = find_of_record(set, *body);
	size_t n = a ? (size_t)a->trailer_words * WORD : 0;
	struct event_attr_trailer t = { 0 };
	struct bytes b;

	if (!n || n > body->n)
		return t;
	b = bytes_of(str_from(*body, body->n - n), set->swap);
	body->n -= n;
	t.has_tid = a->sample_type & RECORDING_HAS_TID;
	t.has_time = a->sample_type & RECORDING_HAS_TIME;
	if (t.has_tid) {
		t.pid = bytes_u32(&b);
		t.tid = bytes_u32(&b);
	}
	if (t.has_time)
		t.time = bytes_u64(&b);
	return t;
}
