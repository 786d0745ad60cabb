/* SPDX-License-Identifier: ISC */
/*
 * The table of all frames that an SVG carries, from which its script draws and
 * from which the toolkit's readers get the folded stacks back.
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
 * TABLE_LAST is that digit. Else the digit is TABLE_LAST + v % TABLE_MORE with
 * v = number - TABLE_LAST, and the number v / TABLE_MORE follows in the same
 * way. (So 1, 2 and 3 digits hold numbers below 56, 1,848 and 59,192.)
 *
 * Both are cut into chunks of at most TABLE_CHUNK bytes: XML parsers refuse text
 * nodes of 10 MB. Names are cut between lines, and only where a line is longer than
 * a chunk between two of its characters; every line ends with a newline. What a reader
 * takes is the chunks joined without anything between.
 *
 * Packed, both are one text: the names, an empty line, the frames; deflated (zlib),
 * in base64, and cut into chunks likewise. It has TABLE_UNPACKED bytes at most.
 */
#ifndef TABLE_H
#define TABLE_H

#include "buf.h"
#include "tree.h"

enum { TABLE_LAST = 56, TABLE_MORE = 32, TABLE_CHUNK = 1000000, TABLE_DIGITS = 88 };

enum { TABLE_UNPACKED = 1 << 30 };

/* The names in the order of their lines. */
struct table_order {
	uint32_t *ids;	/* ids of the tree's names, by line */
	uint32_t *line; /* the line of each id */
	uint32_t n;
};

/* Orders the names of T that frames bear. The caller releases O. */
void table_order_init(struct table_order *o, const struct tree *t);
void table_order_release(struct table_order *o);

/* Adds the lines of the names; COLOUR has the colour of each id. */
void table_put_names(struct buf *b, const struct tree *t, const struct table_order *o,
	const uint16_t *colour);

/* Adds the frames of W, a walk of T. */
void table_put_frames(struct buf *b, const struct tree *t, const struct tree_walk *w,
	const struct table_order *o);

/* Adds TEXT, names and frames with the empty line between, packed. False, and nothing is
 * added, when it is too long. */
bool table_pack(struct buf *b, struct str text);

/* Appends what PACKED, anybody's bytes, holds to TEXT. False when it is damaged. */
bool table_unpack(struct str packed, struct buf *text);

/* Adds one number in the table's digits. */
void table_put_number(struct buf *b, uint64_t number);

/* Cuts the next chunk of TABLE_CHUNK bytes at most off *REST: at the end of a
 * line when one is there, else between two characters. */
struct str table_chunk(struct str *rest);

/* Takes LINE, "stack weight" or "stack weight weight", borrowed for the call. */
typedef void table_line(void *to, struct str line);

/* The header that DOCUMENT, an SVG, carries; empty when there is none, and then
 * it has no table. Borrowed. */
struct str table_header(struct str document);

/* Whether DOCUMENT is an SVG of fg-svg that carries none on demand: the class of its
 * element has TABLE_LEFT_OUT. */
#define TABLE_LEFT_OUT "fg fg-no-data"
bool table_is_left_out(struct str document);

/* Reads the names and frames of DOCUMENT, with COLUMNS weights of SCALE, and
 * gives each stack that has a weight to LINE with TO, in their order. Returns
 * NULL, or what is wrong, after which nothing more is given. */
const char *table_read(
	struct str document, int columns, unsigned scale, table_line *line, void *to);

#endif
