/* SPDX-License-Identifier: ISC */
/*
 * The sentences in which a comparison is told, as plain text or in GitHub's Markdown. Texts of
 * an input are visible, and mean nothing to Markdown.
 */
#ifndef DIFF_WORDS_H
#define DIFF_WORDS_H

#include "compare.h"
#include "diff-names.h"
#include "units.h"

struct diff_words {
	const struct compare *compare;	/* not owned */
	const struct diff_names *names; /* of all rows and powers; not owned */
	bool is_markdown;
};

/* The names of the rows of C and of what could have been seen. The caller releases NAMES. */
void diff_words_take_names(
	struct diff_names *names, const struct compare *c, size_t columns);

void diff_words_put_name(struct buf *b, const struct diff_words *w, uint32_t name);
/* TEXT of an input: in Markdown as code. */
void diff_words_put_text(struct buf *b, const struct diff_words *w, struct str text);

/* The unit of all weights; its form for those up to LARGEST. */
struct units_form diff_words_form(const struct compare *c, double largest);
/* Adds the unit of F, and of what weights are: " ms per run". */
void diff_words_put_unit(
	struct buf *b, const struct diff_words *w, const struct units_form *f);
void diff_words_put_excess(struct buf *b, const struct diff_words *w, double excess);
/* PART of one as percent, with a sign; without its unit. */
void diff_words_put_percent(struct buf *b, double part);

/* The verdict in one line. */
void diff_words_put_verdict(struct buf *b, const struct diff_words *w);

/* What the gate found, in lines: each growth that failed, up to TOP unless that is 0. */
void diff_words_put_gate(struct buf *b, const struct diff_words *w, size_t top);

/* What could have been seen; how the sides were made equal; what was tested. */
void diff_words_put_powers(struct buf *b, const struct diff_words *w);
void diff_words_put_norm(struct buf *b, const struct diff_words *w);
void diff_words_put_tests(struct buf *b, const struct diff_words *w);

/* What is to be known of ROW beside its numbers, "its self weight fell by 12 %", or nothing. */
void diff_words_put_remark(struct buf *b, const struct diff_words *w, size_t row);

/* What makes the comparison weaker, a line each. */
void diff_words_put_notes(struct buf *b, const struct diff_words *w);

#endif
