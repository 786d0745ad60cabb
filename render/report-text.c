/* SPDX-License-Identifier: ISC */
/*
 * Reports for people: lines of cells that end with a name, for call trees and hottest
 * functions; see report.h.
 */
#include "calltree.h"
#include "heading.h"
#include "label.h"
#include "quality.h"
#include "report.h"
#include "stats.h"
#include "terminal.h"
#include "units.h"

#include <math.h>

struct page {
	struct output *out; /* not owned, like the next two */
	const struct report *report;
	const struct terminal *terminal;
	struct buf line, cell;	   /* the current line, and work space */
	int decimals;		   /* of shares; more would be noise */
	size_t share, error;	   /* widths of these cells, in columns */
	size_t side[TREE_COLUMNS]; /* of the compared shares */
	bool has_marked;	   /* a change was marked as possibly chance */
};

enum {
	NAME_LEAST = 16, /* minimum columns for a readable name */
	WIDE = 100	 /* columns of a page with spare room */
};

enum {
	SAMPLES_FINE = 10000, /* enough for an error below one point */
	CHANGE = 7,	      /* columns: "-100.00" */
	RATIO = 7
};

static void
begin_page(struct page *p, struct output *out, const struct report *s,
	const struct terminal *terminal)
{
	bool known = report_has_error(s);
	size_t columns;
	int c;

	*p = (struct page){ .out = out, .report = s, .terminal = terminal };
	p->decimals = 2;
	if (known &&
		(s->samples[0] < SAMPLES_FINE ||
			(report_is_diff(s) && s->samples[1] < SAMPLES_FINE)))
		p->decimals = 1;
	p->share = STR("100. %").n + (size_t)p->decimals;
	if (known)
		p->error = terminal->utf8 ? STR("99.0").n + 1 : STR("+-99.0").n;
	for (c = 0; c < TREE_COLUMNS; c++) {
		columns = label_columns(report_side(s, c));
		p->side[c] = columns > p->share ? columns : p->share;
	}
}

static void
release_page(struct page *p)
{
	buf_release(&p->line);
	buf_release(&p->cell);
}

/* Writes the line and starts the next. */
static void
end_line(struct page *p)
{
	buf_char(&p->line, '\n');
	output_str(p->out, buf_view(&p->line));
	buf_clear(&p->line);
}

/* Adds TEXT in STYLE, right-aligned in COLUMNS. */
static void
put_cell(struct page *p, struct str text, size_t columns, enum terminal_style style)
{
	if (style != TERMINAL_PLAIN)
		terminal_put_style(&p->line, p->terminal, style);
	terminal_put_right(&p->line, text, columns);
	if (style != TERMINAL_PLAIN)
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
}

/* Adds N blanks. */
static void
put_blanks(struct page *p, size_t n)
{
	terminal_put_right(&p->line, STR(""), n);
}

/* Adds the cell in p->cell, and empties it. */
static void
put_made(struct page *p, size_t columns, enum terminal_style style)
{
	put_cell(p, buf_view(&p->cell), columns, style);
	buf_clear(&p->cell);
}

/* Adds ERROR behind MARK, a blank or a remark on the figure before. */
static void
put_error(struct page *p, char mark, double error)
{
	if (!p->error)
		return;
	buf_char(&p->line, mark);
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xc2\xb1") : STR("+-"));
	buf_fmt(&p->cell, "%.*f", p->decimals, error);
	put_made(p, p->error, TERMINAL_DIM);
}

/* The width of these cells in columns. */
static size_t
share_columns(const struct page *p)
{
	return p->share + (p->error ? p->error + 1 : 0);
}

/* Adds the share of WEIGHT without its error. */
static void
put_percent(struct page *p, uint64_t weight, int column)
{
	double share = report_share(p->report, weight, column),
	       error = report_error(p->report, weight, column);

	buf_fmt(&p->cell, "%.*f %%", p->decimals, share);
	put_made(p, p->share,
		weight == 0 || share < error ? TERMINAL_DIM : TERMINAL_PLAIN);
}

/* Adds the share of WEIGHT, and its error if known. */
static void
put_share(struct page *p, uint64_t weight, int column)
{
	put_percent(p, weight, column);
	put_error(p, ' ', report_error(p->report, weight, column));
}

static size_t
change_columns(const struct page *p)
{
	return p->side[0] + p->side[1] + 2 + CHANGE + (p->error ? p->error + 1 : 0) + 1 +
		RATIO;
}

static void
put_change_heads(struct page *p)
{
	bool is_ratio = report_is_ratio(p->report);
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		buf_visible(&p->cell, report_side(p->report, c), BUF_MARK, BUF_MOST);
		put_made(p, p->side[c] + (c > 0), TERMINAL_BOLD);
	}
	put_cell(p, is_ratio ? STR("apart") : STR("change"), CHANGE + 1, TERMINAL_BOLD);
	put_blanks(p, p->error ? p->error + 1 : 0);
	put_cell(p, is_ratio ? STR("per") : STR("ratio"), RATIO + 1, TERMINAL_BOLD);
}

static void
put_ratio(struct page *p, const uint64_t *weight, double ratio)
{
	bool is_ratio = report_is_ratio(p->report);

	if ((!weight[0] && !weight[1]) || (is_ratio && !weight[1]))
		buf_char(&p->cell, '-');
	else if (is_ratio && ratio < 1000)
		buf_fmt(&p->cell, "%.2f", ratio);
	else if (is_ratio)
		buf_str(&p->cell, STR(">1000"));
	else if (!weight[0] || !weight[1])
		buf_str(&p->cell, weight[1] ? STR("new") : STR("gone"));
	else if (ratio >= 1000)
		buf_str(&p->cell, STR(">1000x"));
	else
		buf_fmt(&p->cell, "%.2fx", ratio);
	put_made(p, RATIO + 1, TERMINAL_PLAIN);
}

/* Adds the shares before and after, their change and ratio; or the headings of these. */
static void
put_change(struct page *p, struct report_part part)
{
	const uint64_t *weight = part.weight;
	struct report_change change = report_compare(p->report, part);
	enum terminal_style style = TERMINAL_DIM;
	bool is_marked;
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		if (weight[c])
			buf_fmt(&p->cell, "%.*f %%", p->decimals,
				report_share(p->report, weight[c], c));
		else
			buf_char(&p->cell, '-');
		put_made(p, p->side[c] + (c > 0), TERMINAL_PLAIN);
	}
	if (change.is_clear)
		style = change.points > 0 ? TERMINAL_MORE : TERMINAL_LESS;
	if (fabs(change.points) < 0.5 / pow(10, p->decimals))
		change.points = 0; /* no sign on an insignificant change */
	buf_fmt(&p->cell, change.points ? "%+.*f" : "%.*f", p->decimals, change.points);
	put_made(p, CHANGE + 1, style);
	is_marked = p->report->tests && !change.is_clear && change.points != 0;
	p->has_marked |= is_marked;
	put_error(p, is_marked ? '~' : ' ', change.error);
	put_ratio(p, weight, change.ratio);
}

/* Adds NAME, cut to COLUMNS if the page has a width; an empty one as "". */
static void
put_name(struct page *p, struct str name, size_t columns)
{
	terminal_put_name(&p->line, p->terminal, name.n ? name : STR("\"\""), columns);
}

/* Starts in p->cell a line about N things that are not shown. */
static void
make_rest(struct page *p, uint64_t n)
{
	buf_clear(&p->cell);
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xe2\x80\xa6 ") : STR("... "));
	units_put_count(&p->cell, n);
}

/* Explains the marks, if there were any. */
static void
write_marks(struct page *p)
{
	if (!p->has_marked)
		return;
	put_cell(p, STR("~ not significant"), 0, TERMINAL_DIM);
	end_line(p);
}

/* Puts the separator of two parts of the title. */
static void
put_dot(struct page *p)
{
	buf_str(&p->line, p->terminal->utf8 ? STR(" \xc2\xb7 ") : STR(", "));
}

static void
put_field(struct page *p, const char *before, const char *key)
{
	struct str value = heading_field(p->report->info, key);

	if (!value.n)
		return;
	buf_str(&p->line, str_of(before));
	terminal_put_name(&p->line, p->terminal, value, p->terminal->width / 2);
}

/* Puts the weight of COLUMN, and the samples if they differ. */
static void
put_column(struct page *p, int column)
{
	const struct tree *t = p->report->tree;
	double samples = p->report->samples[column];
	bool is_ratio = report_is_ratio(p->report);
	struct str unit = is_ratio ? p->report->ratio[column] : p->report->unit;
	bool named = is_ratio || folded_info_get(p->report->info, "unit").n > 0;
	bool counts = str_eq(unit, STR("samples")),
	     is_scaled = counts && named && !column && samples > 0 &&
		folded_info_get(p->report->info, "norm").n;
	bool same = is_scaled || (counts && samples == (double)tree_whole_sum(t, column));
	struct buf amount = { 0 };

	/* Shows the samples as recorded if they were scaled to those after; weights of an
	 * unnamed unit are not the samples behind them. */
	if (is_scaled)
		units_put(&amount, stats_count(samples), 0, 1, unit);
	else
		units_put(&amount, t->sum[column], t->scale, 1,
			named || same || samples <= 0 ? unit : STR("in all"));
	terminal_put_name(
		&p->line, p->terminal, buf_view(&amount), p->terminal->width / 2);
	buf_release(&amount);
	if (report_is_diff(p->report) && !report_is_ratio(p->report))
		buf_str(&p->line, column ? STR(" after") : STR(" before"));
	if (same || samples <= 0)
		return;
	buf_str(&p->line, STR(" in "));
	units_put_count(&p->line, stats_count(samples));
	buf_str(&p->line, samples == 1 ? STR(" sample") : STR(" samples"));
}

/* Puts the quality of the stacks, if a column has one; a terminal shows poor quality in the
 * colour of growth. */
static void
put_quality(struct page *p)
{
	struct str text = folded_info_get(p->report->info, "stacks");
	struct quality q;
	bool poor;

	if (p->report->tree->columns > 1 || !quality_read(&q, text))
		return;
	poor = quality_is_poor(&q);
	put_dot(p);
	if (poor)
		terminal_put_style(&p->line, p->terminal, TERMINAL_MORE);
	quality_put_words(&p->line, &q);
	if (poor)
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
}

/* Writes the kind of weights, and their totals. */
static void
write_title(struct page *p)
{
	uint64_t lost = folded_info_u64(p->report->info, "lost");
	size_t before;

	put_field(p, "", "event");
	put_field(p, p->line.n ? " of " : "", "command");
	put_field(p, p->line.n ? " on " : "", "host");
	before = p->line.n;
	if (before)
		put_dot(p);
	put_column(p, 0);
	if (report_is_diff(p->report)) {
		put_dot(p);
		put_column(p, 1);
	}
	if (lost) {
		put_dot(p);
		units_put_count(&p->line, lost);
		buf_str(&p->line, STR(" lost"));
	}
	put_quality(p);
	put_dot(p);
	units_put_count(&p->line, p->report->n);
	buf_str(&p->line, p->report->n == 1 ? STR(" function") : STR(" functions"));
	end_line(p);
	if (report_is_diff(p->report) && folded_info_get(p->report->info, "verdict").n) {
		terminal_put_name(&p->line, p->terminal,
			folded_info_get(p->report->info, "verdict"), SIZE_MAX);
		end_line(p);
	}
	end_line(p);
}

/* A call tree. */

enum {
	GAP = 2,
	LEVEL = 3,
	LEVELS_MOST = 40,
	LEVELS_LEAST = 3,
	BAR_LEAST = 8,
	BAR_MOST = 32
};

/* The layout of the rows. */
struct rows_layout {
	size_t figures, bar, name; /* columns; figures include the bar */
	uint32_t levels;	   /* of indentation at most; outer levels are left out */
	bool has_self;
};

/* The line marks of a level: continues below, nothing, a row, the last row. */
struct marks {
	struct str pass, none, row, last;
};

static const struct marks UTF8 = { { "\xe2\x94\x82  ", 5 }, { "   ", 3 },
	{ "\xe2\x94\x9c\xe2\x94\x80 ", 7 }, { "\xe2\x94\x94\xe2\x94\x80 ", 7 } };
static const struct marks ASCII = { { "|  ", 3 }, { "   ", 3 }, { "|- ", 3 },
	{ "`- ", 3 } };

static void
lay_out_rows(const struct page *p, struct rows_layout *l)
{
	const struct terminal *t = p->terminal;
	size_t levels;

	*l = (struct rows_layout){ .has_self = p->report->set->kind != REPORT_CALLERS };
	if (report_is_diff(p->report)) {
		l->figures = change_columns(p) + GAP;
	} else {
		l->bar = BAR_LEAST +
			(t->width > TERMINAL_WIDTH ? (t->width - TERMINAL_WIDTH) / 4 : 0);
		l->bar = l->bar < BAR_MOST ? l->bar : BAR_MOST;
		l->figures = share_columns(p) + GAP + l->bar + GAP;
		l->figures += l->has_self ? p->share + GAP : 0;
	}
	l->name = NAME_LEAST;
	if (t->width > l->figures + NAME_LEAST)
		l->name = t->width - l->figures;
	levels = t->cut ? l->name / 2 / LEVEL : LEVELS_MOST;
	l->levels = (uint32_t)(levels > LEVELS_LEAST ? levels : LEVELS_LEAST);
}

static void
write_row_heads(struct page *p, const struct rows_layout *l)
{
	static const struct str names[] = { [REPORT_TREE] = { "function", 8 },
		[REPORT_CALLERS] = { "function, and below it its callers", 34 },
		[REPORT_CALLEES] = { "function, and below it its callees", 34 } };

	if (report_is_diff(p->report)) {
		put_change_heads(p);
		put_blanks(p, GAP);
	} else {
		put_cell(p, STR("total"), p->share, TERMINAL_BOLD);
		put_blanks(p, share_columns(p) - p->share + GAP);
		if (l->has_self) {
			put_cell(p, STR("self"), p->share, TERMINAL_BOLD);
			put_blanks(p, GAP);
		}
		put_blanks(p, l->bar + GAP);
	}
	put_cell(p, names[p->report->set->kind], 0, TERMINAL_BOLD);
	end_line(p);
}

/* Puts the lines that lead to ROW. Returns their width in columns. */
static size_t
put_lines(struct page *p, const struct rows_layout *l, const struct calltree *ct,
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
put_shares(struct page *p, const struct rows_layout *l, const struct calltree_row *row)
{
	put_share(p, row->total[0], 0);
	put_blanks(p, GAP);
	if (l->has_self && !row->hidden)
		put_percent(p, row->self[0], 0);
	else if (l->has_self)
		put_blanks(p, p->share);
	put_blanks(p, l->has_self ? GAP : 0);
	terminal_put_bar(&p->line, p->terminal,
		report_share(p->report, row->total[0], 0) / 100, l->bar);
	put_blanks(p, GAP);
}

/* Puts the figures of ROW, which are empty if it stands for functions that overlap. */
static void
put_figures(struct page *p, const struct rows_layout *l, const struct calltree_row *row)
{
	if (!row->total[0] && !row->total[1]) {
		put_blanks(p, l->figures);
	} else if (report_is_diff(p->report)) {
		put_change(p, report_part(p->report, row->of, false, row->total));
		put_blanks(p, GAP);
	} else {
		put_shares(p, l, row);
	}
}

static void
write_row(struct page *p, const struct rows_layout *l, const struct calltree *ct,
	const struct calltree_row *row)
{
	size_t indented;
	bool is_head;

	put_figures(p, l, row);
	indented = put_lines(p, l, ct, row);
	if (!row->hidden) {
		/* Where several trees follow each other, their roots are highlighted. */
		is_head = row->depth == 1 && p->report->set->kind != REPORT_TREE;
		if (is_head)
			terminal_put_style(&p->line, p->terminal, TERMINAL_BOLD);
		put_name(p, row->name, l->name > indented ? l->name - indented : 0);
		if (is_head)
			terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	} else {
		make_rest(p, row->hidden);
		buf_str(&p->cell, STR(" more"));
		put_made(p, 0, TERMINAL_DIM);
	}
	end_line(p);
}

/* Reports the weight that the rows do not show. */
static void
write_rows_left_out(struct page *p, const struct calltree *ct)
{
	const struct report_settings *set = p->report->set;

	if (!ct->hidden)
		return;
	make_rest(p, ct->hidden);
	buf_str(&p->cell,
		ct->hidden == 1 ? STR(" branch not shown:")
				: STR(" branches not shown:"));
	if (set->min_share > 0)
		buf_fmt(&p->cell, " below %g %%", set->min_share);
	if (set->depth)
		buf_fmt(&p->cell, "%s deeper than %u", set->min_share > 0 ? ", or" : "",
			(unsigned)set->depth);
	put_made(p, 0, TERMINAL_DIM);
	end_line(p);
}

void
report_write_rows(struct output *out, const struct report *s,
	const struct terminal *terminal, struct calltree *ct)
{
	struct page p;
	struct rows_layout l;
	struct calltree_row row;

	begin_page(&p, out, s, terminal);
	write_title(&p);
	lay_out_rows(&p, &l);
	write_row_heads(&p, &l);
	while (calltree_next(ct, &row))
		write_row(&p, &l, ct, &row);
	write_rows_left_out(&p, ct);
	write_marks(&p);
	release_page(&p);
}

/* The layout of the table. */
struct table_layout {
	bool by_total;	  /* bars and changes are of the total, not of self */
	size_t weight;	  /* columns of a weight; 0: not shown */
	size_t bar;	  /* columns; 0: not shown */
	size_t name;	  /* columns */
	uint64_t longest; /* weight of a full bar */
};

static const uint64_t *
weights_of(const struct report_function *f, bool total)
{
	return total ? f->total : f->self;
}

/* The columns of the widest weight. */
static size_t
measure_weights(struct page *p)
{
	size_t widest = STR("total").n;
	uint32_t i;
	int total;

	for (i = 0; i < p->report->shown; i++) {
		for (total = 0; total < 2; total++) {
			buf_clear(&p->cell);
			units_put_cell(&p->cell,
				*weights_of(&p->report->functions[i], total),
				p->report->tree->scale, p->report->unit);
			widest = p->cell.n > widest ? p->cell.n : widest;
		}
	}
	buf_clear(&p->cell);
	return widest;
}

/* Columns between the groups of figures. */
enum { TOP_GAP = 3, TOP_BAR_LEAST = 5, TOP_BAR_MOST = 24 };

static void
lay_out_top(struct page *p, struct table_layout *l)
{
	const struct terminal *t = p->terminal;
	uint32_t i;
	uint64_t weight;
	size_t used;

	*l = (struct table_layout){ .by_total = p->report->set->sort == REPORT_BY_TOTAL };
	if (report_is_diff(p->report)) {
		used = change_columns(p) + TOP_GAP;
	} else {
		l->weight = measure_weights(p);
		used = 2 * (l->weight + 2 + share_columns(p) + TOP_GAP);
		if (t->cut && used + NAME_LEAST > t->width) {
			used -= 2 * (l->weight + 2);
			l->weight = 0;
		}
		if (t->cut && t->width >= WIDE)
			l->bar = TOP_BAR_LEAST + (t->width - WIDE) / 4;
		l->bar = l->bar < TOP_BAR_MOST ? l->bar : TOP_BAR_MOST;
		used += l->bar ? l->bar + 2 : 0;
	}
	l->name = t->width > used + NAME_LEAST ? t->width - used : NAME_LEAST;
	for (i = 0; i < p->report->shown; i++) {
		weight = *weights_of(&p->report->functions[i], l->by_total);
		l->longest = weight > l->longest ? weight : l->longest;
	}
}

static void
write_top_heads(struct page *p, const struct table_layout *l)
{
	static const struct str heads[] = { { "self", 4 }, { "total", 5 } };
	int i;

	if (report_is_diff(p->report)) {
		put_change_heads(p);
		put_blanks(p, TOP_GAP);
		put_cell(p,
			l->by_total ? STR("function, by total")
				    : STR("function, by self"),
			0, TERMINAL_BOLD);
		end_line(p);
		return;
	}
	for (i = 0; i < 2; i++) {
		put_cell(p, heads[i], l->weight ? l->weight : p->share, TERMINAL_BOLD);
		put_blanks(p,
			(l->weight ? 2 + share_columns(p) : share_columns(p) - p->share) +
				TOP_GAP);
	}
	put_blanks(p, l->bar ? l->bar + 2 : 0);
	put_cell(p, STR("function"), 0, TERMINAL_BOLD);
	end_line(p);
}

/* Puts the total or the self figures of a function. */
static void
put_figure(struct page *p, const struct table_layout *l, uint64_t weight)
{
	if (l->weight) {
		units_put_cell(&p->cell, weight, p->report->tree->scale, p->report->unit);
		put_made(p, l->weight, TERMINAL_PLAIN);
		put_blanks(p, 2);
	}
	put_share(p, weight, 0);
	put_blanks(p, TOP_GAP);
}

static void
write_function(
	struct page *p, const struct table_layout *l, const struct report_function *f)
{
	uint64_t weight = *weights_of(f, l->by_total);

	if (report_is_diff(p->report)) {
		put_change(p,
			report_part(p->report, f->name, !l->by_total,
				weights_of(f, l->by_total)));
		put_blanks(p, TOP_GAP);
	} else {
		put_figure(p, l, f->self[0]);
		put_figure(p, l, f->total[0]);
	}
	if (l->bar) {
		terminal_put_bar(&p->line, p->terminal,
			l->longest ? (double)weight / (double)l->longest : 0, l->bar);
		put_blanks(p, 2);
	}
	put_name(p, intern_str(&p->report->tree->names, f->name), l->name);
	end_line(p);
}

/* Reports the functions that the table does not show. */
static void
write_top_left_out(struct page *p)
{
	const struct report *s = p->report;
	int column = report_is_ratio(s) ? 0 : s->tree->columns - 1;
	uint32_t i;
	uint64_t self = 0;

	if (s->shown == s->n)
		return;
	for (i = s->shown; i < s->n; i++)
		self += s->functions[i].self[column];
	make_rest(p, s->n - s->shown);
	buf_str(&p->cell, STR(" more, "));
	if (report_is_diff(s) && !report_is_ratio(s))
		buf_str(&p->cell, STR("after with "));
	buf_fmt(&p->cell, "%.*f %% of self", p->decimals, report_share(s, self, column));
	put_made(p, 0, TERMINAL_DIM);
	end_line(p);
}

void
report_write_top(
	struct output *out, const struct report *s, const struct terminal *terminal)
{
	struct page p;
	struct table_layout l;
	uint32_t i;

	begin_page(&p, out, s, terminal);
	write_title(&p);
	lay_out_top(&p, &l);
	write_top_heads(&p, &l);
	for (i = 0; i < s->shown; i++)
		write_function(&p, &l, &s->functions[i]);
	write_top_left_out(&p);
	write_marks(&p);
	release_page(&p);
}
