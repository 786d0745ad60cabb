/* SPDX-License-Identifier: ISC */
/* Annotated sources for scripts; see annotate.h. */
#include "annotate-code.h"
#include "json.h"
#include "stats.h"
#include "weight.h"

#include <inttypes.h>
#include <stdio.h>

/* The output, and the suffixes of a column's keys. */
struct page {
	const struct annotate *a;
	const char *const *endings;
	struct buf b;
};

static void
put_digits(struct page *p, const char *key, struct buf *text)
{
	json_number(&p->b, key, buf_view(text));
	buf_clear(text);
}

/* Adds WEIGHT of each column as MEASURE, with share and error. */
static void
put_measure(struct page *p, const char *measure, const uint64_t *weight)
{
	const struct report *s = p->a->report;
	struct buf text = { 0 };
	char key[64];
	int c;

	for (c = 0; c < s->tree->columns; c++) {
		snprintf(key, sizeof key, "%s%s", measure, p->endings[c]);
		weight_put_scaled(&text, weight[c], s->tree->scale);
		put_digits(p, key, &text);
		snprintf(key, sizeof key, "%s_percent%s", measure, p->endings[c]);
		buf_fmt(&text, "%.6g", report_share(s, weight[c], c));
		put_digits(p, key, &text);
		if (!report_has_error(s))
			continue;
		snprintf(key, sizeof key, "%s_error%s", measure, p->endings[c]);
		buf_fmt(&text, "%.6g", report_error(s, weight[c], c));
		put_digits(p, key, &text);
	}
	buf_release(&text);
}

/* Adds the calls of LINE. */
static void
put_calls(struct page *p, const struct annotate_line *line)
{
	const struct annotate_call *call = &p->a->calls[line->call],
				   *end = call + line->call_n;

	json_array(&p->b, "calls");
	for (; call < end; call++) {
		json_element_begin(&p->b);
		json_str(&p->b, "name", call->name);
		json_bool(&p->b, "inlined", call->inlined);
		put_measure(p, "total", call->total);
		json_end(&p->b);
	}
	json_array_end(&p->b);
}

static void
put_line(struct page *p, const struct annotate_line *line, const struct source *source)
{
	json_element_begin(&p->b);
	json_u64(&p->b, "line", line->number);
	put_measure(p, "self", line->self);
	put_measure(p, "total", line->total);
	if (line->number <= source->n)
		json_str(&p->b, "text", sources_line(source, line->number));
	put_calls(p, line);
	json_end(&p->b);
}

static void
put_function(
	struct page *p, const struct annotate_function *f, const struct source *source)
{
	uint32_t i;

	json_element_begin(&p->b);
	json_str(&p->b, "name", f->name);
	json_str(&p->b, "file", f->file);
	if (source->lines)
		json_str(&p->b, "source", source->found);
	put_measure(p, "self", f->self);
	put_measure(p, "total", f->total);
	json_array(&p->b, "lines");
	for (i = 0; i < f->line_n; i++)
		put_line(p, &p->a->lines[f->line + i], source);
	json_array_end(&p->b);
	json_end(&p->b);
}

/* Adds the totals and other facts about the profile. */
static void
put_whole(struct page *p, const char *what)
{
	const struct report *s = p->a->report;
	struct buf text = { 0 };
	char key[32];
	int c;

	json_str(&p->b, "report", str_of(what));
	json_str(&p->b, "unit", s->unit);
	for (c = 0; c < s->tree->columns; c++) {
		snprintf(key, sizeof key, "samples%s", p->endings[c]);
		if (s->samples[c] > 0)
			json_u64(&p->b, key, stats_count(s->samples[c]));
		snprintf(key, sizeof key, "total%s", p->endings[c]);
		weight_put_scaled(&text, s->tree->sum[c], s->tree->scale);
		put_digits(p, key, &text);
	}
	buf_release(&text);
}

/* Begins the document, of the report type WHAT. */
static void
begin(struct page *p, const struct annotate *a, const char *what)
{
	static const char *const one[] = { "", "" },
				 *const two[] = { "_first", "_second" },
				 *const change[] = { "_before", "_after" };

	*p = (struct page){ .a = a, .endings = one };
	if (report_is_diff(a->report))
		p->endings = report_is_ratio(a->report) ? two : change;
	json_begin(&p->b, NULL);
	put_whole(p, what);
	json_array(&p->b, "functions");
}

static void
end(struct page *p, struct output *out)
{
	json_array_end(&p->b);
	json_end(&p->b);
	buf_char(&p->b, '\n');
	output_str(out, buf_view(&p->b));
	buf_release(&p->b);
}

void
annotate_write_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how)
{
	const struct annotate_function *f;
	struct page p;
	uint32_t i;

	begin(&p, a, "lines");
	for (i = 0; i < a->function_n; i++) {
		if (how->chosen && !how->chosen[i])
			continue;
		f = &a->functions[i];
		put_function(&p, f, sources_find(how->sources, f->file));
	}
	end(&p, out);
}

/* Adds row I of S. */
static void
put_row(struct page *p, const struct annotate_stretch *s, size_t i)
{
	const struct objdump_row *row = &s->code.rows[i];
	struct buf address = { 0 };

	buf_fmt(&address, "0x%" PRIx64, row->address);
	json_element_begin(&p->b);
	json_str(&p->b, "address", buf_view(&address));
	put_measure(p, "self", s->costs[i].self);
	put_measure(p, "total", s->costs[i].total);
	if (row->text.n)
		json_str(&p->b, "text", row->text);
	if (row->file.n) {
		json_str(&p->b, "file", row->file);
		json_u64(&p->b, "line", row->line);
	}
	put_calls(p, &s->costs[i]);
	json_end(&p->b);
	buf_release(&address);
}

/* Adds the instructions of F that cost something. Returns false, after a message, when some
 * cannot be disassembled. */
static bool
put_instructions(struct page *p, const struct annotate_function *f,
	const struct annotate_how *how, struct program *program)
{
	struct annotate_stretch s;
	bool good = true;
	uint32_t at = 0;
	size_t i;

	json_array(&p->b, "instructions");
	while (at < f->line_n && good) {
		good = annotate_stretch_init(&s, p->a, f->line + at, how, program);
		for (i = 0; i < s.code.n && good; i++)
			if (s.costly[i])
				put_row(p, &s, i);
		at += s.line_n;
		annotate_stretch_release(&s);
	}
	json_array_end(&p->b);
	return good;
}

bool
annotate_write_code_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how)
{
	const struct annotate_function *f;
	struct program program;
	bool good = true;
	struct page p;
	uint32_t i;

	begin(&p, a, "instructions");
	for (i = 0; i < a->function_n && good; i++) {
		if (!how->chosen[i])
			continue;
		f = &a->functions[i];
		program_find(&program, how->programs, f->file);
		json_element_begin(&p.b);
		json_str(&p.b, "name", f->name);
		json_str(&p.b, "program", f->file);
		if (program.elf)
			json_str(&p.b, "path", buf_view(&program.path));
		put_measure(&p, "self", f->self);
		put_measure(&p, "total", f->total);
		good = put_instructions(&p, f, how, &program);
		json_end(&p.b);
		program_release(&program);
	}
	end(&p, out);
	return good;
}
