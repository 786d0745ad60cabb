/* SPDX-License-Identifier: ISC */
/* Annotated sources for people; see annotate.h. */
#include "annotate.h"
#include "label.h"
#include "mem.h"
#include "units.h"
#include "utf8.h"

enum {
	NUMBER = 5,	 /* columns: a line's number */
	TEXT_LEAST = 16, /* columns for a source to be worth reading */
	CALLS = 3,	 /* callees of a line that are shown */
	TAB = 8,
	SAMPLES_FINE = 10000 /* their error is below one point */
};

/* Callees below this share, in percent, are left out. */
static const double CALL_LEAST = 0.5;

struct page {
	struct output *out;
	const struct annotate *a;
	const struct annotate_how *how;
	const struct terminal *terminal;
	struct buf line, cell;
	int decimals;
	size_t share, error; /* widths of these cells, in columns */
	size_t used;	     /* columns of the line that cells take */
};

static void
begin_page(struct page *p, struct output *out, const struct annotate *a,
	const struct annotate_how *how)
{
	const struct report *s = a->report;
	bool fine = report_has_error(s) && s->samples[0] >= SAMPLES_FINE &&
		(!report_is_diff(s) || s->samples[1] >= SAMPLES_FINE);
	size_t columns;
	int c;

	*p = (struct page){ .out = out, .a = a, .how = how, .terminal = how->terminal };
	p->decimals = fine ? 2 : 1;
	p->share = STR("100. %").n + (size_t)p->decimals;
	if (report_has_error(s) && !report_is_diff(s))
		p->error = how->terminal->utf8 ? STR("99.0").n + 1 : STR("+-99.0").n;
	for (c = 0; report_is_diff(s) && c < TREE_COLUMNS; c++) {
		columns = label_columns(report_side(s, c));
		p->share = columns > p->share ? columns : p->share;
	}
}

static void
end_line(struct page *p)
{
	while (p->line.n && p->line.s[p->line.n - 1] == ' ')
		p->line.n--;
	buf_char(&p->line, '\n');
	output_str(p->out, buf_view(&p->line));
	buf_clear(&p->line);
	p->used = 0;
}

/* Adds what p->cell has, right in COLUMNS, and empties it. */
static void
put_cell(struct page *p, size_t columns, enum terminal_style style)
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

static void
put_text_cell(struct page *p, const char *text, size_t columns, enum terminal_style style)
{
	buf_str(&p->cell, str_of(text));
	put_cell(p, columns, style);
}

static void
put_percent(struct page *p, double share)
{
	buf_fmt(&p->cell, "%.*f %%", p->decimals, share);
}

static void
put_plus_minus(struct page *p, double error)
{
	buf_str(&p->cell, p->terminal->utf8 ? STR("\xc2\xb1") : STR("+-"));
	buf_fmt(&p->cell, "%.*f", p->decimals, error);
}

/* Adds the share of WEIGHT, and its error where that is known: '.' for nothing. */
static void
put_share(struct page *p, const uint64_t *weight)
{
	const struct report *s = p->a->report;
	double share = report_share(s, weight[0], 0),
	       error = report_error(s, weight[0], 0);

	if (weight[0])
		put_percent(p, share);
	else
		buf_char(&p->cell, '.');
	put_cell(p, p->share, share < error ? TERMINAL_DIM : TERMINAL_PLAIN);
	if (!p->error)
		return;
	if (weight[0])
		put_plus_minus(p, error);
	put_cell(p, p->error + 1, TERMINAL_DIM);
}

/* Adds the shares before and after, and a sign where the change is clear. */
static void
put_change(struct page *p, struct report_part part)
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
		put_cell(p, p->share + (size_t)c, c ? style : TERMINAL_PLAIN);
	}
	put_text_cell(p, !clear ? "" : change.points > 0 ? "+" : "-", 2, style);
}

/* Adds what LINE costs; NULL: nothing. */
static void
put_weights(struct page *p, const struct annotate_line *line)
{
	static const struct annotate_line nothing = { .name = UINT32_MAX };
	const struct report *s = p->a->report;

	if (!line)
		line = &nothing;
	if (report_is_diff(s)) {
		put_change(p, report_part(s, line->name, true, line->self));
		put_text_cell(p, "", 1, TERMINAL_PLAIN);
		put_change(p, report_part(s, line->name, false, line->total));
	} else {
		put_share(p, line->self);
		put_text_cell(p, "", 1, TERMINAL_PLAIN);
		put_share(p, line->total);
	}
}

/* Writes the heads of the cells, LAST behind them. */
static void
put_heads(struct page *p, const char *last)
{
	const struct report *s = p->a->report;
	size_t cell = p->share + (p->error ? p->error + 1 : 0);
	int i, c;

	if (report_is_diff(s)) {
		cell = 2 * p->share + 1;
		put_text_cell(p, "self", cell, TERMINAL_BOLD);
		put_text_cell(p, "total", cell + 3, TERMINAL_BOLD);
		end_line(p);
		for (i = 0; i < 2; i++) {
			for (c = 0; c < TREE_COLUMNS; c++) {
				buf_visible(
					&p->cell, report_side(s, c), BUF_MARK, BUF_MOST);
				put_cell(p, p->share + (size_t)c, TERMINAL_BOLD);
			}
			put_text_cell(p, "", i ? 2 : 3, TERMINAL_PLAIN);
		}
	} else {
		put_text_cell(p, "self", p->share, TERMINAL_BOLD);
		put_text_cell(p, "total", 1 + cell, TERMINAL_BOLD);
		put_text_cell(p, "", cell - p->share, TERMINAL_PLAIN);
	}
	put_text_cell(p, last, label_columns(str_of(last)), TERMINAL_BOLD);
	end_line(p);
}

/* TEXT of a source with blanks for tabs, at most COLUMNS wide when the terminal cuts. */
static void
put_source(struct page *p, struct str text, size_t columns)
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

/* Adds to p->cell what LINE calls, and what was inlined there: "  => grow 12.8 % -> free 3.0 %". */
static void
make_calls(struct page *p, const struct annotate_line *line)
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

/* Writes the row of a line NUMBER, which costs what LINE says, or nothing. */
static void
write_line(struct page *p, uint64_t number, const struct annotate_line *line,
	struct str text)
{
	size_t width = p->terminal->width, left, calls;
	struct buf marks = { 0 };

	put_weights(p, line);
	put_text_cell(p, "", 1, TERMINAL_PLAIN);
	buf_u64(&p->cell, number);
	put_cell(p, NUMBER, TERMINAL_DIM);
	put_text_cell(p, "", 2, TERMINAL_PLAIN);
	if (line)
		make_calls(p, line);
	marks = p->cell;
	p->cell = (struct buf){ 0 };
	calls = label_columns(buf_view(&marks));
	left = width > p->used ? width - p->used : 0;
	put_source(p, text,
		left > calls + TEXT_LEAST   ? left - calls
			: left > TEXT_LEAST ? left
					    : TEXT_LEAST);
	if (marks.n && (!p->terminal->cut || p->used + calls <= width)) {
		terminal_put_style(&p->line, p->terminal, TERMINAL_LESS);
		terminal_put_name(&p->line, p->terminal, buf_view(&marks), SIZE_MAX / 2);
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	}
	buf_release(&marks);
	end_line(p);
}

/* Writes what stands for the lines from FIRST to LAST, which cost nothing. */
static void
write_gap(struct page *p, uint64_t first, uint64_t last)
{
	if (first > last)
		return;
	buf_str(&p->line, STR("-- "));
	buf_u64(&p->line, first);
	if (last > first) {
		buf_char(&p->line, '-');
		buf_u64(&p->line, last);
	}
	buf_str(&p->line, STR(" --"));
	end_line(p);
}

/* Writes the lines of F that cost something, and those around them. */
static void
write_lines(
	struct page *p, const struct annotate_function *f, const struct source *source)
{
	const struct annotate_line *line = &p->a->lines[f->line], *end = line + f->line_n;
	uint64_t around, next = 0, from, to, at;

	for (; line < end; line++) {
		around = line->number <= source->n ? p->how->context : 0;
		from = line->number > around + 1 ? line->number - around : 1;
		from = from > next ? from : next;
		if (next)
			write_gap(p, next, from - 1);
		for (at = from; at < line->number; at++)
			write_line(p, at, NULL, sources_line(source, at));
		write_line(p, at, line, sources_line(source, at));
		to = line->number + around;
		if (around && to > source->n)
			to = source->n;
		if (line + 1 < end && to >= line[1].number)
			to = line[1].number - 1;
		for (at = line->number + 1; at <= to; at++)
			write_line(p, at, NULL, sources_line(source, at));
		next = at;
	}
}

/* Adds "   self 31.2 % +-1.1" to the line. */
static void
put_sum(struct page *p, const char *what, const uint64_t *weight)
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

/* Writes what F costs in all. */
static void
write_title(
	struct page *p, const struct annotate_function *f, const struct source *source)
{
	const struct annotate_line *first = &p->a->lines[f->line],
				   *last = first + f->line_n - 1;

	terminal_put_style(&p->line, p->terminal, TERMINAL_BOLD);
	terminal_put_name(&p->line, p->terminal, f->name, SIZE_MAX / 2);
	terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	buf_str(&p->line, STR("  "));
	terminal_put_name(&p->line, p->terminal, f->file, SIZE_MAX / 2);
	buf_char(&p->line, ':');
	buf_u64(&p->line, first->number);
	if (last > first) {
		buf_char(&p->line, '-');
		buf_u64(&p->line, last->number);
	}
	put_sum(p, "self", f->self);
	put_sum(p, "total", f->total);
	end_line(p);
	if (!source->lines) {
		buf_str(&p->line,
			sources_is_name(f->file)
				? STR("source not found: see --source and --map")
				: STR("not the name of a source"));
		end_line(p);
	}
}

static void
write_functions(struct page *p)
{
	const struct annotate_function *f;
	const struct source *source;
	bool first = true;
	uint32_t i;

	for (i = 0; i < p->a->function_n; i++) {
		if (!p->how->chosen[i])
			continue;
		f = &p->a->functions[i];
		source = sources_find(p->how->sources, f->file);
		if (!first)
			end_line(p);
		first = false;
		write_title(p, f, source);
		put_heads(p, "  line");
		write_lines(p, f, source);
	}
}

/* Writes the row of a line of any function: its place and function stand before its text. */
static void
write_hot(struct page *p, const struct annotate_line *line)
{
	const struct annotate_function *f = &p->a->functions[line->function];
	struct str text =
		sources_line(sources_find(p->how->sources, f->file), line->number);
	size_t width = p->terminal->width;

	put_weights(p, line);
	buf_str(&p->cell, STR("  "));
	buf_visible(&p->cell, str_base(f->file), p->terminal->ascii ? STR("?") : BUF_MARK,
		BUF_MOST);
	buf_char(&p->cell, ':');
	buf_u64(&p->cell, line->number);
	buf_str(&p->cell, STR("  "));
	buf_visible(
		&p->cell, f->name, p->terminal->ascii ? STR("?") : BUF_MARK, BUF_MOST);
	put_cell(p, label_columns(buf_view(&p->cell)), TERMINAL_PLAIN);
	text = str_trim(text);
	if (text.n && (!p->terminal->cut || p->used + 2 + TEXT_LEAST <= width)) {
		put_text_cell(p, "", 2, TERMINAL_PLAIN);
		terminal_put_style(&p->line, p->terminal, TERMINAL_DIM);
		put_source(p, text, width > p->used ? width - p->used : 0);
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	}
	end_line(p);
}

static void
write_hottest(struct page *p)
{
	uint32_t *order = annotate_hottest(p->a), i;

	put_heads(p, "  place");
	for (i = 0; i < p->a->line_n && i < p->how->top; i++)
		write_hot(p, &p->a->lines[order[i]]);
	if (i < p->a->line_n) {
		buf_fmt(&p->line, "and %u more line%s", p->a->line_n - i,
			p->a->line_n - i == 1 ? "" : "s");
		end_line(p);
	}
	free(order);
}

void
annotate_write(
	struct output *out, const struct annotate *a, const struct annotate_how *how)
{
	struct page p;

	begin_page(&p, out, a, how);
	if (how->chosen)
		write_functions(&p);
	else
		write_hottest(&p);
	buf_release(&p.line);
	buf_release(&p.cell);
}
