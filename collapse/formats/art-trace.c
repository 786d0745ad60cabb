/* SPDX-License-Identifier: ISC */
/*
 * Method traces of Android's runtime: Debug.startMethodTracing, am profile, the profiler of Android
 * Studio. A record says that a thread entered or left a method. Little endian:
 *
 *	thread	1 byte in version 1, else 2
 *	method	4 bytes, lowest 2 bits: 0 entered, 1 left, 2 left by an exception
 *	time	4 bytes, us since the start; version 3 may have two: thread CPU, then wall-clock
 *
 * A regular file begins with text that holds the names, then "SLOW", the version (2 bytes), the
 * size of this header (2), the start time (8), and from version 3 on the size of a record (2):
 *
 *	*version
 *	3
 *	data-file-overflow=false
 *	clock=dual
 *	pid=21491
 *	*threads
 *	21491	main
 *	*methods
 *	0x1464	java.lang.BootClassLoader	getResources	()V	ClassLoader.java
 *	*end
 *
 * A streaming file begins with "SLOW" and the version | 0xf0. Thread 0 marks a note instead of a
 * record: 1 and a method's line, 2 and a thread's number and name (both with a length of 2 bytes),
 * or 3 and the text (length of 4 bytes), which ends the file.
 *
 * Sampled traces (startMethodTracingSampling) look the same, but many calls begin and end at once.
 * Sources: art/runtime/trace.cc, and VmTraceParser.java of Android's tools.
 */
#include "stacks/calls.h"
#include "collapse.h"
#include "formats.h"
#include "mem.h"
#include "msg.h"
#include "readers/records.h"

#include <inttypes.h>

enum { OLDEST = 1, NEWEST = 3, STREAMING = 0xf0 };

enum clock { WALL, CPU, CLOCKS };

/* The header of the records. */
struct header {
	unsigned version, record;
	bool streaming;
};

/* Clocks of a thread, which struct calls_thread does not hold. */
struct clocks {
	uint32_t last[CLOCKS];
	bool begun;
};

/* A recently seen method, and the sink's id of its name. */
struct seen {
	uint32_t method, name;
	bool known;
};
enum { SEEN = 4096 };

struct reader {
	struct input *in;
	struct collapse *c;
	struct calls calls;
	struct header head;
	unsigned numbers[CLOCKS], chosen;
	bool has[CLOCKS], overflowed;
	struct intern methods, names, threads; /* keys: 4 bytes, and 2 */
	uint32_t *method_frames;	       /* the sink's names, by id in methods */
	size_t method_cap;
	uint32_t *thread_names; /* ids in names, by id in threads */
	size_t thread_cap;
	struct clocks *clocks; /* by thread number */
	struct seen *seen;
	struct calls_thread *last; /* thread of the previous record */
	uint32_t last_thread;
	struct str pid; /* text in names */
};

/* A record, or a note of a streaming file. */
struct record {
	uint32_t thread, method, time[CLOCKS];
	uint8_t code; /* 0: a record; else the kind of note */
	struct str text;
};
enum { METHOD = 1, THREAD, SUMMARY };

static struct str
bytes_of_number(const uint32_t *number)
{
	return (struct str){ (const char *)number, sizeof *number };
}

/* Adds the method of LINE: number, class, name, signature, file, separated by tabs. Returns false
 * if malformed. */
static bool
add_method(struct reader *r, struct str line)
{
	struct str number = str_cut(&line, '\t'), class = str_cut(&line, '\t'),
		   name = str_cut(&line, '\t'), signature = str_cut(&line, '\t');
	struct buf text = { 0 };
	uint64_t id;
	uint32_t key, at;

	/* The number 0 is written without "0x". */
	number = str_from(number, str_starts(number, STR("0x")) ? 2 : 0);
	if (!str_hex_to_u64(number, &id) || id > UINT32_MAX || !class.n)
		return false;
	buf_str(&text, class);
	if (name.n)
		buf_char(&text, '.');
	buf_str(&text, name);
	if (collapse_options(r->c)->full_names)
		buf_str(&text, signature);
	key = (uint32_t)id;
	at = intern_id(&r->methods, bytes_of_number(&key));
	*MEM_AT(r->method_frames, r->method_cap, at) =
		collapse_frame(r->c, buf_view(&text), 0);
	r->seen[key / 4 % SEEN].known = false;
	buf_release(&text);
	return true;
}

static void
name_thread(struct reader *r, uint32_t thread, struct str name)
{
	uint32_t at = intern_id(&r->threads, bytes_of_number(&thread));

	*MEM_AT(r->thread_names, r->thread_cap, at) = intern_id(&r->names, name);
}

/* LINE: "key=value". */
static void
parse_setting(struct reader *r, struct str line)
{
	struct str key = str_cut(&line, '=');

	if (str_eq(key, STR("clock"))) {
		r->has[WALL] = !str_eq(line, STR("thread-cpu"));
		r->has[CPU] = !str_eq(line, STR("wall"));
	} else if (str_eq(key, STR("pid"))) {
		r->pid = intern_str(&r->names, intern_id(&r->names, line));
	} else if (str_eq(key, STR("data-file-overflow"))) {
		r->overflowed = str_eq(line, STR("true"));
	}
}

/* Parses a line of the text; *SECTION is the first letter of the current section. Returns false if
 * malformed. */
static bool
parse_line(struct reader *r, struct str line, char *section)
{
	uint64_t thread;

	if (str_starts(line, STR("*"))) {
		*section = line.n > 1 ? line.s[1] : 0;
		return true;
	}
	if (*section == 'm')
		return add_method(r, line);
	if (*section != 't') {
		parse_setting(r, line);
		return true;
	}
	if (!str_to_u64(str_cut(&line, '\t'), &thread) || thread > UINT16_MAX)
		return false;
	name_thread(r, (uint32_t)thread, line);
	return true;
}

/* Reads the text before the records, up to "*end". Returns false, after a message, if that is
 * missing. */
static bool
read_text(struct reader *r)
{
	struct str line;
	char section = 0;

	while (input_line(r->in, &line)) {
		if (str_eq(line, STR("*end")))
			return true;
		if (!parse_line(r, line, &section))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
	msg_error("%s: is truncated before the first call", input_name(r->in));
	return false;
}

/* Handles a note of a streaming file. */
static void
handle_note(struct reader *r, const struct record *e)
{
	struct str rest = e->text;
	char section = 0;

	if (e->code == THREAD) {
		name_thread(r, e->thread, e->text);
	} else if (e->code == METHOD) {
		if (!add_method(r, str_trim(e->text)))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else {
		while (rest.n)
			(void)parse_line(r, str_trim(str_cut(&rest, '\n')), &section);
	}
}

/* Returns false, after a message, if the header is invalid or its version is not supported. */
static bool
read_header(struct reader *r)
{
	enum { SMALLEST = 16, LARGEST = 4096, ONE_CLOCK = 10, TWO_CLOCKS = 14 };
	struct bytes b = bytes_of(input_window(r->in, LARGEST), false);
	size_t all = bytes_left(&b);
	struct header *h = &r->head;
	uint32_t magic = bytes_u32(&b);
	size_t size;

	h->version = bytes_u16(&b);
	size = bytes_u16(&b);
	(void)bytes_u64(&b);
	h->streaming = (h->version & STREAMING) == STREAMING;
	h->version &= ~(unsigned)STREAMING;
	h->record = h->version == 1 ? ONE_CLOCK - 1 : ONE_CLOCK;
	if (h->version >= 3)
		h->record = bytes_u16(&b);
	if (b.bad || magic != 0x574f4c53 || size < SMALLEST || size > all) {
		msg_error(
			"%s: has no records of an Android ART trace", input_name(r->in));
		return false;
	}
	if (h->version < OLDEST || h->version > NEWEST || h->record > LARGEST ||
		(h->version >= 3 && h->record < ONE_CLOCK)) {
		msg_error("%s: is an ART trace of version %u, which fg-collapse cannot "
			  "read; open it in Android Studio",
			input_name(r->in), h->version);
		return false;
	}
	if (h->record >= TWO_CLOCKS)
		r->has[WALL] = r->has[CPU] = true;
	else if (r->has[WALL] == r->has[CPU])
		r->has[WALL] = !(r->has[CPU] = false);
	input_skip(r->in, size);
	return true;
}

/* Returns false, with B->bad unset, for an unknown kind of note. */
static bool
read_record(struct bytes *b, const struct reader *r, struct record *e)
{
	const struct bytes start = *b;
	uint32_t first;

	e->code = 0;
	e->thread = r->head.version == 1 ? bytes_u8(b) : bytes_u16(b);
	if (r->head.streaming && !e->thread) {
		e->code = bytes_u8(b);
		if (e->code < METHOD || e->code > SUMMARY)
			return false;
		if (e->code == THREAD)
			e->thread = bytes_u16(b);
		e->text = bytes_take(b, e->code == SUMMARY ? bytes_u32(b) : bytes_u16(b));
		return true;
	}
	e->method = bytes_u32(b);
	first = bytes_u32(b);
	e->time[WALL] = e->time[CPU] = first;
	if (r->has[WALL] && r->has[CPU])
		e->time[WALL] = bytes_u32(b);
	if (!b->bad)
		bytes_skip(b, r->head.record - bytes_between(&start, b));
	return true;
}

static struct calls_thread *
find_thread(struct reader *r, uint32_t thread)
{
	struct calls_thread *t = r->last;
	char digits[16];
	uint32_t at;

	if (t && thread == r->last_thread)
		return t;
	t = r->last = calls_find(&r->calls, bytes_of_number(&thread));
	r->last_thread = thread;
	if (t->s.tid.n)
		return t;
	snprintf(digits, sizeof digits, "%" PRIu32, thread);
	t->s.tid = calls_copy(&r->calls, str_of(digits));
	t->s.pid = r->pid;
	if (intern_find(&r->threads, bytes_of_number(&thread), &at))
		t->s.comm = intern_str(&r->names, r->thread_names[at]);
	return t;
}

/* Adds the time since the thread's previous record to the innermost call of T. */
static void
spend(struct reader *r, struct calls_thread *t, const struct record *e)
{
	struct clocks *c = &r->clocks[e->thread];
	uint32_t passed;
	int i;

	for (i = 0; i < CLOCKS; i++) {
		passed = e->time[i] - c->last[i];
		if (!r->has[i] || !t->n || !c->begun || !passed)
			continue;
		if (passed > INT32_MAX) {
			collapse_lose(r->c, COLLAPSE_NEGATIVE);
			continue;
		}
		collapse_count_cost(r->c, r->numbers[i], (int64_t)passed * 1000);
		t->s.has_time = r->has[WALL];
		t->s.time = (uint64_t)c->last[WALL] * 1000;
		if ((unsigned)i == r->chosen)
			calls_spend(&r->calls, t, (uint64_t)passed * 1000);
	}
	memcpy(c->last, e->time, sizeof c->last);
	c->begun = true;
}

/* Returns the sink's name of the method ID. */
static uint32_t
find_method(struct reader *r, uint32_t id)
{
	char digits[16];
	uint32_t at;

	if (intern_find(&r->methods, bytes_of_number(&id), &at))
		return r->method_frames[at];
	snprintf(digits, sizeof digits, "%" PRIx32, id);
	return collapse_bare_frame(r->c, (struct str){ 0 }, str_of(digits), 0);
}

/* Makes the method of E the one that calls_open opens next. */
static void
name_method(struct reader *r, const struct record *e)
{
	uint32_t id = e->method & ~(uint32_t)3;
	struct seen *s = &r->seen[id / 4 % SEEN];

	if (!s->known || s->method != id)
		*s = (struct seen){ id, find_method(r, id), true };
	r->calls.names.n = 0;
	frame_names_push(&r->calls.names, s->name);
}

static void
handle_record(struct reader *r, const struct record *e)
{
	enum { ENTERED, LEFT, UNROLLED, NONE };
	struct calls_thread *t = find_thread(r, e->thread);
	unsigned action = e->method & 3;

	if (action == NONE) {
		collapse_lose(r->c, COLLAPSE_DAMAGED);
		return;
	}
	spend(r, t, e);
	if (action == ENTERED) {
		name_method(r, e);
		calls_open(&r->calls, t, calls_depth(t));
	} else if (t->n) {
		(void)calls_close(t, calls_depth(t) - 1);
	} else {
		r->calls.strays++;
	}
}

/* Returns false if the records are damaged before anything could be folded. */
static bool
read_records(struct reader *r)
{
	struct records records = { .in = r->in };
	uint64_t before = collapse_samples(r->c);
	bool cut = false, ended = false;
	struct record e = { .code = 0 };
	struct bytes b;

	while (!cut && !ended && records_more(&records, &b)) {
		if (!read_record(&b, r, &e) && !b.bad) {
			msg_error("%s: has a record of unknown kind %u; kept the records "
				  "before it",
				input_name(r->in), e.code);
			return collapse_damage(r->c, before, false);
		}
		if (b.bad) {
			cut = !records_grow(&records);
			continue;
		}
		records_take(&records, &b);
		ended = e.code == SUMMARY;
		if (e.code)
			handle_note(r, &e);
		else
			handle_record(r, &e);
	}
	return !cut || collapse_damage(r->c, before, true);
}

/* Announces the trace's clocks as metrics. Returns false if --cost names another one. */
static bool
choose_clock(struct reader *r)
{
	static const char *const names[] = { [WALL] = "wall", [CPU] = "cpu" };
	unsigned i;

	for (i = 0; i < CLOCKS; i++)
		r->numbers[i] = r->has[i]
			? collapse_metric(r->c, str_of(names[i]), STR("ns"))
			: COLLAPSE_NO_METRIC;
	return collapse_choose_among(r->c, r->numbers, CLOCKS, 0, &r->chosen);
}

static void
release(struct reader *r)
{
	calls_release(&r->calls);
	intern_release(&r->methods);
	intern_release(&r->names);
	intern_release(&r->threads);
	free(r->method_frames);
	free(r->thread_names);
	free(r->clocks);
	free(r->seen);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c, .calls = { .names = { .c = c } } };
	bool good;

	collapse_threadless(c);
	collapse_exact(c);
	r.clocks = mem_zero(UINT16_MAX + 1, sizeof *r.clocks);
	r.seen = mem_zero(SEEN, sizeof *r.seen);
	good = (str_starts(input_window(in, 4), STR("SLOW")) || read_text(&r)) &&
		read_header(&r) && choose_clock(&r) && read_records(&r);
	if (r.overflowed)
		msg_warn("%s: the trace buffer was full; later calls are missing",
			input_name(in));
	calls_tell(&r.calls, in, false);
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	if (str_starts(head, STR("SLOW")) && head.n > 5 &&
		((unsigned char)head.s[4] & STREAMING) == STREAMING && !head.s[5])
		return 100;
	return str_starts(head, STR("*version\n")) &&
			str_search(head, STR("\nclock=")) < head.n
		? 100
		: 0;
}

const struct collapse_format collapse_art_trace = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "SLOW"), SIGN(MAGIC, "*version\n")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES |
		COLLAPSE_USES_COST,
};
