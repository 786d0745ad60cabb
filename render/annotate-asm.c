/* SPDX-License-Identifier: ISC */
/* Annotated instructions for people; see annotate.h. */
#include "annotate-code.h"
#include "listing.h"
#include "msg.h"
#include "objdump.h"

#include <inttypes.h>
#include <stdio.h>

/* Disassembled stretches per function, at most. */
enum { STRETCHES = 20 };

/* The first row from AT on that costs something, or the number of rows. */
static size_t
next_costly(const struct annotate_stretch *s, size_t at)
{
	while (at < s->code.n && !s->costly[at])
		at++;
	return at;
}

/* Writes the source line of ROW. */
static void
write_place(struct listing *p, const struct objdump_row *row, struct sources *sources)
{
	struct buf place = { 0 };

	if (!row->file.n)
		return;
	buf_str(&place, str_base(row->file));
	buf_char(&place, ':');
	buf_u64(&place, row->line);
	listing_write_place(p, buf_view(&place),
		str_trim(sources_line(sources_find(sources, row->file), row->line)));
	buf_release(&place);
}

static bool
is_same_place(const struct objdump_row *a, const struct objdump_row *b)
{
	return a->line == b->line && str_eq(a->file, b->file);
}

/* Writes a placeholder for the rows from FIRST up to AT, which cost nothing. */
static void
write_gap(struct listing *p, const struct objdump *o, size_t first, size_t at)
{
	buf_fmt(&p->line, "-- %" PRIx64, o->rows[first].address);
	if (at - first > 1)
		buf_fmt(&p->line, "-%" PRIx64, o->rows[at - 1].address);
	buf_str(&p->line, STR(" --"));
	listing_end_line(p);
}

static void
write_stretch(struct listing *p, const struct annotate_stretch *s,
	const struct annotate_how *how)
{
	const struct objdump *o = &s->code;
	const uint64_t around = how->context;
	struct buf label = { 0 };
	size_t i, next = 0, last = 0, coming = next_costly(s, 0);
	bool any = false;

	for (i = 0; i < o->n; i++) {
		if (i > coming) {
			last = coming;
			coming = next_costly(s, i);
		}
		if ((coming == o->n || coming - i > around) &&
			(!s->costly[last] || i - last > around))
			continue;
		if (any && next < i)
			write_gap(p, o, next, i);
		if (!any || next < i || !is_same_place(&o->rows[i], &o->rows[i - 1]))
			write_place(p, &o->rows[i], how->sources);
		buf_clear(&label);
		buf_fmt(&label, "%" PRIx64, o->rows[i].address);
		listing_write_row(p, buf_view(&label), s->costly[i] ? &s->costs[i] : NULL,
			o->rows[i].text);
		next = i + 1;
		any = true;
	}
	buf_release(&label);
}

static void
write_title(struct listing *p, const struct annotate_function *f, struct program *program)
{
	terminal_put_style(&p->line, p->terminal, TERMINAL_BOLD);
	terminal_put_name(&p->line, p->terminal, f->name, SIZE_MAX / 2);
	terminal_put_style(&p->line, p->terminal, TERMINAL_PLAIN);
	buf_str(&p->line, STR("  "));
	terminal_put_name(&p->line, p->terminal, f->file, SIZE_MAX / 2);
	listing_put_sum(p, "self", f->self);
	listing_put_sum(p, "total", f->total);
	listing_end_line(p);
	if (program->elf)
		terminal_put_name(
			&p->line, p->terminal, buf_view(&program->path), SIZE_MAX / 2);
	else
		buf_fmt(&p->line, "program %s: see --elf, --map and --source",
			program->why);
	listing_end_line(p);
}

struct stretches {
	struct annotate_stretch list[STRETCHES];
	uint32_t n;
	uint32_t left; /* lines outside all of them */
};

static void
release_stretches(struct stretches *all)
{
	while (all->n)
		annotate_stretch_release(&all->list[--all->n]);
}

/* Disassembles the stretches of F. Returns false, after a message, when one fails. */
static bool
find_stretches(struct stretches *all, const struct annotate *a,
	const struct annotate_function *f, const struct annotate_how *how,
	struct program *program)
{
	uint32_t at = 0;
	bool good = true;

	for (all->n = 0; at < f->line_n && all->n < STRETCHES && good; all->n++) {
		good = annotate_stretch_init(
			&all->list[all->n], a, f->line + at, how, program);
		at += all->list[all->n].line_n;
	}
	all->left = f->line_n - at;
	return good;
}

/* Writes F, a function of PROGRAM. */
static bool
write_function(struct listing *p, const struct annotate_function *f,
	const struct annotate_how *how, struct program *program)
{
	struct stretches all;
	bool good = find_stretches(&all, p->a, f, how, program);
	uint32_t i;

	if (good) {
		write_title(p, f, program);
		listing_put_heads(p, "  address");
	}
	for (i = 0; i < all.n && good; i++) {
		if (i)
			listing_end_line(p);
		write_stretch(p, &all.list[i], how);
	}
	if (all.left && good) {
		buf_fmt(&p->line, "and %u more place%s of the program", all.left,
			msg_s(all.left));
		listing_end_line(p);
	}
	release_stretches(&all);
	return good;
}

/* Columns of the largest address of F, plus a blank. */
static size_t
label_width(const struct annotate *a, const struct annotate_function *f)
{
	char text[24];

	return (size_t)snprintf(text, sizeof text, " %" PRIx64,
		a->lines[f->line + f->line_n - 1].number + ANNOTATE_INSTRUCTION);
}

bool
annotate_write_code(
	struct output *out, const struct annotate *a, const struct annotate_how *how)
{
	const struct annotate_function *f;
	struct program program;
	struct listing p;
	bool first = true, good = true;
	uint32_t i;

	listing_begin(&p, out, a, how);
	for (i = 0; i < a->function_n && good; i++) {
		if (!how->chosen[i])
			continue;
		f = &a->functions[i];
		program_find(&program, how->programs, f->file);
		if (!first)
			listing_end_line(&p);
		first = false;
		p.label = label_width(a, f);
		good = write_function(&p, f, how, &program);
		program_release(&program);
	}
	listing_release(&p);
	return good;
}
