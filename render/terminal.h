/* SPDX-License-Identifier: ISC */
/*
 * Text for a person at a terminal: how wide it is, which characters and colours
 * it may have, bars, and names that are made harmless. Whatever a name holds,
 * what is put here has no control characters but the colours asked for.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "buf.h"

enum { TERMINAL_WIDTH = 80 }; /* columns, where nobody knows better */

enum terminal_colour { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

enum terminal_style {
	TERMINAL_PLAIN,
	TERMINAL_BOLD,
	TERMINAL_DIM,
	TERMINAL_BAR,
	TERMINAL_MORE, /* something grew */
	TERMINAL_LESS,
	TERMINAL_STYLES
};

struct terminal {
	bool utf8;  /* marks and bars may be other than ASCII */
	bool ascii; /* nothing but ASCII may be put, names neither */
	bool colour;
	bool cut;     /* what is wider than width is cut */
	size_t width; /* columns */
};

/* Looks at FD and the environment (LC_ALL, LC_CTYPE, LANG; COLUMNS, TERM and
 * NO_COLOR). WIDTH of 0: that of the terminal; for what is none 80, and nothing
 * is cut. */
void terminal_init(struct terminal *t, int fd, size_t width, enum terminal_colour colour);

/* Begins STYLE, or ends the one begun with TERMINAL_PLAIN. */
void terminal_put_style(
	struct buf *b, const struct terminal *t, enum terminal_style style);

/* Adds NAME with a mark in the place of everything that is no visible character:
 * control characters, those that change the direction of text, what is no
 * UTF-8. At most COLUMNS columns wide when T cuts, the middle left out. */
void terminal_put_name(
	struct buf *b, const struct terminal *t, struct str name, size_t columns);

/* Adds a bar of PART (0 to 1) of COLUMNS columns, and blanks up to that width. */
void terminal_put_bar(
	struct buf *b, const struct terminal *t, double part, size_t columns);

/* Adds TEXT, with blanks before it up to COLUMNS columns. */
void terminal_put_right(struct buf *b, struct str text, size_t columns);

#endif
