/* SPDX-License-Identifier: ISC */
/*
 * Rows of annotated code for people: the cost of a line or an instruction, its label and text,
 * and its callees.
 */
#ifndef LISTING_H
#define LISTING_H

#include "annotate.h"
#include "buf.h"
#include "terminal.h"

/* The least columns for a readable text. */
enum { LISTING_TEXT_LEAST = 16 };

struct listing {
	struct output *out; /* not owned, like the next two */
	const struct annotate *a;
	const struct terminal *terminal;
	struct buf line, cell;
	int decimals;
	size_t share, error; /* widths of these cells, in columns */
	size_t label;	     /* width of labels, in columns */
	size_t used;	     /* columns of the line taken by cells */
};

/* Starts a listing. The caller sets the width of labels, and releases P. */
void listing_begin(struct listing *p, struct output *out, const struct annotate *a,
	const struct annotate_how *how);
void listing_release(struct listing *p);

/* Writes the line without trailing blanks. */
void listing_end_line(struct listing *p);

/* Adds p->cell, right-aligned in COLUMNS, and empties it. */
void listing_put_cell(struct listing *p, size_t columns, enum terminal_style style);

/* Adds TEXT, right-aligned in COLUMNS. */
void listing_put_text(
	struct listing *p, const char *text, size_t columns, enum terminal_style style);

/* Adds the cost of LINE; NULL: none. */
void listing_put_weights(struct listing *p, const struct annotate_line *line);

/* Writes the column headings, with LAST as the last one. */
void listing_put_heads(struct listing *p, const char *last);

/* Adds source TEXT with tabs expanded, at most COLUMNS wide when the terminal cuts. */
void listing_put_source(struct listing *p, struct str text, size_t columns);

/* Writes the row of LABEL with the cost of LINE; NULL: none. */
void listing_write_row(struct listing *p, struct str label,
	const struct annotate_line *line, struct str text);

/* Writes a row with TEXT from PLACE, "spin.c:18", without cost. */
void listing_write_place(struct listing *p, struct str place, struct str text);

/* Adds "   self 31.2 % +-1.1" to the line. */
void listing_put_sum(struct listing *p, const char *what, const uint64_t *weight);

#endif
