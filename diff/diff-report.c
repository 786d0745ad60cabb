/* SPDX-License-Identifier: ISC */
/* Reports a comparison as text, Markdown or JSON; see diff-report.h. */
#include "diff-report.h"
#include "diff-words.h"
#include "json.h"
#include "units.h"

#include <math.h>

/* Widths of names (the least in a row of text, in a verdict, and in Markdown) and of a line. */
enum { NAME_LEAST = 24, NAME_COLUMNS = 32, NAME_MARKDOWN = 60, LINE = 80 };

/* The most callers that are named. */
enum { NAMED = 5 };

void
diff_report_put_samples(struct buf *b, const struct runs *r, int side)
{
	double samples = r->side[side].samples;

	if (samples > 0)
		units_put_count(b, stats_count(samples));
	else
		buf_str(b, STR("unknown"));
}

/* Adds the verdict in one line, as text. */
static void
put_plain_verdict(struct buf *b, const struct compare *c)
{
	struct diff_names names;
	const struct diff_words w = { c, &names, false };

	diff_words_take_names(&names, c, NAME_COLUMNS);
	diff_words_put_verdict(b, &w);
	diff_names_release(&names);
}

void
diff_report_put_findings(struct buf *b, const struct compare *c)
{
	struct diff_names names;
	const struct diff_words w = { c, &names, false };

	diff_words_take_names(&names, c, NAME_COLUMNS);
	diff_words_put_verdict(b, &w);
	if (c->is_known && !c->options->exact) {
		buf_str(b, STR("; could have seen "));
		diff_words_put_powers(b, &w);
	}
	diff_names_release(&names);
}

/* The parts of the report. */

enum part { CAUSES, NEW, REMOVED, RENAMED };

/* Whether ROW belongs to PART. A pair of rows that may be one function appears once, as the removed
 * one. */
static bool
is_of(const struct compare *c, size_t row, enum part part)
{
	const struct compare_row *r = &c->rows[row];

	if (r->renamed != row)
		return part == RENAMED && r->status == COMPARE_REMOVED;
	switch (part) {
	case NEW: return r->status == COMPARE_NEW;
	case REMOVED: return r->status == COMPARE_REMOVED;
	case CAUSES: return r->status == COMPARE_CHANGED && r->cause == row;
	case RENAMED:
	default: return false;
	}
}

/* The next row of PART after ROW, or the first after SIZE_MAX; N if there is none. */
static size_t
next_row(const struct compare *c, enum part part, size_t row)
{
	for (row++; row < c->n && !is_of(c, row, part); row++)
		;
	return row;
}

static size_t
count_rows(const struct compare *c, enum part part)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		n += is_of(c, i, part);
	return n;
}

/* Whether the report shows another row after N rows. */
static bool
has_room(const struct diff_report *v, size_t n)
{
	return !v->top || n < v->top;
}

/* The value that a row shows: the one that changed. */
static const struct compare_value *
value_of(const struct compare_row *r)
{
	return r->total.is_change ? &r->total : &r->self;
}

/* All rows of a table share one format of weights. */
static struct units_form
find_form(const struct compare *c)
{
	double largest = 0;
	size_t i;
	int side;

	for (i = next_row(c, CAUSES, SIZE_MAX); i < c->n; i = next_row(c, CAUSES, i))
		for (side = 0; side < RUNS_SIDES; side++)
			largest = fmax(largest, value_of(&c->rows[i])->weight[side]);
	return diff_words_form(c, largest);
}

/* The callers folded under the cause ROW. */

static void
put_callers(struct buf *b, const struct diff_words *w, size_t row)
{
	const struct compare *c = w->compare;
	double excess = 0;
	size_t i, n = 0;

	for (i = 0; i < c->n; i++) {
		if (c->rows[i].cause != row || i == row ||
			c->rows[i].status != COMPARE_CHANGED)
			continue;
		if (n < NAMED) {
			buf_str(b, n ? STR(", ") : STR("also in: "));
			diff_words_put_name(b, w, c->rows[i].name);
		}
		if (fabs(value_of(&c->rows[i])->excess) > fabs(excess))
			excess = value_of(&c->rows[i])->excess;
		n++;
	}
	if (!n)
		return;
	if (n > NAMED)
		buf_fmt(b, " and %zu more", n - NAMED);
	buf_str(b, n == 1 ? STR(" (") : STR(" (up to "));
	diff_words_put_excess(b, w, excess);
	buf_char(b, ')');
}

/* Adds a line for a removed row and the new one that may be it. */
static void
put_renamed(struct buf *b, const struct diff_words *w, size_t row)
{
	const struct compare *c = w->compare;
	const struct compare_row *r = &c->rows[row], *now = &c->rows[r->renamed];
	struct units_form f = diff_words_form(
		c, fmax(r->total.weight[RUNS_BEFORE], now->total.weight[RUNS_AFTER]));

	diff_words_put_name(b, w, r->name);
	buf_str(b, STR(" -> "));
	diff_words_put_name(b, w, now->name);
	buf_str(b, STR(": "));
	units_put_value(b, r->total.weight[RUNS_BEFORE], &f);
	buf_str(b, STR(" -> "));
	units_put_value(b, now->total.weight[RUNS_AFTER], &f);
	diff_words_put_unit(b, w, &f);
}

/* Adds a line for a row of one side. */
static void
put_lone(struct buf *b, const struct diff_words *w, size_t row)
{
	const struct compare_row *r = &w->compare->rows[row];
	int side = r->status == COMPARE_NEW ? RUNS_AFTER : RUNS_BEFORE;
	struct units_form f = diff_words_form(w->compare, r->total.weight[side]);

	diff_words_put_name(b, w, r->name);
	buf_str(b, STR(": "));
	units_put_value(b, r->total.weight[side], &f);
	diff_words_put_unit(b, w, &f);
	buf_fmt(b, ", %.1f %%", r->share[side] * 100);
	if (r->cause == row)
		return;
	buf_str(b, STR(", by "));
	diff_words_put_name(b, w, w->compare->rows[r->cause].name);
}

/* The command that draws the picture. */

/* Whether the file can be shown by name, and read again. */
static bool
can_quote(struct str path)
{
	struct buf b = { 0 };
	bool same;

	buf_visible(&b, path, BUF_MARK, BUF_MOST);
	same = str_eq(buf_view(&b), path) && !str_eq(path, STR("-"));
	buf_release(&b);
	return same;
}

void
diff_report_put_quoted(struct buf *b, struct str word)
{
	size_t i;

	for (i = 0; i < word.n; i++)
		if (!str_is_word(word.s[i]) && !memchr("./,+=@%:-", word.s[i], 9))
			break;
	if (i == word.n && word.n && !memchr(word.s, '$', word.n)) {
		buf_str(b, word);
		return;
	}
	buf_char(b, '\'');
	for (i = 0; i < word.n; i++) {
		if (word.s[i] == '\'')
			buf_str(b, STR("'\\'"));
		buf_char(b, word.s[i]);
	}
	buf_char(b, '\'');
}

/* Adds PATH, with "./" if it would look like an option. */
static void
put_path(struct buf *b, const char *path)
{
	struct buf word = { 0 };

	buf_str(&word, *path == '-' ? STR("./") : STR(""));
	buf_str(&word, str_of(path));
	buf_char(b, ' ');
	diff_report_put_quoted(b, buf_view(&word));
	buf_release(&word);
}

/* Adds the command, or nothing if the input cannot be read again. */
static void
put_command(struct buf *b, const struct diff_report *v)
{
	static const char *const option[] = { " -a", " -b", " --noise" };
	const struct runs_files *f = v->files;
	bool are_two;
	size_t i;
	int g;

	for (g = 0; g < RUNS_GROUPS; g++)
		for (i = 0; i < f->n[g]; i++)
			if (!can_quote(str_of(f->path[g][i])))
				return;
	if (f->one && !can_quote(str_of(f->one)))
		return;
	buf_str(b, STR("fg-diff"));
	buf_str(b, str_of(v->options));
	if (f->one)
		put_path(b, f->one);
	are_two = f->n[0] == 1 && f->n[1] == 1;
	for (g = 0; g < RUNS_GROUPS && !f->one; g++) {
		if (f->n[g] && (g == RUNS_OLDER || !are_two))
			buf_str(b, str_of(option[g]));
		for (i = 0; i < f->n[g]; i++)
			put_path(b, f->path[g][i]);
	}
	buf_str(b, STR(" | fg-svg > diff.svg"));
}

/* Adds the names of the files of SIDE. */
static void
put_files(
	struct buf *b, const struct diff_report *v, const struct diff_words *w, int side)
{
	struct buf names = { 0 };
	size_t i;

	if (v->files->one)
		buf_str(&names, str_of(v->files->one));
	for (i = 0; i < v->files->n[side]; i++) {
		buf_str(&names, i ? STR(", ") : STR(""));
		buf_str(&names, str_of(v->files->path[side][i]));
	}
	diff_words_put_text(b, w, buf_view(&names));
	buf_release(&names);
}

/* For a terminal or a log. */

enum column { EXCESS, BEFORE, AFTER, SHARE, CHANGE, INTERVAL, COLUMNS };

struct table {
	const struct diff_report *report;
	struct diff_words words;
	struct units_form form;
	size_t width[COLUMNS];
};

static void
put_range(struct buf *b, const struct compare_value *t)
{
	if (!t->is_tested) {
		buf_char(b, '-');
		return;
	}
	diff_words_put_percent(b, t->interval.low);
	buf_str(b, STR(" .. "));
	diff_words_put_percent(b, t->interval.high);
}

/* Adds VALUE as a share of all weight of SIDE. */
static void
put_share(
	struct buf *b, const struct table *t, const struct compare_value *value, int side)
{
	buf_fmt(b, "%.1f",
		100 * value->weight[side] / t->words.compare->total.weight[side]);
}

/* Adds the cell of ROW in COLUMN. */
static void
put_cell(struct buf *b, const struct table *t, size_t row, enum column column)
{
	const struct compare_row *r = &t->words.compare->rows[row];
	const struct compare_value *value = value_of(r);

	switch (column) {
	case EXCESS:
		buf_char(b, r->own_excess < 0 ? '-' : '+');
		units_put_value(b, fabs(r->own_excess), &t->form);
		return;
	case BEFORE: units_put_value(b, value->weight[RUNS_BEFORE], &t->form); return;
	case AFTER: units_put_value(b, value->weight[RUNS_AFTER], &t->form); return;
	case SHARE:
		put_share(b, t, value, RUNS_BEFORE);
		buf_str(b, STR(" -> "));
		put_share(b, t, value, RUNS_AFTER);
		return;
	case CHANGE: diff_words_put_percent(b, value->change); return;
	default: put_range(b, value);
	}
}

/* Right-aligns the text from FROM to the end of B to WIDTH. */
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
put_heading(struct buf *b, const struct table *t, enum column column)
{
	static const char *const heading[] = { "excess", "before", "after", "share",
		"change", NULL };

	if (heading[column])
		buf_str(b, str_of(heading[column]));
	else
		buf_fmt(b, "%.10g %% interval",
			t->words.compare->options->confidence * 100);
}

/* Makes columns as wide as their content. */
static void
find_widths(struct table *t)
{
	const struct compare *c = t->words.compare;
	size_t i, shown, column;
	struct buf b = { 0 };

	for (column = 0; column < COLUMNS; column++) {
		buf_clear(&b);
		put_heading(&b, t, (enum column)column);
		t->width[column] = b.n;
		shown = 0;
		for (i = next_row(c, CAUSES, SIZE_MAX);
			i < c->n && has_room(t->report, shown);
			i = next_row(c, CAUSES, i)) {
			buf_clear(&b);
			put_cell(&b, t, i, (enum column)column);
			t->width[column] =
				b.n > t->width[column] ? b.n : t->width[column];
			shown++;
		}
	}
	buf_release(&b);
}

/* Adds a line that belongs to the row above. */
static void
put_below(struct buf *b, const struct buf *text)
{
	if (!text->n)
		return;
	buf_str(b, STR("        "));
	buf_str(b, buf_view(text));
	buf_char(b, '\n');
}

static void
put_text_row(struct buf *b, const struct table *t, size_t row)
{
	struct buf below = { 0 };
	size_t i, from;

	for (i = 0; i < COLUMNS; i++) {
		buf_str(b, i ? STR("  ") : STR(""));
		from = b->n;
		put_cell(b, t, row, (enum column)i);
		align(b, from, t->width[i]);
	}
	buf_str(b, STR("  "));
	diff_words_put_name(b, &t->words, t->words.compare->rows[row].name);
	buf_char(b, '\n');
	diff_words_put_remark(&below, &t->words, row);
	put_below(b, &below);
	buf_clear(&below);
	put_callers(&below, &t->words, row);
	put_below(b, &below);
	buf_release(&below);
}

static void
put_text_head(struct buf *b, const struct table *t)
{
	struct buf unit = { 0 };
	size_t i, from;

	diff_words_put_unit(&unit, &t->words, &t->form);
	if (unit.n)
		buf_fmt(b, "weights:%s; shares and changes: %%\n", buf_cstr(&unit));
	for (i = 0; i < COLUMNS; i++) {
		buf_str(b, i ? STR("  ") : STR(""));
		from = b->n;
		put_heading(b, t, (enum column)i);
		align(b, from, t->width[i]);
	}
	buf_str(b, STR("  function\n"));
	buf_release(&unit);
}

static void
put_text_table(struct buf *b, struct table *t)
{
	const struct compare *c = t->words.compare;
	size_t i, shown = 0, n = count_rows(c, CAUSES);

	if (!n)
		return;
	find_widths(t);
	buf_char(b, '\n');
	put_text_head(b, t);
	for (i = next_row(c, CAUSES, SIZE_MAX); i < c->n && has_room(t->report, shown);
		i = next_row(c, CAUSES, i)) {
		put_text_row(b, t, i);
		shown++;
	}
	if (shown < n)
		buf_fmt(b, "and %zu more (--top 0 prints all)\n", n - shown);
}

/* Adds the rows of PART after HEADING, each after MARK. */
static void
put_list(struct buf *b, const struct table *t, enum part part, const char *heading,
	const char *mark)
{
	const struct compare *c = t->words.compare;
	size_t i, shown = 0, n = count_rows(c, part);

	if (!n)
		return;
	buf_str(b, str_of(heading));
	for (i = next_row(c, part, SIZE_MAX); i < c->n && has_room(t->report, shown);
		i = next_row(c, part, i)) {
		buf_str(b, str_of(mark));
		if (part == RENAMED)
			put_renamed(b, &t->words, i);
		else
			put_lone(b, &t->words, i);
		buf_char(b, '\n');
		shown++;
	}
	if (shown < n)
		buf_fmt(b, "%sand %zu more\n", mark, n - shown);
}

/* Adds the full names of those that were cut, each after MARK. */
static void
put_whole_names(struct buf *b, const struct diff_words *w, const char *mark)
{
	const struct diff_name *name;

	for (name = w->names->all; name < w->names->all + w->names->n; name++) {
		if (!name->is_cut)
			continue;
		buf_str(b, str_of(mark));
		diff_words_put_text(
			b, w, intern_str(&w->compare->runs->tree.names, name->id));
		buf_char(b, '\n');
	}
}

static bool
has_cut_names(const struct diff_words *w)
{
	const struct diff_name *name;

	for (name = w->names->all; name < w->names->all + w->names->n; name++)
		if (name->is_cut)
			return true;
	return false;
}

static void
put_text_side(
	struct buf *b, const struct diff_report *v, const struct diff_words *w, int side)
{
	static const char *const label[] = { "\nbefore:  ", "after:   ", "noise:   " };
	const struct runs_side *s = &v->compare->runs->side[side];

	if (!s->n)
		return;
	buf_str(b, str_of(label[side]));
	put_files(b, v, w, side);
	buf_fmt(b, ": %zu run%s", s->n, msg_s(s->n));
	if (!v->compare->options->exact) {
		buf_str(b, STR(", "));
		diff_report_put_samples(b, v->compare->runs, side);
		buf_str(b, STR(" samples"));
	}
	buf_char(b, '\n');
}

/* Adds notes, each after MARK. */
static void
put_notes(struct buf *b, const struct diff_words *w, const char *mark)
{
	struct buf notes = { 0 };
	struct str rest;

	diff_words_put_notes(&notes, w);
	for (rest = buf_view(&notes); rest.n;) {
		buf_str(b, str_of(mark));
		buf_str(b, str_cut(&rest, '\n'));
		buf_char(b, '\n');
	}
	buf_release(&notes);
}

static void
put_text_method(struct buf *b, const struct diff_report *v, const struct diff_words *w)
{
	struct buf command = { 0 };
	int side;

	for (side = 0; side < RUNS_GROUPS; side++)
		put_text_side(b, v, w, side);
	buf_str(b, STR("norm:    "));
	diff_words_put_norm(b, w);
	buf_str(b, STR("\ntests:   "));
	diff_words_put_tests(b, w);
	buf_str(b, STR("\ncould have seen: "));
	diff_words_put_powers(b, w);
	buf_char(b, '\n');
	put_notes(b, w, "note:    ");
	put_command(&command, v);
	if (command.n)
		buf_fmt(b, "picture: %s\n", buf_cstr(&command));
	buf_release(&command);
}

/* The width of names that lets a row of the table fit into a line. */
static size_t
name_columns(struct table *t)
{
	size_t i, used = 0;

	find_widths(t);
	for (i = 0; i < COLUMNS; i++)
		used += t->width[i] + 2;
	return used + NAME_LEAST > LINE ? NAME_LEAST : LINE - used;
}

void
diff_report_write_text(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	struct diff_names names;
	struct table t = { v, { c, &names, false }, find_form(c), { 0 } };
	struct buf b = { 0 };

	diff_words_take_names(&names, c, name_columns(&t));
	put_plain_verdict(&b, c);
	buf_char(&b, '\n');
	if (c->options->gate)
		diff_words_put_gate(&b, &t.words, v->top);
	put_text_table(&b, &t);
	put_list(&b, &t, NEW, "\nnew:\n", "  ");
	put_list(&b, &t, REMOVED, "\nremoved:\n", "  ");
	put_list(&b, &t, RENAMED, "\nmay be renamed:\n", "  ");
	put_text_method(&b, v, &t.words);
	if (has_cut_names(&t.words)) {
		buf_str(&b, STR("\nnames in full:\n"));
		put_whole_names(&b, &t.words, "  ");
	}
	output_str(out, buf_view(&b));
	buf_release(&b);
	diff_names_release(&names);
}

/* To paste into a pull request, in GitHub's Markdown. */

static void
put_markdown_row(struct buf *b, const struct table *t, size_t row)
{
	const struct compare_row *r = &t->words.compare->rows[row];
	const struct compare_value *value = value_of(r);

	buf_str(b, STR("| "));
	diff_words_put_name(b, &t->words, r->name);
	buf_str(b, STR(" | **"));
	put_cell(b, t, row, EXCESS);
	buf_str(b, STR("** | "));
	put_cell(b, t, row, BEFORE);
	buf_str(b, STR(" -> "));
	put_cell(b, t, row, AFTER);
	buf_str(b, STR(" | "));
	put_cell(b, t, row, SHARE);
	buf_str(b, STR(" % | "));
	put_cell(b, t, row, CHANGE);
	buf_str(b, STR(" % | "));
	put_range(b, value);
	buf_str(b, value->is_tested ? STR(" % |\n") : STR(" |\n"));
}

static void
put_markdown_head(struct buf *b, const struct table *t)
{
	struct buf unit = { 0 };

	diff_words_put_unit(&unit, &t->words, &t->form);
	buf_fmt(b,
		"| function | excess%s%s | before -> after | share | change | "
		"%.10g %% interval |\n",
		unit.n ? "," : "", buf_cstr(&unit),
		t->words.compare->options->confidence * 100);
	buf_str(b, STR("|---|---:|---:|---:|---:|---:|\n"));
	buf_release(&unit);
}

/* Adds the text below the rows: remarks and callers. */
static void
put_markdown_callers(struct buf *b, const struct table *t)
{
	const struct compare *c = t->words.compare;
	struct buf list = { 0 }, line = { 0 };
	size_t i, shown = 0;

	for (i = next_row(c, CAUSES, SIZE_MAX); i < c->n && has_room(t->report, shown);
		i = next_row(c, CAUSES, i)) {
		buf_clear(&line);
		diff_words_put_remark(&line, &t->words, i);
		buf_str(&line, line.n ? STR("; ") : STR(""));
		put_callers(&line, &t->words, i);
		if (line.n > 1) {
			buf_str(&list, STR("- "));
			diff_words_put_name(&list, &t->words, c->rows[i].name);
			buf_str(&list, STR(": "));
			buf_str(&list,
				str_ends(buf_view(&line), STR("; "))
					? str_head(buf_view(&line), line.n - 2)
					: buf_view(&line));
			buf_char(&list, '\n');
		}
		shown++;
	}
	if (list.n) {
		buf_str(b, STR("\n<details><summary>Callers</summary>\n\n"));
		buf_str(b, buf_view(&list));
		buf_str(b, STR("\n</details>\n"));
	}
	buf_release(&list);
	buf_release(&line);
}

static void
put_markdown_table(struct buf *b, const struct table *t)
{
	const struct compare *c = t->words.compare;
	size_t i, shown = 0, n = count_rows(c, CAUSES);

	if (!n)
		return;
	buf_char(b, '\n');
	put_markdown_head(b, t);
	for (i = next_row(c, CAUSES, SIZE_MAX); i < c->n && has_room(t->report, shown);
		i = next_row(c, CAUSES, i)) {
		put_markdown_row(b, t, i);
		shown++;
	}
	if (shown < n)
		buf_fmt(b, "\nand %zu more\n", n - shown);
	put_markdown_callers(b, t);
}

static void
put_markdown_method(
	struct buf *b, const struct diff_report *v, const struct diff_words *w)
{
	static const char *const label[] = { "- Before: ", "- After: ", "- Noise: " };
	struct buf command = { 0 };
	int side;

	buf_str(b, STR("\n<details><summary>Method</summary>\n\n"));
	for (side = 0; side < RUNS_GROUPS; side++) {
		if (!v->compare->runs->side[side].n)
			continue;
		buf_str(b, str_of(label[side]));
		put_files(b, v, w, side);
		buf_str(b, STR(", "));
		diff_report_put_samples(b, v->compare->runs, side);
		buf_str(b, STR(" samples\n"));
	}
	buf_str(b, STR("- Norm: "));
	diff_words_put_norm(b, w);
	buf_str(b, STR("\n- Tests: "));
	diff_words_put_tests(b, w);
	buf_str(b, STR("\n- Could have seen: "));
	diff_words_put_powers(b, w);
	put_command(&command, v);
	buf_char(b, '\n');
	/* It does not begin with a tilde, so it does not end the code block. */
	if (command.n)
		buf_fmt(b, "\n~~~sh\n%s\n~~~\n", buf_cstr(&command));
	buf_str(b, STR("\n</details>\n"));
	buf_release(&command);
}

void
diff_report_write_markdown(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	struct diff_names names;
	struct table t = { v, { c, &names, true }, find_form(c), { 0 } };
	struct buf b = { 0 };

	diff_words_take_names(&names, c, NAME_MARKDOWN);
	buf_str(&b, STR("### **"));
	diff_words_put_verdict(&b, &t.words);
	buf_str(&b, STR("**\n"));
	if (c->options->gate) {
		buf_char(&b, '\n');
		diff_words_put_gate(&b, &t.words, v->top);
	}
	put_markdown_table(&b, &t);
	put_list(&b, &t, NEW, "\nNew:\n\n", "- ");
	put_list(&b, &t, REMOVED, "\nRemoved:\n\n", "- ");
	put_list(&b, &t, RENAMED, "\nMay be renamed:\n\n", "- ");
	put_notes(&b, &t.words, "\n**Note:** ");
	put_markdown_method(&b, v, &t.words);
	if (has_cut_names(&t.words)) {
		buf_str(&b, STR("\n<details><summary>Names in full</summary>\n\n"));
		put_whole_names(&b, &t.words, "- ");
		buf_str(&b, STR("\n</details>\n"));
	}
	output_str(out, buf_view(&b));
	buf_release(&b);
	diff_names_release(&names);
}

/* For scripts; fg-diff(1) documents the keys. */

/* Adds VALUE, if it is finite, with 12 digits: processors and compilers differ in further ones. */
static void
put_number(struct buf *b, const char *key, double value)
{
	char text[32];

	if (!isfinite(value))
		return;
	snprintf(text, sizeof text, "%.12g", value);
	json_double(b, key, strtod(text, NULL));
}

static void
put_json_side(struct buf *b, const struct diff_report *v, int side)
{
	const struct compare *c = v->compare;
	const struct runs_side *s = &c->runs->side[side];
	size_t i;

	json_begin(b,
		side == RUNS_BEFORE	     ? "before"
			: side == RUNS_AFTER ? "after"
					     : "noise");
	json_array(b, "files");
	for (i = 0; i < (v->files->one ? 1 : v->files->n[side]); i++)
		json_element_str(b,
			str_of(v->files->one ? v->files->one : v->files->path[side][i]));
	json_array_end(b);
	json_u64(b, "runs", s->n);
	if (s->samples > 0)
		json_u64(b, "samples", stats_count(s->samples));
	json_end(b);
}

static void
put_json_value(struct buf *b, const char *key, const struct compare_value *v)
{
	json_begin(b, key);
	json_double(b, "before", v->weight[0]);
	json_double(b, "after", v->weight[1]);
	put_number(b, "excess", v->excess);
	put_number(b, "points", 100 * v->points);
	put_number(b, "change", 100 * v->change);
	json_bool(b, "changed", v->is_change);
	json_bool(b, "tested", v->is_tested);
	if (v->is_tested) {
		put_number(b, "low", 100 * v->interval.low);
		put_number(b, "high", 100 * v->interval.high);
		put_number(b, "p", v->p);
		put_number(b, "detectable", 100 * v->detectable);
	}
	json_bool(b, "failed", v->failed);
	json_end(b);
}

static struct str
name_at(const struct compare *c, size_t row)
{
	return intern_str(&c->runs->tree.names, c->rows[row].name);
}

static void
put_json_row(struct buf *b, const struct compare *c, size_t row)
{
	static const char *const status[] = { "changed", "new", "removed" };
	const struct compare_row *r = &c->rows[row];

	json_element_begin(b);
	json_str(b, "name", name_at(c, row));
	json_str(b, "status", str_of(status[r->status]));
	if (r->renamed != row)
		json_str(b, "renamed", name_at(c, r->renamed));
	json_str(b, "row", r->total.is_change ? STR("total") : STR("self"));
	if (r->cause != row)
		json_str(b, "cause", name_at(c, r->cause));
	else
		put_number(b, "excess", r->own_excess);
	put_number(b, "share_before", 100 * r->share[0]);
	put_number(b, "share_after", 100 * r->share[1]);
	put_json_value(b, "total", &r->total);
	put_json_value(b, "self", &r->self);
	json_bool(b, "failed", r->failed);
	json_end(b);
}

static void
put_json_gate(struct buf *b, const struct compare *c)
{
	static const char *const result[] = { "passed", "failed", "cannot tell" };
	const struct compare_options *o = c->options;

	json_begin(b, "gate");
	json_str(b, "result", str_of(result[c->gate]));
	put_number(b, "limit", o->limit * 100);
	json_bool(b, "relative", o->relative);
	json_bool(b, "total", !o->no_total);
	json_bool(b, "strict", o->strict);
	json_end(b);
}

static void
put_json_powers(struct buf *b, const struct compare *c)
{
	size_t i;

	json_array(b, "detectable");
	for (i = 0; i < c->powers; i++) {
		json_element_begin(b);
		json_str(b, "name", intern_str(&c->runs->tree.names, c->power[i].name));
		put_number(b, "change", 100 * c->power[i].detectable);
		json_bool(b, "suffices", c->power[i].suffices);
		json_end(b);
	}
	json_array_end(b);
}

static void
put_json_names(struct buf *b, const struct compare *c)
{
	json_begin(b, "names");
	json_u64(b, "merged", c->runs->merged);
	put_number(b, "unpaired_before", 100 * c->unpaired[0]);
	put_number(b, "unpaired_after", 100 * c->unpaired[1]);
	if (c->runs->root[0].n) {
		json_str(b, "root_before", buf_view(&c->runs->root[0]));
		json_str(b, "root_after", buf_view(&c->runs->root[1]));
	}
	json_end(b);
}

static void
put_json_notes(struct buf *b, const struct compare *c)
{
	struct buf notes = { 0 };
	const struct diff_words w = { c, NULL, false };
	struct str rest;

	diff_words_put_notes(&notes, &w);
	json_array(b, "notes");
	for (rest = buf_view(&notes); rest.n;)
		json_element_str(b, str_cut(&rest, '\n'));
	json_array_end(b);
	buf_release(&notes);
}

/* The options that affect the comparison. */
static void
put_json_method(struct buf *b, const struct compare *c)
{
	const struct compare_options *o = c->options;

	json_str(b, "norm", compare_norm(c));
	put_number(b, "size", c->size[RUNS_AFTER]);
	if (o->per[RUNS_BEFORE] > 0) {
		put_number(b, "per_before", o->per[RUNS_BEFORE]);
		put_number(b, "per_after", o->per[RUNS_AFTER]);
	}
	json_double(b, "confidence", o->confidence);
	json_double(b, "min_share", 100 * o->min_share);
	json_bool(b, "exact", o->exact);
	json_u64(b, "functions_seen", c->functions);
	json_u64(b, "tests", c->tested);
}

/* The verdict, and the command that draws the picture. */
static void
put_json_words(struct buf *b, const struct diff_report *v)
{
	struct buf text = { 0 };

	put_plain_verdict(&text, v->compare);
	json_str(b, "verdict", buf_view(&text));
	if (v->compare->options->gate)
		put_json_gate(b, v->compare);
	put_json_notes(b, v->compare);
	buf_clear(&text);
	put_command(&text, v);
	if (text.n)
		json_str(b, "picture", buf_view(&text));
	buf_release(&text);
}

void
diff_report_write_json(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	struct buf b = { 0 };
	size_t i;

	json_begin(&b, NULL);
	json_str(&b, "schema", STR("fg-diff 2"));
	put_json_words(&b, v);
	for (i = 0; i < RUNS_GROUPS; i++)
		if (c->runs->side[i].n)
			put_json_side(&b, v, (int)i);
	json_str(&b, "unit", folded_info_get(&c->runs->side[RUNS_AFTER].info, "unit"));
	put_json_method(&b, c);
	put_json_names(&b, c);
	put_json_powers(&b, c);
	put_json_value(&b, "total", &c->total);
	json_array(&b, "functions");
	for (i = 0; i < c->n; i++)
		put_json_row(&b, c, i);
	json_array_end(&b);
	json_end(&b);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&b);
}
