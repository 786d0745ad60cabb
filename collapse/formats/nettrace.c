/* SPDX-License-Identifier: ISC */
/*
 * Recordings of .NET's EventPipe, .nettrace, versions 4 and 5: from dotnet-trace collect,
 * or from a program run with DOTNET_EnableEventPipe=1 (microsoft/perfview,
 * src/TraceEvent/EventPipe/NetTraceFormat_v5.md). Everything is little-endian:
 *
 *	Nettrace	20, "!FastSerialization.1", then objects up to a lone 1
 *	object		5 5 1, versions, the length of its name, its name, 6, contents, 6
 *
 *	Trace		start time and clock, the process
 *	MetadataBlock	the meaning of event numbers
 *	StackBlock	addresses, innermost first, numbered until the next SPBlock
 *	EventBlock	events: metadata, thread, stack, time, contents
 *
 * Every millisecond the sampler writes an event for each thread, running or waiting.
 * Names come at the end, in events that give the address range of each method.
 */
#include "buf.h"
#include "bytes.h"
#include "stacks/cache.h"
#include "stacks/clock.h"
#include "collapse.h"
#include "date.h"
#include "formats.h"
#include "jfr-costs.h"
#include "mem.h"
#include "msg.h"
#include "idmap.h"
#include "utf8.h"

#include <inttypes.h>
#include <stdlib.h>

enum kind { OTHER, SAMPLE, ALLOCATION, EXCEPTION, METHOD, PROCESS, KINDS };

/* Tags around objects. */
enum { NOTHING = 1, BEGIN = 5, END = 6 };

/* The sample's type: in code that the runtime did not generate. */
enum { EXTERNAL = 1 };

static const struct jfr_rule costs[KINDS] = {
	[SAMPLE] = { NULL, "wall", "", { 0 }, NULL },
	[ALLOCATION] = { NULL, "alloc", "bytes", { 0 }, NULL },
	[EXCEPTION] = { NULL, "exceptions", "", { 0 }, NULL },
};

/* A numbered stack; its frames are in reader.ids. */
struct stack {
	struct str_digest digest;
	size_t first, n;
};

/* The address range of a method; its name and signature are in reader.names. */
struct method {
	uint64_t start, size;
	size_t name, name_n, signature_n;
};

/* The header of an event. Most fields default to the previous event's. */
struct event {
	uint64_t metadata, thread, stack, time, size;
	uint64_t writer;   /* the thread that wrote the event */
	uint32_t sequence; /* its number among this thread's events */
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct jfr_costs costs;
	struct jfr_cost cost[KINDS];
	bool swap;   /* this machine is big-endian */
	uint64_t at; /* offset in the file */
	uint64_t began, ticks, frequency;
	unsigned pointer;
	struct buf pid, tid, name, text;
	struct idmap kinds;   /* metadata id to enum kind */
	struct idmap written; /* thread to the number of its last event + 2^32 */
	uint64_t lost;
	struct idmap roots; /* thread to a node + 1 */
	struct cache nodes; /* by stack digest, root and callee */
	struct idmap known; /* stack number to an index in stacks + 1 */
	struct stack *stacks;
	size_t stack_n, stack_cap;
	uint32_t *ids;
	size_t id_n, id_cap;
	struct idmap places; /* address to its late name + 1 */
	uint64_t *addresses; /* of late frames */
	size_t address_n, address_cap;
	struct method *methods;
	size_t method_n, method_cap;
	struct buf names;
	uint64_t damaged;
};

/* Texts. */

/* Appends UTF-16 text, up to a 0, to TEXT as UTF-8. */
static void
read_text(struct bytes *b, struct buf *text)
{
	enum { HIGH = 0xd800, LOW = 0xdc00, LAST = 0xdfff, SUPPLEMENT = 0x10000 };
	uint32_t unit, high = 0;
	char utf8[UTF8_LONGEST];

	while ((unit = bytes_u16(b)) && !b->bad) {
		if (unit >= HIGH && unit < LOW) {
			high = unit;
			continue;
		}
		if (unit >= LOW && unit <= LAST)
			unit = high ? SUPPLEMENT + ((high - HIGH) << 10) + unit - LOW
				    : 0xfffd;
		high = 0;
		buf_str(text, (struct str){ utf8, utf8_put(utf8, unit) });
	}
}

/* Metadata. */

static enum kind
kind_of(struct str provider, uint32_t event)
{
	static const struct {
		const char *provider;
		uint32_t event;
		enum kind kind;
	} events[] = { { "Microsoft-DotNETCore-SampleProfiler", 0, SAMPLE },
		{ "Microsoft-Windows-DotNETRuntime", 10, ALLOCATION },
		{ "Microsoft-Windows-DotNETRuntime", 80, EXCEPTION },
		{ "Microsoft-Windows-DotNETRuntime", 143, METHOD },
		{ "Microsoft-Windows-DotNETRuntimeRundown", 143, METHOD },
		{ "Microsoft-Windows-DotNETRuntimeRundown", 144, METHOD },
		{ "Microsoft-DotNETCore-EventPipe", 1, PROCESS } };
	size_t i;

	for (i = 0; i < sizeof events / sizeof *events; i++)
		if (event == events[i].event &&
			str_eq(provider, str_of(events[i].provider)))
			return events[i].kind;
	return OTHER;
}

static void
read_metadata(struct reader *r, struct bytes *b)
{
	uint32_t id = bytes_u32(b), event;

	buf_clear(&r->text);
	read_text(b, &r->text);
	event = bytes_u32(b);
	if (!b->bad)
		*idmap_put(&r->kinds, id, 0) = kind_of(buf_view(&r->text), event);
}

/* Names. */

static void
read_method(struct reader *r, struct bytes *b)
{
	struct method m = { .name = r->names.n };
	size_t before;

	bytes_skip(b, 16); /* the method's id, its module's */
	m.start = bytes_u64(b);
	m.size = bytes_u32(b);
	bytes_skip(b, 8); /* token, flags */
	read_text(b, &r->names);
	before = r->names.n;
	if (before > m.name)
		buf_char(&r->names, '.');
	read_text(b, &r->names);
	m.name_n = r->names.n - m.name;
	read_text(b, &r->names);
	m.signature_n = r->names.n - m.name - m.name_n;
	if (b->bad) {
		r->names.n = m.name;
		r->damaged++;
		return;
	}
	*MEM_ADD(r->methods, r->method_n, r->method_cap) = m;
}

/* Sorts by start; the last name given to an address comes last. */
static int
compare_methods(const void *a, const void *b)
{
	const struct method *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* The method that contains ADDRESS, or NULL. */
static const struct method *
find_method(const struct reader *r, uint64_t address)
{
	size_t low = 0, high = r->method_n, middle;
	const struct method *m;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (r->methods[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	m = &r->methods[low - 1];
	return address - m->start < m->size ? m : NULL;
}

/* Names the frame at ADDRESS. */
static uint32_t
name_address(struct reader *r, uint64_t address)
{
	const struct method *m = find_method(r, address);
	struct str nothing = { 0 }, signature;

	/* A call may be the last instruction of its caller. */
	if (!m && address)
		m = find_method(r, address - 1);
	buf_clear(&r->name);
	if (!m) {
		buf_fmt(&r->name, "%" PRIx64, address);
		return collapse_bare_frame(r->c, nothing, buf_view(&r->name), 0);
	}
	signature = str_from(buf_view(&r->names), m->name);
	buf_str(&r->name, str_head(signature, m->name_n));
	/* "instance void  (class System.String,int32)" */
	signature = str_head(str_from(signature, m->name_n), m->signature_n);
	if (collapse_options(r->c)->full_names)
		buf_str(&r->name, str_from(signature, str_find(signature, '(')));
	return collapse_frame(r->c, buf_view(&r->name), COLLAPSE_JIT);
}

/* Names all late frames. */
static void
name_frames(struct reader *r)
{
	struct str why = STR("code of methods that the recording does not name");
	uint32_t id;
	size_t i;

	if (r->method_n)
		qsort(r->methods, r->method_n, sizeof *r->methods, compare_methods);
	for (i = 0; i < r->address_n; i++) {
		id = name_address(r, r->addresses[i]);
		collapse_name_late(r->c, collapse_late_frame(r->c, i), &id, 1);
	}
	if (r->address_n)
		collapse_rename(r->c);
	if (!r->method_n)
		why = STR("a recording without names: it was not stopped, but ended with "
			  "its program");
	collapse_explain(r->c, (struct str){ 0 }, why);
}

/* Stacks. */

/* The late name of the frame at ADDRESS. */
static uint32_t
late_frame(struct reader *r, uint64_t address)
{
	uint64_t *place = idmap_put(&r->places, address, 0);

	if (!*place) {
		r->addresses = mem_grow(r->addresses, &r->address_cap, r->address_n + 1,
			sizeof *r->addresses);
		*place = (uint64_t)collapse_late_frame(r->c, r->address_n) + 1;
		r->addresses[r->address_n++] = address;
	}
	return (uint32_t)*place - 1;
}

static void
read_stack(struct reader *r, uint64_t id, struct str addresses)
{
	struct bytes b = bytes_of(addresses, r->swap);
	struct stack s = { str_digest(addresses), r->id_n, addresses.n / r->pointer };
	size_t i;

	r->ids = mem_grow(r->ids, &r->id_cap, r->id_n + s.n, sizeof *r->ids);
	for (i = 0; i < s.n; i++)
		r->ids[r->id_n++] = late_frame(r, bytes_uint(&b, r->pointer));
	*MEM_ADD(r->stacks, r->stack_n, r->stack_cap) = s;
	*idmap_put(&r->known, id, 0) = r->stack_n;
}

static void
read_stacks(struct reader *r, struct bytes *b)
{
	uint32_t id = bytes_u32(b), n = bytes_u32(b);
	struct str addresses;

	for (; n && !b->bad; n--, id++) {
		addresses = bytes_take(b, bytes_u32(b));
		if (!b->bad)
			read_stack(r, id, addresses);
	}
}

/* Stack numbers restart. */
static void
forget_stacks(struct reader *r)
{
	idmap_release(&r->known);
	r->stack_n = r->id_n = 0;
}

/* The node of the root frames of the thread ID. */
static uint32_t
find_root(struct reader *r, uint64_t id)
{
	uint64_t *known = idmap_put(&r->roots, id, 0);
	struct collapse_sample s = { .pid = buf_view(&r->pid) };

	if (!*known) {
		buf_clear(&r->tid);
		buf_u64(&r->tid, id);
		s.tid = buf_view(&r->tid);
		buf_clear(&r->name);
		buf_fmt(&r->name, "Thread (%" PRIu64 ")", id);
		s.comm = buf_view(&r->name);
		*known = (uint64_t)collapse_root(r->c, &s) + 1;
	}
	return (uint32_t)*known - 1;
}

/* The node of E's stack, with CALLED as its leaf unless that is empty. */
static uint32_t
find_node(struct reader *r, const struct event *e, struct str called)
{
	const uint64_t *place = idmap_find(&r->known, e->stack, 0);
	uint32_t root = find_root(r, e->thread), node, leaf;
	struct str_digest key;
	const struct stack *s;

	/* Stack 0 means no stack. */
	if (!place && e->stack)
		return COLLAPSE_NOWHERE;
	s = place ? &r->stacks[*place - 1] : NULL;
	if ((!s || !s->n) && !called.n)
		return TREE_ROOT;
	key = s ? s->digest : (struct str_digest){ 0 };
	key = cache_below(root, key);
	key.a ^= str_hash(called);
	node = cache_find(&r->nodes, key);
	if (node != CACHE_NONE)
		return node;
	node = s && s->n ? collapse_path(r->c, root, r->ids + s->first, s->n) : root;
	if (called.n) {
		leaf = collapse_frame(r->c, called, 0);
		node = collapse_path(r->c, node, &leaf, 1);
	}
	return cache_add(&r->nodes, key, node);
}

/* Events. */

static void
fold(struct reader *r, const struct event *e, enum kind kind, uint64_t weight,
	struct str called)
{
	struct collapse_sample s = { .has_time = true, .time = r->began };

	if (e->time > r->ticks)
		s.time += clock_scale(e->time - r->ticks, r->frequency);
	if (!jfr_costs_wants(&r->costs, &r->cost[kind], weight, &s))
		return;
	collapse_add(r->c, find_node(r, e, called), &s);
}

/* Handles an allocation tick: the bytes since the last one, about 100 kB. */
static void
read_allocation(struct reader *r, const struct event *e, struct bytes *b)
{
	uint64_t amount = bytes_u32(b);

	bytes_skip(b, 4); /* whether the object is large */
	buf_clear(&r->text);
	if (bytes_left(b) > 2) { /* version 2 or later */
		bytes_skip(b, 2);
		amount = bytes_u64(b);
		bytes_skip(b, r->pointer);
		read_text(b, &r->text);
	}
	if (b->bad || amount > INT64_MAX)
		r->damaged++;
	else
		fold(r, e, ALLOCATION, amount, buf_view(&r->text));
}

static void
read_exception(struct reader *r, const struct event *e, struct bytes *b)
{
	buf_clear(&r->text);
	read_text(b, &r->text);
	if (b->bad)
		r->damaged++;
	else
		fold(r, e, EXCEPTION, 1, buf_view(&r->text));
}

static void
handle_event(struct reader *r, const struct event *e, struct str payload)
{
	const uint64_t *kind = idmap_find(&r->kinds, e->metadata, 0);
	struct bytes b = bytes_of(payload, r->swap);

	switch (kind ? *kind : OTHER) {
	case SAMPLE:
		fold(r, e, SAMPLE, 1,
			bytes_u32(&b) == EXTERNAL ? STR("UNMANAGED_CODE_TIME")
						  : (struct str){ 0 });
		break;
	case ALLOCATION: read_allocation(r, e, &b); break;
	case EXCEPTION: read_exception(r, e, &b); break;
	case METHOD: read_method(r, &b); break;
	case PROCESS:
		buf_clear(&r->text);
		read_text(&b, &r->text);
		collapse_info(r->c, "command", buf_view(&r->text));
		break;
	default: break;
	}
}

/* Counts the events of WRITER that are missing before its number NOW, which is that of an
 * event, or of the last one it had written by then. A thread that restarts at 1 may be
 * another one that reuses the number. */
static void
count_lost(struct reader *r, uint64_t writer, uint32_t now, bool is_event)
{
	const uint64_t known = UINT64_C(1) << 32;
	uint64_t *last = idmap_put(&r->written, writer, 0);
	uint32_t missing = now - (uint32_t)*last - is_event;
	bool back = missing > INT32_MAX;

	if (*last && !back && !(is_event && now == 1))
		r->lost += missing;
	if (!*last || !back || is_event)
		*last = known | now;
}

/* Reads how many events each thread had written so far. */
static void
read_point(struct reader *r, struct bytes *b)
{
	uint64_t writer;
	uint32_t n, number;

	bytes_skip(b, 8); /* the time */
	for (n = bytes_u32(b); n && !b->bad; n--) {
		writer = bytes_u64(b);
		number = bytes_u32(b);
		if (!b->bad)
			count_lost(r, writer, number, false);
	}
}

/* Reads a compressed header, which contains only the fields that differ from the previous
 * event's. */
static void
read_short_header(struct bytes *b, struct event *e)
{
	enum {
		HAS_METADATA = 1,
		HAS_SEQUENCE = 2,
		HAS_THREAD = 4,
		HAS_STACK = 8,
		HAS_ACTIVITY = 16,
		HAS_RELATED = 32,
		HAS_SIZE = 128
	};
	uint8_t has = bytes_u8(b);

	if (has & HAS_METADATA)
		e->metadata = bytes_uleb(b);
	if (has & HAS_SEQUENCE) {
		e->sequence += (uint32_t)bytes_uleb(b);
		e->writer = bytes_uleb(b);
		(void)bytes_uleb(b); /* CPU */
	}
	e->sequence += e->metadata != 0;
	if (has & HAS_THREAD)
		e->thread = bytes_uleb(b);
	if (has & HAS_STACK)
		e->stack = bytes_uleb(b);
	e->time += bytes_uleb(b);
	bytes_skip(b, (has & HAS_ACTIVITY ? 16 : 0) + (has & HAS_RELATED ? 16 : 0));
	if (has & HAS_SIZE)
		e->size = bytes_uleb(b);
}

/* Reads a full header; *REST is positioned after it. */
static void
read_long_header(struct bytes *b, struct event *e, struct bytes *rest)
{
	struct str event = bytes_take(b, bytes_u32(b));

	*rest = bytes_of(event, b->swap);
	e->metadata = bytes_u32(rest) & INT32_MAX;
	e->sequence = bytes_u32(rest);
	e->thread = bytes_u64(rest);
	e->writer = bytes_u64(rest);
	bytes_skip(rest, 4); /* CPU */
	e->stack = bytes_u32(rest);
	e->time = bytes_u64(rest);
	bytes_skip(rest, 32); /* activities */
	e->size = bytes_u32(rest);
}

/* Reads a block of events, or of METADATA. */
static void
read_events(struct reader *r, struct bytes *b, bool metadata)
{
	enum { HEADER = 20, SHORT = 1 };
	uint16_t size = bytes_u16(b), flags = bytes_u16(b);
	struct event e = { 0 };
	struct bytes rest;
	struct str payload;

	bytes_skip(b, size < HEADER ? UINT64_MAX : size - 4u);
	while (bytes_left(b)) {
		if (flags & SHORT) {
			read_short_header(b, &e);
			payload = bytes_take(b, e.size);
		} else {
			read_long_header(b, &e, &rest);
			payload = bytes_take(&rest, e.size);
			b->bad |= rest.bad;
		}
		if (b->bad)
			break;
		rest = bytes_of(payload, r->swap);
		if (metadata) {
			read_metadata(r, &rest);
			continue;
		}
		count_lost(r, e.writer, e.sequence, true);
		handle_event(r, &e, payload);
	}
}

/* Objects. */

/* Reads the start time and the clock. */
static bool
read_trace(struct reader *r, struct bytes *b)
{
	uint16_t
		when[8]; /* year, month, day of the week, day, hour, minute, second, ms */
	uint64_t pid;
	size_t i;

	for (i = 0; i < sizeof when / sizeof *when; i++)
		when[i] = bytes_u16(b);
	r->ticks = bytes_u64(b);
	r->frequency = bytes_u64(b);
	r->pointer = bytes_u32(b);
	pid = bytes_u32(b);
	if (b->bad || !r->frequency || (r->pointer != 4 && r->pointer != 8))
		return false;
	if (date_of((const uint64_t[]){ when[0], when[1], when[3], when[4], when[5],
			    when[6] },
		    &r->began)) {
		r->began += when[7] * UINT64_C(1000000);
		collapse_start(r->c, r->began);
	}
	collapse_origin(r->c, r->began);
	buf_clear(&r->pid);
	buf_u64(&r->pid, pid);
	return true;
}

/* Reads the block NAME. */
static void
read_block(struct reader *r, struct str name, struct str contents)
{
	struct bytes b = bytes_of(contents, r->swap);

	if (str_eq(name, STR("EventBlock")))
		read_events(r, &b, false);
	else if (str_eq(name, STR("MetadataBlock")))
		read_events(r, &b, true);
	else if (str_eq(name, STR("StackBlock")))
		read_stacks(r, &b);
	else if (str_eq(name, STR("SPBlock"))) {
		read_point(r, &b);
		forget_stacks(r);
	}
	r->damaged += b.bad;
}

/* Skips N bytes that have been read. */
static void
skip(struct reader *r, size_t n)
{
	input_skip(r->in, n);
	r->at += n;
}

/* Reads an object's tags and its name, a copy of which goes into *NAME. Returns false if
 * the input is something else. */
static bool
read_begin(struct reader *r, struct buf *name)
{
	enum { FIXED = 15, LONGEST = 256 };
	struct bytes b = bytes_of(input_window(r->in, FIXED + LONGEST + 1), r->swap);
	uint64_t before = bytes_left(&b);
	struct str text;

	if (bytes_u8(&b) != BEGIN || bytes_u8(&b) != BEGIN || bytes_u8(&b) != NOTHING)
		return false;
	bytes_skip(&b, 8);
	text = bytes_take(&b, bytes_u32(&b));
	if (bytes_u8(&b) != END || b.bad || text.n > LONGEST)
		return false;
	buf_clear(name);
	buf_str(name, text);
	skip(r, before - bytes_left(&b));
	return true;
}

/* The contents of the object NAME, which END must follow; if not, *WHOLE is false. */
static struct str
find_contents(struct reader *r, struct str name, bool *whole)
{
	enum { TRACE = 48, ALIGN = 4 };
	struct bytes b;
	size_t n = TRACE, before = 0;
	struct str w;

	if (!str_eq(name, STR("Trace"))) {
		b = bytes_of(input_window(r->in, 4), r->swap);
		n = bytes_u32(&b);
		before = 4 + (ALIGN - (r->at + 4) % ALIGN) % ALIGN;
	}
	w = input_window(r->in, before + n + 1);
	*whole = w.n > before + n && w.s[before + n] == END;
	if (!*whole)
		return (struct str){ 0 };
	skip(r, before);
	return str_head(str_from(w, before), n);
}

/* Reads all objects. Returns why the rest of the input cannot be read, or NULL. */
static const char *
read_objects(struct reader *r)
{
	struct buf name = { 0 };
	struct bytes b;
	struct str w, contents;
	const char *why = "is truncated";
	bool whole;

	while ((w = input_window(r->in, 1)).n && *w.s != NOTHING) {
		why = "is damaged";
		if (!read_begin(r, &name))
			break;
		why = "is truncated or damaged";
		contents = find_contents(r, buf_view(&name), &whole);
		if (!whole)
			break;
		b = bytes_of(contents, r->swap);
		why = "is damaged";
		if (str_eq(buf_view(&name), STR("Trace")))
			whole = read_trace(r, &b);
		else if (r->pointer)
			read_block(r, buf_view(&name), contents);
		else
			break;
		if (!whole)
			break;
		skip(r, contents.n + 1);
		why = "is truncated";
	}
	buf_release(&name);
	return w.n && *w.s == NOTHING ? NULL : why;
}

static bool
read_file(struct reader *r)
{
	enum { HEADER = 32 };
	struct str w = input_window(r->in, HEADER);
	uint64_t before = collapse_samples(r->c);
	const char *why;

	if (!str_starts(str_from(w, 8), STR("\x14\0\0\0!FastSerialization.1"))) {
		msg_error("%s: this version of .nettrace is not supported; run "
			  "dotnet-trace convert --format Speedscope FILE",
			input_name(r->in));
		return false;
	}
	skip(r, HEADER);
	why = read_objects(r);
	if (!why)
		return true;
	if (collapse_samples(r->c) == before) {
		msg_error("%s: %s, and nothing could be folded", input_name(r->in), why);
		return false;
	}
	msg_warn("%s: %s; kept the samples before that", input_name(r->in), why);
	collapse_lose_quietly(r->c, COLLAPSE_DAMAGED, 1);
	return true;
}

static void
release(struct reader *r)
{
	buf_release(&r->pid);
	buf_release(&r->tid);
	buf_release(&r->name);
	buf_release(&r->text);
	buf_release(&r->names);
	idmap_release(&r->kinds);
	idmap_release(&r->written);
	idmap_release(&r->roots);
	idmap_release(&r->known);
	idmap_release(&r->places);
	cache_release(&r->nodes);
	free(r->stacks);
	free(r->ids);
	free(r->addresses);
	free(r->methods);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const uint16_t one = 1;
	struct reader r = { .in = in, .c = c, .swap = !*(const char *)&one };
	bool good;
	int i;

	for (i = 0; i < KINDS; i++)
		if (costs[i].cost)
			r.cost[i] = jfr_costs_of(&costs[i], (struct str){ 0 });
	jfr_costs_begin(&r.costs, c);
	good = read_file(&r);
	name_frames(&r);
	collapse_lose_recorded(c, r.lost);
	if (collapse_lose_quietly(c, COLLAPSE_DAMAGED, r.damaged))
		msg_warn("%s: skipping damaged events", input_name(in));
	good = good && jfr_costs_end(&r.costs);
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	(void)head;
	return 100;
}

const struct collapse_format collapse_nettrace = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "Nettrace")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_JIT | COLLAPSE_USES_ADDRS |
		COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_COST,
};
