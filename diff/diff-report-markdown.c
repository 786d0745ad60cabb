/* SPDX-License-Identifier: ISC */
/* A verdict to paste into a pull request, in GitHub's Markdown; see diff-report.h. */
#include "diff-report.h"

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
put_name(struct buf *b, const struct compare *c, struct metric f)
{
	struct buf name = { 0 };

	diff_report_put_name(&name, c, f);
	put_code(b, buf_view(&name));
	buf_release(&name);
}

static void
put_row(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	buf_str(b, STR("| "));
	put_name(b, c, g->figure);
	buf_fmt(b, " | %s | ", diff_report_kind(g));
	diff_report_put_share(b, g->share[COMPARE_BEFORE]);
	buf_str(b, STR(" | "));
	diff_report_put_share(b, g->share[COMPARE_AFTER]);
	buf_str(b, STR(" | **"));
	diff_report_put_change(b, g->change);
	buf_str(b, STR("** | "));
	diff_report_put_ratio(b, g);
	buf_str(b, STR(" | "));
	diff_report_put_interval(b, g);
	buf_str(b, STR(" | "));
	diff_report_put_p(b, g->p);
	buf_str(b, STR(" |\n"));
}

static void
put_table(struct buf *b, const struct diff_report *v, bool paths)
{
	const struct compare *c = v->compare;
	const struct compare_change *g = NULL;
	size_t n = diff_report_count(c, paths), shown = 0;

	buf_fmt(b,
		"| %s | weight | before | after | points | ratio | %.4g %% interval | p |\n",
		paths ? "path" : "function", c->options->confidence * 100);
	buf_str(b, STR("|---|---|---:|---:|---:|---:|---:|---:|\n"));
	while ((!v->top || shown < v->top) && (g = diff_report_next(c, paths, g))) {
		put_row(b, c, g);
		shown++;
	}
	if (shown < n)
		buf_fmt(b, "\nand %zu more\n", n - shown);
}

static void
put_sides(struct buf *b, const struct diff_report *v)
{
	struct buf text = { 0 };
	int i;

	buf_str(b, STR("| | profile | total | samples |\n|---|---|---:|---:|\n"));
	for (i = 0; i < COMPARE_SIDES; i++) {
		buf_clear(&text);
		diff_report_put_files(&text, v, i);
		buf_str(b, i ? STR("| after | ") : STR("| before | "));
		put_code(b, buf_view(&text));
		buf_str(b, STR(" | "));
		buf_clear(&text);
		diff_report_put_total(&text, v->compare, i);
		put_sentence(b, buf_view(&text));
		buf_str(b, STR(" | "));
		diff_report_put_samples(b, v->compare, i);
		buf_str(b, STR(" |\n"));
	}
	buf_release(&text);
}

static void
put_gate(struct buf *b, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	const struct compare_change *g = NULL;

	buf_str(b, c->failed ? STR("**Failed:** ") : STR("**Passed:** "));
	diff_report_put_answer(b, c);
	buf_str(b, STR(".\n\n"));
	while ((g = diff_report_next_failed(c, g))) {
		buf_str(b, STR("- "));
		put_name(b, c, g->figure);
		buf_fmt(b, " (%s): ", diff_report_kind(g));
		diff_report_put_change(b, g->change);
		buf_str(b, STR(" points, from "));
		diff_report_put_share(b, g->share[COMPARE_BEFORE]);
		buf_str(b, STR(" to "));
		diff_report_put_share(b, g->share[COMPARE_AFTER]);
		buf_char(b, '\n');
	}
	if (c->failed)
		buf_char(b, '\n');
}

static void
put_notes(struct buf *b, const struct compare *c)
{
	struct buf norm = { 0 };

	diff_report_put_norm(&norm, c);
	buf_str(b, STR("\nNorm: "));
	put_sentence(b, buf_view(&norm));
	buf_release(&norm);
	buf_str(b, STR(". Tests: "));
	diff_report_put_tests(b, c);
	buf_str(b, STR(".\n"));
	if (diff_report_is_soft(c))
		buf_str(b, STR("**Few samples:** only large changes can be seen.\n"));
}

void
diff_report_write_markdown(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	size_t functions = diff_report_count(c, false),
	       paths = diff_report_count(c, true);
	struct buf b = { 0 };

	buf_str(&b, STR("### Profiles compared\n\n"));
	if (c->options->gate)
		put_gate(&b, v);
	put_sides(&b, v);
	put_notes(&b, c);
	buf_char(&b, '\n');
	if (functions)
		put_table(&b, v, false);
	else
		buf_str(&b, STR("No function changed other than by chance.\n"));
	if (paths) {
		buf_fmt(&b, "\n<details><summary>Paths that changed: %zu</summary>\n\n",
			paths);
		put_table(&b, v, true);
		buf_str(&b, STR("\n</details>\n"));
	}
	output_str(out, buf_view(&b));
	buf_release(&b);
}
