/* SPDX-License-Identifier: ISC */
/*
 * Protocol Buffers messages (protobuf.dev/programming-guides/encoding), field by field:
 *
 *	m = protobuf_of(bytes);
 *	while (protobuf_next(&m, &f))
 *		if (f.number == 1 && f.type == PROTOBUF_BYTES)
 *			take(f.bytes);
 *
 * and, for messages that may not fit in memory, straight from an input:
 *
 *	while (protobuf_stream_next(&s, &f))
 *		if (f.number == 1 && protobuf_stream_bytes(&s, &f))
 *			take(f.bytes);
 *		else if (f.number == 2)
 *			protobuf_stream_enter(&s);	its fields come next
 *
 * A varint has at most 10 bytes, the last one with a single bit; shorter ones may be
 * padded. Groups are skipped. Damage ends a message, and sets bad.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "bytes.h"
#include "collapse.h"
#include "input.h"
#include "str.h"

/* Wire types; fields of other types are skipped. */
enum protobuf_type {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2, /* strings, messages, packed numbers */
	PROTOBUF_FIXED32 = 5
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_type type;
	uint64_t value;	  /* the number; for PROTOBUF_BYTES, the length */
	struct str bytes; /* empty for numbers */
};

struct protobuf {
	struct bytes rest;
	bool bad;
};

/* Begins a message with the fields BYTES, which must outlive it. */
static inline struct protobuf
protobuf_of(struct str bytes)
{
	return (struct protobuf){ bytes_of(bytes, false), false };
}

/* Reads a varint. Returns false, with *VALUE 0, if it is malformed or does not end within
 * B, whose position is then undefined. protobuf_long_varint is the general case,
 * protobuf_varint also handles single bytes inline. */
bool protobuf_long_varint(struct bytes *b, uint64_t *value);

static inline bool
protobuf_varint(struct bytes *b, uint64_t *value)
{
	int next = bytes_peek(b);

	if (next < 0 || next & 0x80)
		return protobuf_long_varint(b, value);
	*value = bytes_u8(b);
	return true;
}

/* Appends VALUE to B as a varint. */
void protobuf_put_varint(struct buf *b, uint64_t value);

/* Reads the next field of M. Returns false at its end. */
bool protobuf_next(struct protobuf *m, struct protobuf_field *f);

/* Wire types that the fields of a message may have, to detect its type. */
struct protobuf_shape {
	uint32_t numbers; /* bit N: field N may be a varint */
	uint32_t bytes;	  /* or bytes */
};

bool protobuf_has(const struct protobuf_shape *s, const struct protobuf_field *f);

/* Whether BYTES are a complete message, all of whose fields fit S. */
bool protobuf_fits(const struct protobuf_shape *s, struct str bytes);

/* Whether M was read without damage; if not, counts a loss in C. */
bool protobuf_good(const struct protobuf *m, struct collapse *c);

/* Reads the message BYTES of numbers: sets VALUES[I] for each I below N to the last number of
 * its field I, or 0. Returns whether it was read without damage; if not, counts a loss in
 * C. */
bool protobuf_values(struct str bytes, struct collapse *c, uint64_t *values, size_t n);

/* The numbers of a repeated field. Empty when zeroed. */
struct protobuf_numbers {
	uint64_t *items;
	size_t n, cap;
};

void protobuf_numbers_release(struct protobuf_numbers *v);

/* Appends the numbers of F, packed or single, to V: varints, or if FIXED those of 64
 * bits. Returns false, without adding any, if F has another type or is damaged. */
bool protobuf_numbers_add(
	struct protobuf_numbers *v, const struct protobuf_field *f, bool fixed);

/* The most nested messages, and nested groups within one. */
enum { PROTOBUF_DEEPEST = 16, PROTOBUF_GROUPS = 64 };

struct protobuf_stream {
	struct input *in; /* not owned */
	struct str window;
	size_t used;   /* in the window */
	uint64_t at;   /* bytes of the input before the current place */
	uint64_t left; /* unread bytes of the current field */
	uint64_t ends[PROTOBUF_DEEPEST];
	unsigned depth;
	bool bad; /* damaged or truncated */
	bool cut; /* truncated */
};

/* Begins to read IN, which must outlive S. */
void protobuf_stream_init(struct protobuf_stream *s, struct input *in);

/* Reads the next field of the innermost message; skips unread bytes of the current one.
 * Returns false at the message's end, and closes it. */
bool protobuf_stream_next(struct protobuf_stream *s, struct protobuf_field *f);

/* Sets the bytes of F, the current field, borrowed until the next call. Returns false if
 * it has none or they are truncated. */
bool protobuf_stream_bytes(struct protobuf_stream *s, struct protobuf_field *f);

/* Opens the current field as a message. Returns false if it has no bytes or is nested too
 * deeply, which counts as damage. */
bool protobuf_stream_enter(struct protobuf_stream *s);

/* Reports damage to S as a loss of C, which had BEFORE samples at the beginning. Returns
 * false, after an error, if S was damaged and has added no samples. */
bool protobuf_stream_report(
	const struct protobuf_stream *s, struct collapse *c, uint64_t before);

#endif
