/* SPDX-License-Identifier: ISC */
/* Lines of cells; see report-page.h. */
#include "report-page.h"
#include "amount.h"

#include <math.h>

enum {
	SAMPLES_FINE = 10000, /* their error is below one point */
	CHANGE = 7,	      /* columns: "-100.00" */
	RATIO = 7
};

void
report_page_init(struct report_page *p, struct output *out, const struct report *r,
	const struct terminal *terminal)
{
	bool known = report_has_error(r);

	*p = (struct report_page){ .out = out, .r = r, .terminal = terminal };
	p->decimals = 2;
	if (known &&
		(r->samples[0] < SAMPLES_FINE ||
			(report_is_diff(r) && r->samples[1] < SAMPLES_FINE)))
		p->decimals = 1;
	p->share = STR("100. %").n + (size_t)p->decimals;
	if (known)
		p->error = terminal->utf8 ? STR("99.0").n + 1 : STR("+-99.0").n;
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

static void
put_error(struct report_page *p, double error)
{
	if (!p->error)
		return;
	buf_char(&p->line, ' ');
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
	double share = report_share(p->r, weight, column),
	       error = report_error(p->r, weight, column);

	buf_fmt(&p->cell, "%.*f %%", p->decimals, share);
	report_put_made(p, p->share,
		weight == 0 || share < error ? TERMINAL_DIM : TERMINAL_PLAIN);
}

void
report_put_share(struct report_page *p, uint64_t weight, int column)
{
	report_put_percent(p, weight, column);
	put_error(p, report_error(p->r, weight, column));
}

size_t
report_change_columns(const struct report_page *p)
{
	return 2 * (p->share + 1) + CHANGE + (p->error ? p->error + 1 : 0) + 1 + RATIO;
}

void
report_put_change_heads(struct report_page *p)
{
	report_put_cell(p, STR("before"), p->share, TERMINAL_BOLD);
	report_put_cell(p, STR("after"), p->share + 1, TERMINAL_BOLD);
	report_put_cell(p, STR("change"), CHANGE + 1, TERMINAL_BOLD);
	report_put_blanks(p, p->error ? p->error + 1 : 0);
	report_put_cell(p, STR("ratio"), RATIO + 1, TERMINAL_BOLD);
}

static void
put_ratio(struct report_page *p, const uint64_t *weight, double ratio)
{
	if (!weight[0] && !weight[1])
		buf_char(&p->cell, '-');
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
	struct report_change change = report_compare(p->r, weight);
	enum terminal_style style = TERMINAL_DIM;
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		if (weight[c])
			buf_fmt(&p->cell, "%.*f %%", p->decimals,
				report_share(p->r, weight[c], c));
		else
			buf_char(&p->cell, '-');
		report_put_made(p, p->share + (c > 0), TERMINAL_PLAIN);
	}
	if (change.is_clear)
		style = change.points > 0 ? TERMINAL_MORE : TERMINAL_LESS;
	if (fabs(change.points) < 0.5 / pow(10, p->decimals))
		change.points = 0; /* no sign where it says nothing */
	buf_fmt(&p->cell, change.points ? "%+.*f" : "%.*f", p->decimals, change.points);
	report_put_made(p, CHANGE + 1, style);
	put_error(p, change.error);
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
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xe2\x80\xa6 ") : STR(".. "));
	amount_put_count(&p->cell, n);
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
	struct str value = folded_info_get(p->r->info, key);

	if (!value.n)
		return;
	buf_str(&p->line, str_of(before));
	terminal_put_name(&p->line, p->terminal, value, p->terminal->width / 2);
}

/* Puts the weight of COLUMN, and the samples where they say more than that. */
static void
put_column(struct report_page *p, int column)
{
	const struct tree *t = p->r->tree;
	double samples = p->r->samples[column];
	bool named = folded_info_get(p->r->info, "unit").n > 0;
	bool same = !t->scale && samples == (double)t->sum[column] &&
		str_eq(p->r->unit, STR("samples"));
	struct buf amount = { 0 };

	/* Weights whose unit nobody named are not the samples behind them. */
	amount_put(&amount, t->sum[column], t->scale, 1,
		named || same || samples <= 0 ? p->r->unit : STR("in all"));
	terminal_put_name(
		&p->line, p->terminal, buf_view(&amount), p->terminal->width / 2);
	buf_release(&amount);
	if (report_is_diff(p->r))
		buf_str(&p->line, column ? STR(" after") : STR(" before"));
	if (same || samples <= 0)
		return;
	buf_str(&p->line, STR(" in "));
	amount_put_count(&p->line, (uint64_t)samples);
	buf_str(&p->line, STR(" samples"));
}

void
report_write_title(struct report_page *p)
{
	uint64_t lost = folded_info_u64(p->r->info, "lost");
	size_t before;

	put_field(p, "", "event");
	put_field(p, p->line.n ? " of " : "", "command");
	put_field(p, p->line.n ? " on " : "", "host");
	before = p->line.n;
	if (before)
		put_dot(p);
	put_column(p, 0);
	if (report_is_diff(p->r)) {
		put_dot(p);
		put_column(p, 1);
	}
	if (lost) {
		put_dot(p);
		amount_put_count(&p->line, lost);
		buf_str(&p->line, STR(" lost"));
	}
	put_dot(p);
	amount_put_count(&p->line, p->r->n);
	buf_str(&p->line, p->r->n == 1 ? STR(" function") : STR(" functions"));
	report_end_line(p);
	report_end_line(p);
}
