/* SPDX-License-Identifier: ISC */
/* The header of the stream; see stream-header.h. */
#include "stream-header.h"
#include "perf-attr.h"
#include "record-put.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

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
	CLOCKID = 23
};

/* Kinds of EVENT_UPDATE. */
enum { UPDATE_NAME = 2 };

/* As many ids as a record holds after an attr. */
enum { IDS_MOST = (RECORD_PUT_MOST - PERF_ATTR_SIZE) / 8 };

static void
put_attr(struct buf *b, const struct stream_event *e, size_t from)
{
	size_t at = record_put_begin(b, RECORD_PUT_ATTR, 0), i;

	record_put_bytes(b, e->attr, PERF_ATTR_SIZE);
	for (i = from; i < e->n && i < from + IDS_MOST; i++)
		record_put_u64(b, e->ids[i]);
	record_put_end(b, at);
}

static void
put_name(struct buf *b, const struct stream_event *e, size_t from)
{
	size_t at = record_put_begin(b, RECORD_PUT_EVENT_UPDATE, 0);

	record_put_u64(b, UPDATE_NAME);
	record_put_u64(b, e->n ? e->ids[from] : 0);
	record_put_text(b, e->name, 8);
	record_put_end(b, at);
}

/* Puts all events. With more ids than a record holds one becomes several of one name,
 * unless it is alone: then no ids are needed. */
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
	size_t at = record_put_begin(b, RECORD_PUT_FEATURE, 0);

	record_put_u64(b, feature);
	return at;
}

static void
put_text_feature(struct buf *b, uint64_t feature, const char *text)
{
	size_t at = begin_feature(b, feature);

	record_put_string(b, str_of(text));
	record_put_end(b, at);
}

static void
put_processors(struct buf *b)
{
	long all = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	size_t at = begin_feature(b, NRCPUS);

	record_put_u32(b, (uint32_t)(all > 0 ? all : 1));
	record_put_u32(b, (uint32_t)(online > 0 ? online : 1));
	record_put_end(b, at);
}

/* The words of the command line, as many as fit in one record. */
static void
put_command_line(struct buf *b, const struct stream_header *h)
{
	size_t at = begin_feature(b, CMDLINE), count = b->n, before = 0;
	uint32_t n;

	record_put_u32(b, 0);
	for (n = 0; (int)n < h->argc; n++) {
		before = b->n;
		record_put_string(b, str_of(h->argv[n]));
		if (b->n - at > RECORD_PUT_MOST) {
			b->n = before;
			break;
		}
	}
	memcpy(b->s + count, &n, sizeof n);
	record_put_end(b, at);
}

/* The events once more, in the way that files have them. Left out when their ids do not
 * fit, since the updates have the names too. */
static void
put_descriptions(struct buf *b, const struct stream_header *h)
{
	size_t at = begin_feature(b, EVENT_DESC), i;
	const struct stream_event *e;

	record_put_u32(b, (uint32_t)h->n);
	record_put_u32(b, PERF_ATTR_SIZE);
	for (i = 0; i < h->n; i++) {
		e = &h->events[i];
		record_put_bytes(b, e->attr, PERF_ATTR_SIZE);
		record_put_u32(b, (uint32_t)e->n);
		record_put_string(b, e->name);
		record_put_bytes(b, e->ids, e->n * sizeof *e->ids);
	}
	record_put_end(b, at);
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
	record_put_u32(b, n);
	for (i = 0; i < h->n; i++) {
		if (!h->events[i].members)
			continue;
		record_put_string(b, STR("{anon_group}"));
		record_put_u32(b, (uint32_t)i);
		record_put_u32(b, (uint32_t)h->events[i].members);
	}
	record_put_end(b, at);
}

static void
put_clock(struct buf *b)
{
	size_t at = begin_feature(b, CLOCKID);
	struct timespec step = { 0, 1 };

	clock_getres(CLOCK_MONOTONIC, &step);
	record_put_u64(b, (uint64_t)step.tv_sec * 1000000000 + (uint64_t)step.tv_nsec);
	record_put_end(b, at);
}

void
stream_header_put(struct buf *b, const struct stream_header *h)
{
	struct utsname host;

	buf_str(b, STR("PERFILE2"));
	record_put_u64(b, 16);
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
	if (h->events[0].attr->use_clockid)
		put_clock(b);
}
