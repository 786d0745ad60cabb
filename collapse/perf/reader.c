/* SPDX-License-Identifier: ISC */
/*
 * Reads a perf.data recording; see reader.h. A pipe has a magic number and a size of
 * 16, then only records. A file:
 *
 *	0   char magic[8]	"PERFILE2", or "2ELIFREP" in the other byte order
 *	8   u64 size		104
 *	16  u64 attr_size	of an attr and its section of ids
 *	24  section attrs	section: u64 offset, u64 size
 *	40  section data	size 0: perf record was killed
 *	56  section event_types
 *	72  u64 features[4]	bits; a section for each that is set follows data
 *
 * Records of the kernel (record.h) wait for their turn (reorder.h); perf's own records
 * take effect at their position.
 *
 * A recording by several threads (perf record --threads) is a folder with "data", which
 * has the header and the processes, and "data.0", "data.1" ... with only records.
 * Rounds do not span files.
 */
#include "reader.h"
#include "buf.h"
#include "bytes.h"
#include "chunks.h"
#include "event-attr.h"
#include "inflate.h"
#include "mem.h"
#include "msg.h"
#include "record.h"
#include "reorder.h"

#include <inttypes.h>
#include <sys/stat.h>

/* Features of the header: sections at the end of a file, HEADER_FEATURE and
 * EVENT_UPDATE records of a pipe. */
enum {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_RELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_COMMAND = 11,
	FEATURE_EVENTS = 12,
	FEATURE_PARTS = 24,
	FEATURE_COMPRESSED = 27,
	FEATURE_CLOCK = 29
};

enum { UPDATE_NAME = 2 };

/* Reads a length and text that is padded with NUL. */
static struct str
read_padded(struct bytes *b)
{
	struct str s = bytes_take(b, bytes_u32(b));

	return str_head(s, str_find(s, '\0'));
}

static void
read_host(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	about->host = arena_str(&set->arena, read_padded(b));
}

static void
read_release(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	about->release = arena_str(&set->arena, read_padded(b));
}

static void
read_version(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	about->version = arena_str(&set->arena, read_padded(b));
}

static void
read_arch(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	about->arch = arena_str(&set->arena, read_padded(b));
}

static void
read_command(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	uint32_t n = bytes_u32(b);
	struct buf line = { 0 };
	struct str word;

	for (; n > 0; n--) {
		word = read_padded(b);
		if (b->bad)
			break;
		if (line.n)
			buf_char(&line, ' ');
		buf_str(&line, word);
	}
	about->command = arena_str(&set->arena, buf_view(&line));
	buf_release(&line);
}

/* Reads the events in the order of the recording: an attr, its ids, its name. Only here
 * do files name them. */
static void
read_events(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	uint32_t n = bytes_u32(b), size = bytes_u32(b), ids, i;

	(void)about;
	for (i = 0; i < n && i < set->n && !b->bad; i++) {
		bytes_skip(b, size);
		ids = bytes_u32(b);
		event_attr_name(set, set->list[i], read_padded(b));
		for (; ids > 0 && bytes_left(b); ids--)
			event_attr_add_id(set, set->list[i], bytes_u64(b));
	}
}

static void
note_compressed(
	struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	(void)set;
	(void)b;
	about->compressed = true;
}

/* Reads the time of day that belongs to a time of the records' clock. */
static void
read_clock(struct event_attr_set *set, struct recording_about *about, struct bytes *b)
{
	uint32_t version = bytes_u32(b);
	uint64_t time;

	(void)set;
	(void)bytes_u32(b);
	time = bytes_u64(b);
	if (version == 1 && !b->bad)
		about->start = time;
}

static void (*const features[])(
	struct event_attr_set *set, struct recording_about *about, struct bytes *b) = {
	[FEATURE_HOSTNAME] = read_host,
	[FEATURE_RELEASE] = read_release,
	[FEATURE_VERSION] = read_version,
	[FEATURE_ARCH] = read_arch,
	[FEATURE_COMMAND] = read_command,
	[FEATURE_EVENTS] = read_events,
	[FEATURE_COMPRESSED] = note_compressed,
	[FEATURE_CLOCK] = read_clock,
};

/* Whether feature ID is used. */
static bool
is_wanted(uint64_t id)
{
	return id < sizeof features / sizeof *features && features[id];
}

/* Reads feature ID, with the content B, into ABOUT and the names and ids of SET. Text
 * of ABOUT is owned by SET. Reads as much as possible of damaged content. */
static void
read_feature(struct event_attr_set *set, struct recording_about *about, uint64_t id,
	struct bytes b)
{
	if (is_wanted(id))
		features[id](set, about, &b);
}

/* Reads an EVENT_UPDATE with the body B: the name of an event. Returns false if it is
 * damaged. */
static bool
update_event(struct event_attr_set *set, struct bytes b)
{
	uint64_t kind = bytes_u64(&b), id = bytes_u64(&b);
	struct event_attr *a = event_attr_of_id(set, id);
	struct str text = bytes_take(&b, bytes_left(&b));

	if (kind == UPDATE_NAME && a)
		event_attr_name(set, a, str_head(text, str_find(text, '\0')));
	return !b.bad && (kind != UPDATE_NAME || a);
}

enum {
	PIPE_SIZE = 16,
	OLD_SIZE = 72, /* before there were features */
	FILE_SIZE = 104,
	SECTION = 16,
	FEATURES = 256,
	LEAST_ATTR = 64,
	MOST_ATTR = 4096,
	PIECE = 64 * 1024,
	MOST = 1 << 28,	   /* bytes to read of one section */
	MOST_IDS = 1 << 24 /* bytes of all ids */
};

/* The magic number of the second version, as a number. */
static const uint64_t magic = 0x32454c4946524550;

struct section {
	uint64_t offset, size;
};

struct header {
	struct input *in;
	struct str whole; /* of an input without random access */
	bool swap, pipe;
	uint64_t size, attr_size;
	struct section attrs, data;
	uint64_t features[4];
	uint64_t ids; /* bytes of ids that may still be read: sections may overlap */
};

bool
reader_knows(struct str head)
{
	return str_starts(head, STR("PERFILE2")) || str_starts(head, STR("2ELIFREP")) ||
		str_starts(head, STR("PERFFILE"));
}

/* Reads N bytes at OFFSET of the input. */
static bool
read_at(const struct header *h, uint64_t offset, void *to, size_t n)
{
	if (!h->whole.s)
		return input_read_at(h->in, offset, to, n);
	if (offset > h->whole.n || n > h->whole.n - offset)
		return false;
	if (n)
		memcpy(to, h->whole.s + offset, n);
	return true;
}

/* Reads the section S into TO, as much of it as exists. */
static struct bytes
read_section(const struct header *h, struct section s, struct buf *to)
{
	uint64_t left = s.size < MOST ? s.size : MOST;
	size_t n;

	buf_clear(to);
	for (; left > 0; left -= n, to->n += n) {
		n = left < PIECE ? (size_t)left : PIECE;
		if (s.offset > UINT64_MAX - MOST ||
			!read_at(h, s.offset + to->n, buf_room(to, n), n))
			break;
	}
	return bytes_of(buf_view(to), h->swap);
}

static struct section
cut_section(struct bytes *b)
{
	struct section s;

	s.offset = bytes_u64(b);
	s.size = bytes_u64(b);
	return s;
}

/* A 32-bit machine of the other byte order swaps the halves of these words. Every perf
 * writes the host's name, so its bit shows the order. */
static void
read_features(struct header *h, struct bytes *b)
{
	int i;

	for (i = 0; i < 4; i++)
		h->features[i] = bytes_u64(b);
	if (!h->swap || h->features[0] >> FEATURE_HOSTNAME & 1)
		return;
	for (i = 0; i < 4; i++)
		h->features[i] = h->features[i] >> 32 | h->features[i] << 32;
}

static bool
parse_header(struct header *h, struct str head)
{
	struct bytes b = bytes_of(head, false);

	h->swap = bytes_u64(&b) != magic;
	b.swap = h->swap;
	h->size = bytes_u64(&b);
	h->pipe = h->size == PIPE_SIZE;
	if (h->pipe)
		return !b.bad;
	h->attr_size = bytes_u64(&b);
	h->attrs = cut_section(&b);
	h->data = cut_section(&b);
	(void)cut_section(&b);
	if (h->size >= FILE_SIZE)
		read_features(h, &b);
	return !b.bad && h->size >= OLD_SIZE && h->attr_size >= LEAST_ATTR + SECTION &&
		h->attr_size <= MOST_ATTR && h->data.offset >= OLD_SIZE;
}

/* The end of a file is read before its data. If that is impossible, for a pipe or a
 * compressed file, all of it is held in memory. */
static void
make_readable(struct header *h)
{
	char byte;

	if (!input_read_at(h->in, 0, &byte, 1))
		h->whole = input_rest(h->in);
}

/* Reads the header of IN without consuming it. Returns false, after a message, for
 * other files and unsupported kinds. */
static bool
read_header(struct header *h, struct input *in)
{
	struct str head = input_window(in, FILE_SIZE);
	const char *name = input_name(in);

	*h = (struct header){ .in = in, .ids = MOST_IDS };
	if (!reader_knows(head)) {
		msg_error("%s: is not a perf recording", name);
		return false;
	}
	if (str_starts(head, STR("PERFFILE"))) {
		msg_error(
			"%s: was recorded by perf from 2010 or earlier; use perf script "
			"-i FILE | fg-collapse",
			name);
		return false;
	}
	if (!parse_header(h, head)) {
		msg_error(
			"%s: the header of the recording is damaged or truncated", name);
		return false;
	}
	if (!h->pipe)
		make_readable(h);
	return true;
}

/* Reads the ids of A from their section. */
static void
read_ids(struct header *h, struct event_attr_set *set, const struct event_attr *a,
	struct section ids)
{
	struct buf raw = { 0 };
	struct bytes b;

	if (ids.size > h->ids)
		ids.size = h->ids;
	h->ids -= ids.size;
	b = read_section(h, ids, &raw);
	while (bytes_left(&b) >= sizeof(uint64_t))
		event_attr_add_id(set, a, bytes_u64(&b));
	buf_release(&raw);
}

static void
read_attrs(struct header *h, struct event_attr_set *set)
{
	uint64_t n = h->attrs.size / h->attr_size, i;
	size_t attr_n = (size_t)h->attr_size - SECTION;
	char raw[MOST_ATTR];
	struct bytes b;
	struct event_attr *a;

	for (i = 0; i < n; i++) {
		if (h->attrs.offset > UINT64_MAX - h->attrs.size ||
			!read_at(h, h->attrs.offset + i * h->attr_size, raw,
				(size_t)h->attr_size))
			break;
		b = bytes_of((struct str){ raw, attr_n }, h->swap);
		a = event_attr_add(set, &b, attr_n);
		if (!a)
			break;
		b = bytes_of((struct str){ raw + attr_n, SECTION }, h->swap);
		read_ids(h, set, a, cut_section(&b));
	}
}

/* Finds the section of feature ID. Returns false without one: a perf record that was
 * killed leaves bits but no sections. */
static bool
find_feature(const struct header *h, unsigned id, struct section *s)
{
	uint64_t at = h->data.offset, i;
	char raw[SECTION];
	struct bytes b;

	if (!h->data.size || !(h->features[id / 64] >> id % 64 & 1) ||
		h->data.size > UINT64_MAX / 2 || at > UINT64_MAX / 4)
		return false;
	at += h->data.size;
	for (i = 0; i < id; i++)
		at += h->features[i / 64] >> i % 64 & 1 ? SECTION : 0;
	if (!read_at(h, at, raw, sizeof raw))
		return false;
	b = bytes_of((struct str){ raw, sizeof raw }, h->swap);
	*s = cut_section(&b);
	return true;
}

/* Reads events, names and features of a file. Returns false, after a message, without
 * events. */
static bool
read_sections(struct header *h, struct event_attr_set *set, struct recording_about *about)
{
	struct section s;
	struct buf raw = { 0 };
	unsigned id;

	read_attrs(h, set);
	if (!set->n) {
		msg_error("%s: has no readable event", input_name(h->in));
		return false;
	}
	for (id = 0; id < FEATURES; id++)
		if (is_wanted(id) && find_feature(h, id, &s))
			read_feature(set, about, id, read_section(h, s, &raw));
	buf_release(&raw);
	return true;
}

/* Delivers the build ids of a file to RUN's handler. */
static void
deliver_build_ids(struct header *h, struct record_run *run)
{
	struct section s;
	struct buf raw = { 0 };
	struct record r;
	struct bytes b;
	uint64_t offset;

	if (!find_feature(h, FEATURE_BUILD_ID, &s))
		return;
	b = read_section(h, s, &raw);
	while (bytes_left(&b) >= RECORD_HEADER) {
		offset = s.offset + bytes_offset(&b, buf_view(&raw));
		r = record_at(bytes_rest(&b).s, h->swap);
		if (r.size < RECORD_HEADER || r.size > bytes_left(&b)) {
			record_bad(run, offset, "the list of build ids is damaged");
			break;
		}
		record_build_id(run, &r, offset);
		bytes_skip(&b, r.size);
	}
	buf_release(&raw);
}

/* The other files of a recording by several threads. A zeroed struct has none open. */
struct parts {
	struct input **list;
	char **names;
	size_t n, cap, name_cap;
	size_t tried; /* the number of the next one */
};

static void
close_parts(struct parts *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		input_close(p->list[i]);
		free(p->names[i]);
	}
	free(p->list);
	free(p->names);
	*p = (struct parts){ 0 };
}

/* Opens the next part of the recording whose header is in MAIN, or returns NULL. A part
 * that cannot be opened is skipped after a message, and marks MAIN as failed. Owned by
 * P. */
static struct input *
open_part(struct parts *p, struct input *main)
{
	struct buf name = { 0 };
	struct input *in = NULL;
	struct stat st;

	for (; !in; p->tried++) {
		buf_clear(&name);
		buf_fmt(&name, "%s.%zu", input_name(main), p->tried);
		if (stat(buf_cstr(&name), &st) < 0) {
			buf_release(&name);
			return NULL;
		}
		in = input_open(buf_cstr(&name));
		if (!in)
			input_fail(main);
	}
	p->list = mem_grow(p->list, &p->cap, p->n + 1, sizeof(struct input *));
	p->names = mem_grow(p->names, &p->name_cap, p->n + 1, sizeof(char *));
	/* The input keeps its name. */
	p->names[p->n] = name.s;
	p->list[p->n++] = in;
	return in;
}

/* Bytes of records that may wait; above this, the older half is delivered. */
enum { MOST_HELD = 256 * 1024 * 1024 };

struct reader {
	struct input *in;
	const struct recording_handler *handler;
	struct event_attr_set attrs;
	struct recording_about about;
	struct chunks_pool pool;
	struct chunks plain;
	struct inflate *zstd;
	struct chunks unpacked; /* from zstd */
	struct reorder reorder;
	struct record_run run;
	uint64_t at;   /* in the input, of the next byte to read */
	uint64_t left; /* bytes of records from there on, UINT64_MAX: to the end */
	bool begun, damaged, refused, traces;
	bool mapped;  /* instead of read */
	bool divided; /* among files: all records are held before any is delivered */
	struct parts parts;
};

static void
begin(struct reader *r)
{
	const struct event_attr *first = r->attrs.n ? r->attrs.list[0] : NULL;

	if (r->begun)
		return;
	r->begun = true;
	if (first && event_attr_flag(first, EVENT_ATTR_USE_CLOCKID))
		r->about.clock = (uint64_t)first->clockid + 1;
	r->about.events = r->attrs.events;
	r->about.event_n = r->attrs.n;
	if (r->handler->begin)
		r->handler->begin(r->handler->context, &r->about);
}

/* Nothing that follows can be trusted: records have no mark to resynchronise on. */
static void
give_up(struct reader *r, uint64_t offset, const char *why)
{
	record_bad(&r->run, offset, why);
	r->damaged = true;
}

/* Limits the memory of waiting records. */
static void
relieve(struct reader *r)
{
	if (r->pool.used > MOST_HELD && !r->divided)
		reorder_halve(&r->reorder);
}

/* Reads more of the input. False at the end. */
static bool
read_more(struct reader *r)
{
	size_t room, n = 0;
	char *to;

	if (!r->left)
		return false;
	if (r->mapped)
		n = chunks_map(&r->plain, r->in, r->at);
	if (n > r->left) {
		chunks_cut(&r->plain, n - (size_t)r->left);
		n = (size_t)r->left;
	}
	if (!r->mapped) {
		to = chunks_room(&r->plain, r->at, &room);
		n = input_read(r->in, to, r->left < room ? (size_t)r->left : room);
		chunks_added(&r->plain, n);
	}
	r->at += n;
	if (r->left != UINT64_MAX)
		r->left -= n;
	relieve(r);
	return n > 0;
}

/* Skips N bytes behind a record that belong to it. */
static void
skip_extra(struct reader *r, uint64_t n)
{
	size_t some;

	while (n > 0) {
		some = chunks_left(&r->plain) < n ? chunks_left(&r->plain) : (size_t)n;
		chunks_skip(&r->plain, some);
		n -= some;
		if (n && !read_more(r)) {
			give_up(r, r->at, "the recording was truncated and ends here");
			return;
		}
	}
}

static void cut_records(struct reader *r, struct chunks *l);

static void
handle_attr(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);
	struct event_attr *a = event_attr_add(&r->attrs, &b, bytes_left(&b));

	if (!a) {
		record_bad(&r->run, offset, "an event is damaged");
		return;
	}
	while (bytes_left(&b) >= sizeof(uint64_t))
		event_attr_add_id(&r->attrs, a, bytes_u64(&b));
}

static void
handle_update(struct reader *r, const struct record *rec, uint64_t offset)
{
	if (!update_event(&r->attrs, bytes_of(rec->body, r->attrs.swap)))
		record_bad(&r->run, offset, "an event name is damaged");
}

static void
handle_feature(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);
	uint64_t id = bytes_u64(&b);

	(void)offset;
	read_feature(&r->attrs, &r->about, id, b);
}

/* Skips the formats of tracepoints, whose size is rounded up to a word. */
static void
handle_tracing_data(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);

	(void)offset;
	skip_extra(r, ((uint64_t)bytes_u32(&b) + 7) & ~(uint64_t)7);
}

static void
handle_build_id(struct reader *r, const struct record *rec, uint64_t offset)
{
	record_build_id(&r->run, rec, offset);
}

static void
handle_round(struct reader *r, const struct record *rec, uint64_t offset)
{
	(void)rec;
	(void)offset;
	if (!r->divided)
		reorder_finish(&r->reorder);
}

static void
handle_trace(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);

	(void)offset;
	r->traces = true;
	if (rec->type == RECORD_AUXTRACE)
		skip_extra(r, bytes_u64(&b));
}

/* Decompresses some of *DATA, removing it from there; OFFSET is its place in the input.
 * Sets *DONE when nothing more is in it. Returns false if it is damaged, so that the
 * rest is lost. */
static bool
unpack(struct reader *r, struct str *data, uint64_t offset, bool *done)
{
	size_t before = data->n, room, got = 0;
	char *to = chunks_room(&r->unpacked, offset, &room);

	if (!r->zstd)
		r->zstd = inflate_new(INFLATE_ZSTD);
	if (inflate_run(r->zstd, data, to, room, &got) == INFLATE_BAD)
		return false;
	chunks_added(&r->unpacked, got);
	*done = !data->n && got < room;
	return *done || got || data->n < before;
}

/* COMPRESSED and COMPRESSED2: pieces of one zstd stream of records. A record may begin
 * in one piece and end in the next. */
static void
handle_compressed(struct reader *r, const struct record *rec, uint64_t offset)
{
	struct bytes b = bytes_of(rec->body, r->attrs.swap);
	uint64_t size = bytes_left(&b);
	bool done = false, good = true;
	struct str data;

	if (!inflate_knows(INFLATE_ZSTD)) {
		msg_error(
			"%s: is compressed with zstd, which this build cannot read; use "
			"perf script -i FILE |",
			input_name(r->in));
		r->refused = true;
		return;
	}
	if (rec->type == RECORD_COMPRESSED2)
		size = bytes_u64(&b);
	data = bytes_take(&b, size);
	if (b.bad) {
		give_up(r, offset, "a compressed record is damaged");
		return;
	}
	while (good && !done && !r->damaged) {
		good = unpack(r, &data, offset, &done);
		cut_records(r, &r->unpacked);
		relieve(r);
	}
	if (!good && !r->damaged)
		give_up(r, offset, "the compressed records are damaged");
}

/* Drops decompressed bytes; another stream may follow. */
static void
end_unpacking(struct reader *r)
{
	chunks_clear(&r->unpacked);
	inflate_free(r->zstd);
	r->zstd = NULL;
}

/* perf's own records. Header records may come before begin. */
static const struct own {
	void (*handle)(struct reader *r, const struct record *rec, uint64_t offset);
	bool header;
} owns[] = {
	[RECORD_HEADER_ATTR - RECORD_USER] = { handle_attr, true },
	[RECORD_EVENT_TYPE - RECORD_USER] = { NULL, true },
	[RECORD_TRACING_DATA - RECORD_USER] = { handle_tracing_data, true },
	[RECORD_BUILD_ID - RECORD_USER] = { handle_build_id, false },
	[RECORD_FINISHED_ROUND - RECORD_USER] = { handle_round, false },
	[RECORD_ID_INDEX - RECORD_USER] = { NULL, true },
	[RECORD_AUXTRACE_INFO - RECORD_USER] = { handle_trace, true },
	[RECORD_AUXTRACE - RECORD_USER] = { handle_trace, false },
	[RECORD_THREAD_MAP - RECORD_USER] = { NULL, true },
	[RECORD_CPU_MAP - RECORD_USER] = { NULL, true },
	[RECORD_EVENT_UPDATE - RECORD_USER] = { handle_update, true },
	[RECORD_TIME_CONV - RECORD_USER] = { NULL, true },
	[RECORD_HEADER_FEATURE - RECORD_USER] = { handle_feature, true },
	[RECORD_COMPRESSED - RECORD_USER] = { handle_compressed, false },
	[RECORD_FINISHED_INIT - RECORD_USER] = { NULL, true },
	[RECORD_COMPRESSED2 - RECORD_USER] = { handle_compressed, false },
};

/* Handles a record of perf's own, which takes effect at its position. */
static void
run_own(struct reader *r, const struct chunks *l, const struct record *rec,
	uint64_t offset)
{
	const struct own *own;

	if (rec->type - RECORD_USER >= sizeof owns / sizeof *owns)
		return;
	own = owns + (rec->type - RECORD_USER);
	if (!own->header)
		begin(r);
	if (!own->handle)
		return;
	/* Decompressed records have no extra bytes behind them, and are not compressed
	 * again. */
	if (l != &r->plain &&
		(own->handle == handle_compressed || own->handle == handle_trace ||
			own->handle == handle_tracing_data)) {
		give_up(r, offset, "the compressed records are damaged");
		return;
	}
	own->handle(r, rec, offset);
}

/* Handles a record of the kernel. Without a time it is delivered at once, as perf
 * does. */
static void
run_kernel(struct reader *r, struct chunks *l, const struct record *rec, const char *p)
{
	uint64_t time;

	begin(r);
	if (!record_is_timed(rec->type))
		return;
	if (event_attr_time(&r->attrs, rec->body, rec->type == RECORD_SAMPLE, &time) &&
		time && time != UINT64_MAX)
		reorder_add(&r->reorder, time, (struct str){ p, rec->size }, l->now);
	else
		record_deliver(&r->run, rec, chunks_offset(l->now, p));
}

/* Cuts L into records and handles them. */
static void
cut_records(struct reader *r, struct chunks *l)
{
	struct record rec;
	uint64_t offset;
	const char *p;

	while (chunks_left(l) >= RECORD_HEADER && !r->damaged && !r->refused) {
		p = chunks_front(l);
		offset = chunks_offset(l->now, p);
		rec = record_at(p, r->attrs.swap);
		/* Kernel records are whole words; perf's are not. */
		if (rec.size < RECORD_HEADER ||
			(rec.type < RECORD_USER && rec.size % 8)) {
			give_up(r, offset,
				chunks_was_cut(l)
					? "the recording was truncated while it was read"
					: "a record has an impossible size");
			return;
		}
		if (rec.size > chunks_left(l))
			return;
		chunks_skip(l, rec.size);
		if (rec.type < RECORD_USER)
			run_kernel(r, l, &rec, p);
		else
			run_own(r, l, &rec, offset);
	}
}

/* Skips to the data of a file. */
static void
skip_to(struct reader *r, uint64_t offset)
{
	struct str w;

	while (r->at < offset) {
		w = input_window(r->in, 1);
		if (!w.n)
			return;
		if (w.n > offset - r->at)
			w.n = (size_t)(offset - r->at);
		input_skip(r->in, w.n);
		r->at += w.n;
	}
}

static bool
start(struct reader *r)
{
	struct header h;

	if (!read_header(&h, r->in))
		return false;
	r->attrs.swap = h.swap;
	r->about.pipe = h.pipe;
	r->left = UINT64_MAX;
	if (h.pipe) {
		skip_to(r, h.size);
		return true;
	}
	if (!read_sections(&h, &r->attrs, &r->about))
		return false;
	r->divided = h.features[FEATURE_PARTS / 64] >> FEATURE_PARTS % 64 & 1;
	begin(r);
	deliver_build_ids(&h, &r->run);
	skip_to(r, h.data.offset);
	if (h.data.size)
		r->left = h.data.size;
	else
		msg_warn(
			"%s: perf record was killed: event names and build ids are missing",
			input_name(r->in));
	return true;
}

/* Reports a file that ends before its last record does. */
static void
check_end(struct reader *r)
{
	size_t cut = chunks_left(&r->plain) + chunks_left(&r->unpacked);

	if (!r->damaged && !r->refused && (cut || (r->left && r->left != UINT64_MAX)))
		record_bad(&r->run, r->at - chunks_left(&r->plain),
			"the recording was truncated and ends here");
}

/* Delivers the waiting records, and reports losses. */
static bool
end(struct reader *r)
{
	begin(r);
	reorder_end(&r->reorder);
	record_give_up(&r->run, true);
	check_end(r);
	if (r->reorder.late)
		msg_warn("%s: %" PRIu64 " record%s came too late to be sorted by time",
			input_name(r->in), r->reorder.late, msg_s(r->reorder.late));
	if (r->run.unjoined)
		msg_warn(
			"%s: %" PRIu64
			" sample%s without a user stack: their deferred call chains are missing",
			input_name(r->in), r->run.unjoined, msg_s(r->run.unjoined));
	if (r->traces && !r->run.samples && !r->refused) {
		msg_error("%s: has only a hardware trace (Intel PT, ARM SPE, ...); use "
			  "perf script --itrace=i100us -i FILE |",
			input_name(r->in));
		return false;
	}
	return !r->refused;
}

static void
deliver_held(void *context, const struct reorder_held *held)
{
	struct reader *r = context;
	struct record rec = record_at(held->record.s, r->attrs.swap);

	record_deliver(&r->run, &rec, chunks_offset(held->chunk, held->record.s));
}

/* Reads the records of the input from its current place on. */
static void
run_records(struct reader *r)
{
	struct input_piece first;

	r->mapped = input_map(r->in, r->at, 1, &first);
	if (r->mapped)
		input_unmap(&first);
	while (!r->damaged && !r->refused && read_more(r))
		cut_records(r, &r->plain);
}

/* Reads the other files of a divided recording; damage does not spread to the next
 * file. */
static bool
run_parts(struct reader *r)
{
	struct input *in = r->in;

	while (!r->refused && (r->in = open_part(&r->parts, in))) {
		check_end(r);
		chunks_clear(&r->plain);
		end_unpacking(r);
		r->at = 0;
		r->left = UINT64_MAX;
		r->damaged = false;
		run_records(r);
		if (input_failed(r->in))
			input_fail(in);
	}
	r->in = in;
	if (!r->parts.n)
		msg_error(
			"%s: is part of a recording by perf record --threads without its "
			"other parts (data.0 ...); give the whole folder",
			input_name(in));
	return r->parts.n > 0;
}

bool
reader_run(struct input *in, const struct recording_handler *h)
{
	struct reader r = { .in = in, .handler = h };
	bool fine;

	r.plain.pool = &r.pool;
	r.run = (struct record_run){ .handler = h, .attrs = &r.attrs };
	r.reorder.pool = &r.pool;
	r.reorder.taker = (struct reorder_taker){ &r, deliver_held };
	r.unpacked = (struct chunks){ .pool = &r.pool, .packed = true };
	fine = start(&r);
	if (fine) {
		run_records(&r);
		fine = (!r.divided || run_parts(&r)) && end(&r);
	}
	reorder_release(&r.reorder);
	chunks_clear(&r.plain);
	end_unpacking(&r);
	chunks_pool_release(&r.pool);
	record_run_release(&r.run);
	event_attr_set_release(&r.attrs);
	close_parts(&r.parts);
	return fine;
}
