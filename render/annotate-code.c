/* SPDX-License-Identifier: ISC */
/* Instructions and their cost; see annotate-code.h. */
#include "annotate-code.h"
#include "mem.h"

/* Where the function is unknown: how far apart the addresses of one stretch may be. */
enum { NEAR = 4096 };

/* Uses the lines of S as its rows when there is no code. */
static void
make_rows(struct annotate_stretch *s, const struct annotate *a)
{
	struct objdump *o = &s->code;
	uint32_t i;

	for (i = 0; i < s->line_n; i++) {
		o->rows = mem_grow(o->rows, &o->cap, o->n + 1, sizeof *o->rows);
		o->rows[o->n] = (struct objdump_row){ .line = 0 };
		o->rows[o->n++].address = a->lines[s->line + i].number;
	}
}

/* The row of O that contains ADDRESS. */
static size_t
find_row(const struct objdump *o, uint64_t address)
{
	size_t low = 0, high = o->n, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (o->rows[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Adds LINE of F to its instruction TO: a sample is at the first byte, a call at the last one.
 * A stack may have been at both. */
static void
add_line(struct annotate_line *to, const struct annotate_line *line,
	const struct annotate_function *f)
{
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		to->self[c] += line->self[c];
		to->total[c] = line->total[c] < f->total[c] - to->total[c]
			? to->total[c] + line->total[c]
			: f->total[c];
	}
	if (!to->call_n) {
		to->call = line->call;
		to->call_n = line->call_n;
	}
}

/* Adds the cost of the lines of S to its rows. */
static void
add_costs(struct annotate_stretch *s, const struct annotate *a,
	const struct annotate_function *f)
{
	const struct annotate_line *line = &a->lines[s->line], *end = line + s->line_n;
	size_t row;

	s->costs = mem_zero(s->code.n, sizeof *s->costs);
	s->costly = mem_zero(s->code.n, sizeof *s->costly);
	for (; line < end; line++) {
		row = find_row(&s->code, line->number);
		if (!s->costly[row])
			s->costs[row].name = UINT32_MAX;
		s->costly[row] = true;
		add_line(&s->costs[row], line, f);
	}
}

bool
annotate_stretch_init(struct annotate_stretch *s, const struct annotate *a,
	uint32_t first, const struct annotate_how *how, struct program *program)
{
	const struct annotate_function *f = &a->functions[a->lines[first].function];
	const struct annotate_line *lines = a->lines;
	uint32_t n = first + 1, end = f->line + f->line_n;

	*s = (struct annotate_stretch){ .line = first };
	s->start = lines[first].number;
	s->end = 0;
	if (program->elf)
		(void)program_function(program, s->start, &s->start, &s->end);
	while (n < end &&
		(s->end ? lines[n].number < s->end
			: lines[n].number - lines[n - 1].number <= NEAR))
		n++;
	if (!s->end)
		s->end = lines[n - 1].number + ANNOTATE_INSTRUCTION;
	s->line_n = n - first;
	if (program->elf &&
		!objdump_run(&s->code,
			(struct objdump_tool){ how->objdump, program->elf->machine },
			buf_cstr(&program->path), s->start, s->end))
		return false;
	if (!s->code.n)
		make_rows(s, a);
	add_costs(s, a, f);
	return true;
}

void
annotate_stretch_release(struct annotate_stretch *s)
{
	objdump_release(&s->code);
	free(s->costs);
	free(s->costly);
}
