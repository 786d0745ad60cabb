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

/* As label_fit around MARK, which must take fewer columns than LABEL_MIN. */
void label_cut(struct buf *b, struct str text, size_t columns, struct str mark);

#endif
