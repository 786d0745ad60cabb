/* SPDX-License-Identifier: ISC */
/* What the reports for people have in common: lines of cells, a name at the end. */
#ifndef SUMMARY_PAGE_H
#define SUMMARY_PAGE_H

#include "summary.h"

struct summary_page {
	struct output *out; /* not owned, as the next two */
	const struct summary *summary;
	const struct terminal *terminal;
	struct buf line, cell;	   /* the line that is being made, and work space */
	int decimals;		   /* of shares: more would be noise */
	size_t share, error;	   /* widths of these cells, in columns */
	size_t side[TREE_COLUMNS]; /* of the shares that are compared */
	bool has_marked;	   /* a change was marked as maybe chance */
};

enum {
	SUMMARY_NAME_LEAST = 16, /* columns for a name to be worth reading */
	SUMMARY_WIDE = 100	 /* columns from which there is room to spare */
};

void summary_page_init(struct summary_page *p, struct output *out,
	const struct summary *s, const struct terminal *terminal);
void summary_page_release(struct summary_page *p);

/* Writes the line and begins the next. */
void summary_end_line(struct summary_page *p);

/* Adds TEXT in STYLE, with blanks before it up to COLUMNS. */
void summary_put_cell(struct summary_page *p, struct str text, size_t columns,
	enum terminal_style style);

/* Adds the share of WEIGHT alone. */
void summary_put_percent(struct summary_page *p, uint64_t weight, int column);

/* Adds the share of WEIGHT, and its error where that is known. */
void summary_put_share(struct summary_page *p, uint64_t weight, int column);

/* The columns that these take. */
size_t summary_share_columns(const struct summary_page *p);

/* Adds the shares before and after, what has changed, and the ratio; or what heads
 * them. */
void summary_put_change(struct summary_page *p, const uint64_t *weight);
void summary_put_change_heads(struct summary_page *p);
size_t summary_change_columns(const struct summary_page *p);

/* Adds NAME, cut to COLUMNS where the page is; an empty one as "". */
void summary_put_name(struct summary_page *p, struct str name, size_t columns);

/* Makes in p->cell the beginning of a line that says of N what is not shown. */
void summary_make_rest(struct summary_page *p, uint64_t n);

/* Adds N blanks. */
void summary_put_blanks(struct summary_page *p, size_t n);

/* Adds the cell that was made in p->cell, and empties that. */
void summary_put_made(struct summary_page *p, size_t columns, enum terminal_style style);

/* Says what marks are, where there were some. */
void summary_write_marks(struct summary_page *p);

/* Writes what the weights are, and how many. */
void summary_write_title(struct summary_page *p);

#endif
