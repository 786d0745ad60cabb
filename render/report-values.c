/* SPDX-License-Identifier: ISC */
/* A row for each value of a dimension, with its hottest functions; see report.h. */
#include "json.h"
#include "mem.h"
#include "report.h"
#include "cell.h"
#include "stats.h"
#include "units.h"

enum { HOTTEST = 3, NAME_MOST = 60 };

/* The self weight of a function below a value. */
struct part {
	uint32_t value, function; /* name ids */
	uint64_t self;
};

/* A value, and its functions among the parts. */
struct row {
	struct str name;
	uint32_t value;
	uint64_t total;
	size_t first, n;
};

struct values {
	const struct report *report;
	struct part *parts; /* functions grouped by value, the hottest first */
	size_t part_n;
	struct row *rows;
	size_t n, shown;
	struct buf line;
};

static int
by_function(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

static int
by_self(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

static int
by_total(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return str_cmp(x->name, y->name);
}

static int
by_name(const void *a, const void *b)
{
	return str_cmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

/* Collects the self weights of the stacks by value, their first frame, and by function, the
 * last; stacks of a value alone have no function. */
static void
collect(struct values *v)
{
	const struct report *s = v->report;
	const struct tree *t = s->tree;
	uint32_t i, node, depth, at = UINT32_MAX;

	v->parts = mem_alloc(((size_t)s->walk.n + 1) * sizeof *v->parts);
	for (i = 0; i < s->walk.n; i++) {
		node = s->walk.node[i];
		depth = s->walk.depth[i];
		if (depth == 1)
			at = str_eq(intern_str(&t->names, t->nodes[node].name),
				     DIMENSIONS_NO_VALUE)
				? UINT32_MAX
				: t->nodes[node].name;
		if (t->self[0][node])
			v->parts[v->part_n++] = (struct part){ at,
				depth > 1 ? t->nodes[node].name : UINT32_MAX,
				t->self[0][node] };
	}
}

/* Merges the parts of one function, and makes a row for each value. */
static void
add_up(struct values *v)
{
	const struct intern *names = &v->report->tree->names;
	size_t i, n = 0;
	struct row *row = NULL;

	qsort(v->parts, v->part_n, sizeof *v->parts, by_function);
	for (i = 0; i < v->part_n; i++) {
		if (n && by_function(&v->parts[n - 1], &v->parts[i]) == 0)
			v->parts[n - 1].self += v->parts[i].self;
		else
			v->parts[n++] = v->parts[i];
	}
	v->part_n = n;
	qsort(v->parts, n, sizeof *v->parts, by_self);
	v->rows = mem_alloc((n + 1) * sizeof *v->rows);
	for (i = 0; i < n; i++) {
		if (!row || row->value != v->parts[i].value) {
			row = &v->rows[v->n++];
			*row = (struct row){ .value = v->parts[i].value, .first = i };
			row->name = row->value == UINT32_MAX
				? DIMENSIONS_NO_VALUE
				: intern_str(names, row->value);
		}
		row->total += v->parts[i].self;
		row->n++;
	}
}

static void
values_init(struct values *v, const struct report *s, struct str dimension)
{
	*v = (struct values){ .report = s };
	collect(v);
	add_up(v);
	qsort(v->rows, v->n, sizeof *v->rows,
		s->set->sort == REPORT_BY_NAME || str_eq(dimension, STR("time"))
			? by_name
			: by_total);
	v->shown = s->set->top && s->set->top < v->n ? s->set->top : v->n;
}

static void
values_release(struct values *v)
{
	free(v->parts);
	free(v->rows);
	buf_release(&v->line);
}

static struct str
name_of(const struct values *v, const struct part *p)
{
	return p->function == UINT32_MAX
		? STR("[no function]")
		: intern_str(&v->report->tree->names, p->function);
}

static size_t
hottest_of(const struct row *row)
{
	return row->n < HOTTEST ? row->n : HOTTEST;
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * ((double)part / (double)whole) : 0;
}

/* For people. */

static void
end_line(struct values *v, struct output *out)
{
	buf_char(&v->line, '\n');
	output_str(out, buf_view(&v->line));
	buf_clear(&v->line);
}

/* Writes the line of ROW, with its weight in WIDTH columns. */
static void
write_row(struct values *v, struct output *out, const struct terminal *terminal,
	const struct row *row, size_t width)
{
	const struct report *s = v->report;
	const struct part *p = &v->parts[row->first];
	struct buf cell = { 0 };
	size_t i;

	units_put_cell(&cell, row->total, s->tree->scale, s->unit);
	terminal_put_right(&v->line, buf_view(&cell), width);
	buf_fmt(&v->line, " %7.2f %%   ", percent(row->total, s->tree->sum[0]));
	terminal_put_name(&v->line, terminal, row->name, NAME_MOST);
	end_line(v, out);
	for (i = 0; i < hottest_of(row); i++, p++) {
		buf_fmt(&v->line, "%*s %7.2f %%     ", (int)width, "",
			percent(p->self, row->total));
		terminal_put_name(&v->line, terminal, name_of(v, p), NAME_MOST);
		end_line(v, out);
	}
	buf_release(&cell);
}

static void
write_text(struct values *v, struct output *out, const struct terminal *terminal,
	struct str dimension)
{
	const struct report *s = v->report;
	struct buf cell = { 0 };
	size_t width = STR("total").n, i;

	for (i = 0; i < v->shown; i++) {
		buf_clear(&cell);
		units_put_cell(&cell, v->rows[i].total, s->tree->scale, s->unit);
		width = cell.n > width ? cell.n : width;
	}
	terminal_put_right(&v->line, STR("total"), width);
	buf_str(&v->line, STR("     share   "));
	terminal_put_name(&v->line, terminal, dimension, NAME_MOST);
	buf_str(&v->line, STR(", its functions by self"));
	end_line(v, out);
	for (i = 0; i < v->shown; i++)
		write_row(v, out, terminal, &v->rows[i], width);
	if (v->shown < v->n) {
		buf_fmt(&v->line, "%zu more", v->n - v->shown);
		end_line(v, out);
	}
	buf_release(&cell);
}

/* For scripts. */

static void
put_weight(struct values *v, const char *key, uint64_t weight)
{
	struct buf digits = { 0 };

	weight_put_scaled(&digits, weight, v->report->tree->scale);
	json_number(&v->line, key, buf_view(&digits));
	buf_release(&digits);
}

static void
put_percent(struct values *v, const char *key, double value)
{
	struct buf digits = { 0 };

	buf_fmt(&digits, "%.6g", value);
	json_number(&v->line, key, buf_view(&digits));
	buf_release(&digits);
}

static void
put_object(struct values *v, const struct row *row)
{
	const struct report *s = v->report;
	const struct part *p = &v->parts[row->first];
	size_t i;

	buf_str(&v->line, row == v->rows ? STR("\n") : STR(",\n"));
	json_begin(&v->line, NULL);
	put_weight(v, "total", row->total);
	put_percent(v, "total_percent", report_share(s, row->total, 0));
	if (report_has_error(s))
		put_percent(v, "total_error", report_error(s, row->total, 0));
	json_str(&v->line, "name", row->name);
	json_array(&v->line, "functions");
	for (i = 0; i < (s->set->top ? hottest_of(row) : row->n); i++, p++) {
		json_element_begin(&v->line);
		put_weight(v, "self", p->self);
		put_percent(v, "self_percent", percent(p->self, row->total));
		json_str(&v->line, "name", name_of(v, p));
		json_end(&v->line);
	}
	json_array_end(&v->line);
	json_end(&v->line);
}

static void
write_json(struct values *v, struct output *out, struct str dimension)
{
	const struct report *s = v->report;
	size_t i;

	json_begin(&v->line, NULL);
	json_str(&v->line, "report", STR("by"));
	json_str(&v->line, "dimension", dimension);
	json_str(&v->line, "unit", s->unit);
	if (report_has_error(s))
		json_u64(&v->line, "samples", stats_count(s->samples[0]));
	put_weight(v, "total", s->tree->sum[0]);
	json_u64(&v->line, "left_out", v->n - v->shown);
	json_array(&v->line, "rows");
	for (i = 0; i < v->shown; i++) {
		put_object(v, &v->rows[i]);
		output_str(out, buf_view(&v->line));
		buf_clear(&v->line);
	}
	buf_str(&v->line, STR("\n]}"));
	end_line(v, out);
}

/* Frames do not contain ';', so it can separate the functions. */
static void
write_tsv(struct values *v, struct output *out)
{
	const struct report *s = v->report;
	const struct row *row;
	struct buf list = { 0 };
	size_t i;

	buf_str(&v->line, STR("total\ttotal_percent\ttotal_error\tname\tfunctions"));
	end_line(v, out);
	for (row = v->rows; row < v->rows + v->shown; row++) {
		weight_put_scaled(&v->line, row->total, s->tree->scale);
		buf_fmt(&v->line, "\t%.6g\t", report_share(s, row->total, 0));
		if (report_has_error(s))
			buf_fmt(&v->line, "%.6g", report_error(s, row->total, 0));
		buf_char(&v->line, '\t');
		cell_put_tsv(&v->line, row->name);
		buf_clear(&list);
		for (i = 0; i < hottest_of(row); i++) {
			if (i)
				buf_char(&list, ';');
			buf_str(&list, name_of(v, &v->parts[row->first + i]));
		}
		if (i)
			buf_char(&v->line, '\t');
		cell_put_tsv(&v->line, buf_view(&list));
		end_line(v, out);
	}
	buf_release(&list);
}

void
report_write_values(struct output *out, const struct report *s,
	const struct terminal *terminal, struct str dimension)
{
	struct values v;

	values_init(&v, s, dimension);
	if (terminal)
		write_text(&v, out, terminal, dimension);
	else if (s->set->json)
		write_json(&v, out, dimension);
	else
		write_tsv(&v, out);
	values_release(&v);
}
