/* SPDX-License-Identifier: ISC */
/* What the reports for people have in common: lines of cells, a name at the end. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report.h"

struct report_page {
	struct output *out; /* not owned, as the next two */
	const struct report *summary;
	const struct terminal *terminal;
	struct buf line, cell;	   /* the line that is being made, and work space */
	int decimals;		   /* of shares: more would be noise */
	size_t share, error;	   /* widths of these cells, in columns */
	size_t side[TREE_COLUMNS]; /* of the shares that are compared */
	bool has_marked;	   /* a change was marked as maybe chance */
};

enum {
	REPORT_NAME_LEAST = 16, /* columns for a name to be worth reading */
	REPORT_WIDE = 100	/* columns from which there is room to spare */
};

void report_page_init(struct report_page *p, struct output *out, const struct report *s,
	const struct terminal *terminal);
void report_page_release(struct report_page *p);

/* Writes the line and begins the next. */
void report_end_line(struct report_page *p);

/* Adds TEXT in STYLE, with blanks before it up to COLUMNS. */
void report_put_cell(struct report_page *p, struct str text, size_t columns,
	enum terminal_style style);

/* Adds the share of WEIGHT alone. */
void report_put_percent(struct report_page *p, uint64_t weight, int column);

/* Adds the share of WEIGHT, and its error where that is known. */
void report_put_share(struct report_page *p, uint64_t weight, int column);

/* The columns that these take. */
size_t report_share_columns(const struct report_page *p);

/* Adds the shares before and after, what has changed, and the ratio; or what heads
 * them. */
void report_put_change(struct report_page *p, const uint64_t *weight);
void report_put_change_heads(struct report_page *p);
size_t report_change_columns(const struct report_page *p);

/* Adds NAME, cut to COLUMNS where the page is; an empty one as "". */
void report_put_name(struct report_page *p, struct str name, size_t columns);

/* Makes in p->cell the beginning of a line that says of N what is not shown. */
void report_make_rest(struct report_page *p, uint64_t n);

/* Adds N blanks. */
void report_put_blanks(struct report_page *p, size_t n);

/* Adds the cell that was made in p->cell, and empties that. */
void report_put_made(struct report_page *p, size_t columns, enum terminal_style style);

/* Says what marks are, where there were some. */
void report_write_marks(struct report_page *p);

/* Writes what the weights are, and how many. */
void report_write_title(struct report_page *p);

#endif
