/* SPDX-License-Identifier: ISC */
/* The header of a recording; see header.h. */
#include "header.h"
#include "buf.h"
#include "bytes.h"
#include "feature.h"
#include "mem.h"
#include "msg.h"

enum {
	PIPE_SIZE = 16,
	OLD_SIZE = 72, /* before there were features */
	FILE_SIZE = 104,
	SECTION = 16,
	FEATURES = 256,
	LEAST_ATTR = 64,
	MOST_ATTR = 4096,
	PIECE = 64 * 1024,
	MOST = 1 << 28,	   /* bytes of one section that are looked at */
	MOST_IDS = 1 << 24 /* bytes of all ids */
};

/* The magic number of the second version as a number, which it is. */
static const uint64_t magic = 0x32454c4946524550;

bool
header_is(struct str head)
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

/* Reads the section S into TO, or as much of it as is there. */
static struct bytes
read_section(const struct header *h, struct header_section s, struct buf *to)
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

static struct header_section
take_section(struct bytes *b)
{
	struct header_section s;

	s.offset = bytes_u64(b);
	s.size = bytes_u64(b);
	return s;
}

/* A machine of 32 bits and the other byte order has the bits in other halves of
 * the words. As every perf writes the name of the host, it tells. */
static void
take_features(struct header *h, struct bytes *b)
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
take_header(struct header *h, struct str head)
{
	struct bytes b = bytes_of(head, false);

	h->swap = bytes_u64(&b) != magic;
	b.swap = h->swap;
	h->size = bytes_u64(&b);
	h->pipe = h->size == PIPE_SIZE;
	if (h->pipe)
		return !b.bad;
	h->attr_size = bytes_u64(&b);
	h->attrs = take_section(&b);
	h->data = take_section(&b);
	(void)take_section(&b);
	if (h->size >= FILE_SIZE)
		take_features(h, &b);
	return !b.bad && h->size >= OLD_SIZE && h->attr_size >= LEAST_ATTR + SECTION &&
		h->attr_size <= MOST_ATTR && h->data.offset >= OLD_SIZE;
}

/* A file is read at its end before its data. Where that cannot be, for a pipe or
 * a compressed file, all of it is held in memory. */
static void
make_readable(struct header *h)
{
	char byte;

	if (!input_read_at(h->in, 0, &byte, 1))
		h->whole = input_rest(h->in);
}

bool
header_read(struct header *h, struct input *in)
{
	struct str head = input_window(in, FILE_SIZE);
	const char *name = input_name(in);

	*h = (struct header){ .in = in, .ids = MOST_IDS };
	if (!header_is(head)) {
		msg_error("%s: is not a recording of perf", name);
		return false;
	}
	if (str_starts(head, STR("PERFFILE"))) {
		msg_error("%s: was recorded by a perf of 2010 or before: use perf script "
			  "-i FILE | fg-collapse",
			name);
		return false;
	}
	if (!take_header(h, head)) {
		msg_error(
			"%s: the header of the recording is damaged or truncated", name);
		return false;
	}
	if (!h->pipe)
		make_readable(h);
	return true;
}

/* Takes the ids of A from their section. */
static void
take_ids(struct header *h, struct event_attr_set *set, const struct event_attr *a,
	struct header_section ids)
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
take_attrs(struct header *h, struct event_attr_set *set)
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
		take_ids(h, set, a, take_section(&b));
	}
}

/* The section of feature ID. False when there is none: perf record that is
 * killed leaves bits but no sections. */
static bool
find_feature(const struct header *h, unsigned id, struct header_section *s)
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
	*s = take_section(&b);
	return true;
}

bool
header_take(struct header *h, struct event_attr_set *set, struct reader_about *about)
{
	struct header_section s;
	struct buf raw = { 0 };
	unsigned id;

	take_attrs(h, set);
	if (!set->n) {
		msg_error("%s: the recording has no events that can be read",
			input_name(h->in));
		return false;
	}
	for (id = 0; id < FEATURES; id++)
		if (feature_is_wanted(id) && find_feature(h, id, &s))
			feature_take(set, about, id, read_section(h, s, &raw));
	buf_release(&raw);
	return true;
}

void
header_build_ids(struct header *h, struct record_run *run)
{
	struct header_section s;
	struct buf raw = { 0 };
	struct record r;
	struct bytes b;

	if (!find_feature(h, FEATURE_BUILD_ID, &s))
		return;
	b = read_section(h, s, &raw);
	while (bytes_left(&b) >= RECORD_HEADER) {
		r = record_at(b.at, h->swap);
		if (r.size < RECORD_HEADER || r.size > bytes_left(&b)) {
			record_bad(run, s.offset + (uint64_t)(b.at - raw.s),
				"the list of build ids is damaged");
			break;
		}
		record_build_id(run, &r, s.offset + (uint64_t)(b.at - raw.s));
		bytes_skip(&b, r.size);
	}
	buf_release(&raw);
}
