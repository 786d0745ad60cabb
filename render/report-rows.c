/* SPDX-License-Identifier: ISC */
/* A call tree, for people; see report.h. */
#include "amount.h"
#include "report-page.h"

enum {
	GAP = 2,
	LEVEL = 3,
	LEVELS_MOST = 40,
	LEVELS_LEAST = 3,
	BAR_LEAST = 8,
	BAR_MOST = 32
};

/* What the rows are laid out for. */
struct rows_layout {
	size_t figures, bar, name; /* columns; figures include the bar */
	uint32_t levels;	   /* of indentation at most; outer ones are left out */
	bool has_self;
};

/* The marks of a level: one that goes on below, none, a row of it, its last. */
struct marks {
	struct str pass, none, row, last;
};

static const struct marks UTF8 = { { "\xe2\x94\x82  ", 5 }, { "   ", 3 },
	{ "\xe2\x94\x9c\xe2\x94\x80 ", 7 }, { "\xe2\x94\x94\xe2\x94\x80 ", 7 } };
static const struct marks ASCII = { { "|  ", 3 }, { "   ", 3 }, { "|- ", 3 },
	{ "`- ", 3 } };

static void
lay_out(const struct report_page *p, struct rows_layout *l)
{
	const struct terminal *t = p->terminal;
	size_t levels;

	*l = (struct rows_layout){ .has_self = p->summary->set->kind != REPORT_CALLERS };
	if (report_is_diff(p->summary)) {
		l->figures = report_change_columns(p) + GAP;
	} else {
		l->bar = BAR_LEAST +
			(t->width > TERMINAL_WIDTH ? (t->width - TERMINAL_WIDTH) / 4 : 0);
		l->bar = l->bar < BAR_MOST ? l->bar : BAR_MOST;
		l->figures = report_share_columns(p) + GAP + l->bar + GAP;
		l->figures += l->has_self ? p->share + GAP : 0;
	}
	l->name = REPORT_NAME_LEAST;
	if (t->width > l->figures + REPORT_NAME_LEAST)
		l->name = t->width - l->figures;
	levels = t->cut ? l->name / 2 / LEVEL : LEVELS_MOST;
	l->levels = (uint32_t)(levels > LEVELS_LEAST ? levels : LEVELS_LEAST);
}

static void
write_heads(struct report_page *p, const struct rows_layout *l)
{
	static const struct str names[] = { [REPORT_TREE] = { "function", 8 },
		[REPORT_CALLERS] = { "function, and below it its callers", 34 },
		[REPORT_CALLEES] = { "function, and below it its callees", 34 } };

	if (report_is_diff(p->summary)) {
		report_put_change_heads(p);
		report_put_blanks(p, GAP);
	} else {
		report_put_cell(p, STR("total"), p->share, TERMINAL_BOLD);
		report_put_blanks(p, report_share_columns(p) - p->share + GAP);
		if (l->has_self) {
			report_put_cell(p, STR("self"), p->share, TERMINAL_BOLD);
			report_put_blanks(p, GAP);
		}
		report_put_blanks(p, l->bar + GAP);
	}
	report_put_cell(p, names[p->summary->set->kind], 0, TERMINAL_BOLD);
	report_end_line(p);
}

/* Puts the lines that lead to ROW. Returns how many columns they take. */
static size_t
put_lines(struct report_page *p, const struct rows_layout *l, const struct calltree *ct,
	const struct calltree_row *row)
{
	const struct marks *marks = p->terminal->utf8 ? &UTF8 : &ASCII;
	uint32_t level = 1, first = 1;

	if (!row->level)
		return 0;
	if (row->level > l->levels)
		first = row->level - l->levels + 1;
	terminal_put_style(&p->line, p->terminal, TERMINAL_DIM);
	if (first > 1)
		buf_str(&p->line, p->terminal->utf8 ? STR("\xe2\x80\xa6  ") : STR(".. "));
	for (level = first + (first > 1); level < row->level; level++)
		buf_str(&p->line, ct->goes_on[level] ? marks->pass : marks->none);
	if (row->is_branch)
		buf_str(&p->line, row->is_last ? marks->last : marks->row);
	else
		buf_str(&p->line, ct->goes_on[level] ? marks->pass : marks->none);
	terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	return (size_t)(row->level - first + 1) * LEVEL;
}

/* Puts the total and self shares of ROW, and a bar. */
static void
put_shares(struct report_page *p, const struct rows_layout *l,
	const struct calltree_row *row)
{
	report_put_share(p, row->total[0], 0);
	report_put_blanks(p, GAP);
	if (l->has_self && !row->hidden)
		report_put_percent(p, row->self[0], 0);
	else if (l->has_self)
		report_put_blanks(p, p->share);
	report_put_blanks(p, l->has_self ? GAP : 0);
	terminal_put_bar(&p->line, p->terminal,
		report_share(p->summary, row->total[0], 0) / 100, l->bar);
	report_put_blanks(p, GAP);
}

/* Puts the figures of ROW, which has none when it stands for functions that
 * overlap. */
static void
put_figures(struct report_page *p, const struct rows_layout *l,
	const struct calltree_row *row)
{
	if (!row->total[0] && !row->total[1]) {
		report_put_blanks(p, l->figures);
	} else if (report_is_diff(p->summary)) {
		report_put_change(p, row->total);
		report_put_blanks(p, GAP);
	} else {
		put_shares(p, l, row);
	}
}

static void
write_row(struct report_page *p, const struct rows_layout *l, const struct calltree *ct,
	const struct calltree_row *row)
{
	size_t indented;
	bool is_head;

	put_figures(p, l, row);
	indented = put_lines(p, l, ct, row);
	if (!row->hidden) {
		/* Where several trees follow each other, their roots stand out. */
		is_head = row->depth == 1 && p->summary->set->kind != REPORT_TREE;
		if (is_head)
			terminal_put_style(&p->line, p->terminal, TERMINAL_BOLD);
		report_put_name(
			p, row->name, l->name > indented ? l->name - indented : 0);
		if (is_head)
			terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	} else {
		report_make_rest(p, row->hidden);
		buf_str(&p->cell, STR(" more"));
		report_put_made(p, 0, TERMINAL_DIM);
	}
	report_end_line(p);
}

/* Says how much the rows do not show. */
static void
write_left_out(struct report_page *p, const struct calltree *ct)
{
	const struct report_settings *set = p->summary->set;

	if (!ct->hidden)
		return;
	report_make_rest(p, ct->hidden);
	buf_str(&p->cell,
		ct->hidden == 1 ? STR(" branch not shown:")
				: STR(" branches not shown:"));
	if (set->min_share > 0)
		buf_fmt(&p->cell, " below %g %%", set->min_share);
	if (set->depth)
		buf_fmt(&p->cell, "%s deeper than %u", set->min_share > 0 ? ", or" : "",
			(unsigned)set->depth);
	report_put_made(p, 0, TERMINAL_DIM);
	report_end_line(p);
}

void
report_write_rows(struct output *out, const struct report *s,
	const struct terminal *terminal, struct calltree *ct)
{
	struct report_page p;
	struct rows_layout l;
	struct calltree_row row;

	report_page_init(&p, out, s, terminal);
	report_write_title(&p);
	lay_out(&p, &l);
	write_heads(&p, &l);
	while (calltree_next(ct, &row))
		write_row(&p, &l, ct, &row);
	write_left_out(&p, ct);
	report_write_marks(&p);
	report_page_release(&p);
}
