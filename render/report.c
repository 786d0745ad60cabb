/* SPDX-License-Identifier: ISC */
/* The data of a report, and its output for scripts; see report.h. */
#include "report.h"
#include "cell.h"
#include "calltree.h"
#include "json.h"
#include "mem.h"
#include "quality.h"
#include "stats.h"

#include <math.h>

/* Half of a 95 % confidence interval, in standard errors. */
static const double CONFIDENCE = 1.96;

static bool
has_weight(const struct report *s, const struct report_function *f)
{
	int c;

	for (c = 0; c < s->tree->columns; c++)
		if (f->total[c])
			return true;
	return false;
}

/* Adds up the places of each name. */
static void
sum_functions(struct report *s)
{
	const struct tree *t = s->tree;
	struct report_function *f;
	uint32_t i, node;
	int c;

	s->functions = mem_zero(t->names.n, sizeof *s->functions);
	for (i = 0; i < s->walk.n; i++) {
		node = s->walk.node[i];
		if (s->walk.depth[i] <= s->lead)
			continue;
		f = &s->functions[t->nodes[node].name];
		for (c = 0; c < t->columns; c++) {
			f->self[c] += t->self[c][node];
			f->total[c] += s->outermost[node] ? s->totals[c][node] : 0;
		}
	}
	for (i = 0; i < t->names.n; i++) {
		f = &s->functions[i];
		f->name = i;
		if (has_weight(s, f))
			s->functions[s->n++] = *f;
	}
}

/* Tests the changes between two columns. */
static void
find_changes(struct report *s)
{
	struct str names = folded_info_get(s->info, "ratio");

	s->ratio[0] = str_cut(&names, ',');
	s->ratio[1] = names;
	if (report_is_ratio(s))
		return;
	tested_init(&s->tested, s->tree, s->lead, s->info, 0);
	s->tests = s->tested.kind != TESTED_UNKNOWN;
}

void
report_init(struct report *s, const struct report_settings *set,
	const struct profile *profile)
{
	const struct folded_info *info = &profile->info;
	const struct tree *t = &profile->tree;
	int c;

	*s = (struct report){ .set = set, .tree = t, .info = info };
	s->unit = folded_info_unit(info);
	s->lead = profile->by.now.n;
	tree_walk_init(&s->walk, t, TREE_AS_ADDED);
	for (c = 0; c < t->columns; c++) {
		s->totals[c] = tree_totals(t, c);
		s->samples[c] = (double)folded_info_samples(info, t, c);
	}
	s->outermost = tree_outermost(t, &s->walk, s->lead);
	sum_functions(s);
	if (report_is_diff(s))
		find_changes(s);
}

void
report_release(struct report *s)
{
	int c;

	tree_walk_release(&s->walk);
	for (c = 0; c < TREE_COLUMNS; c++)
		free(s->totals[c]);
	free(s->outermost);
	free(s->functions);
	tested_release(&s->tested);
	*s = (struct report){ .set = NULL };
}

bool
report_is_diff(const struct report *s)
{
	return s->tree->columns > 1;
}

bool
report_is_ratio(const struct report *s)
{
	return report_is_diff(s) && s->ratio[1].n > 0;
}

struct str
report_side(const struct report *s, int column)
{
	enum { FEW = 20 };

	if (report_is_ratio(s) && s->ratio[column].n && s->ratio[column].n <= FEW)
		return s->ratio[column];
	if (report_is_ratio(s))
		return column ? STR("second") : STR("first");
	return column ? STR("after") : STR("before");
}

bool
report_has_error(const struct report *s)
{
	return s->samples[0] > 0 && (!report_is_diff(s) || s->samples[1] > 0);
}

double
report_share(const struct report *s, uint64_t weight, int column)
{
	uint64_t whole = s->tree->sum[column];

	return whole ? 100 * ((double)weight / (double)whole) : 0;
}

double
report_error(const struct report *s, uint64_t weight, int column)
{
	double samples = s->samples[column],
	       share = report_share(s, weight, column) / 100;

	if (samples <= 0)
		return 0;
	return 100 * CONFIDENCE * stats_share_error(share * samples, samples);
}

struct report_part
report_part(const struct report *s, uint32_t name, bool self, const uint64_t *weight)
{
	size_t names = s->tree->names.n;

	if (name >= names)
		return (struct report_part){ SIZE_MAX, weight };
	return (struct report_part){ self ? names + name : name, weight };
}

/* Half the width of the confidence interval of the difference of two shares, in percentage
 * points. */
static double
change_error(const struct report *s, struct report_part part)
{
	struct significance_finding f;
	double squares = 0, share;
	int c;

	if (s->tested.kind != TESTED_KNOWN || part.metric == SIZE_MAX)
		return hypot(report_error(s, part.weight[0], 0),
			report_error(s, part.weight[1], 1));
	f = tested_judge(&s->tested, part.metric, part.weight);
	for (c = 0; c < TREE_COLUMNS; c++) {
		share = report_share(s, part.weight[c], c) / 100;
		squares += f.phi * share * (1 - share) / s->samples[c];
	}
	return 100 * sqrt(squares) *
		stats_t_quantile(
			0.5 + s->tested.confidence / 2, s->tested.design.freedom);
}

struct report_change
report_compare(const struct report *s, struct report_part part)
{
	const uint64_t *weight = part.weight;
	double before = report_share(s, weight[0], 0),
	       after = report_share(s, weight[1], 1);
	struct report_change change = { .points = after - before };

	if (report_is_ratio(s)) {
		change.points = before - after;
		change.ratio = weight[1] ? (double)weight[0] / (double)weight[1] : 0;
	} else if (before > 0) {
		change.ratio = after / before;
	}
	if (report_has_error(s))
		change.error = report_is_ratio(s) ? hypot(report_error(s, weight[0], 0),
							    report_error(s, weight[1], 1))
						  : change_error(s, part);
	if (s->tests)
		change.is_clear = part.metric != SIZE_MAX &&
			tested_is_part(&s->tested, part.metric, weight);
	else
		change.is_clear = fabs(change.points) > change.error;
	return change;
}

bool *
report_find_places(const struct report *s, const bool *chosen)
{
	const struct tree *t = s->tree;
	bool *places = mem_zero(t->n, sizeof *places);
	uint32_t i;

	for (i = 1; i < t->n; i++)
		places[i] = s->outermost[i] && chosen[t->nodes[i].name];
	return places;
}

void
report_make_tree(const struct report *s, const bool *places, struct calltree *ct)
{
	struct calltree_limits limits = { .depth = s->set->depth };
	struct calltree_source source = { s->tree, s->totals, places,
		s->set->kind == REPORT_CALLERS };
	int c;

	/* Slightly less, so that rounding does not hide frames of exactly this share. */
	for (c = 0; c < s->tree->columns; c++)
		limits.least[c] = (uint64_t)ceil(fmin(s->set->min_share / 100, 1) *
			(double)s->tree->sum[c] * (1 - 1e-15));
	calltree_init(ct, &source, &limits);
}

/* A function with its sort key. */
struct entry {
	double change;	 /* of two columns, in points, absolute */
	uint64_t first;	 /* the weight in the sort order */
	uint64_t second; /* the other weight, for ties */
	struct str name;
	uint32_t at; /* index in functions */
};

static int
by_weight(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->change > y->change || x->change < y->change)
		return x->change > y->change ? -1 : 1;
	if (x->first != y->first)
		return x->first > y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second > y->second ? -1 : 1;
	return str_cmp(x->name, y->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static struct entry
make_entry(const struct report *s, uint32_t at)
{
	const struct report_function *f = &s->functions[at];
	bool total = s->set->sort == REPORT_BY_TOTAL;
	int last = s->tree->columns - 1;
	struct entry e = { .at = at, .name = intern_str(&s->tree->names, f->name) };

	e.first = total ? f->total[last] : f->self[last];
	e.second = total ? f->self[last] : f->total[last];
	if (report_is_diff(s))
		e.change = fabs(report_compare(
			s, report_part(s, f->name, !total, total ? f->total : f->self))
					.points);
	return e;
}

/* Sifts down entry I of a heap of N, whose top is the last in order. */
static void
sink(struct entry *heap, size_t n, size_t i, int (*order)(const void *, const void *))
{
	struct entry e = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && order(&heap[child], &heap[child + 1]) < 0)
			child++;
		if (order(&heap[child], &e) <= 0)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = e;
}

/* Puts the first WANT functions into BEST, in order. Most functions of a large profile fail the
 * first comparison. */
static void
pick(const struct report *s, struct entry *best, uint32_t want)
{
	int (*order)(const void *, const void *) =
		s->set->sort == REPORT_BY_NAME ? by_name : by_weight;
	struct entry e;
	uint32_t i;
	size_t k;

	for (i = 0; i < want; i++)
		best[i] = make_entry(s, i);
	for (k = want / 2; want < s->n && k-- > 0;)
		sink(best, want, k, order);
	for (; i < s->n; i++) {
		e = make_entry(s, i);
		if (order(&e, &best[0]) >= 0)
			continue;
		best[0] = e;
		sink(best, want, 0, order);
	}
	qsort(best, want, sizeof *best, order);
}

void
report_sort(struct report *s)
{
	uint32_t want = s->set->top && s->set->top < s->n ? (uint32_t)s->set->top : s->n;
	struct entry *best = mem_alloc(want * sizeof *best);
	struct report_function *sorted = mem_alloc(s->n * sizeof *sorted);
	bool *taken = mem_zero(s->n, sizeof *taken);
	uint32_t i, n = want;

	pick(s, best, want);
	for (i = 0; i < want; i++) {
		sorted[i] = s->functions[best[i].at];
		taken[best[i].at] = true;
	}
	for (i = 0; i < s->n; i++)
		if (!taken[i])
			sorted[n++] = s->functions[i];
	s->shown = want;
	free(s->functions);
	s->functions = sorted;
	free(taken);
	free(best);
}

/* For scripts: a JSON object, or TSV with a heading. */

/* The output of rows of fields. The fields of the first row name the columns. */
struct rows {
	struct output *out;
	const struct report *report;
	struct buf row, heads;
	struct buf text; /* work space */
	uint64_t n;	 /* rows written */
};

static const char *const AFTER[] = { "_before", "_after" };
static const char *const TWO[] = { "_first", "_second" };

/* The suffix of COLUMN's keys. */
static const char *
ending(const struct report *s, int column)
{
	if (!report_is_diff(s))
		return "";
	return report_is_ratio(s) ? TWO[column] : AFTER[column];
}

/* Makes the key from MEASURE and WHAT; valid until the next call. */
static const char *
make_key(char key[32], const char *measure, const char *what, const char *of)
{
	snprintf(key, 32, "%s%s%s", measure, what, of);
	return key;
}

static void
begin_row(struct rows *rows)
{
	if (!rows->report->set->json)
		return;
	buf_str(&rows->row, rows->n ? STR(",\n") : STR("\n"));
	json_begin(&rows->row, NULL);
}

static void
end_row(struct rows *rows)
{
	if (rows->report->set->json) {
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

/* Adds the number in rows->text. If that is empty, the cell is empty, or the object lacks the
 * key. */
static void
put_number(struct rows *rows, const char *key)
{
	if (!rows->report->set->json)
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
		weight_put_scaled(&rows->text, *value, rows->report->tree->scale);
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
	if (!rows->report->set->json) {
		cell_put_tsv(&rows->text, name);
		put_cell(rows, "name", buf_view(&rows->text));
		buf_clear(&rows->text);
	} else if (is_there) {
		json_str(&rows->row, "name", name);
	}
}

/* Adds the fields of MEASURE that compare two columns; empty ones without WEIGHT. */
static void
put_change(struct rows *rows, const char *measure, struct report_part part)
{
	const uint64_t *weight = part.weight;
	const struct report *s = rows->report;
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
		change = report_compare(s, part);
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
put_measure(struct rows *rows, const char *measure, struct report_part part)
{
	const uint64_t *weight = part.weight;
	const struct report *s = rows->report;
	uint64_t w = weight ? weight[0] : 0;
	char key[32];

	if (report_is_diff(s)) {
		put_change(rows, measure, part);
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
	const struct report *s = rows->report;
	const struct report_function *f;

	for (f = s->functions; f < s->functions + s->shown; f++) {
		begin_row(rows);
		put_measure(rows, "self", report_part(s, f->name, true, f->self));
		put_measure(rows, "total", report_part(s, f->name, false, f->total));
		put_name(rows, intern_str(&s->tree->names, f->name), true);
		end_row(rows);
	}
}

static void
write_tree(struct rows *rows, struct calltree *ct)
{
	const struct report *s = rows->report;
	struct calltree_row row;
	bool weighs;

	while (calltree_next(ct, &row)) {
		weighs = row.total[0] || row.total[1];
		begin_row(rows);
		put_count(rows, "depth", row.depth, true);
		put_count(rows, "hidden", row.hidden, row.hidden > 0);
		put_measure(rows, "total",
			report_part(s, row.of, false, weighs ? row.total : NULL));
		if (s->set->kind != REPORT_CALLERS)
			put_measure(rows, "self",
				report_part(
					s, row.of, true, row.hidden ? NULL : row.self));
		put_name(rows, row.name, !row.hidden);
		end_row(rows);
	}
}

/* Adds the totals of the columns. */
static void
put_whole(struct rows *rows, int column, const char *of)
{
	const struct report *s = rows->report;
	char key[32];

	put_count(rows, make_key(key, "samples", of, ""), stats_count(s->samples[column]),
		s->samples[column] > 0);
	put_weight(rows, make_key(key, "total", of, ""), &s->tree->sum[column]);
}

/* Begins the top-level JSON object. */
static void
begin_json(struct rows *rows)
{
	static const char *const kinds[] = { [REPORT_TOP] = "functions",
		[REPORT_TREE] = "tree",
		[REPORT_CALLERS] = "callers",
		[REPORT_CALLEES] = "callees" };
	const struct report *s = rows->report;
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
	struct rows rows = { .out = out, .report = s };

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
