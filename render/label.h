/* SPDX-License-Identifier: ISC */
/* Names as labels of boxes. */
#ifndef LABEL_H
#define LABEL_H

#include "buf.h"

enum {
	LABEL_MIN = 3, /* columns; fewer are useless */
	LABEL_BYTES =
		65536 /* the limit, since combining marks take bytes but no columns */
};

#define LABEL_ELLIPSIS STR("\xe2\x80\xa6") /* U+2026 */

/* The width of TEXT in columns of a monospace font. */
size_t label_columns(struct str text);

/* Adds TEXT to B in at most COLUMNS columns: whole, or its start and end around an ellipsis.
 * Adds nothing when COLUMNS is below LABEL_MIN. Never cuts inside a character. */
void label_fit(struct buf *b, struct str text, size_t columns);

/* As label_fit, with the ellipsis at the end. */
void label_fit_right(struct buf *b, struct str text, size_t columns);

/* Adds the function name NAME in at most COLUMNS columns: the longest that fits of the name,
 * the name without template arguments, without compiler suffixes and parameters, and its last
 * parts; if none fits, the shortest, cut as in label_fit, at the end when AT_END. */
void label_fit_name(struct buf *b, struct str name, size_t columns, bool at_end);

/* As label_fit, with MARK, which must be narrower than LABEL_MIN, for the ellipsis. */
void label_cut(struct buf *b, struct str text, size_t columns, struct str mark);

#endif
