/* SPDX-License-Identifier: ISC */
/*
 * A growable byte buffer. s[0..n) is the content; it is not terminated. A zeroed struct buf is
 * empty. Any function that adds may move s.
 */
#ifndef BUF_H
#define BUF_H

#include <stddef.h>
#include <stdint.h>

#include "mem.h"
#include "msg.h"
#include "str.h"

struct buf {
	char *s;
	size_t n, cap;
};

void buf_release(struct buf *b);

/* Empties B and keeps its memory. */
static inline void
buf_clear(struct buf *b)
{
	b->n = 0;
}

/* Makes room for MORE bytes after the content and returns where they begin; the caller writes up to
 * MORE bytes and adds their number to n. */
static inline char *
buf_room(struct buf *b, size_t more)
{
	if (b->cap - b->n < more)
		b->s = mem_grow(b->s, &b->cap, b->n + more, 1);
	return b->n ? b->s + b->n : b->s;
}

static inline void
buf_char(struct buf *b, char c)
{
	*buf_room(b, 1) = c;
	b->n++;
}

void buf_str(struct buf *b, struct str s);

/* Moves the longest run of plain bytes from the start of *REST to B: visible ASCII and blanks that
 * are not special in XML, JSON or the frame table (none of & < > " \ ]). Then cuts the next
 * character off *REST into *SPECIAL, with the code point *POINT. False at the end. For writers that
 * escape, most of whose text is plain. */
bool buf_plain(struct buf *b, struct str *rest, struct str *special, uint32_t *point);

/* Adds TEXT, which may hold any bytes, with MARK in place of each character that is not visible
 * (utf8_is_visible) or above MOST. For all text from an input that people read. */
void buf_visible(struct buf *b, struct str text, struct str mark, uint32_t most);

/* U+FFFD, the mark for UTF-8 output, and the last code point of Unicode. */
#define BUF_MARK STR("\xef\xbf\xbd")
enum { BUF_MOST = 0x10ffff };

/* Adds TEXT with %HH decoded; a '%' without two hexadecimal digits stays. */
void buf_decoded(struct buf *b, struct str text);

/* Adds TEXT, all bytes except plain ones as %HH; SPECIAL, unless 0, is encoded too. */
void buf_encoded(struct buf *b, struct str text, char special);

/* Adds VALUE in decimal. */
void buf_u64(struct buf *b, uint64_t value);

/* Adds two hexadecimal digits in lower case for each byte of BYTES. */
void buf_hex(struct buf *b, struct str bytes);

/* Adds VALUE with the fewest digits, at least 6, that read back as the same number. */
void buf_double(struct buf *b, double value);

/* Adds text as printf does. */
void buf_fmt(struct buf *b, const char *fmt, ...) MSG_PRINTF(2, 3);

/* The content, borrowed until the next change. */
static inline struct str
buf_view(const struct buf *b)
{
	return (struct str){ b->s, b->n };
}

/* The content with a terminator, borrowed until the next change. */
const char *buf_cstr(struct buf *b);

#endif
