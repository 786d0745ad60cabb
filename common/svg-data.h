/* SPDX-License-Identifier: ISC */
/*
 * The data that an SVG of fg-svg carries, from which its script draws and from which the
 * toolkit's readers get the folded stacks back: a header and the table of all frames. This
 * reads them; fg-svg's table.c writes them.
 *
 * Names: every distinct name on a line of its own, the most frequent first
 * (ties in byte order), each line being a number, the name's colour (an index into
 * meta.colors), then the name. A backslash is written "\\"; a byte that XML
 * cannot hold (a control byte, a byte of an invalid UTF-8 sequence, U+FFFE and U+FFFF,
 * a surrogate), a '<', and a ']' before another, are written "\xHH" a byte.
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
 * Before both stands the header: a line as folded text has it (folded.h), with
 * three keys more that say how to read the frames: columns=, scale= (weights
 * are units of 10^-scale) and, where the stacks were turned round, reversed=1.
 *
 * Numbers are written in digits of an alphabet of 88 characters: '!' (0x21) to
 * '~' (0x7e) without '"', '&', '<', '>', '\' and ']', in order of code. A number below
 * SVG_DATA_LAST is that digit. Else the digit is SVG_DATA_LAST + v % SVG_DATA_MORE with
 * v = number - SVG_DATA_LAST, and the number v / SVG_DATA_MORE follows in the same
 * way. (So 1, 2 and 3 digits hold numbers below 56, 1,848 and 59,192.)
 *
 * Times: where the header's by= has the dimension time, frames that stand for processes, threads,
 * CPUs and times are not in the tree, and a third part says how the weight of each stack is
 * divided among their values. It has lines, then cells:
 *	a letter for each dimension: 'r' a level of the tree, 't' a part of a track, 'x' the time
 *	number(tracks) number(times) number(unit) number(the root's self weight, in units)
 *	each track, in order, then each time:
 *		number(bytes as in the line before) and the rest, written as names are; the
 *		values of a track end with ';' each
 * A slot is a track * number of times + a time, both counted from 0. For the root, if it has
 * weight, then for each frame with self weight in the order of the frames
 *	number(slots - 1)
 *	number(slots between this and the one before) and, but for the last slot,
 *	number(weight), all in units of that one; the last has the rest of the self weight
 *
 * All are cut into chunks of at most SVG_DATA_CHUNK bytes: XML parsers refuse text
 * nodes of 10 MB. Names are cut between lines, and only where a line is longer than
 * a chunk between two of its characters; every line ends with a newline. What a reader
 * takes is the chunks joined without anything between.
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

/* What a page of fg-export begins with; the picture stands in it. */
#define SVG_DATA_PAGE STR("<!doctype html>\n<html lang=\"en\" class=\"fg-page\">")

/* Takes LINE, "stack weight" or "stack weight weight", borrowed for the call. */
typedef void svg_data_line(void *to, struct str line);

/* The header that DOCUMENT, an SVG, carries; empty when there is none, and then
 * it has no table. Borrowed. */
struct str svg_data_header(struct str document);

/* Whether DOCUMENT is an SVG of fg-svg that carries none on demand: the class of its
 * element has SVG_DATA_LEFT_OUT. */
#define SVG_DATA_LEFT_OUT "fg fg-no-data"
bool svg_data_is_left_out(struct str document);

/* Reads the names and frames of DOCUMENT, with COLUMNS weights of SCALE, and
 * gives each stack that has a weight to LINE with TO, in their order. Returns
 * NULL, or what is wrong, after which nothing more is given. */
const char *svg_data_read(
	struct str document, int columns, unsigned scale, svg_data_line *line, void *to);

#endif
