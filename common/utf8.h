/* SPDX-License-Identifier: ISC */
/* UTF-8 in bytes that may be anything. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

/* What stands for a byte that belongs to no well-formed sequence. */
#define UTF8_INVALID UINT32_MAX

/* The number of bytes of the character that S, which must not be empty, begins
 * with; *POINT is its code point. A byte that begins no well-formed sequence
 * (Unicode 15, table 3-7: surrogates and overlong forms are none) is one
 * character, UTF8_INVALID. */
size_t utf8_next(struct str s, uint32_t *point);

enum { UTF8_LONGEST = 4 };

/* Writes POINT, below 0x110000, as UTF-8 at TO and returns of how many bytes. */
size_t utf8_put(char to[UTF8_LONGEST], uint32_t point);

/* Whether POINT shows where it stands, or as a mark on the character before: no control
 * character, none that turns the direction of text or breaks lines, not UTF8_INVALID. XML 1.0 can
 * hold all that utf8_next gives of these. */
bool utf8_is_visible(uint32_t point);

/* How many columns POINT takes in a monospace font: 0, 1 or 2. */
unsigned utf8_columns(uint32_t point);

#endif
