/* SPDX-License-Identifier: ISC */
/* Reports at which revisions the cost of functions changed, as text, Markdown or JSON. */
#ifndef TREND_REPORT_H
#define TREND_REPORT_H

#include "output.h"
#include "trend.h"

struct trend_report {
	const struct trend *trend; /* not owned, like all of these */
	const char *const *files;  /* of all runs */
	size_t top;		   /* the most rows in a table; 0: all */
};

void trend_report_write_text(struct output *out, const struct trend_report *v);
void trend_report_write_markdown(struct output *out, const struct trend_report *v);
void trend_report_write_json(struct output *out, const struct trend_report *v);

/* Adds the name of the revision AT: the common part of its files' names. */
void trend_report_put_revision(struct buf *b, const struct trend_report *v, size_t at);

/* The revision called NAME, or with a file at that path; the number of revisions if there is
 * none. */
size_t trend_report_find(const struct trend_report *v, struct str name);

#endif
