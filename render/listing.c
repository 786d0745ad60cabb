/* SPDX-License-Identifier: ISC */
/* Rows of annotated code; see listing.h. */
#include "listing.h"
#include "label.h"
#include "units.h"
#include "utf8.h"

enum {
	CALLS = 3, /* callees shown per line */
	TAB = 8,
	SAMPLES_FINE = 10000 /* enough for an error below one point */
};

/* Callees below this share (percent) are left out. */
static const double CALL_LEAST = 0.5;

void
listing_begin(struct listing *p, struct output *out, const struct annotate *a,
	const struct annotate_how *how)
{
	const struct report *s = a->report;
	bool fine = report_has_error(s) && s->samples[0] >= SAMPLES_FINE &&
		(!report_is_diff(s) || s->samples[1] >= SAMPLES_FINE);
	size_t columns;
	int c;

	*p = (struct listing){ .out = out, .a = a, .terminal = how->terminal };
	p->decimals = fine ? 2 : 1;
	p->share = STR("100. %").n + (size_t)p->decimals;
	if (report_has_error(s) && !report_is_diff(s))
		p->error = how->terminal->utf8 ? STR("99.0").n + 1 : STR("+-99.0").n;
	for (c = 0; report_is_diff(s) && c < TREE_COLUMNS; c++) {
		columns = label_columns(report_side(s, c));
		p->share = columns > p->share ? columns : p->share;
	}
}

void
listing_end_line(struct listing *p)
{
	while (p->line.n && p->line.s[p->line.n - 1] == ' ')
		p->line.n--;
	buf_char(&p->line, '\n');
	output_str(p->out, buf_view(&p->line));
	buf_clear(&p->line);
	p->used = 0;
}

void
listing_put_cell(struct listing *p, size_t columns, enum terminal_style style)
{
	bool styled = style != TERMINAL_PLAIN && p->cell.n;

	if (styled)
		terminal_put_style(&p->line, p->terminal, style);
	terminal_put_right(&p->line, buf_view(&p->cell), columns);
	if (styled)
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	buf_clear(&p->cell);
	p->used += columns;
}

void
listing_put_text(
	struct listing *p, const char *text, size_t columns, enum terminal_style style)
{
	buf_str(&p->cell, str_of(text));
	listing_put_cell(p, columns, style);
}

static void
put_percent(struct listing *p, double share)
{
	buf_fmt(&p->cell, "%.*f %%", p->decimals, share);
}

static void
put_plus_minus(struct listing *p, double error)
{
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xc2\xb1") : STR("+-"));
	buf_fmt(&p->cell, "%.*f", p->decimals, error);
}

/* Adds the share of WEIGHT, and its error if known: '.' for 0. */
static void
put_share(struct listing *p, const uint64_t *weight)
{
	const struct report *s = p->a->report;
	double share = report_share(s, weight[0], 0),
	       error = report_error(s, weight[0], 0);

	if (weight[0])
		put_percent(p, share);
	else
		buf_char(&p->cell, '.');
	listing_put_cell(p, p->share, share < error ? TERMINAL_DIM : TERMINAL_PLAIN);
	if (!p->error)
		return;
	if (weight[0])
		put_plus_minus(p, error);
	listing_put_cell(p, p->error + 1, TERMINAL_DIM);
}

/* Adds the shares before and after, and a sign if the change is clear. */
static void
put_change(struct listing *p, struct report_part part)
{
	const struct report *s = p->a->report;
	struct report_change change = report_compare(s, part);
	bool clear = report_has_error(s) && change.is_clear && change.points != 0 &&
		!report_is_ratio(s);
	enum terminal_style style = !clear ? TERMINAL_PLAIN
		: change.points > 0	   ? TERMINAL_MORE
					   : TERMINAL_LESS;
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		if (part.weight[c])
			put_percent(p, report_share(s, part.weight[c], c));
		else
			buf_char(&p->cell, '.');
		listing_put_cell(p, p->share + (size_t)c, c ? style : TERMINAL_PLAIN);
	}
	listing_put_text(p, !clear ? "" : change.points > 0 ? "+" : "-", 2, style);
}

void
listing_put_weights(struct listing *p, const struct annotate_line *line)
{
	static const struct annotate_line nothing = { .name = UINT32_MAX };
	const struct report *s = p->a->report;

	if (!line)
		line = &nothing;
	if (report_is_diff(s)) {
		put_change(p, report_part(s, line->name, true, line->self));
		listing_put_text(p, "", 1, TERMINAL_PLAIN);
		put_change(p, report_part(s, line->name, false, line->total));
	} else {
		put_share(p, line->self);
		listing_put_text(p, "", 1, TERMINAL_PLAIN);
		put_share(p, line->total);
	}
}

void
listing_put_heads(struct listing *p, const char *last)
{
	const struct report *s = p->a->report;
	size_t cell = p->share + (p->error ? p->error + 1 : 0);
	int i, c;

	if (report_is_diff(s)) {
		cell = 2 * p->share + 1;
		listing_put_text(p, "self", cell, TERMINAL_BOLD);
		listing_put_text(p, "total", cell + 3, TERMINAL_BOLD);
		listing_end_line(p);
		for (i = 0; i < 2; i++) {
			for (c = 0; c < TREE_COLUMNS; c++) {
				buf_visible(
					&p->cell, report_side(s, c), BUF_MARK, BUF_MOST);
				listing_put_cell(p, p->share + (size_t)c, TERMINAL_BOLD);
			}
			listing_put_text(p, "", i ? 2 : 3, TERMINAL_PLAIN);
		}
	} else {
		listing_put_text(p, "self", p->share, TERMINAL_BOLD);
		listing_put_text(p, "total", 1 + cell, TERMINAL_BOLD);
		listing_put_text(p, "", cell - p->share, TERMINAL_PLAIN);
	}
	listing_put_text(p, last, label_columns(str_of(last)), TERMINAL_BOLD);
	listing_end_line(p);
}

void
listing_put_source(struct listing *p, struct str text, size_t columns)
{
	struct buf b = { 0 };
	struct str rest = text;
	size_t at = 0, n, width;
	uint32_t point;

	for (; rest.n; rest = str_from(rest, n)) {
		n = utf8_next(rest, &point);
		width = point == '\t'			       ? TAB - at % TAB
			: point < ' ' || point == UTF8_INVALID ? 1
							       : utf8_columns(point);
		if (p->terminal->cut && at + width > columns)
			break;
		at += width;
		if (point == '\t')
			terminal_put_right(&b, STR(""), width);
		else
			buf_str(&b, str_head(rest, n));
	}
	terminal_put_name(&p->line, p->terminal, buf_view(&b), SIZE_MAX / 2);
	p->used += at;
	buf_release(&b);
}

/* Adds to p->cell the callees of LINE, and functions inlined there: " => grow 12.8 % -> free
 * 3.0 %". */
static void
make_calls(struct listing *p, const struct annotate_line *line)
{
	const struct report *s = p->a->report;
	const int last = s->tree->columns - 1;
	const struct annotate_call *call;
	uint32_t i, shown = 0;

	for (i = 0; i < line->call_n && shown < CALLS; i++) {
		call = &p->a->calls[line->call + i];
		if (report_share(s, call->total[last], last) < CALL_LEAST)
			continue;
		shown++;
		buf_str(&p->cell, call->inlined ? STR("  => ") : STR("  -> "));
		buf_visible(&p->cell, call->name,
			p->terminal->ascii ? STR("?") : BUF_MARK, BUF_MOST);
		buf_char(&p->cell, ' ');
		put_percent(p, report_share(s, call->total[last], last));
	}
}

void
listing_write_row(struct listing *p, struct str label, const struct annotate_line *line,
	struct str text)
{
	size_t width = p->terminal->width, left, calls;
	struct buf marks = { 0 };

	listing_put_weights(p, line);
	listing_put_text(p, "", 1, TERMINAL_PLAIN);
	buf_str(&p->cell, label);
	listing_put_cell(p, p->label, TERMINAL_DIM);
	listing_put_text(p, "", 2, TERMINAL_PLAIN);
	if (line)
		make_calls(p, line);
	marks = p->cell;
	p->cell = (struct buf){ 0 };
	calls = label_columns(buf_view(&marks));
	left = width > p->used ? width - p->used : 0;
	listing_put_source(p, text,
		left > calls + LISTING_TEXT_LEAST   ? left - calls
			: left > LISTING_TEXT_LEAST ? left
						    : LISTING_TEXT_LEAST);
	if (marks.n && (!p->terminal->cut || p->used + calls <= width)) {
		terminal_put_style(&p->line, p->terminal, TERMINAL_LESS);
		terminal_put_name(&p->line, p->terminal, buf_view(&marks), SIZE_MAX / 2);
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	}
	buf_release(&marks);
	listing_end_line(p);
}

void
listing_put_sum(struct listing *p, const char *what, const uint64_t *weight)
{
	const struct report *s = p->a->report;
	int c;

	buf_fmt(&p->line, "   %s ", what);
	for (c = 0; c < s->tree->columns; c++) {
		if (c)
			buf_str(&p->line, STR(" -> "));
		put_percent(p, report_share(s, weight[c], c));
		if (report_has_error(s)) {
			buf_char(&p->cell, ' ');
			put_plus_minus(p, report_error(s, weight[c], c));
		}
		buf_str(&p->line, buf_view(&p->cell));
		buf_clear(&p->cell);
	}
}

void
listing_write_place(struct listing *p, struct str place, struct str text)
{
	size_t cell = p->share + (p->error ? p->error + 1 : 0),
	       width = p->terminal->width;

	if (report_is_diff(p->a->report))
		cell = 2 * p->share + 3;
	listing_put_text(p, "", 2 * cell + 2 + p->label + 2, TERMINAL_PLAIN);
	terminal_put_style(&p->line, p->terminal, TERMINAL_DIM);
	buf_visible(&p->cell, place, p->terminal->ascii ? STR("?") : BUF_MARK, BUF_MOST);
	p->used += label_columns(buf_view(&p->cell)) + 2;
	buf_str(&p->line, buf_view(&p->cell));
	buf_clear(&p->cell);
	if (text.n) {
		buf_str(&p->line, STR("  "));
		listing_put_source(p, text,
			width > p->used + LISTING_TEXT_LEAST ? width - p->used
							     : LISTING_TEXT_LEAST);
	}
	terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	listing_end_line(p);
}

void
listing_release(struct listing *p)
{
	buf_release(&p->line);
	buf_release(&p->cell);
}
