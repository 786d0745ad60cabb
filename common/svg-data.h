/* SPDX-License-Identifier: ISC */
/*
 * Reads the data embedded in an SVG by fg-svg, which its script draws and from which the toolkit's
 * readers recover the folded stacks: a header and the table of all frames. fg-svg's table.c writes
 * them.
 *
 * Names: every distinct name on a line of its own, the most frequent first
 * (ties in byte order): a number, the name's colour (an index into meta.colors), then the
 * name. A backslash is written "\\"; bytes that XML cannot hold (control bytes, bytes of an
 * invalid UTF-8 sequence, U+FFFE and U+FFFF, a surrogate), '<', and a ']' before another
 * are written "\xHH" a byte.
 *
 * Frames, in preorder without the root. Most are the only or first child of the
 * frame before and no stack ends at them; such a frame is
 *	number(1 + name)            name: its line, from 0
 * and any other is
 *	number(0)
 *	number(2 * up + has_self)   up: levels back from the previous frame's
 *	                            child level; 0 is a child of the previous
 *	number(name)                the number of lines: a gap (svg.h)
 *	[number(self) ...]          with has_self: one a column
 * The header comes before both: a line as in folded text (folded.h), with three more keys for
 * reading the frames: columns=, scale= (weights are in units of 10^-scale) and, for reversed
 * stacks, reversed=1.
 *
 * Numbers are written in digits of an alphabet of 88 characters: '!' (0x21) to
 * '~' (0x7e) without '"', '&', '<', '>', '\' and ']', in order of code. A number below
 * SVG_DATA_LAST is that digit. Else the digit is SVG_DATA_LAST + v % SVG_DATA_MORE with
 * v = number - SVG_DATA_LAST, and the number v / SVG_DATA_MORE follows in the same
 * way. (So 1, 2 and 3 digits hold numbers below 56, 1,848 and 59,192.)
 *
 * Times: if the header's by= has the dimension time, frames for processes, threads, CPUs and times
 * are not in the tree, and a third part divides the weight of each stack among their values. It has
 * lines, then cells:
 *	a letter for each dimension: 'r' a level of the tree, 't' a part of a track, 'x' the time
 *	number(tracks) number(times) number(unit) number(the root's self weight, in units)
 *	each track, in order, then each time:
 *		number(bytes as in the line before) and the rest, written as names are; the
 *		values of a track end with ';' each
 * A slot is a track * number of times + a time, both counted from 0. For the root, if it has
 * weight, then for each frame with self weight in the order of the frames
 *	number(slots - 1)
 *	number(slots between this and the one before) and, but for the last slot,
 *	number(weight), in units of number(unit); the last has the rest of the self weight
 *
 * All are cut into chunks of at most SVG_DATA_CHUNK bytes: XML parsers refuse text
 * nodes of 10 MB. Names are cut between lines, and only where a line is longer than
 * a chunk between two of its characters; every line ends with a newline. A reader joins
 * the chunks without separators.
 *
 * Packed, they are one text: the names, an empty line, the frames and, where there are times,
 * the end of this line, an empty line, the times; deflated (zlib), in base64, and cut into
 * chunks likewise. It has SVG_DATA_UNPACKED bytes at most.
 */
#ifndef SVG_DATA_H
#define SVG_DATA_H

#include <stdbool.h>

#include "str.h"

enum {
	SVG_DATA_LAST = 56,
	SVG_DATA_MORE = 32,
	SVG_DATA_DIGITS = 88,
	SVG_DATA_CHUNK = 1000000
};

enum { SVG_DATA_UNPACKED = 1 << 30 };

/* The start of an HTML page by fg-export, which contains the picture. */
#define SVG_DATA_PAGE STR("<!doctype html>\n<html lang=\"en\" class=\"fg-page\">")

/* Handles LINE, "stack weight" or "stack weight weight", borrowed for the call. */
typedef void svg_data_line(void *to, struct str line);

/* The header of DOCUMENT, an SVG; empty if it has none, and then it has no table either.
 * Borrowed. */
struct str svg_data_header(struct str document);

/* Whether DOCUMENT is an SVG by fg-svg that omits the data on demand: the class of its element is
 * SVG_DATA_LEFT_OUT. */
#define SVG_DATA_LEFT_OUT "fg fg-no-data"
bool svg_data_is_left_out(struct str document);

/* Reads the names and frames of DOCUMENT, with COLUMNS weights of SCALE, and passes each stack with
 * weight to LINE with TO, in order. Returns NULL, or an error text, after which no stack
 * follows. */
const char *svg_data_read(
	struct str document, int columns, unsigned scale, svg_data_line *line, void *to);

#endif
