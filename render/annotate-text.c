/* SPDX-License-Identifier: ISC */
/* Annotated sources for people; see annotate.h. */
#include "label.h"
#include "listing.h"
#include "mem.h"

/* Columns of a line number. */
enum { NUMBER = 5 };

/* Writes the row of line NUMBER with the cost LINE; NULL: no cost. */
static void
write_number(struct listing *p, uint64_t number, const struct annotate_line *line,
	struct str text)
{
	struct buf label = { 0 };

	buf_u64(&label, number);
	listing_write_row(p, buf_view(&label), line, text);
	buf_release(&label);
}

/* Writes a placeholder for the lines from FIRST to LAST, which cost nothing. */
static void
write_gap(struct listing *p, uint64_t first, uint64_t last)
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
	listing_end_line(p);
}

/* Writes the lines of F that cost something, and the lines around them. */
static void
write_lines(struct listing *p, const struct annotate_function *f,
	const struct source *source, uint64_t context)
{
	const struct annotate_line *line = &p->a->lines[f->line], *end = line + f->line_n;
	uint64_t around, next = 0, from, to, at;

	for (; line < end; line++) {
		around = line->number <= source->n ? context : 0;
		from = line->number > around + 1 ? line->number - around : 1;
		from = from > next ? from : next;
		if (next)
			write_gap(p, next, from - 1);
		for (at = from; at < line->number; at++)
			write_number(p, at, NULL, sources_line(source, at));
		write_number(p, at, line, sources_line(source, at));
		to = line->number + around;
		if (around && to > source->n)
			to = source->n;
		if (line + 1 < end && to >= line[1].number)
			to = line[1].number - 1;
		for (at = line->number + 1; at <= to; at++)
			write_number(p, at, NULL, sources_line(source, at));
		next = at;
	}
}

/* Writes the self and total weight of F. */
static void
write_title(
	struct listing *p, const struct annotate_function *f, const struct source *source)
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
	listing_put_sum(p, "self", f->self);
	listing_put_sum(p, "total", f->total);
	listing_end_line(p);
	if (!source->lines) {
		buf_str(&p->line,
			sources_is_name(f->file)
				? STR("source not found: see --source (--source / for "
				      "paths as they are), --map and --debuginfod")
				: STR("not the name of a source"));
		listing_end_line(p);
	}
}

static void
write_functions(struct listing *p, const struct annotate_how *how)
{
	const struct annotate_function *f;
	const struct source *source;
	bool first = true;
	uint32_t i;

	for (i = 0; i < p->a->function_n; i++) {
		if (!how->chosen[i])
			continue;
		f = &p->a->functions[i];
		source = sources_find(how->sources, f->file);
		if (!first)
			listing_end_line(p);
		first = false;
		write_title(p, f, source);
		listing_put_heads(p, "  line");
		write_lines(p, f, source, how->context);
	}
}

/* Writes the row of a line of any function: place and function, then its text. */
static void
write_hot(struct listing *p, const struct annotate_line *line, struct sources *sources)
{
	const struct annotate_function *f = &p->a->functions[line->function];
	struct str text = sources_line(sources_find(sources, f->file), line->number);
	size_t width = p->terminal->width;

	listing_put_weights(p, line);
	buf_str(&p->cell, STR("  "));
	buf_visible(&p->cell, str_base(f->file), p->terminal->ascii ? STR("?") : BUF_MARK,
		BUF_MOST);
	buf_char(&p->cell, ':');
	buf_u64(&p->cell, line->number);
	buf_str(&p->cell, STR("  "));
	buf_visible(
		&p->cell, f->name, p->terminal->ascii ? STR("?") : BUF_MARK, BUF_MOST);
	listing_put_cell(p, label_columns(buf_view(&p->cell)), TERMINAL_PLAIN);
	text = str_trim(text);
	if (text.n && (!p->terminal->cut || p->used + 2 + LISTING_TEXT_LEAST <= width)) {
		listing_put_text(p, "", 2, TERMINAL_PLAIN);
		terminal_put_style(&p->line, p->terminal, TERMINAL_DIM);
		listing_put_source(p, text, width > p->used ? width - p->used : 0);
		terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	}
	listing_end_line(p);
}

static void
write_hottest(struct listing *p, const struct annotate_how *how)
{
	uint32_t *order = annotate_hottest(p->a), i;

	listing_put_heads(p, "  place");
	for (i = 0; i < p->a->line_n && i < how->top; i++)
		write_hot(p, &p->a->lines[order[i]], how->sources);
	if (i < p->a->line_n) {
		buf_fmt(&p->line, "and %u more line%s", p->a->line_n - i,
			p->a->line_n - i == 1 ? "" : "s");
		listing_end_line(p);
	}
	free(order);
}

void
annotate_write(
	struct output *out, const struct annotate *a, const struct annotate_how *how)
{
	struct listing p;

	listing_begin(&p, out, a, how);
	p.label = NUMBER;
	if (how->chosen)
		write_functions(&p, how);
	else
		write_hottest(&p, how);
	listing_release(&p);
}
