/* SPDX-License-Identifier: ISC */
/*
 * A cursor over untrusted bytes of a file, in either byte order. A read beyond the end gives zero
 * or an empty string and makes the cursor bad for good, with no bytes left: a reader reads a whole
 * record, then checks once.
 *
 * The position never passes the end, and the end never grows: only this file sets them, which
 * tests/house checks. For a part of known length, use a cursor of its own (bytes_part).
 */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "str.h"

struct bytes {
	const char *cursor_at, *cursor_end; /* private */
	bool swap; /* the file's byte order is not this machine's */
	bool bad;
};

static inline struct bytes
bytes_of(struct str s, bool swap)
{
	return (struct bytes){ s.s, s.s ? s.s + s.n : s.s, swap, false };
}

static inline size_t
bytes_left(const struct bytes *b)
{
	return (size_t)(b->cursor_end - b->cursor_at);
}

/* The bytes left, borrowed from B's source. */
static inline struct str
bytes_rest(const struct bytes *b)
{
	return (struct str){ b->cursor_at, bytes_left(b) };
}

/* The number of bytes between FROM, an earlier copy of B or a cursor that B is a part of, and B. */
static inline size_t
bytes_between(const struct bytes *from, const struct bytes *b)
{
	return (size_t)(b->cursor_at - from->cursor_at);
}

/* The offset of B in ALL, which B was made from, or from a part of it. */
static inline size_t
bytes_offset(const struct bytes *b, struct str all)
{
	return (size_t)(b->cursor_at - all.s);
}

/* The next byte, which is not consumed; -1 at the end. */
static inline int
bytes_peek(const struct bytes *b)
{
	return b->cursor_at != b->cursor_end ? (uint8_t)*b->cursor_at : -1;
}

/* Makes B bad and empty. */
static inline void
bytes_fail(struct bytes *b)
{
	b->bad = true;
	b->cursor_at = b->cursor_end;
}

/* Consumes the next N bytes, borrowed from B's source. */
static inline struct str
bytes_take(struct bytes *b, uint64_t n)
{
	struct str s = { b->cursor_at, (size_t)n };

	if (n > bytes_left(b)) {
		bytes_fail(b);
		return (struct str){ 0 };
	}
	if (n) /* adding even 0 to NULL is undefined */
		b->cursor_at += n;
	return s;
}

static inline void
bytes_skip(struct bytes *b, uint64_t n)
{
	(void)bytes_take(b, n);
}

/* A cursor over the next N bytes, which B skips. When fewer are left, both are bad. */
static inline struct bytes
bytes_part(struct bytes *b, uint64_t n)
{
	struct bytes part = *b;

	bytes_skip(b, n);
	part.cursor_end = b->cursor_at;
	part.bad = b->bad;
	if (b->bad)
		part.cursor_at = part.cursor_end;
	return part;
}

/* Shortens B to its next MOST bytes. */
static inline void
bytes_cut(struct bytes *b, uint64_t most)
{
	if (most < bytes_left(b))
		b->cursor_end = b->cursor_at + most;
}

static inline uint8_t
bytes_u8(struct bytes *b)
{
	if (b->cursor_at == b->cursor_end) {
		b->bad = true;
		return 0;
	}
	return (uint8_t)*b->cursor_at++;
}

static inline uint16_t
bytes_u16(struct bytes *b)
{
	struct str s = bytes_take(b, sizeof(uint16_t));
	uint16_t v = 0;

	if (s.n)
		memcpy(&v, s.s, sizeof v);
	return b->swap ? (uint16_t)(v << 8 | v >> 8) : v;
}

static inline uint32_t
bytes_u32(struct bytes *b)
{
	struct str s = bytes_take(b, sizeof(uint32_t));
	uint32_t v = 0;

	if (s.n)
		memcpy(&v, s.s, sizeof v);
	return b->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t
bytes_u64(struct bytes *b)
{
	struct str s = bytes_take(b, sizeof(uint64_t));
	uint64_t v = 0;

	if (s.n)
		memcpy(&v, s.s, sizeof v);
	return b->swap ? __builtin_bswap64(v) : v;
}

/* An unsigned number of SIZE bytes: 1, 2, 4 or 8, else B is bad. */
static inline uint64_t
bytes_uint(struct bytes *b, unsigned size)
{
	switch (size) {
	case 1: return bytes_u8(b);
	case 2: return bytes_u16(b);
	case 4: return bytes_u32(b);
	case 8: return bytes_u64(b);
	default: bytes_fail(b); return 0;
	}
}

/* LEB128 numbers (DWARF 5, section 7.6). Bits beyond the 64th are dropped: padding of any length is
 * allowed. */
static inline uint64_t
bytes_uleb(struct bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = bytes_u8(b);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	return v;
}

static inline int64_t
bytes_sleb(struct bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = bytes_u8(b);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= UINT64_MAX << shift;
	return (int64_t)v;
}

/* The text up to the next NUL, which is skipped; without a NUL, B is bad. */
static inline struct str
bytes_cstr(struct bytes *b)
{
	size_t left = bytes_left(b);
	const char *nul = left ? memchr(b->cursor_at, '\0', left) : NULL;
	struct str s = { b->cursor_at, nul ? (size_t)(nul - b->cursor_at) : 0 };

	if (!nul) {
		bytes_fail(b);
		return (struct str){ 0 };
	}
	b->cursor_at = nul + 1;
	return s;
}

#endif
