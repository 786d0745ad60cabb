/* SPDX-License-Identifier: ISC */
/* What a comparison came to, in words: text, Markdown or JSON. */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "compare.h"
#include "output.h"

struct diff_report {
	const struct compare *compare; /* not owned, as all of these */
	const struct runs_files *files;
	size_t top; /* how many rows a table has; 0: all */
	const char
		*options; /* for a shell: those that the picture needs, behind a blank */
};

void diff_report_write_text(struct output *out, const struct diff_report *v);
void diff_report_write_markdown(struct output *out, const struct diff_report *v);
void diff_report_write_json(struct output *out, const struct diff_report *v);

/* Adds the verdict and what could have been seen in one line, as text. */
void diff_report_put_findings(struct buf *b, const struct compare *c);

/* Adds WORD as a shell reads it back. */
void diff_report_put_quoted(struct buf *b, struct str word);

/* Adds how many samples SIDE of R has. */
void diff_report_put_samples(struct buf *b, const struct runs *r, int side);

#endif
