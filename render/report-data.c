/* SPDX-License-Identifier: ISC */
/* The report for scripts: one object in JSON, or TSV with a heading; see report.h. */
#include "json.h"
#include "quality.h"
#include "report.h"

/* Rows of fields, one being made. The fields of the first row name the columns. */
struct rows {
	struct output *out;
	const struct report *summary;
	struct buf row, heads;
	struct buf text; /* work space */
	uint64_t n;	 /* rows written */
};

static const char *const AFTER[] = { "_before", "_after" };
static const char *const TWO[] = { "_first", "_second" };

/* What keys of COLUMN end in. */
static const char *
ending(const struct report *s, int column)
{
	if (!report_is_diff(s))
		return "";
	return report_is_ratio(s) ? TWO[column] : AFTER[column];
}

/* Makes the key MEASURE WHAT, which holds until the next call. */
static const char *
make_key(char key[32], const char *measure, const char *what, const char *of)
{
	snprintf(key, 32, "%s%s%s", measure, what, of);
	return key;
}

static void
begin_row(struct rows *rows)
{
	if (!rows->summary->set->json)
		return;
	buf_str(&rows->row, rows->n ? STR(",\n") : STR("\n"));
	json_begin(&rows->row, NULL);
}

static void
end_row(struct rows *rows)
{
	if (rows->summary->set->json) {
		json_end(&rows->row);
	} else {
		rows->row.s[rows->row.n - 1] = '\n';
		if (!rows->n) {
			rows->heads.s[rows->heads.n - 1] = '\n';
			output_str(rows->out, buf_view(&rows->heads));
		}
	}
	output_str(rows->out, buf_view(&rows->row));
	buf_clear(&rows->row);
	rows->n++;
}

/* Adds a field to a row in TSV. */
static void
put_cell(struct rows *rows, const char *key, struct str text)
{
	if (!rows->n) {
		buf_str(&rows->heads, str_of(key));
		buf_char(&rows->heads, '\t');
	}
	buf_str(&rows->row, text);
	buf_char(&rows->row, '\t');
}

/* Adds the number in rows->text, which no number is when it is empty: the cell is
 * then empty, and the object has no such key. */
static void
put_number(struct rows *rows, const char *key)
{
	if (!rows->summary->set->json)
		put_cell(rows, key, buf_view(&rows->text));
	else if (rows->text.n)
		json_number(&rows->row, key, buf_view(&rows->text));
	buf_clear(&rows->text);
}

static void
put_count(struct rows *rows, const char *key, uint64_t value, bool is_there)
{
	if (is_there)
		buf_u64(&rows->text, value);
	put_number(rows, key);
}

static void
put_weight(struct rows *rows, const char *key, const uint64_t *value)
{
	if (value)
		folded_put_weight(&rows->text, *value, rows->summary->tree->scale);
	put_number(rows, key);
}

static void
put_percent(struct rows *rows, const char *key, double value, bool is_there)
{
	if (is_there)
		buf_fmt(&rows->text, "%.6g", value + 0.0);
	put_number(rows, key);
}

static void
put_name(struct rows *rows, struct str name, bool is_there)
{
	if (!rows->summary->set->json) {
		buf_visible(&rows->text, name, BUF_MARK, BUF_MOST);
		put_cell(rows, "name", buf_view(&rows->text));
		buf_clear(&rows->text);
	} else if (is_there) {
		json_str(&rows->row, "name", name);
	}
}

/* Adds the fields of MEASURE that compare two columns; empty ones without WEIGHT. */
static void
put_change(struct rows *rows, const char *measure, const uint64_t *weight)
{
	const struct report *s = rows->summary;
	struct report_change change = { .points = 0 };
	char key[32];
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		put_weight(rows, make_key(key, measure, "", ending(s, c)),
			weight ? &weight[c] : NULL);
	for (c = 0; c < TREE_COLUMNS; c++)
		put_percent(rows, make_key(key, measure, "_percent", ending(s, c)),
			weight ? report_share(s, weight[c], c) : 0, weight != NULL);
	if (weight)
		change = report_compare(s, weight);
	put_percent(rows, make_key(key, measure, "_change", ""), change.points,
		weight != NULL);
	put_percent(rows, make_key(key, measure, "_error", ""), change.error,
		weight && report_has_error(s));
	put_percent(rows, make_key(key, measure, "_ratio", ""), change.ratio,
		weight && weight[report_is_ratio(s)]);
	if (weight && s->tests)
		buf_str(&rows->text, change.is_clear ? STR("true") : STR("false"));
	if (s->tests)
		put_number(rows, make_key(key, measure, "_significant", ""));
}

/* Adds the fields of MEASURE; empty ones without WEIGHT. */
static void
put_measure(struct rows *rows, const char *measure, const uint64_t *weight)
{
	const struct report *s = rows->summary;
	uint64_t w = weight ? weight[0] : 0;
	char key[32];

	if (report_is_diff(s)) {
		put_change(rows, measure, weight);
		return;
	}
	put_weight(rows, measure, weight);
	put_percent(rows, make_key(key, measure, "_percent", ""), report_share(s, w, 0),
		weight != NULL);
	put_percent(rows, make_key(key, measure, "_error", ""), report_error(s, w, 0),
		weight && report_has_error(s));
}

static void
write_functions(struct rows *rows)
{
	const struct report *s = rows->summary;
	const struct report_function *f;

	for (f = s->functions; f < s->functions + s->shown; f++) {
		begin_row(rows);
		put_measure(rows, "self", f->self);
		put_measure(rows, "total", f->total);
		put_name(rows, intern_str(&s->tree->names, f->name), true);
		end_row(rows);
	}
}

static void
write_tree(struct rows *rows, struct calltree *ct)
{
	struct calltree_row row;
	bool weighs;

	while (calltree_next(ct, &row)) {
		weighs = row.total[0] || row.total[1];
		begin_row(rows);
		put_count(rows, "depth", row.depth, true);
		put_count(rows, "hidden", row.hidden, row.hidden > 0);
		put_measure(rows, "total", weighs ? row.total : NULL);
		if (rows->summary->set->kind != REPORT_CALLERS)
			put_measure(rows, "self", row.hidden ? NULL : row.self);
		put_name(rows, row.name, !row.hidden);
		end_row(rows);
	}
}

/* Adds what a column as a whole has. */
static void
put_whole(struct rows *rows, int column, const char *of)
{
	const struct report *s = rows->summary;
	char key[32];

	put_count(rows, make_key(key, "samples", of, ""), stats_count(s->samples[column]),
		s->samples[column] > 0);
	put_weight(rows, make_key(key, "total", of, ""), &s->tree->sum[column]);
}

/* Begins the object of all in JSON. */
static void
begin_json(struct rows *rows)
{
	static const char *const kinds[] = { [REPORT_TOP] = "functions",
		[REPORT_TREE] = "tree",
		[REPORT_CALLERS] = "callers",
		[REPORT_CALLEES] = "callees" };
	const struct report *s = rows->summary;
	struct str event = folded_info_get(s->info, "event"),
		   stacks = folded_info_get(s->info, "stacks");
	struct quality quality;
	int c;

	json_begin(&rows->row, NULL);
	json_str(&rows->row, "report", str_of(kinds[s->set->kind]));
	if (event.n)
		json_str(&rows->row, "event", event);
	json_str(&rows->row, "unit", s->unit);
	if (quality_read(&quality, stacks))
		json_str(&rows->row, "stacks", stacks);
	if (report_is_ratio(s)) {
		json_array(&rows->row, "columns");
		for (c = 0; c < s->tree->columns; c++)
			json_element_str(&rows->row, s->ratio[c]);
		json_array_end(&rows->row);
	}
	for (c = 0; c < s->tree->columns; c++)
		put_whole(rows, c, ending(s, c));
	json_u64(&rows->row, "functions", s->n);
	if (s->set->kind == REPORT_TOP)
		json_u64(&rows->row, "left_out", s->n - s->shown);
	json_array(&rows->row, "rows");
	output_str(rows->out, buf_view(&rows->row));
	buf_clear(&rows->row);
}

void
report_write_data(struct output *out, const struct report *s, struct calltree *ct)
{
	struct rows rows = { .out = out, .summary = s };

	if (s->set->json)
		begin_json(&rows);
	if (ct)
		write_tree(&rows, ct);
	else
		write_functions(&rows);
	if (s->set->json)
		output_str(out, STR("\n]}\n"));
	buf_release(&rows.row);
	buf_release(&rows.heads);
	buf_release(&rows.text);
}
