/* SPDX-License-Identifier: ISC */
/*
 * The stacks as a table for databases (RFC 4180), a row for each stack and metric:
 *
 *	comm,time,stack,leaf,depth,metric,unit,weight
 *	worker,0.12,main;parse,parse,2,cpu-clock,ns,1000000
 *
 * A column for each dimension comes first, empty if a stack has no value. Weights are exact,
 * times are in seconds. Each of two weight columns is a metric.
 */
#include "cell.h"
#include "export.h"

struct writer {
	struct export *x;
	struct buf stack, track; /* of the current row */
	struct buf joined;
};

/* Adds the names of the columns; one that a dimension has too gets a trailing '_'. */
static void
put_heading(struct writer *w)
{
	static const char *const rest[] = { "stack", "leaf", "depth", "metric", "unit",
		"weight" };
	const struct dimensions *by = w->x->by;
	size_t i;

	for (i = 0; i < by->n; i++) {
		cell_put_csv(&w->x->b, by->name[i]);
		buf_char(&w->x->b, ',');
	}
	for (i = 0; i < sizeof rest / sizeof *rest; i++) {
		buf_str(&w->x->b, str_of(rest[i]));
		if (dimensions_find(by, str_of(rest[i])) < by->n)
			buf_char(&w->x->b, '_');
		buf_char(&w->x->b, i + 1 < sizeof rest / sizeof *rest ? ',' : '\n');
	}
}

/* Fills the cells of the dimensions from S, except its time. */
static void
put_dimensions(struct writer *w, const struct export_sample *s)
{
	const struct export *x = w->x;
	struct str value;
	size_t i;

	for (i = 0; i < x->by->n; i++) {
		value = export_value(x, s->track, i);
		if (i == x->time && s->timed)
			export_put_decimal(&w->track, s->time, 9);
		else if (value.s && !str_eq(value, DIMENSIONS_NO_VALUE))
			cell_put_csv(&w->track, value);
		buf_char(&w->track, ',');
	}
}

/* Fills the cells of the stack from S. */
static void
put_stack(struct writer *w, const struct export_sample *s)
{
	const struct tree *t = w->x->tree;
	size_t n, i;
	const uint32_t *path = export_path(w->x, s->stack, &n);
	struct str name = { 0 };

	buf_clear(&w->joined);
	for (i = 0; i < n; i++) {
		if (i)
			buf_char(&w->joined, ';');
		name = intern_str(&t->names, t->nodes[path[i]].name);
		buf_str(&w->joined, name);
	}
	cell_put_csv(&w->stack, buf_view(&w->joined));
	buf_char(&w->stack, ',');
	cell_put_csv(&w->stack, name);
	buf_fmt(&w->stack, ",%zu,", n);
}

static void
put_rows(struct writer *w, const struct export_sample *s)
{
	struct export *x = w->x;
	int c;

	buf_clear(&w->stack);
	buf_clear(&w->track);
	put_dimensions(w, s);
	put_stack(w, s);
	for (c = 0; c < x->columns; c++) {
		if (!s->weight[c])
			continue;
		buf_str(&x->b, buf_view(&w->track));
		buf_str(&x->b, buf_view(&w->stack));
		cell_put_csv(&x->b, export_column(x, c));
		buf_char(&x->b, ',');
		cell_put_csv(&x->b, x->unit);
		buf_char(&x->b, ',');
		export_put_decimal(&x->b, s->weight[c], (int)x->scale);
		buf_char(&x->b, '\n');
	}
	export_flush(x);
}

static bool
write_table(struct export *x)
{
	struct writer w = { .x = x };
	size_t i;

	put_heading(&w);
	for (i = 0; i < x->n; i++)
		put_rows(&w, &x->samples[i]);
	buf_release(&w.stack);
	buf_release(&w.track);
	buf_release(&w.joined);
	return true;
}

const struct export_target export_csv = {
	.needs = EXPORT_TRACKS | EXPORT_BOTH,
	.write = write_table,
};
