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

/* For the files of this module. Shares are percent here, a change of one is points. */

/* Whether there are so few samples that only large changes can be seen. */
bool diff_report_is_soft(const struct compare *c);

/* Adds TEXT, which comes from an input, as a person may read it: see buf_visible. */
static inline void
diff_report_put_text(struct buf *b, struct str text)
{
	buf_visible(b, text, BUF_MARK, BUF_MOST);
}

/* Adds the name of what F is of. */
void diff_report_put_name(struct buf *b, const struct compare *c, struct metric f);

/* Adds the names of the files of SIDE. */
void diff_report_put_files(struct buf *b, const struct diff_report *v, int side);

/* Adds the total weight of SIDE, and how many samples it stands for. */
void diff_report_put_total(struct buf *b, const struct compare *c, int side);
void diff_report_put_samples(struct buf *b, const struct compare *c, int side);

/* Adds a sentence on what shares are of, and one on the tests, without full stops. */
void diff_report_put_norm(struct buf *b, const struct compare *c);
void diff_report_put_tests(struct buf *b, const struct compare *c);

/* Adds the answer of the gate: what has grown more than it allows is counted. */
void diff_report_put_answer(struct buf *b, const struct compare *c);

/* Adds by how much G grew: "parse (total) grew by 6 points, from 12 % to 18 %". */
void diff_report_put_growth(
	struct buf *b, const struct compare *c, const struct compare_change *g);

/* The columns of a change. */
void diff_report_put_share(struct buf *b, double share);
void diff_report_put_change(struct buf *b, double change);
void diff_report_put_ratio(struct buf *b, const struct compare_change *g);
void diff_report_put_interval(struct buf *b, const struct compare_change *g);
void diff_report_put_p(struct buf *b, double p);

/* "total", "self", or "total, self" where that is one. */
const char *diff_report_kind(const struct compare_change *g);

/* "new", "gone" or "changed". */
const char *diff_report_status(const struct compare_change *g);

/* The changes of paths, or of functions, that say something of their own; NULL behind
 * the last. G is the one before, or NULL. */
const struct compare_change *diff_report_next(
	const struct compare *c, bool paths, const struct compare_change *g);
size_t diff_report_count(const struct compare *c, bool paths);

/* The same of what failed; a path that failed as its function did is left out. */
const struct compare_change *diff_report_next_failed(
	const struct compare *c, const struct compare_change *g);

#endif
