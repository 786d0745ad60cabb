/* SPDX-License-Identifier: ISC */
/*
 * Text for a terminal: its width, its characters and colours, bars, and names made harmless.
 * Whatever a name contains, the output has no control characters except the requested colours.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "buf.h"

enum { TERMINAL_WIDTH = 80 }; /* columns, if unknown */

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
	bool utf8;  /* marks and bars may use UTF-8 */
	bool ascii; /* put only ASCII, even in names */
	bool colour;
	bool cut;     /* cut lines at width */
	size_t width; /* columns */
};

/* Reads the settings of FD and the environment (LC_ALL, LC_CTYPE, LANG; COLUMNS, TERM and
 * NO_COLOR). A WIDTH of 0 is the terminal's, or 80 without cutting if FD is not a terminal. */
void terminal_init(struct terminal *t, int fd, size_t width, enum terminal_colour colour);

/* Begins STYLE; TERMINAL_PLAIN ends it. */
void terminal_put_style(
	struct buf *b, const struct terminal *t, enum terminal_style style);

/* Adds NAME with marks for everything invisible: control characters, changes of text direction,
 * invalid UTF-8. If T cuts, at most COLUMNS wide, without the middle. */
void terminal_put_name(
	struct buf *b, const struct terminal *t, struct str name, size_t columns);

/* Adds a bar of PART (0 to 1) of COLUMNS, padded with blanks. */
void terminal_put_bar(
	struct buf *b, const struct terminal *t, double part, size_t columns);

/* Adds TEXT, right-aligned in COLUMNS. */
void terminal_put_right(struct buf *b, struct str text, size_t columns);

#endif
