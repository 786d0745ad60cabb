/* SPDX-License-Identifier: ISC */
/* At which revisions the cost of functions changed, in words: text, Markdown or JSON. */
#ifndef TREND_REPORT_H
#define TREND_REPORT_H

#include "output.h"
#include "trend.h"

struct trend_report {
	const struct trend *trend; /* not owned, as all of these */
	const char *const *files;  /* of all runs */
	size_t top;		   /* how many rows a table has; 0: all */
};

void trend_report_write_text(struct output *out, const struct trend_report *v);
void trend_report_write_markdown(struct output *out, const struct trend_report *v);
void trend_report_write_json(struct output *out, const struct trend_report *v);

/* Adds the name of the revision AT: what the names of its files have in common. */
void trend_report_put_revision(struct buf *b, const struct trend_report *v, size_t at);

/* The revision that NAME, or the path of one of its files, is; that behind the last: none. */
size_t trend_report_find(const struct trend_report *v, struct str name);

#endif
