/* SPDX-License-Identifier: ISC */
/* Names as they are written on boxes. */
#ifndef LABEL_H
#define LABEL_H

#include "buf.h"

enum {
	LABEL_MIN = 3,	    /* columns; less says nothing */
	LABEL_BYTES = 65536 /* the most, since marks take bytes and no columns */
};

#define LABEL_ELLIPSIS STR("\xe2\x80\xa6") /* U+2026 */

/* How many columns TEXT takes in a monospace font. */
size_t label_columns(struct str text);

/* Adds TEXT to B in at most COLUMNS columns: whole, or its start and its end
 * around one ellipsis. Nothing when COLUMNS is below LABEL_MIN. Never cuts
 * inside a character. */
void label_fit(struct buf *b, struct str text, size_t columns);

/* The same with the ellipsis in place of the end. */
void label_fit_right(struct buf *b, struct str text, size_t columns);

/* Adds NAME, of a function, in at most COLUMNS columns: the longest that fits of the name, that
 * without template arguments, without suffixes of compilers and parameters, and its last parts;
 * else the shortest of these, cut as above, at the end when AT_END. */
void label_fit_name(struct buf *b, struct str name, size_t columns, bool at_end);

/* As label_fit around MARK, which must take fewer columns than LABEL_MIN. */
void label_cut(struct buf *b, struct str text, size_t columns, struct str mark);

#endif
