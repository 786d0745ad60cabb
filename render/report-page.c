/* SPDX-License-Identifier: ISC */
/* Lines of cells; see report-page.h. */
#include "report-page.h"
#include "amount.h"
#include "label.h"
#include "quality.h"
#include "stats.h"

#include <math.h>

enum {
	SAMPLES_FINE = 10000, /* their error is below one point */
	CHANGE = 7,	      /* columns: "-100.00" */
	RATIO = 7
};

void
report_page_init(struct report_page *p, struct output *out, const struct report *s,
	const struct terminal *terminal)
{
	bool known = report_has_error(s);
	size_t columns;
	int c;

	*p = (struct report_page){ .out = out, .summary = s, .terminal = terminal };
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

void
report_page_release(struct report_page *p)
{
	buf_release(&p->line);
	buf_release(&p->cell);
}

void
report_end_line(struct report_page *p)
{
	buf_char(&p->line, '\n');
	output_str(p->out, buf_view(&p->line));
	buf_clear(&p->line);
}

void
report_put_cell(
	struct report_page *p, struct str text, size_t columns, enum terminal_style style)
{
	if (style != TERMINAL_PLAIN)
		terminal_put_style(&p->line, p->terminal, style);
	terminal_put_right(&p->line, text, columns);
	if (style != TERMINAL_PLAIN)
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
}

void
report_put_blanks(struct report_page *p, size_t n)
{
	terminal_put_right(&p->line, STR(""), n);
}

void
report_put_made(struct report_page *p, size_t columns, enum terminal_style style)
{
	report_put_cell(p, buf_view(&p->cell), columns, style);
	buf_clear(&p->cell);
}

/* Adds ERROR behind MARK, a blank or what is said of the figure before. */
static void
put_error(struct report_page *p, char mark, double error)
{
	if (!p->error)
		return;
	buf_char(&p->line, mark);
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xc2\xb1") : STR("+-"));
	buf_fmt(&p->cell, "%.*f", p->decimals, error);
	report_put_made(p, p->error, TERMINAL_DIM);
}

size_t
report_share_columns(const struct report_page *p)
{
	return p->share + (p->error ? p->error + 1 : 0);
}

void
report_put_percent(struct report_page *p, uint64_t weight, int column)
{
	double share = report_share(p->summary, weight, column),
	       error = report_error(p->summary, weight, column);

	buf_fmt(&p->cell, "%.*f %%", p->decimals, share);
	report_put_made(p, p->share,
		weight == 0 || share < error ? TERMINAL_DIM : TERMINAL_PLAIN);
}

void
report_put_share(struct report_page *p, uint64_t weight, int column)
{
	report_put_percent(p, weight, column);
	put_error(p, ' ', report_error(p->summary, weight, column));
}

size_t
report_change_columns(const struct report_page *p)
{
	return p->side[0] + p->side[1] + 2 + CHANGE + (p->error ? p->error + 1 : 0) + 1 +
		RATIO;
}

void
report_put_change_heads(struct report_page *p)
{
	bool is_ratio = report_is_ratio(p->summary);
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		buf_visible(&p->cell, report_side(p->summary, c), BUF_MARK, BUF_MOST);
		report_put_made(p, p->side[c] + (c > 0), TERMINAL_BOLD);
	}
	report_put_cell(
		p, is_ratio ? STR("apart") : STR("change"), CHANGE + 1, TERMINAL_BOLD);
	report_put_blanks(p, p->error ? p->error + 1 : 0);
	report_put_cell(
		p, is_ratio ? STR("per") : STR("ratio"), RATIO + 1, TERMINAL_BOLD);
}

static void
put_ratio(struct report_page *p, const uint64_t *weight, double ratio)
{
	bool is_ratio = report_is_ratio(p->summary);

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
	report_put_made(p, RATIO + 1, TERMINAL_PLAIN);
}

void
report_put_change(struct report_page *p, const uint64_t *weight)
{
	struct report_change change = report_compare(p->summary, weight);
	enum terminal_style style = TERMINAL_DIM;
	bool is_marked;
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		if (weight[c])
			buf_fmt(&p->cell, "%.*f %%", p->decimals,
				report_share(p->summary, weight[c], c));
		else
			buf_char(&p->cell, '-');
		report_put_made(p, p->side[c] + (c > 0), TERMINAL_PLAIN);
	}
	if (change.is_clear)
		style = change.points > 0 ? TERMINAL_MORE : TERMINAL_LESS;
	if (fabs(change.points) < 0.5 / pow(10, p->decimals))
		change.points = 0; /* no sign where it says nothing */
	buf_fmt(&p->cell, change.points ? "%+.*f" : "%.*f", p->decimals, change.points);
	report_put_made(p, CHANGE + 1, style);
	is_marked = p->summary->tests && !change.is_clear && change.points != 0;
	p->has_marked |= is_marked;
	put_error(p, is_marked ? '~' : ' ', change.error);
	put_ratio(p, weight, change.ratio);
}

void
report_put_name(struct report_page *p, struct str name, size_t columns)
{
	terminal_put_name(&p->line, p->terminal, name.n ? name : STR("\"\""), columns);
}

void
report_make_rest(struct report_page *p, uint64_t n)
{
	buf_clear(&p->cell);
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xe2\x80\xa6 ") : STR("... "));
	amount_put_count(&p->cell, n);
}

void
report_write_marks(struct report_page *p)
{
	if (!p->has_marked)
		return;
	report_put_cell(p, STR("~ may be chance"), 0, TERMINAL_DIM);
	report_end_line(p);
}

/* Puts what separates two parts of the title. */
static void
put_dot(struct report_page *p)
{
	buf_str(&p->line, p->terminal->utf8 ? STR(" \xc2\xb7 ") : STR(", "));
}

static void
put_field(struct report_page *p, const char *before, const char *key)
{
	struct str value = folded_info_get(p->summary->info, key);

	if (!value.n)
		return;
	buf_str(&p->line, str_of(before));
	terminal_put_name(&p->line, p->terminal, value, p->terminal->width / 2);
}

/* Puts the weight of COLUMN, and the samples where they say more than that. */
static void
put_column(struct report_page *p, int column)
{
	const struct tree *t = p->summary->tree;
	double samples = p->summary->samples[column];
	bool is_ratio = report_is_ratio(p->summary);
	struct str unit = is_ratio ? p->summary->ratio[column] : p->summary->unit;
	bool named = is_ratio || folded_info_get(p->summary->info, "unit").n > 0;
	bool same = !t->scale && samples == (double)t->sum[column] &&
		str_eq(unit, STR("samples"));
	struct buf amount = { 0 };

	/* Weights whose unit nobody named are not the samples behind them. */
	amount_put(&amount, t->sum[column], t->scale, 1,
		named || same || samples <= 0 ? unit : STR("in all"));
	terminal_put_name(
		&p->line, p->terminal, buf_view(&amount), p->terminal->width / 2);
	buf_release(&amount);
	if (report_is_diff(p->summary) && !report_is_ratio(p->summary))
		buf_str(&p->line, column ? STR(" after") : STR(" before"));
	if (same || samples <= 0)
		return;
	buf_str(&p->line, STR(" in "));
	amount_put_count(&p->line, stats_count(samples));
	buf_str(&p->line, samples == 1 ? STR(" sample") : STR(" samples"));
}

/* Puts how good the stacks are, when one column says it; a terminal shows what is poor as
 * what grew. */
static void
put_quality(struct report_page *p)
{
	struct str text = folded_info_get(p->summary->info, "stacks");
	struct quality q;
	bool poor;

	if (p->summary->tree->columns > 1 || !quality_read(&q, text))
		return;
	poor = quality_is_poor(&q);
	put_dot(p);
	if (poor)
		terminal_put_style(&p->line, p->terminal, TERMINAL_MORE);
	quality_put_words(&p->line, &q);
	if (poor)
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
}

void
report_write_title(struct report_page *p)
{
	uint64_t lost = folded_info_u64(p->summary->info, "lost");
	size_t before;

	put_field(p, "", "event");
	put_field(p, p->line.n ? " of " : "", "command");
	put_field(p, p->line.n ? " on " : "", "host");
	before = p->line.n;
	if (before)
		put_dot(p);
	put_column(p, 0);
	if (report_is_diff(p->summary)) {
		put_dot(p);
		put_column(p, 1);
	}
	if (lost) {
		put_dot(p);
		amount_put_count(&p->line, lost);
		buf_str(&p->line, STR(" lost"));
	}
	put_quality(p);
	put_dot(p);
	amount_put_count(&p->line, p->summary->n);
	buf_str(&p->line, p->summary->n == 1 ? STR(" function") : STR(" functions"));
	report_end_line(p);
	report_end_line(p);
}
