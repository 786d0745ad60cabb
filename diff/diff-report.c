/* SPDX-License-Identifier: ISC */
/*
 * What a comparison came to, as text, Markdown or JSON; see diff-report.h. First the words and
 * numbers that all forms share: shares are percent here, a change of one is points.
 */
#include "diff-report.h"
#include "json.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>

bool
diff_report_is_soft(const struct compare *c)
{
	double a = c->side[0].samples, b = c->side[1].samples;

	return !c->options->exact && a > 0 && b > 0 && fmin(a, b) < STATS_SOFT;
}

/* "total", "self", or "total, self" where that is one. */
static const char *
weight_kind(const struct compare_change *g)
{
	if (g->self_is_it)
		return "total, self";
	return g->metric.is_self ? "self" : "total";
}

/* "new", "gone" or "changed". */
static const char *
status_of(const struct compare_change *g)
{
	if (g->weight[COMPARE_BEFORE])
		return g->weight[COMPARE_AFTER] ? "changed" : "gone";
	return "new";
}

/* The changes of paths, or of functions, that say something of their own; NULL behind
 * the last. G is the one before, or NULL. */
static const struct compare_change *
next_change(const struct compare *c, bool paths, const struct compare_change *g)
{
	for (g = g ? g + 1 : c->changes; g < c->changes + c->n; g++)
		if (g->metric.is_path == paths && !g->is_repeat)
			return g;
	return NULL;
}

static size_t
count_changes(const struct compare *c, bool paths)
{
	const struct compare_change *g = NULL;
	size_t n = 0;

	while ((g = next_change(c, paths, g)))
		n++;
	return n;
}

/* The same of changes that failed the gate; a path that failed as its function did is left out. */
static const struct compare_change *
next_failed(const struct compare *c, const struct compare_change *g)
{
	for (g = g ? g + 1 : c->changes; g < c->changes + c->n; g++)
		if (g->failed && !g->is_repeat && !g->is_echo)
			return g;
	return NULL;
}

/* Adds TEXT, which comes from an input, as a person may read it: see buf_visible. */
static void
put_visible(struct buf *b, struct str text)
{
	buf_visible(b, text, BUF_MARK, BUF_MOST);
}

/* Adds the name of what F is of. */
static void
put_name(struct buf *b, const struct compare *c, struct metric f)
{
	struct buf name = { 0 };

	compare_put_name(&name, &c->tree, f);
	put_visible(b, buf_view(&name));
	buf_release(&name);
}

/* Adds the names of the files of SIDE. */
static void
put_files(struct buf *b, const struct diff_report *v, int side)
{
	size_t i;

	for (i = 0; i < v->files[side]; i++) {
		if (i)
			buf_str(b, STR(", "));
		put_visible(b, str_of(v->file[side][i]));
	}
}

/* Adds the total weight of SIDE. */
static void
put_total(struct buf *b, const struct compare *c, int side)
{
	struct str unit = folded_info_get(&c->side[side].info, "unit");
	struct buf total = { 0 };

	if (unit.n)
		units_put(&total, c->tree.sum[side], c->tree.scale, 1, unit);
	else
		units_put_cell(&total, c->tree.sum[side], c->tree.scale, unit);
	put_visible(b, buf_view(&total));
	buf_release(&total);
}

void
diff_report_put_samples(struct buf *b, const struct compare *c, int side)
{
	double samples = c->side[side].samples;

	if (samples > 0)
		units_put_count(b, stats_count(samples));
	else
		buf_str(b, STR("unknown"));
}

/* Adds a sentence on what shares are of, without a full stop. */
static void
put_norm(struct buf *b, const struct compare *c)
{
	switch (c->options->norms.norm) {
	case SIGNIFICANCE_TOTAL:
		buf_str(b, STR("total: shares are of the total of each side"));
		break;
	case SIGNIFICANCE_FRAME:
		buf_str(b, STR("shares are of "));
		put_visible(b, c->options->norms.frame);
		buf_str(b, STR(" on each side"));
		break;
	case SIGNIFICANCE_NONE:
		buf_str(b, STR("none: shares are of the total before"));
		break;
	}
}

/* Adds one on the tests. */
static void
put_tests(struct buf *b, const struct compare *c)
{
	if (c->options->exact) {
		buf_str(b, STR("none: the weights are exact"));
		return;
	}
	units_put_count(b, c->tested);
	buf_str(b, STR(" of "));
	units_put_count(b, c->metrics);
	buf_fmt(b,
		" figure%s at confidence %.10g, %s, adjusted by Benjamini and Hochberg",
		msg_s(c->metrics), c->options->confidence,
		c->several ? "by the spread between runs" : "by the number of samples");
}

/* The limit of the gate as it was asked for. */
static void
put_limit(struct buf *b, const struct compare_options *o)
{
	buf_fmt(b, "%.6g %s", o->limit * 100,
		o->relative		   ? "%"
			: o->limit == 0.01 ? "point"
					   : "points");
}

static void
put_frames(struct buf *b, size_t n)
{
	units_put_count(b, n);
	buf_str(b, n == 1 ? STR(" frame") : STR(" frames"));
}

/* Adds the answer of the gate: what has grown more than it allows is counted. */
static void
put_answer(struct buf *b, const struct compare *c)
{
	const struct compare_change *g = NULL;
	size_t n = 0;

	while ((g = next_failed(c, g)))
		n++;
	if (n)
		put_frames(b, n);
	else
		buf_str(b, STR("no frame"));
	buf_str(b,
		c->options->exact ? STR(" grew by more than ")
				  : STR(" grew significantly by more than "));
	put_limit(b, c->options);
}

static void
put_share(struct buf *b, double share)
{
	buf_fmt(b, "%.2f %%", share * 100);
}

static void
put_change(struct buf *b, double change)
{
	buf_fmt(b, "%+.2f", change * 100);
}

/* Adds by how much G grew: "parse (total) grew by 6 points, from 12 % to 18 %". */
static void
put_growth(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	put_name(b, c, g->metric);
	buf_fmt(b, " (%s) grew by ", weight_kind(g));
	if (c->options->relative && g->share[COMPARE_BEFORE] > 0)
		buf_fmt(b, "%.2f %%", g->change / g->share[COMPARE_BEFORE] * 100);
	else
		buf_fmt(b, "%.2f points", g->change * 100);
	buf_str(b, STR(", from "));
	put_share(b, g->share[COMPARE_BEFORE]);
	buf_str(b, STR(" to "));
	put_share(b, g->share[COMPARE_AFTER]);
}

static void
put_ratio(struct buf *b, const struct compare_change *g)
{
	if (g->weight[COMPARE_BEFORE] && g->weight[COMPARE_AFTER])
		buf_fmt(b, "%.2f", g->share[COMPARE_AFTER] / g->share[COMPARE_BEFORE]);
	else
		buf_str(b, str_of(status_of(g)));
}

static void
put_interval(struct buf *b, const struct compare_change *g)
{
	put_change(b, g->interval.low);
	buf_str(b, STR(" .. "));
	put_change(b, g->interval.high);
}

static void
put_p(struct buf *b, double p)
{
	if (p < 1e-99)
		buf_str(b, STR("<1e-99"));
	else
		buf_fmt(b, p < 1e-4 ? "%.0e" : "%.2g", p);
}

/* For a terminal or a log. */

enum { COLUMNS = 6 };

/* Adds the text between FROM and the end of B again, right-aligned to WIDTH. */
static void
align(struct buf *b, size_t from, size_t width)
{
	size_t n = b->n - from, more = n < width ? width - n : 0;

	memset(buf_room(b, more), ' ', more);
	memmove(b->s + from + more, b->s + from, n);
	memset(b->s + from, ' ', more);
	b->n += more;
}

static void
put_text_row(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	static const size_t width[COLUMNS] = { 9, 11, 10, 9, 21, 9 };
	size_t i, from;

	for (i = 0; i < COLUMNS; i++) {
		from = b->n;
		switch (i) {
		case 0: put_share(b, g->share[COMPARE_BEFORE]); break;
		case 1: put_share(b, g->share[COMPARE_AFTER]); break;
		case 2: put_change(b, g->change); break;
		case 3: put_ratio(b, g); break;
		case 4: put_interval(b, g); break;
		default: put_p(b, g->p); break;
		}
		align(b, from, width[i]);
	}
	buf_fmt(b, "  %-11s  ", weight_kind(g));
	put_name(b, c, g->metric);
	buf_char(b, '\n');
}

static void
write_text_table(struct output *out, const struct diff_report *v, bool paths)
{
	const struct compare *c = v->compare;
	size_t n = count_changes(c, paths), shown = 0;
	const struct compare_change *g = NULL;
	struct buf b = { 0 };

	output_fmt(out, "\n%s that changed: %zu\n", paths ? "paths" : "functions", n);
	if (!n)
		return;
	buf_fmt(&b, "%.4g %% interval", c->options->confidence * 100);
	align(&b, 0, 21);
	output_fmt(out, "%9s%11s%10s%9s%s%9s  %-11s  %s\n", "before", "after", "points",
		"ratio", buf_cstr(&b), "p", "weight", paths ? "path" : "function");
	while ((!v->top || shown < v->top) && (g = next_change(c, paths, g))) {
		buf_clear(&b);
		put_text_row(&b, c, g);
		output_str(out, buf_view(&b));
		shown++;
	}
	if (shown < n)
		output_fmt(out, "and %zu more\n", n - shown);
	buf_release(&b);
}

static void
put_text_side(struct buf *b, const struct diff_report *v, int side)
{
	const struct compare *c = v->compare;

	buf_str(b, side ? STR("after:  ") : STR("before: "));
	put_files(b, v, side);
	buf_str(b, STR(": total "));
	put_total(b, c, side);
	if (!c->options->exact) {
		buf_str(b, STR(", samples "));
		diff_report_put_samples(b, c, side);
	}
	buf_char(b, '\n');
}

static void
put_text_gate(struct buf *b, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	const struct compare_change *g = NULL;

	buf_str(b, c->failed ? STR("\nFAILED: ") : STR("\npassed: "));
	put_answer(b, c);
	buf_char(b, '\n');
	while ((g = next_failed(c, g))) {
		buf_str(b, STR("  "));
		put_growth(b, c, g);
		buf_char(b, '\n');
	}
}

void
diff_report_write_text(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	struct buf b = { 0 };

	put_text_side(&b, v, COMPARE_BEFORE);
	put_text_side(&b, v, COMPARE_AFTER);
	buf_str(&b, STR("norm:   "));
	put_norm(&b, c);
	buf_str(&b, STR("\ntests:  "));
	put_tests(&b, c);
	buf_char(&b, '\n');
	if (diff_report_is_soft(c))
		buf_str(&b,
			STR("note:   few samples: only large changes can be detected\n"));
	output_str(out, buf_view(&b));
	write_text_table(out, v, false);
	write_text_table(out, v, true);
	buf_clear(&b);
	if (c->options->gate)
		put_text_gate(&b, v);
	output_str(out, buf_view(&b));
	buf_release(&b);
}

/* To paste into a pull request, in GitHub's Markdown. */

/* Adds TEXT as code within a table: between more backquotes than it has in a row, and with
 * bars that end no cell. */
static void
put_code(struct buf *b, struct str text)
{
	size_t i, row = 0, longest = 0;

	/* Two backquotes alone would begin code. */
	if (!text.n)
		text = STR("\"\"");
	for (i = 0; i < text.n; i++) {
		row = text.s[i] == '`' ? row + 1 : 0;
		longest = row > longest ? row : longest;
	}
	for (i = 0; i <= longest; i++)
		buf_char(b, '`');
	if (longest)
		buf_char(b, ' ');
	for (i = 0; i < text.n; i++) {
		if (text.s[i] == '|')
			buf_char(b, '\\');
		buf_char(b, text.s[i]);
	}
	if (longest)
		buf_char(b, ' ');
	for (i = 0; i <= longest; i++)
		buf_char(b, '`');
}

/* Whether TEXT means to Markdown, GitHub's links of words included, no more than it says. */
static bool
is_plain(struct str text)
{
	size_t i;
	char c;

	for (i = 0; i < text.n; i++) {
		c = text.s[i];
		if (c == '.' && i + 1 < text.n && str_is_digit(text.s[i + 1]))
			continue;
		if (!str_is_digit(c) && !(c >= 'a' && c <= 'z') &&
			!(c >= 'A' && c <= 'Z') && !memchr(" ,:%", c, 4))
			return false;
	}
	return true;
}

/* Adds a sentence, as code where words of the input in it could be more than words. */
static void
put_sentence(struct buf *b, struct str text)
{
	if (is_plain(text))
		buf_str(b, text);
	else
		put_code(b, text);
}

static void
put_code_name(struct buf *b, const struct compare *c, struct metric f)
{
	struct buf name = { 0 };

	put_name(&name, c, f);
	put_code(b, buf_view(&name));
	buf_release(&name);
}

static void
put_markdown_row(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	buf_str(b, STR("| "));
	put_code_name(b, c, g->metric);
	buf_fmt(b, " | %s | ", weight_kind(g));
	put_share(b, g->share[COMPARE_BEFORE]);
	buf_str(b, STR(" | "));
	put_share(b, g->share[COMPARE_AFTER]);
	buf_str(b, STR(" | **"));
	put_change(b, g->change);
	buf_str(b, STR("** | "));
	put_ratio(b, g);
	buf_str(b, STR(" | "));
	put_interval(b, g);
	buf_str(b, STR(" | "));
	put_p(b, g->p);
	buf_str(b, STR(" |\n"));
}

static void
put_markdown_table(struct buf *b, const struct diff_report *v, bool paths)
{
	const struct compare *c = v->compare;
	const struct compare_change *g = NULL;
	size_t n = count_changes(c, paths), shown = 0;

	buf_fmt(b,
		"| %s | weight | before | after | points | ratio | %.4g %% interval | p |\n",
		paths ? "path" : "function", c->options->confidence * 100);
	buf_str(b, STR("|---|---|---:|---:|---:|---:|---:|---:|\n"));
	while ((!v->top || shown < v->top) && (g = next_change(c, paths, g))) {
		put_markdown_row(b, c, g);
		shown++;
	}
	if (shown < n)
		buf_fmt(b, "\nand %zu more\n", n - shown);
}

static void
put_markdown_sides(struct buf *b, const struct diff_report *v)
{
	struct buf text = { 0 };
	int i;

	buf_str(b, STR("| | profile | total | samples |\n|---|---|---:|---:|\n"));
	for (i = 0; i < COMPARE_SIDES; i++) {
		buf_clear(&text);
		put_files(&text, v, i);
		buf_str(b, i ? STR("| after | ") : STR("| before | "));
		put_code(b, buf_view(&text));
		buf_str(b, STR(" | "));
		buf_clear(&text);
		put_total(&text, v->compare, i);
		put_sentence(b, buf_view(&text));
		buf_str(b, STR(" | "));
		diff_report_put_samples(b, v->compare, i);
		buf_str(b, STR(" |\n"));
	}
	buf_release(&text);
}

static void
put_markdown_gate(struct buf *b, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	const struct compare_change *g = NULL;

	buf_str(b, c->failed ? STR("**Failed:** ") : STR("**Passed:** "));
	put_answer(b, c);
	buf_str(b, STR(".\n\n"));
	while ((g = next_failed(c, g))) {
		buf_str(b, STR("- "));
		put_code_name(b, c, g->metric);
		buf_fmt(b, " (%s): ", weight_kind(g));
		put_change(b, g->change);
		buf_str(b, STR(" points, from "));
		put_share(b, g->share[COMPARE_BEFORE]);
		buf_str(b, STR(" to "));
		put_share(b, g->share[COMPARE_AFTER]);
		buf_char(b, '\n');
	}
	if (c->failed)
		buf_char(b, '\n');
}

static void
put_markdown_notes(struct buf *b, const struct compare *c)
{
	struct buf norm = { 0 };

	put_norm(&norm, c);
	buf_str(b, STR("\nNorm: "));
	put_sentence(b, buf_view(&norm));
	buf_release(&norm);
	buf_str(b, STR(". Tests: "));
	put_tests(b, c);
	buf_str(b, STR(".\n"));
	if (diff_report_is_soft(c))
		buf_str(b, STR("**Few samples:** only large changes can be detected.\n"));
}

void
diff_report_write_markdown(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	size_t functions = count_changes(c, false), paths = count_changes(c, true);
	struct buf b = { 0 };

	buf_str(&b, STR("### Profiles compared\n\n"));
	if (c->options->gate)
		put_markdown_gate(&b, v);
	put_markdown_sides(&b, v);
	put_markdown_notes(&b, c);
	buf_char(&b, '\n');
	if (functions)
		put_markdown_table(&b, v, false);
	else
		buf_str(&b, STR("No function changed significantly.\n"));
	if (paths) {
		buf_fmt(&b, "\n<details><summary>Paths that changed: %zu</summary>\n\n",
			paths);
		put_markdown_table(&b, v, true);
		buf_str(&b, STR("\n</details>\n"));
	}
	output_str(out, buf_view(&b));
	buf_release(&b);
}

/* For scripts; fg-diff(1) says what the keys are. */

static void
put_json_weight(struct buf *b, const char *key, const struct compare *c, uint64_t weight)
{
	struct buf digits = { 0 };

	weight_put_scaled(&digits, weight, c->tree.scale);
	json_number(b, key, buf_view(&digits));
	buf_release(&digits);
}

static void
put_json_side(struct buf *b, const struct diff_report *v, int side)
{
	const struct compare *c = v->compare;
	struct str unit = folded_info_get(&c->side[side].info, "unit");
	size_t i;

	json_begin(b, side ? "after" : "before");
	json_array(b, "files");
	for (i = 0; i < v->files[side]; i++)
		json_element_str(b, str_of(v->file[side][i]));
	json_array_end(b);
	put_json_weight(b, "total", c, c->tree.sum[side]);
	if (unit.n)
		json_str(b, "unit", unit);
	if (c->side[side].samples > 0)
		json_u64(b, "samples", stats_count(c->side[side].samples));
	json_end(b);
}

/* The norm: none, total, or frame and its name. */
static void
put_json_norm(struct buf *b, const struct compare_options *o)
{
	static const char *const name[] = { "none", "total", "frame" };

	json_str(b, "norm", str_of(name[o->norms.norm]));
	if (o->norms.norm == SIGNIFICANCE_FRAME)
		json_str(b, "frame", o->norms.frame);
}

/* One side of a change. */
static void
put_json_share(
	struct buf *b, const struct compare *c, const struct compare_change *g, int side)
{
	json_begin(b, side ? "after" : "before");
	put_json_weight(b, "weight", c, g->weight[side]);
	json_double(b, "share", g->share[side] * 100);
	json_end(b);
}

static void
put_json_change(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	struct buf name = { 0 };

	compare_put_name(&name, &c->tree, g->metric);
	json_element_begin(b);
	json_str(b, "kind", g->metric.is_path ? STR("path") : STR("function"));
	json_str(b, "name", buf_view(&name));
	json_str(b, "figure", g->metric.is_self ? STR("self") : STR("total"));
	json_str(b, "status", str_of(status_of(g)));
	put_json_share(b, c, g, COMPARE_BEFORE);
	put_json_share(b, c, g, COMPARE_AFTER);
	json_double(b, "points", g->change * 100);
	if (g->weight[COMPARE_BEFORE])
		json_double(
			b, "ratio", g->share[COMPARE_AFTER] / g->share[COMPARE_BEFORE]);
	if (isfinite(g->interval.low) && isfinite(g->interval.high)) {
		json_double(b, "low", g->interval.low * 100);
		json_double(b, "high", g->interval.high * 100);
	}
	json_double(b, "p", g->p);
	json_bool(b, "failed", g->failed);
	json_end(b);
	buf_release(&name);
}

static void
put_json_gate(struct buf *b, const struct compare *c)
{
	json_begin(b, "gate");
	json_double(b, "limit", c->options->limit * 100);
	json_bool(b, "relative", c->options->relative);
	json_bool(b, "passed", !c->failed);
	json_end(b);
}

void
diff_report_write_json(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	struct buf b = { 0 };
	size_t i;

	json_begin(&b, NULL);
	put_json_side(&b, v, COMPARE_BEFORE);
	put_json_side(&b, v, COMPARE_AFTER);
	put_json_norm(&b, c->options);
	json_double(&b, "confidence", c->options->confidence);
	json_bool(&b, "exact", c->options->exact);
	json_u64(&b, "figures", c->metrics);
	json_u64(&b, "tested", c->tested);
	json_bool(&b, "few_samples", diff_report_is_soft(c));
	if (c->options->gate)
		put_json_gate(&b, c);
	json_array(&b, "changes");
	for (i = 0; i < c->n; i++)
		put_json_change(&b, c, &c->changes[i]);
	json_array_end(&b);
	json_end(&b);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&b);
}
