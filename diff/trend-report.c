/* SPDX-License-Identifier: ISC */
/* Reports a trend as text, Markdown or JSON; see trend-report.h. */
#include "trend-report.h"
#include "json.h"
#include "markdown.h"
#include "mem.h"
#include "msg.h"
#include "units.h"

#include <math.h>

/* The most changes in a verdict. */
enum { NAMED = 3 };

/* Revisions. */

/* The file name of RUN without its folders. */
static struct str
file_name(const struct trend_report *v, size_t run)
{
	struct str path = str_of(v->files[run]);
	size_t slash = str_rfind(path, '/');

	return slash < path.n ? str_from(path, slash + 1) : path;
}

/* The length of the suffix, from a dot on, that all files share. */
static size_t
shared_ending(const struct trend_report *v)
{
	struct str first = file_name(v, 0), other;
	size_t n = first.n, i, run, same;

	for (run = 1; run < v->trend->revisions * v->trend->each; run++) {
		other = file_name(v, run);
		for (same = 0; same < n && same < other.n; same++)
			if (first.s[first.n - 1 - same] != other.s[other.n - 1 - same])
				break;
		n = same;
	}
	for (i = first.n - n; i < first.n; i++)
		if (i && first.s[i] == '.')
			return first.n - i;
	return 0;
}

/* Adds the name of the revision AT unescaped. */
static void
name_revision(struct buf *b, const struct trend_report *v, size_t at)
{
	size_t each = v->trend->each, run = at * each, i, n;
	struct str name = file_name(v, run), other;

	name = str_head(name, name.n - shared_ending(v));
	for (i = 1; i < each; i++) {
		other = file_name(v, run + i);
		for (n = 0; n < name.n && n < other.n; n++)
			if (name.s[n] != other.s[n])
				break;
		if (n)
			name = str_head(name, n);
	}
	while (each > 1 && name.n > 1 && memchr("._-", name.s[name.n - 1], 3))
		name.n--;
	buf_str(b, name);
}

typedef void put_text(struct buf *b, struct str text);

static void
put_visible(struct buf *b, struct str text)
{
	buf_visible(b, text, BUF_MARK, BUF_MOST);
}

static void
put_revision(struct buf *b, const struct trend_report *v, size_t at, put_text *put)
{
	struct buf name = { 0 };

	name_revision(&name, v, at);
	put(b, buf_view(&name));
	buf_release(&name);
}

void
trend_report_put_revision(struct buf *b, const struct trend_report *v, size_t at)
{
	put_revision(b, v, at, put_visible);
}

size_t
trend_report_find(const struct trend_report *v, struct str name)
{
	const struct trend *t = v->trend;
	struct buf b = { 0 };
	size_t at, i;
	bool found = false;

	for (at = 0; at < t->revisions && !found; at += !found) {
		buf_clear(&b);
		name_revision(&b, v, at);
		found = str_eq(buf_view(&b), name);
		for (i = at * t->each; i < (at + 1) * t->each; i++)
			found |= str_eq(str_of(v->files[i]), name) ||
				str_eq(file_name(v, i), name);
	}
	buf_release(&b);
	return at;
}

static void
put_place(struct buf *b, const struct trend_report *v, const struct trend_point *p,
	put_text *put)
{
	put_revision(b, v, p->at, put);
	buf_fmt(b, " (%zu of %zu)", p->at + 1, v->trend->revisions);
}

/* Adds the revisions from FIRST up to END: "6 from r1 to r6". */
static void
put_revisions(struct buf *b, const struct trend_report *v, size_t first, size_t end,
	put_text *put)
{
	if (end - first > 1) {
		buf_fmt(b, "%zu from ", end - first);
		put_revision(b, v, first, put);
		buf_str(b, STR(" to "));
	}
	put_revision(b, v, end - 1, put);
}

/* Changes. */

/* A function's change at a place; without a row: the total's. */
struct change {
	const struct trend_point *point;
	const struct compare_row *row;
	double size;
};

static int
by_size(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->point->at != y->point->at)
		return x->point->at > y->point->at ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Whether ROW of P is the new name of another row, which represents both. */
static bool
is_new_name(const struct trend_point *p, size_t row)
{
	const struct compare_row *r = &p->compare.rows[row];

	return r->status == COMPARE_NEW && r->renamed != row;
}

/* The change of ROW, a cause, at P. A new name alone costs nothing. */
static struct change
change_of(const struct trend_point *p, size_t row)
{
	const struct compare_row *r = &p->compare.rows[row];

	return (struct change){ p, r, r->renamed == row ? fabs(r->own_excess) : 0 };
}

/* All causes, and the total if it alone changed; the largest first. To be freed. */
static struct change *
list_changes(const struct trend *t, size_t *n)
{
	struct change *all = NULL;
	const struct trend_point *p;
	size_t i, k, cap = 0;

	*n = 0;
	for (k = 0; k < t->n; k++) {
		p = &t->points[k];
		all = mem_grow(all, &cap, *n + p->compare.causes + 1, sizeof *all);
		for (i = 0; i < p->compare.causes; i++)
			if (!is_new_name(p, i))
				all[(*n)++] = change_of(p, i);
		if (!p->compare.causes)
			all[(*n)++] =
				(struct change){ p, NULL, fabs(p->compare.total.excess) };
	}
	if (*n)
		qsort(all, *n, sizeof *all, by_size);
	return all;
}

static struct str
name_of(const struct trend *t, const struct compare_row *r)
{
	return intern_str(&t->runs->tree.names, r->name);
}

static const struct compare_value *
value_of(const struct change *c)
{
	if (!c->row)
		return &c->point->compare.total;
	return c->row->total.is_change ? &c->row->total : &c->row->self;
}

/* Adds PART as a percentage with two significant digits. */
static void
put_percent(struct buf *b, const char *sign, double part)
{
	double percent = part * 100;

	buf_str(b, str_of(sign));
	buf_fmt(b, fabs(percent) < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

/* Adds "parse grew by 29 % at r7 (7 of 12)". */
static void
put_change(struct buf *b, const struct trend_report *v, const struct change *c,
	put_text *put)
{
	const struct compare_value *x = value_of(c);

	if (c->row)
		put(b, name_of(v->trend, c->row));
	else
		buf_str(b, STR("the total"));
	if (c->row && &c->point->compare.rows[c->row->renamed] != c->row) {
		buf_str(b, STR(" may be renamed to "));
		put(b, name_of(v->trend, &c->point->compare.rows[c->row->renamed]));
	} else if (c->row && c->row->status != COMPARE_CHANGED) {
		buf_str(b,
			c->row->status == COMPARE_NEW ? STR(" is new") : STR(" is gone"));
	} else {
		if (c->row && !c->row->total.is_change)
			buf_str(b, STR(" itself"));
		buf_str(b, x->change > 0 ? STR(" grew by ") : STR(" fell by "));
		put_percent(b, "", fabs(x->change));
	}
	buf_str(b, STR(" at "));
	put_place(b, v, c->point, put);
}

static void
put_verdict(struct buf *b, const struct trend_report *v, put_text *put)
{
	size_t n, i;
	struct change *all = list_changes(v->trend, &n);

	for (i = 0; i < n && i < NAMED; i++) {
		put_change(b, v, &all[i], put);
		buf_str(b, STR("; "));
	}
	if (n > NAMED)
		buf_fmt(b, "and %zu more change%s", n - NAMED, msg_s(n - NAMED));
	else if (n)
		buf_str(b, STR("nothing else changed"));
	else
		buf_fmt(b, "nothing changed in %zu revisions", v->trend->revisions);
	free(all);
}

/* Whether the gate failed at P. */
static bool
has_failed(const struct trend_point *p)
{
	return p->compare.options->gate && p->compare.gate == COMPARE_FAILED;
}

static void
put_gate(struct buf *b, const struct trend_report *v, put_text *put)
{
	const struct compare_options *o = v->trend->options;
	const struct trend_point *p;
	size_t n = 0, i;

	for (i = 0; i < v->trend->n; i++) {
		p = &v->trend->points[i];
		if (!has_failed(p))
			continue;
		buf_str(b, n++ ? STR(", ") : STR("FAILED: at "));
		put_revision(b, v, p->at, put);
	}
	buf_str(b,
		n ? STR(", growth by more than ")
		  : STR("passed: no growth by more than "));
	buf_fmt(b, "%.6g %% of %s", o->limit * 100,
		o->relative ? "what it was" : "the total before");
}

/* Adds the tests and the method. */
static void
put_method(struct buf *b, const struct trend_report *v)
{
	const struct trend *t = v->trend;

	buf_fmt(b, "%zu revisions", t->revisions);
	if (t->each > 1)
		buf_fmt(b, " of %zu runs", t->each);
	buf_fmt(b,
		", %zu totals and selves of functions and the total, at confidence "
		"%.10g for all of them and all places",
		t->tests, t->options->confidence);
}

/* Adds WEIGHT for a column; times and bytes with their unit. */
static void
put_weight(struct buf *b, const struct trend *t, double weight)
{
	unsigned scale = weight < 1e9 ? 3 : 0;

	units_put_cell(b, stats_count(weight * pow(10, scale)), scale,
		folded_info_get(&t->runs->series.info, "unit"));
}

/* The unit of weights if the column lacks it: " samples". */
static void
put_unit(struct buf *b, const struct trend *t, put_text *put)
{
	struct str unit = folded_info_get(&t->runs->series.info, "unit");
	struct buf shown = { 0 };

	put_weight(&shown, t, 1);
	if (unit.n && str_eq(buf_view(&shown), STR("1"))) {
		buf_char(b, ' ');
		put(b, unit);
	}
	buf_release(&shown);
}

static void
put_interval(struct buf *b, const struct compare_value *x)
{
	if (x->is_tested && isfinite(x->interval.high))
		buf_fmt(b, "%+.1f .. %+.1f", 100 * x->interval.low,
			100 * x->interval.high);
}

/* For a terminal or a log. */

/* The cells of a row before the name. */
enum { CELLS = 4 };

static void
put_cell(struct buf *b, const struct trend *t, const struct change *c, size_t cell)
{
	const struct compare_value *x = value_of(c);

	switch (cell) {
	case 0: put_weight(b, t, x->weight[RUNS_BEFORE]); break;
	case 1: put_weight(b, t, x->weight[RUNS_AFTER]); break;
	case 2:
		if (c->row && c->row->status == COMPARE_REMOVED)
			buf_str(b, STR("gone"));
		else if (isfinite(x->change))
			put_percent(b, x->change > 0 ? "+" : "", x->change);
		else
			buf_str(b, STR("new"));
		break;
	default:
		if (!c->row || c->row->status == COMPARE_CHANGED)
			put_interval(b, x);
		break;
	}
}

/* Adds TEXT right-aligned to WIDTH columns. */
static void
put_right(struct buf *b, struct str text, size_t width)
{
	size_t i;

	for (i = text.n; i < width; i++)
		buf_char(b, ' ');
	buf_str(b, text);
}

static const size_t WIDTH[CELLS] = { 12, 12, 10, 18 };

static void
put_text_row(struct buf *b, const struct trend_report *v, const struct change *c)
{
	struct buf cell = { 0 };
	size_t i;

	for (i = 0; i < CELLS; i++) {
		buf_clear(&cell);
		put_cell(&cell, v->trend, c, i);
		put_right(b, buf_view(&cell), WIDTH[i]);
	}
	buf_str(b, STR("  "));
	if (c->row)
		put_visible(b, name_of(v->trend, c->row));
	else
		buf_str(b,
			c->point->compare.total.is_change
				? STR("(total)")
				: STR("(total: no significant change)"));
	buf_char(b, '\n');
	buf_release(&cell);
}

/* Adds the names of the functions that only changed with their callees. */
static void
put_callers(
	struct buf *b, const struct trend *t, const struct trend_point *p, put_text *put)
{
	const struct compare *c = &p->compare;
	size_t i;

	for (i = c->causes; i < c->n && i < c->causes + NAMED; i++) {
		buf_str(b, i > c->causes ? STR(", ") : STR("also in: "));
		put(b, name_of(t, &c->rows[i]));
	}
	if (i < c->n)
		buf_fmt(b, " and %zu more", c->n - i);
}

/* The number of rows of P to show. */
static size_t
count_shown(const struct trend_report *v, const struct trend_point *p)
{
	return v->top && v->top < p->compare.causes ? v->top : p->compare.causes;
}

static void
put_heading(struct buf *b, const struct trend_report *v, const struct trend_point *p,
	put_text *put)
{
	put_place(b, v, p, put);
	buf_str(b, STR(": "));
	put_revisions(b, v, p->first, p->at, put);
	buf_str(b, STR(" against "));
	put_revisions(b, v, p->at, p->end, put);
	buf_char(b, ',');
	put_unit(b, v->trend, put);
	buf_str(b, STR(" per run"));
}

static void
put_text_point(struct buf *b, const struct trend_report *v, const struct trend_point *p)
{
	static const char *const head[CELLS] = { "before", "after", "change",
		"interval, %" };
	struct change c = { p, NULL, 0 };
	size_t i, shown = count_shown(v, p);

	buf_char(b, '\n');
	put_heading(b, v, p, put_visible);
	buf_char(b, '\n');
	for (i = 0; i < CELLS; i++)
		put_right(b, str_of(head[i]), WIDTH[i]);
	buf_str(b, STR("  function\n"));
	put_text_row(b, v, &c);
	for (i = 0; i < shown; i++) {
		c.row = &p->compare.rows[i];
		put_text_row(b, v, &c);
	}
	if (shown < p->compare.causes)
		buf_fmt(b, "and %zu more\n", p->compare.causes - shown);
	if (p->compare.causes < p->compare.n) {
		put_callers(b, v->trend, p, put_visible);
		buf_char(b, '\n');
	}
}

void
trend_report_write_text(struct output *out, const struct trend_report *v)
{
	const struct trend *t = v->trend;
	struct buf b = { 0 };
	size_t i;

	put_verdict(&b, v, put_visible);
	buf_char(&b, '\n');
	if (t->options->gate) {
		put_gate(&b, v, put_visible);
		buf_char(&b, '\n');
	}
	for (i = 0; i < t->n; i++)
		put_text_point(&b, v, &t->points[i]);
	buf_str(&b, STR("\ntested: "));
	put_method(&b, v);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&b);
}

/* For a pull request. */

static void
put_markdown_row(struct buf *b, const struct trend_report *v, const struct change *c)
{
	size_t i;

	buf_str(b, STR("| "));
	if (c->row)
		markdown_put_code(b, name_of(v->trend, c->row));
	else
		buf_str(b, STR("total"));
	for (i = 0; i < CELLS; i++) {
		buf_str(b, STR(" | "));
		put_cell(b, v->trend, c, i);
	}
	buf_str(b, STR(" |\n"));
}

static void
put_markdown_point(
	struct buf *b, const struct trend_report *v, const struct trend_point *p)
{
	struct change c = { p, NULL, 0 };
	size_t i, shown = count_shown(v, p);

	buf_char(b, '\n');
	put_heading(b, v, p, markdown_put_code);
	buf_str(b,
		STR("\n\n| function | before | after | change | interval, % |\n"
		    "|:--|--:|--:|--:|--:|\n"));
	put_markdown_row(b, v, &c);
	for (i = 0; i < shown; i++) {
		c.row = &p->compare.rows[i];
		put_markdown_row(b, v, &c);
	}
	if (shown < p->compare.causes)
		buf_fmt(b, "\nand %zu more\n", p->compare.causes - shown);
	if (p->compare.causes < p->compare.n) {
		buf_char(b, '\n');
		put_callers(b, v->trend, p, markdown_put_code);
		buf_char(b, '\n');
	}
}

void
trend_report_write_markdown(struct output *out, const struct trend_report *v)
{
	const struct trend *t = v->trend;
	struct buf b = { 0 };
	size_t i;

	buf_str(&b, STR("**"));
	put_verdict(&b, v, markdown_put_code);
	buf_str(&b, STR("**\n"));
	if (t->options->gate) {
		buf_char(&b, '\n');
		put_gate(&b, v, markdown_put_code);
		buf_char(&b, '\n');
	}
	for (i = 0; i < t->n; i++)
		put_markdown_point(&b, v, &t->points[i]);
	buf_str(&b, STR("\n<details><summary>Method</summary>\n\n"));
	put_method(&b, v);
	buf_str(&b, STR("\n\n</details>\n"));
	output_str(out, buf_view(&b));
	buf_release(&b);
}

/* For scripts; fg-diff(1) documents the keys. */

static void
put_number(struct buf *b, const char *key, double value)
{
	if (isfinite(value))
		json_double(b, key, value);
}

static void
put_json_value(struct buf *b, const struct compare_value *x)
{
	json_double(b, "before", x->weight[RUNS_BEFORE]);
	json_double(b, "after", x->weight[RUNS_AFTER]);
	put_number(b, "change", 100 * x->change);
	put_number(b, "low", 100 * x->interval.low);
	put_number(b, "high", 100 * x->interval.high);
	json_double(b, "p", x->p);
	json_bool(b, "changed", x->is_change);
}

static void
put_json_row(struct buf *b, const struct trend *t, const struct trend_point *p, size_t i)
{
	static const char *const status[] = { "changed", "new", "removed" };
	const struct compare_row *r = &p->compare.rows[i];
	const struct change c = { p, r, 0 };

	json_element_begin(b);
	json_str(b, "name", name_of(t, r));
	json_str(b, "status", str_of(status[r->status]));
	json_bool(b, "self", !r->total.is_change);
	put_json_value(b, value_of(&c));
	if (r->cause != i)
		json_str(b, "cause", name_of(t, &p->compare.rows[r->cause]));
	else
		json_double(b, "excess", r->own_excess);
	json_end(b);
}

static void
put_json_revision(struct buf *b, const char *key, const struct trend_report *v, size_t at)
{
	struct buf name = { 0 };

	trend_report_put_revision(&name, v, at);
	if (key)
		json_str(b, key, buf_view(&name));
	else
		json_element_str(b, buf_view(&name));
	buf_release(&name);
}

static void
put_json_point(struct buf *b, const struct trend_report *v, const struct trend_point *p)
{
	size_t i;

	json_element_begin(b);
	put_json_revision(b, "at", v, p->at);
	json_u64(b, "number", p->at + 1);
	put_json_revision(b, "from", v, p->first);
	put_json_revision(b, "to", v, p->end - 1);
	json_begin(b, "total");
	put_json_value(b, &p->compare.total);
	json_end(b);
	json_array(b, "functions");
	for (i = 0; i < p->compare.n; i++)
		put_json_row(b, v->trend, p, i);
	json_array_end(b);
	if (p->compare.options->gate)
		json_bool(b, "failed", has_failed(p));
	json_end(b);
}

void
trend_report_write_json(struct output *out, const struct trend_report *v)
{
	const struct trend *t = v->trend;
	struct buf b = { 0 }, verdict = { 0 };
	size_t i;

	json_begin(&b, NULL);
	json_str(&b, "schema", STR("fg-diff trend 1"));
	put_verdict(&verdict, v, put_visible);
	json_str(&b, "verdict", buf_view(&verdict));
	json_array(&b, "revisions");
	for (i = 0; i < t->revisions; i++)
		put_json_revision(&b, NULL, v, i);
	json_array_end(&b);
	json_u64(&b, "runs", t->each);
	json_str(&b, "unit", folded_info_get(&t->runs->series.info, "unit"));
	json_double(&b, "confidence", t->options->confidence);
	json_double(&b, "min_share", 100 * t->options->min_share);
	json_u64(&b, "tests", t->tests);
	json_array(&b, "changes");
	for (i = 0; i < t->n; i++)
		put_json_point(&b, v, &t->points[i]);
	json_array_end(&b);
	json_end(&b);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&verdict);
	buf_release(&b);
}
