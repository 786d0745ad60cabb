/* SPDX-License-Identifier: ISC */
/* The functions that cost most, for people; see report.h. */
#include "amount.h"
#include "report-page.h"

/* What the table is laid out for. */
struct table_layout {
	bool by_total;	  /* which of the two the bars and changes are of */
	size_t weight;	  /* columns of a weight; 0: none is shown */
	size_t bar;	  /* columns; 0: none */
	size_t name;	  /* columns */
	uint64_t longest; /* weight of a whole bar */
};

static const uint64_t *
weights_of(const struct report_function *f, bool total)
{
	return total ? f->total : f->self;
}

/* The columns of the widest weight. */
static size_t
measure_weights(struct report_page *p)
{
	size_t widest = STR("total").n;
	uint32_t i;
	int total;

	for (i = 0; i < p->summary->shown; i++) {
		for (total = 0; total < 2; total++) {
			buf_clear(&p->cell);
			amount_put_cell(&p->cell,
				*weights_of(&p->summary->functions[i], total),
				p->summary->tree->scale, p->summary->unit);
			widest = p->cell.n > widest ? p->cell.n : widest;
		}
	}
	buf_clear(&p->cell);
	return widest;
}

/* Columns between the groups of figures. */
enum { GAP = 3, BAR_LEAST = 5, BAR_MOST = 24 };

static void
lay_out(struct report_page *p, struct table_layout *l)
{
	const struct terminal *t = p->terminal;
	uint32_t i;
	uint64_t weight;
	size_t used;

	*l = (struct table_layout){ .by_total =
					    p->summary->set->sort == REPORT_BY_TOTAL };
	if (report_is_diff(p->summary)) {
		used = report_change_columns(p) + GAP;
	} else {
		l->weight = measure_weights(p);
		used = 2 * (l->weight + 2 + report_share_columns(p) + GAP);
		if (t->cut && used + REPORT_NAME_LEAST > t->width) {
			used -= 2 * (l->weight + 2);
			l->weight = 0;
		}
		if (t->cut && t->width >= REPORT_WIDE)
			l->bar = BAR_LEAST + (t->width - REPORT_WIDE) / 4;
		l->bar = l->bar < BAR_MOST ? l->bar : BAR_MOST;
		used += l->bar ? l->bar + 2 : 0;
	}
	l->name =
		t->width > used + REPORT_NAME_LEAST ? t->width - used : REPORT_NAME_LEAST;
	for (i = 0; i < p->summary->shown; i++) {
		weight = *weights_of(&p->summary->functions[i], l->by_total);
		l->longest = weight > l->longest ? weight : l->longest;
	}
}

static void
write_heads(struct report_page *p, const struct table_layout *l)
{
	static const struct str heads[] = { { "self", 4 }, { "total", 5 } };
	int i;

	if (report_is_diff(p->summary)) {
		report_put_change_heads(p);
		report_put_blanks(p, GAP);
		report_put_cell(p,
			l->by_total ? STR("function, by total")
				    : STR("function, by self"),
			0, TERMINAL_BOLD);
		report_end_line(p);
		return;
	}
	for (i = 0; i < 2; i++) {
		report_put_cell(
			p, heads[i], l->weight ? l->weight : p->share, TERMINAL_BOLD);
		report_put_blanks(p,
			(l->weight ? 2 + report_share_columns(p)
				   : report_share_columns(p) - p->share) +
				GAP);
	}
	report_put_blanks(p, l->bar ? l->bar + 2 : 0);
	report_put_cell(p, STR("function"), 0, TERMINAL_BOLD);
	report_end_line(p);
}

/* Puts one of the two figures of a function. */
static void
put_figure(struct report_page *p, const struct table_layout *l, uint64_t weight)
{
	if (l->weight) {
		amount_put_cell(
			&p->cell, weight, p->summary->tree->scale, p->summary->unit);
		report_put_made(p, l->weight, TERMINAL_PLAIN);
		report_put_blanks(p, 2);
	}
	report_put_share(p, weight, 0);
	report_put_blanks(p, GAP);
}

static void
write_function(struct report_page *p, const struct table_layout *l,
	const struct report_function *f)
{
	uint64_t weight = *weights_of(f, l->by_total);

	if (report_is_diff(p->summary)) {
		report_put_change(p, weights_of(f, l->by_total));
		report_put_blanks(p, GAP);
	} else {
		put_figure(p, l, f->self[0]);
		put_figure(p, l, f->total[0]);
	}
	if (l->bar) {
		terminal_put_bar(&p->line, p->terminal,
			l->longest ? (double)weight / (double)l->longest : 0, l->bar);
		report_put_blanks(p, 2);
	}
	report_put_name(p, intern_str(&p->summary->tree->names, f->name), l->name);
	report_end_line(p);
}

/* Says what the table does not show. */
static void
write_left_out(struct report_page *p)
{
	const struct report *s = p->summary;
	int column = report_is_ratio(s) ? 0 : s->tree->columns - 1;
	uint32_t i;
	uint64_t self = 0;

	if (s->shown == s->n)
		return;
	for (i = s->shown; i < s->n; i++)
		self += s->functions[i].self[column];
	report_make_rest(p, s->n - s->shown);
	buf_str(&p->cell, STR(" more, "));
	if (report_is_diff(s) && !report_is_ratio(s))
		buf_str(&p->cell, STR("after with "));
	buf_fmt(&p->cell, "%.*f %% of self", p->decimals, report_share(s, self, column));
	report_put_made(p, 0, TERMINAL_DIM);
	report_end_line(p);
}

void
report_write_top(
	struct output *out, const struct report *s, const struct terminal *terminal)
{
	struct report_page p;
	struct table_layout l;
	uint32_t i;

	report_page_init(&p, out, s, terminal);
	report_write_title(&p);
	lay_out(&p, &l);
	write_heads(&p, &l);
	for (i = 0; i < s->shown; i++)
		write_function(&p, &l, &s->functions[i]);
	write_left_out(&p);
	report_write_marks(&p);
	report_page_release(&p);
}
