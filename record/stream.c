/* SPDX-License-Identifier: ISC */
/*
 * Records, the header and the file of a recording; see stream.h.
 * (tools/perf/Documentation/perf.data-file-format.txt of the kernel)
 */
#define _GNU_SOURCE
#include "stream.h"
#include "perf-attr.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { STRING_ALIGN = 64 };

uint64_t
stream_now(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

size_t
stream_put_begin(struct buf *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t start = b->n;

	stream_put_bytes(b, &h, sizeof h);
	return start;
}

bool
stream_put_end(struct buf *b, size_t start)
{
	struct perf_event_header h;

	stream_put_zeroes(b, (8 - (b->n - start) % 8) % 8);
	if (b->n - start > STREAM_MOST + sizeof h) {
		b->n = start;
		return false;
	}
	memcpy(&h, b->s + start, sizeof h);
	h.size = (uint16_t)(b->n - start);
	memcpy(b->s + start, &h, sizeof h);
	return true;
}

void
stream_put_round(struct buf *b)
{
	stream_put_end(b, stream_put_begin(b, STREAM_FINISHED_ROUND, 0));
}

void
stream_put_u32(struct buf *b, uint32_t value)
{
	stream_put_bytes(b, &value, sizeof value);
}

void
stream_put_u64(struct buf *b, uint64_t value)
{
	stream_put_bytes(b, &value, sizeof value);
}

void
stream_put_bytes(struct buf *b, const void *bytes, size_t n)
{
	buf_str(b, (struct str){ bytes, n });
}

void
stream_put_zeroes(struct buf *b, size_t n)
{
	memset(buf_room(b, n), 0, n);
	b->n += n;
}

void
stream_put_text(struct buf *b, struct str text, size_t align)
{
	buf_str(b, text);
	stream_put_zeroes(b, align - text.n % align);
}

/* Adds a string as in features: a 32-bit length, then the text, terminated and padded
 * to that length, a multiple of 64. */
static void
put_string(struct buf *b, struct str text)
{
	stream_put_u32(b, (uint32_t)(text.n + STRING_ALIGN - text.n % STRING_ALIGN));
	stream_put_text(b, text, STRING_ALIGN);
}

/* The header. */

#ifndef FG_VERSION
#define FG_VERSION "unknown"
#endif

/* Features, by their bits in the header of a file. */
enum {
	HOSTNAME = 3,
	OSRELEASE = 4,
	VERSION = 5,
	ARCH = 6,
	NRCPUS = 7,
	CMDLINE = 11,
	EVENT_DESC = 12,
	GROUP_DESC = 17,
	CLOCKID = 23,
	CLOCK_DATA = 29
};

/* Kinds of EVENT_UPDATE. */
enum { UPDATE_NAME = 2 };

/* The most ids that fit in a record behind an attr. */
enum { IDS_MOST = (STREAM_MOST - PERF_ATTR_SIZE) / 8 };

static void
put_attr(struct buf *b, const struct stream_event *e, size_t from)
{
	size_t at = stream_put_begin(b, STREAM_ATTR, 0), i;

	stream_put_bytes(b, e->attr, PERF_ATTR_SIZE);
	for (i = from; i < e->n && i < from + IDS_MOST; i++)
		stream_put_u64(b, e->ids[i]);
	stream_put_end(b, at);
}

static void
put_name(struct buf *b, const struct stream_event *e, size_t from)
{
	size_t at = stream_put_begin(b, STREAM_EVENT_UPDATE, 0);

	stream_put_u64(b, UPDATE_NAME);
	stream_put_u64(b, e->n ? e->ids[from] : 0);
	stream_put_text(b, e->name, 8);
	stream_put_end(b, at);
}

/* Adds all events. One with more ids than a record holds becomes several of the same
 * name, unless it is alone: then ids are unnecessary. */
static void
put_events(struct buf *b, const struct stream_header *h,
	void (*put)(struct buf *b, const struct stream_event *e, size_t from))
{
	size_t i, from;

	for (i = 0; i < h->n; i++) {
		from = 0;
		do {
			put(b, &h->events[i], from);
			from += IDS_MOST;
		} while (from < h->events[i].n && h->n > 1);
	}
}

static size_t
begin_feature(struct buf *b, uint64_t feature)
{
	size_t at = stream_put_begin(b, STREAM_FEATURE, 0);

	stream_put_u64(b, feature);
	return at;
}

static void
put_text_feature(struct buf *b, uint64_t feature, const char *text)
{
	size_t at = begin_feature(b, feature);

	put_string(b, str_of(text));
	stream_put_end(b, at);
}

static void
put_processors(struct buf *b)
{
	long all = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	size_t at = begin_feature(b, NRCPUS);

	stream_put_u32(b, (uint32_t)(all > 0 ? all : 1));
	stream_put_u32(b, (uint32_t)(online > 0 ? online : 1));
	stream_put_end(b, at);
}

/* Adds the words of the command line, as many as fit in one record. */
static void
put_command_line(struct buf *b, const struct stream_header *h)
{
	size_t at = begin_feature(b, CMDLINE), count = b->n, before = 0;
	uint32_t n;

	stream_put_u32(b, 0);
	for (n = 0; (int)n < h->argc; n++) {
		before = b->n;
		put_string(b, str_of(h->argv[n]));
		if (b->n - at > STREAM_MOST) {
			b->n = before;
			break;
		}
	}
	memcpy(b->s + count, &n, sizeof n);
	stream_put_end(b, at);
}

/* Adds the events again, in the layout of files. If their ids do not fit they are left
 * out, as the updates have the names too. */
static void
put_descriptions(struct buf *b, const struct stream_header *h)
{
	size_t at = begin_feature(b, EVENT_DESC), i;
	const struct stream_event *e;

	stream_put_u32(b, (uint32_t)h->n);
	stream_put_u32(b, PERF_ATTR_SIZE);
	for (i = 0; i < h->n; i++) {
		e = &h->events[i];
		stream_put_bytes(b, e->attr, PERF_ATTR_SIZE);
		stream_put_u32(b, (uint32_t)e->n);
		put_string(b, e->name);
		stream_put_bytes(b, e->ids, e->n * sizeof *e->ids);
	}
	stream_put_end(b, at);
}

static void
put_groups(struct buf *b, const struct stream_header *h)
{
	uint32_t n = 0;
	size_t at, i;

	for (i = 0; i < h->n; i++)
		n += h->events[i].members > 0;
	if (!n)
		return;
	at = begin_feature(b, GROUP_DESC);
	stream_put_u32(b, n);
	for (i = 0; i < h->n; i++) {
		if (!h->events[i].members)
			continue;
		put_string(b, STR("{anon_group}"));
		stream_put_u32(b, (uint32_t)i);
		stream_put_u32(b, (uint32_t)h->events[i].members);
	}
	stream_put_end(b, at);
}

static void
put_clock(struct buf *b)
{
	size_t at = begin_feature(b, CLOCKID);
	struct timespec step = { 0, 1 };

	clock_getres(CLOCK_MONOTONIC, &step);
	stream_put_u64(b, (uint64_t)step.tv_sec * 1000000000 + (uint64_t)step.tv_nsec);
	stream_put_end(b, at);
}

/* Relates the time of day to the clock of the records. */
static void
put_time_of_day(struct buf *b)
{
	size_t at = begin_feature(b, CLOCK_DATA);
	struct timespec day = { 0, 0 };

	clock_gettime(CLOCK_REALTIME, &day);
	stream_put_u32(b, 1); /* version */
	stream_put_u32(b, CLOCK_MONOTONIC);
	stream_put_u64(b, (uint64_t)day.tv_sec * 1000000000 + (uint64_t)day.tv_nsec);
	stream_put_u64(b, stream_now());
	stream_put_end(b, at);
}

void
stream_put_header(struct buf *b, const struct stream_header *h)
{
	struct utsname host;

	buf_str(b, STR("PERFILE2"));
	stream_put_u64(b, 16);
	put_events(b, h, put_attr);
	put_events(b, h, put_name);
	if (uname(&host) == 0) {
		put_text_feature(b, HOSTNAME, host.nodename);
		put_text_feature(b, OSRELEASE, host.release);
		put_text_feature(b, ARCH, host.machine);
	}
	put_text_feature(b, VERSION, "fg-record " FG_VERSION);
	put_processors(b);
	put_command_line(b, h);
	put_descriptions(b, h);
	put_groups(b, h);
	if (h->events[0].attr->use_clockid) {
		put_clock(b);
		put_time_of_day(b);
	}
}

enum { PIPE_BYTES = 1 << 20 };

static const char *
name_of(const struct stream *s)
{
	return s->path ? s->path : "stdout";
}

static bool
open_stdout(struct stream *s)
{
	s->fd = STDOUT_FILENO;
	if (isatty(s->fd)) {
		msg_error(
			"stdout is a terminal; pipe it (fg-record ... | fg-collapse), or "
			"name a file with -o");
		return false;
	}
	/* With a large pipe, reader and writer switch less often. */
	(void)fcntl(s->fd, F_SETPIPE_SZ, PIPE_BYTES);
	return true;
}

bool
stream_open(struct stream *s, const char *path)
{
	*s = (struct stream){ .path = path, .fd = -1 };
	if (!path)
		return open_stdout(s);
	if (!output_file_open(&s->file, path, OUTPUT_IN_PLACE | OUTPUT_PRIVATE))
		return false;
	s->fd = s->file.fd;
	return true;
}

static void
fail(struct stream *s)
{
	s->left = errno == EPIPE;
	if (!s->left)
		msg_error("%s: cannot write:", name_of(s));
	s->failed = true;
}

/* Empties a file that had contents. */
static void
truncate_file(struct stream *s)
{
	struct stat st;

	if (s->path && fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size &&
		ftruncate(s->fd, 0) != 0)
		fail(s);
}

void
stream_flush(struct stream *s, struct buf *b)
{
	struct str rest = buf_view(b);

	if (!s->bytes && !s->failed)
		truncate_file(s);
	if (!s->failed && !output_send(s->fd, &rest))
		fail(s);
	s->bytes += b->n - rest.n;
	buf_clear(b);
}

bool
stream_close(struct stream *s)
{
	if (s->fd >= 0 && s->path)
		s->failed |= !output_file_close(&s->file, true);
	else if (s->fd >= 0 && close(s->fd) != 0 && !s->failed)
		fail(s);
	s->fd = -1;
	return !s->failed;
}

void
stream_abandon(struct stream *s)
{
	if (s->path && s->fd >= 0)
		output_file_close(&s->file, s->bytes > 0);
	s->fd = -1;
}
