/* SPDX-License-Identifier: ISC */
/* UTF-8 in arbitrary bytes. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

/* The code point for a byte outside of any well-formed sequence. */
#define UTF8_INVALID UINT32_MAX

/* The length of the character that S, which must not be empty, begins with; *POINT gets its code
 * point. A byte that begins no well-formed sequence (Unicode 15, table 3-7: surrogates and overlong
 * forms are excluded) is one character, UTF8_INVALID. */
size_t utf8_next(struct str s, uint32_t *point);

enum { UTF8_LONGEST = 4 };

/* Writes POINT, below 0x110000, as UTF-8 at TO and returns the number of bytes. */
size_t utf8_put(char to[UTF8_LONGEST], uint32_t point);

/* Whether POINT is visible, alone or as a combining mark: not a control character, not one that
 * changes the direction of text or breaks lines, and not UTF8_INVALID. XML 1.0 can hold all visible
 * characters from utf8_next. */
bool utf8_is_visible(uint32_t point);

/* The width of POINT in a monospace font: 0, 1 or 2 columns. */
unsigned utf8_columns(uint32_t point);

#endif
