/* SPDX-License-Identifier: ISC */
/* Protocol Buffers messages; see protobuf.h. */
#include "protobuf.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

enum {
	VARINT_MOST = 10,
	/* Wire types that only delimit groups. */
	GROUP = 3,
	GROUP_END = 4,
	NUMBER_MOST = (1 << 29) - 1,
	/* The most bytes before the contents of a PROTOBUF_BYTES field; other fields are
	 * shorter. */
	HEADER_MOST = 2 * VARINT_MOST,
	WINDOW = 256 * 1024
};

bool
protobuf_long_varint(struct bytes *b, uint64_t *value)
{
	uint64_t v = 0, byte;
	unsigned i;

	*value = 0;
	for (i = 0; i < VARINT_MOST && bytes_left(b); i++) {
		byte = bytes_u8(b);
		v |= (byte & 0x7f) << (7 * i);
		if (byte & 0x80)
			continue;
		if (i == VARINT_MOST - 1 && byte > 1)
			return false;
		*value = v;
		return true;
	}
	return false;
}

void
protobuf_put_varint(struct buf *b, uint64_t value)
{
	char *from = buf_room(b, VARINT_MOST), *to = from;

	for (; value > 0x7f; value >>= 7)
		*to++ = (char)(value | 0x80);
	*to++ = (char)value;
	b->n += (size_t)(to - from);
}

/* Reads a number of SIZE bytes, little endian. */
static bool
parse_fixed(struct bytes *b, unsigned size, uint64_t *value)
{
	struct str s = bytes_take(b, size);
	size_t i;

	*value = 0;
	for (i = 0; i < s.n; i++)
		*value |= (uint64_t)(unsigned char)s.s[i] << (8 * i);
	return s.n == size;
}

/* A field without the contents of PROTOBUF_BYTES. TYPE may be GROUP or GROUP_END. */
struct header {
	uint64_t number, value;
	unsigned type;
};

static inline bool
parse_header(struct bytes *b, struct header *h)
{
	uint64_t tag;

	if (!protobuf_varint(b, &tag))
		return false;
	h->number = tag >> 3;
	h->type = (unsigned)tag & 7;
	h->value = 0;
	if (!h->number || h->number > NUMBER_MOST)
		return false;
	switch (h->type) {
	case PROTOBUF_VARINT:
	case PROTOBUF_BYTES: return protobuf_varint(b, &h->value);
	case PROTOBUF_FIXED64: return parse_fixed(b, 8, &h->value);
	case PROTOBUF_FIXED32: return parse_fixed(b, 4, &h->value);
	default: return h->type == GROUP || h->type == GROUP_END;
	}
}

/* The numbers of open groups. Elements from n on are not initialised. */
struct groups {
	uint32_t open[PROTOBUF_GROUPS];
	unsigned n;
};

/* Whether the caller gets the field H. Tracks groups: sets *GOOD to false if one is
 * nested too deeply, or ends without a beginning. */
static inline bool
is_field(struct groups *g, const struct header *h, bool *good)
{
	if (h->type == GROUP) {
		*good = g->n < PROTOBUF_GROUPS;
		if (*good)
			g->open[g->n++] = (uint32_t)h->number;
		return false;
	}
	if (h->type == GROUP_END) {
		*good = g->n && g->open[--g->n] == h->number;
		return false;
	}
	return !g->n;
}

/* Reads the next field of M, of any type; sets F->bytes. */
static inline bool
parse_field(struct protobuf *m, struct header *h, struct protobuf_field *f)
{
	if (!parse_header(&m->rest, h))
		return false;
	f->bytes = bytes_take(&m->rest, h->type == PROTOBUF_BYTES ? h->value : 0);
	return !m->rest.bad;
}

/* Skips the group that H begins. A separate function, since protobuf_next is faster
 * without the array. */
static bool
skip_group(struct protobuf *m, struct header *h)
{
	struct protobuf_field f;
	struct groups groups;
	bool good = true;

	groups.n = 0;
	(void)is_field(&groups, h, &good);
	while (good && groups.n) {
		good = parse_field(m, h, &f);
		if (good)
			(void)is_field(&groups, h, &good);
	}
	return good;
}

/* Ends M as damaged. */
static bool
fail_message(struct protobuf *m)
{
	m->bad = true;
	bytes_fail(&m->rest);
	return false;
}

bool
protobuf_next(struct protobuf *m, struct protobuf_field *f)
{
	struct header h;

	while (bytes_left(&m->rest)) {
		if (!parse_field(m, &h, f))
			return fail_message(m);
		if (h.type == GROUP || h.type == GROUP_END) {
			if (!skip_group(m, &h))
				return fail_message(m);
			continue;
		}
		f->number = (uint32_t)h.number;
		f->type = (enum protobuf_type)h.type;
		f->value = h.value;
		return true;
	}
	return false;
}

bool
protobuf_has(const struct protobuf_shape *s, const struct protobuf_field *f)
{
	return f->number < 32 &&
		((f->type == PROTOBUF_VARINT && s->numbers >> f->number & 1) ||
			(f->type == PROTOBUF_BYTES && s->bytes >> f->number & 1));
}

bool
protobuf_fits(const struct protobuf_shape *s, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		if (!protobuf_has(s, &f))
			return false;
	return !m.bad;
}

bool
protobuf_good(const struct protobuf *m, struct collapse *c)
{
	if (m->bad)
		collapse_lose(c, COLLAPSE_DAMAGED);
	return !m->bad;
}

bool
protobuf_values(struct str bytes, struct collapse *c, uint64_t *values, size_t n)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	memset(values, 0, n * sizeof *values);
	while (protobuf_next(&m, &f))
		if (f.number < n)
			values[f.number] = f.value;
	return protobuf_good(&m, c);
}

void
protobuf_numbers_release(struct protobuf_numbers *v)
{
	free(v->items);
	*v = (struct protobuf_numbers){ 0 };
}

bool
protobuf_numbers_add(
	struct protobuf_numbers *v, const struct protobuf_field *f, bool fixed)
{
	struct bytes rest = bytes_of(f->bytes, false);
	size_t before = v->n;
	uint64_t number;
	/* A varint has at least one byte. */
	size_t most = fixed ? f->bytes.n / 8 : f->bytes.n;
	bool good = true;

	if (f->type != PROTOBUF_BYTES) {
		v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
		v->items[v->n] = f->value;
		good = f->type == (fixed ? PROTOBUF_FIXED64 : PROTOBUF_VARINT);
		v->n += good;
		return good;
	}
	v->items = mem_grow(v->items, &v->cap, v->n + most, sizeof *v->items);
	while (good && bytes_left(&rest)) {
		/* There is no room for a truncated number. */
		good = fixed ? parse_fixed(&rest, 8, &number)
			     : protobuf_varint(&rest, &number);
		if (good)
			v->items[v->n++] = number;
	}
	if (!good)
		v->n = before;
	return good;
}

void
protobuf_stream_init(struct protobuf_stream *s, struct input *in)
{
	*s = (struct protobuf_stream){ .in = in };
}

/* The buffered bytes from the current place on: at least N, unless the input ends. */
static struct str
look(struct protobuf_stream *s, size_t n)
{
	if (s->window.n - s->used < n) {
		input_skip(s->in, s->used);
		s->window = input_window(s->in, n < WINDOW ? WINDOW : n);
		s->used = 0;
	}
	return str_from(s->window, s->used);
}

static void
advance(struct protobuf_stream *s, size_t n)
{
	s->used += n;
	s->at += n;
}

/* Ends S as damaged, or as truncated if CUT. */
static bool
fail(struct protobuf_stream *s, bool cut)
{
	s->bad = true;
	s->cut = cut;
	return false;
}

/* Skips the rest of the current field. */
static bool
skip_rest(struct protobuf_stream *s)
{
	struct str have;

	while (s->left) {
		have = look(s, 1);
		if (!have.n)
			return fail(s, true);
		have = str_head(have, s->left < have.n ? (size_t)s->left : have.n);
		advance(s, have.n);
		s->left -= have.n;
	}
	return true;
}

/* The bytes left in the innermost message; UINT64_MAX at the top level. */
static uint64_t
room(const struct protobuf_stream *s)
{
	return s->depth ? s->ends[s->depth - 1] - s->at : UINT64_MAX;
}

/* Reads the header of the next field, which must fit in the innermost message. */
static bool
read_header(struct protobuf_stream *s, struct header *h)
{
	struct str have = look(s, HEADER_MOST);
	uint64_t within = room(s);
	struct bytes rest;

	/* A header that crosses the message's end is damage; the input's end,
	 * truncation. */
	if (within < have.n)
		have.n = (size_t)within;
	rest = bytes_of(have, false);
	if (!parse_header(&rest, h))
		return fail(s, have.n < HEADER_MOST && have.n < within);
	advance(s, bytes_offset(&rest, have));
	s->left = h->type == PROTOBUF_BYTES ? h->value : 0;
	return s->left <= room(s) || fail(s, false);
}

/* Whether the innermost message, or the input, ends here. */
static bool
is_at_end(struct protobuf_stream *s)
{
	return s->depth ? !room(s) : !look(s, 1).n;
}

bool
protobuf_stream_next(struct protobuf_stream *s, struct protobuf_field *f)
{
	struct groups groups;
	struct header h;
	bool good = true;

	groups.n = 0;
	do {
		if (s->bad || !skip_rest(s))
			return false;
		if (is_at_end(s)) {
			s->depth -= s->depth > 0;
			return groups.n ? fail(s, false) : false;
		}
		if (!read_header(s, &h))
			return false;
	} while (!is_field(&groups, &h, &good) && good);
	if (!good)
		return fail(s, false);
	*f = (struct protobuf_field){ (uint32_t)h.number, (enum protobuf_type)h.type,
		h.value, { 0 } };
	return true;
}

bool
protobuf_stream_bytes(struct protobuf_stream *s, struct protobuf_field *f)
{
	struct str have;

	if (f->type != PROTOBUF_BYTES || s->bad)
		return false;
	have = look(s, s->left);
	if (have.n < s->left)
		return fail(s, true);
	f->bytes = str_head(have, (size_t)s->left);
	advance(s, f->bytes.n);
	s->left = 0;
	return true;
}

bool
protobuf_stream_enter(struct protobuf_stream *s)
{
	if (s->bad || s->depth == PROTOBUF_DEEPEST)
		return fail(s, false);
	s->ends[s->depth++] = s->at + s->left;
	s->left = 0;
	return true;
}

bool
protobuf_stream_report(
	const struct protobuf_stream *s, struct collapse *c, uint64_t before)
{
	if (!s->bad)
		return true;
	if (!s->cut)
		msg_error("%s: is damaged at byte %" PRIu64, input_name(s->in), s->at);
	return collapse_damage(c, before, s->cut);
}
