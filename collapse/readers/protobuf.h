/* SPDX-License-Identifier: ISC */
/*
 * Messages of Protocol Buffers (protobuf.dev/programming-guides/encoding), field by field:
 *
 *	m = protobuf_of(bytes);
 *	while (protobuf_next(&m, &f))
 *		if (f.number == 1 && f.type == PROTOBUF_BYTES)
 *			take(f.bytes);
 *
 * and, for what may not fit in memory, straight from an input:
 *
 *	while (protobuf_stream_next(&s, &f))
 *		if (f.number == 1 && protobuf_stream_bytes(&s, &f))
 *			take(f.bytes);
 *		else if (f.number == 2)
 *			protobuf_stream_enter(&s);	its fields come next
 *
 * A varint has 10 bytes at most, of which the last holds one bit; shorter ones may be padded.
 * Groups are passed over. Damage ends a message: nothing more comes, and bad is true.
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

/* Wire types; fields with another one are never handed out. */
enum protobuf_type {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2, /* strings, messages, packed numbers */
	PROTOBUF_FIXED32 = 5
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_type type;
	uint64_t value;	  /* of a number; of PROTOBUF_BYTES how many there are */
	struct str bytes; /* empty for numbers */
};

struct protobuf {
	struct bytes rest;
	bool bad;
};

/* The message whose fields are BYTES, which must outlive it. */
static inline struct protobuf
protobuf_of(struct str bytes)
{
	return (struct protobuf){ bytes_of(bytes, false), false };
}

/* Takes a varint; false, with 0 in *VALUE, when it is damaged or does not end within B, which may
 * be anywhere in it then. The first is the second for those that are not of one byte. */
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

/* Adds VALUE to B as a varint. */
void protobuf_put_varint(struct buf *b, uint64_t value);

/* The next field of M; false at its end. */
bool protobuf_next(struct protobuf *m, struct protobuf_field *f);

/* The wire types that the fields of a message may have, for those who guess what one is. */
struct protobuf_shape {
	uint32_t numbers; /* bit N: field N may be a varint */
	uint32_t bytes;	  /* or bytes */
};

/* Whether F may be a field of a message of shape S. */
bool protobuf_has(const struct protobuf_shape *s, const struct protobuf_field *f);

/* Whether BYTES are a whole message of shape S, with such fields alone. */
bool protobuf_fits(const struct protobuf_shape *s, struct str bytes);

/* Whether M was read without damage, of which there is one more in C when not. */
bool protobuf_good(const struct protobuf *m, struct collapse *c);

/* Numbers, as a repeated field has them. A zeroed one is empty. */
struct protobuf_numbers {
	uint64_t *items;
	size_t n, cap;
};

void protobuf_numbers_release(struct protobuf_numbers *v);

/* Adds the numbers of F, packed or one alone, to V: varints, or with FIXED those of 64 bits.
 * False, and nothing is added, when F has others or is damaged. */
bool protobuf_numbers_add(
	struct protobuf_numbers *v, const struct protobuf_field *f, bool fixed);

/* Messages open within one another, and groups within one. */
enum { PROTOBUF_DEEPEST = 16, PROTOBUF_GROUPS = 64 };

struct protobuf_stream {
	struct input *in; /* not owned */
	struct str window;
	size_t used;   /* bytes of the window */
	uint64_t at;   /* bytes of the input before the current place */
	uint64_t left; /* bytes of the field that came last and were not taken */
	uint64_t ends[PROTOBUF_DEEPEST];
	unsigned depth;
	bool bad; /* damaged or cut */
	bool cut; /* ended too soon */
};

/* Begins to read IN, which must outlive S. */
void protobuf_stream_init(struct protobuf_stream *s, struct input *in);

/* The next field of the message that was opened last; false at its end, which closes it. A
 * field's bytes that are not taken are passed over. */
bool protobuf_stream_next(struct protobuf_stream *s, struct protobuf_field *f);

/* Sets the bytes of F, the field that came last, borrowed until the next call; false when it has
 * none or they are cut. */
bool protobuf_stream_bytes(struct protobuf_stream *s, struct protobuf_field *f);

/* Opens the field that came last, a message. False when it has no bytes or lies too deep, which
 * is damage. */
bool protobuf_stream_enter(struct protobuf_stream *s);

/* Says how S ended before its end, a loss of C, which had BEFORE samples at first. False, after an
 * error, when it did and has given none. */
bool protobuf_stream_report(
	const struct protobuf_stream *s, struct collapse *c, uint64_t before);

#endif
