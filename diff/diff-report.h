/* SPDX-License-Identifier: ISC */
/* Reports a comparison as text, Markdown or JSON. */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "compare.h"
#include "output.h"

struct diff_report {
	const struct compare *compare; /* not owned, like all of these */
	const struct runs_files *files;
	size_t top;	     /* the most rows in a table; 0: all */
	const char *options; /* for a shell: the options for the picture, after a blank */
};

void diff_report_write_text(struct output *out, const struct diff_report *v);
void diff_report_write_markdown(struct output *out, const struct diff_report *v);
void diff_report_write_json(struct output *out, const struct diff_report *v);

/* Adds the verdict and the detectable changes in one line, as text. */
void diff_report_put_findings(struct buf *b, const struct compare *c);

/* Adds WORD quoted for a shell. */
void diff_report_put_quoted(struct buf *b, struct str word);

/* Adds the number of samples of SIDE of R. */
void diff_report_put_samples(struct buf *b, const struct runs *r, int side);

#endif
