/* SPDX-License-Identifier: ISC */
/*
 * The sentences that describe a comparison, as plain text or in GitHub's Markdown. Texts from an
 * input are made visible, and Markdown in them is escaped.
 */
#ifndef DIFF_WORDS_H
#define DIFF_WORDS_H

#include "compare.h"
#include "diff-names.h"
#include "units.h"

struct diff_words {
	const struct compare *compare;	/* not owned */
	const struct diff_names *names; /* for all rows and powers; not owned */
	bool is_markdown;
};

/* Sets NAMES to the names of the rows of C and of its powers. The caller releases NAMES. */
void diff_words_take_names(
	struct diff_names *names, const struct compare *c, size_t columns);

void diff_words_put_name(struct buf *b, const struct diff_words *w, uint32_t name);
/* Adds TEXT from an input: in Markdown as code. */
void diff_words_put_text(struct buf *b, const struct diff_words *w, struct str text);

/* The unit of all weights; the format for those up to LARGEST. */
struct units_form diff_words_form(const struct compare *c, double largest);
/* Adds the unit of F, and the base of weights: " ms per run". */
void diff_words_put_unit(
	struct buf *b, const struct diff_words *w, const struct units_form *f);
void diff_words_put_excess(struct buf *b, const struct diff_words *w, double excess);
/* Adds PART as a percentage, with a sign; without its unit. */
void diff_words_put_percent(struct buf *b, double part);

/* Adds the verdict in one line. */
void diff_words_put_verdict(struct buf *b, const struct diff_words *w);

/* Adds the gate's findings in lines: each growth that failed, up to TOP unless that is 0. */
void diff_words_put_gate(struct buf *b, const struct diff_words *w, size_t top);

/* Add the detectable changes; the norm; the number of tests. */
void diff_words_put_powers(struct buf *b, const struct diff_words *w);
void diff_words_put_norm(struct buf *b, const struct diff_words *w);
void diff_words_put_tests(struct buf *b, const struct diff_words *w);

/* Adds a remark on ROW beside its numbers, "its self weight fell by 12 %", or nothing. */
void diff_words_put_remark(struct buf *b, const struct diff_words *w, size_t row);

/* Adds limitations of the comparison, a line each. */
void diff_words_put_notes(struct buf *b, const struct diff_words *w);

#endif
