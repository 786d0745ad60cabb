/* SPDX-License-Identifier: ISC */
/*
 * Rows of annotated code for people: what a line or an instruction costs, what it is called, its
 * text, and what it calls.
 */
#ifndef LISTING_H
#define LISTING_H

#include "annotate.h"
#include "buf.h"
#include "terminal.h"

/* Columns for a text to be worth reading. */
enum { LISTING_TEXT_LEAST = 16 };

struct listing {
	struct output *out; /* not owned, as the next two */
	const struct annotate *a;
	const struct terminal *terminal;
	struct buf line, cell;
	int decimals;
	size_t share, error; /* widths of these cells, in columns */
	size_t label;	     /* the same of labels */
	size_t used;	     /* columns of the line that cells take */
};

/* The caller sets the width of labels, and releases P. */
void listing_begin(struct listing *p, struct output *out, const struct annotate *a,
	const struct annotate_how *how);
void listing_release(struct listing *p);

/* Writes the line without blanks at its end. */
void listing_end_line(struct listing *p);

/* Adds what p->cell has, right in COLUMNS, and empties it. */
void listing_put_cell(struct listing *p, size_t columns, enum terminal_style style);

/* The same with TEXT. */
void listing_put_text(
	struct listing *p, const char *text, size_t columns, enum terminal_style style);

/* Adds what LINE costs; NULL: nothing. */
void listing_put_weights(struct listing *p, const struct annotate_line *line);

/* Writes the heads of the cells, LAST behind them. */
void listing_put_heads(struct listing *p, const char *last);

/* Adds TEXT of a source with blanks for tabs, at most COLUMNS wide when the terminal cuts. */
void listing_put_source(struct listing *p, struct str text, size_t columns);

/* Writes the row of LABEL, which costs what LINE says, or nothing. */
void listing_write_row(struct listing *p, struct str label,
	const struct annotate_line *line, struct str text);

/* Writes a row of TEXT from PLACE, "spin.c:18", that says nothing of its cost. */
void listing_write_place(struct listing *p, struct str place, struct str text);

/* Adds "   self 31.2 % +-1.1" to the line. */
void listing_put_sum(struct listing *p, const char *what, const uint64_t *weight);

#endif
