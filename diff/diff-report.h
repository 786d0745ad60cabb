/* SPDX-License-Identifier: ISC */
/* What a comparison came to, in words: text, Markdown or JSON. */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "compare.h"
#include "output.h"

struct diff_report {
	const struct compare *compare; /* tested; not owned, as all of these */
	const char *const *file[COMPARE_SIDES];
	size_t files[COMPARE_SIDES];
	size_t top; /* how many changes a table shows; 0: all */
};

void diff_report_write_text(struct output *out, const struct diff_report *v);
void diff_report_write_markdown(struct output *out, const struct diff_report *v);
void diff_report_write_json(struct output *out, const struct diff_report *v);

/* Whether there are so few samples that only large changes can be seen. */
bool diff_report_is_soft(const struct compare *c);

/* Adds how many samples the total of SIDE stands for. */
void diff_report_put_samples(struct buf *b, const struct compare *c, int side);

#endif
