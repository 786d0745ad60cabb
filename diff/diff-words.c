/* SPDX-License-Identifier: ISC */
/* Describes a comparison in sentences; see diff-words.h. */
#include "diff-words.h"
#include "markdown.h"
#include "mem.h"

#include <math.h>

enum { BEFORE = RUNS_BEFORE, AFTER = RUNS_AFTER };

/* Sizes that differ by less than this factor count as equal. */
static const double ALIKE = 1.05;

/* If a larger part of the weight is in functions of one side only, warn about the comparison. */
static const double UNPAIRED = 0.2;

/* The most causes that a verdict names. */
enum { NAMED = 2 };

void
diff_words_take_names(struct diff_names *names, const struct compare *c, size_t columns)
{
	uint32_t *ids = mem_alloc((c->n + c->powers + 1) * sizeof *ids);
	size_t i;

	for (i = 0; i < c->n; i++)
		ids[i] = c->rows[i].name;
	for (i = 0; i < c->powers; i++)
		ids[c->n + i] = c->power[i].name;
	diff_names_init(names, &c->runs->tree.names, ids, c->n + c->powers, columns);
	free(ids);
}

/* Texts from an input. */

/* Whether Markdown, including GitHub's autolinks, would show TEXT unchanged. */
static bool
is_plain(struct str text)
{
	size_t i;
	char c;

	for (i = 0; i < text.n; i++) {
		c = text.s[i];
		if (!str_is_digit(c) && !(c >= 'a' && c <= 'z') &&
			!(c >= 'A' && c <= 'Z') && c != ' ' && c != '%')
			return false;
	}
	return true;
}

void
diff_words_put_text(struct buf *b, const struct diff_words *w, struct str text)
{
	if (w->is_markdown)
		markdown_put_code(b, text);
	else
		buf_visible(b, text, BUF_MARK, BUF_MOST);
}

void
diff_words_put_name(struct buf *b, const struct diff_words *w, uint32_t name)
{
	diff_words_put_text(b, w, buf_view(&diff_names_find(w->names, name)->text));
}

/* Numbers. */

static struct str
unit_of(const struct compare *c)
{
	return folded_info_get(&c->runs->side[AFTER].info, "unit");
}

static bool
is_whole(double value)
{
	return floor(value) == value;
}

struct units_form
diff_words_form(const struct compare *c, double largest)
{
	return units_form_of(largest,
		is_whole(c->total.weight[BEFORE]) && is_whole(c->total.weight[AFTER]),
		unit_of(c));
}

/* Adds only the unit of F. */
static void
put_bare_unit(struct buf *b, const struct diff_words *w, const struct units_form *f)
{
	struct buf unit = { 0 };

	units_put_unit(&unit, f);
	if (unit.n && w->is_markdown && !is_plain(buf_view(&unit))) {
		buf_char(b, ' ');
		markdown_put_code(b, str_from(buf_view(&unit), 1));
	} else {
		buf_visible(b, buf_view(&unit), BUF_MARK, BUF_MOST);
	}
	buf_release(&unit);
}

void
diff_words_put_unit(struct buf *b, const struct diff_words *w, const struct units_form *f)
{
	const struct runs_side *side = w->compare->runs->side;

	put_bare_unit(b, w, f);
	if (w->compare->options->per[BEFORE] > 0)
		buf_str(b, STR(" per request"));
	else if (side[BEFORE].n > 1 || side[AFTER].n > 1)
		buf_str(b, STR(" per run"));
}

void
diff_words_put_excess(struct buf *b, const struct diff_words *w, double excess)
{
	struct units_form f = diff_words_form(w->compare, fabs(excess));

	buf_char(b, excess < 0 ? '-' : '+');
	units_put_value(b, fabs(excess), &f);
	put_bare_unit(b, w, &f);
}

void
diff_words_put_percent(struct buf *b, double part)
{
	double percent = part * 100;

	if (fabs(percent) >= 1e6)
		buf_fmt(b, "%+.1e", percent);
	else
		buf_fmt(b, "%+.*f", fabs(percent) < 999.95 ? 1 : 0, percent);
}

/* Adds a limit, or a growth beyond it, with no more digits than needed. */
static void
put_limit(struct buf *b, const struct compare_options *o)
{
	buf_fmt(b, "%.6g %%", o->limit * 100);
}

static int
decimals_of(double ratio)
{
	return ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : ratio >= 0.0995 ? 2 : 3;
}

/* Adds "x 2.07 +- 0.04" or, if the interval is asymmetric, "x 1.27, 1.01 to 1.58". */
static void
put_ratio(struct buf *b, const struct compare_value *v)
{
	double low = v->change - v->interval.low, high = v->interval.high - v->change;
	int d = decimals_of(1 + v->change);

	buf_fmt(b, "x %.*f", d, 1 + v->change);
	if (!v->is_tested)
		return;
	if (fabs(high - low) > 0.1 * (high + low))
		buf_fmt(b, ", %.*f to %.*f", decimals_of(1 + v->interval.low),
			1 + v->interval.low, decimals_of(1 + v->interval.high),
			1 + v->interval.high);
	else
		buf_fmt(b, " +- %.*f", d, (high + low) / 2);
}

/* The verdict. */

/* Adds the total, "346 -> 715 ms per run", and the ratio between BETWEEN and END. */
static void
put_total(struct buf *b, const struct diff_words *w, const char *between, const char *end)
{
	const struct compare_value *t = &w->compare->total;
	struct units_form f =
		diff_words_form(w->compare, fmax(t->weight[BEFORE], t->weight[AFTER]));

	units_put_value(b, t->weight[BEFORE], &f);
	buf_str(b, STR(" -> "));
	units_put_value(b, t->weight[AFTER], &f);
	diff_words_put_unit(b, w, &f);
	buf_str(b, str_of(between));
	put_ratio(b, t);
	buf_str(b, str_of(end));
}

/* Whether ROW and the row that may be the same code are causes that cancel each other. */
static bool
is_renamed(const struct compare *c, size_t row)
{
	const struct compare_row *r = &c->rows[row], *other = &c->rows[r->renamed];

	return r->renamed != row && r->renamed < c->causes && row < c->causes &&
		fabs(r->own_excess + other->own_excess) <
		fmin(fabs(r->own_excess), fabs(other->own_excess)) / 2;
}

static void
put_cause(struct buf *b, const struct diff_words *w, size_t row)
{
	const struct compare_row *r = &w->compare->rows[row];

	if (r->status == COMPARE_NEW)
		buf_str(b, STR("new "));
	else if (r->status == COMPARE_REMOVED)
		buf_str(b, STR("removed "));
	diff_words_put_name(b, w, r->name);
	buf_char(b, ' ');
	diff_words_put_excess(b, w, r->own_excess);
}

/* A summary of the causes. */
struct causes_told {
	size_t n, renamed; /* causes, except renamed ones; pairs of renamed ones */
	double own;	   /* the sum over all */
};

static struct causes_told
count_causes(const struct compare *c)
{
	struct causes_told told = { 0 };
	size_t i;

	for (i = 0; i < c->causes; i++) {
		told.own += c->rows[i].own_excess;
		if (!is_renamed(c, i))
			told.n++;
		else if (i < c->rows[i].renamed)
			told.renamed++;
	}
	return told;
}

/* Adds the largest causes. */
static void
put_causes(struct buf *b, const struct diff_words *w, const struct causes_told *told)
{
	size_t i, n = 0;

	for (i = 0; i < w->compare->causes && n < NAMED; i++) {
		if (is_renamed(w->compare, i))
			continue;
		if (n)
			buf_str(b, n + 1 < told->n ? STR(", ") : STR(" and "));
		put_cause(b, w, i);
		n++;
	}
	if (told->n > n)
		buf_fmt(b, " and %zu more", told->n - n);
}

/* The factor by which the weight of unchanged functions was scaled. */
static double
find_rest(const struct compare *c)
{
	const double *per = c->options->per;

	if (c->norm != CHANGES_STEADY && c->norm != CHANGES_FRAME)
		return 1;
	return per[BEFORE] > 0 ? c->size[AFTER] * per[BEFORE] / per[AFTER]
			       : c->size[AFTER];
}

/* Whether some functions were not to be tested, and may have changed. */
static bool
is_partial(const struct compare *c)
{
	return c->options->only || c->options->ignore;
}

/* Adds that nothing besides the named functions changed. */
static void
put_no_more(struct buf *b, const struct compare *c, const struct causes_told *told)
{
	if (told->n <= NAMED && !is_partial(c))
		buf_str(b, STR("; nothing else changed"));
}

/* Adds how the rest changed. */
static void
put_rest(struct buf *b, const struct compare *c, const struct causes_told *told)
{
	double rest = find_rest(c);

	if (rest > ALIKE || rest < 1 / ALIKE)
		buf_fmt(b, "; everything else x %.*f", decimals_of(rest), rest);
	else
		put_no_more(b, c, told);
}

/* Adds the reason for a change of the total without a cause. */
static void
put_no_cause(struct buf *b, const struct compare *c)
{
	if (is_partial(c))
		buf_str(b, STR("; no function that was tested changed"));
	else if (c->norm == CHANGES_TOTAL)
		buf_str(b, STR("; no share changed"));
	else
		buf_str(b, STR("; no function stands out"));
}

/* Adds the explanation of a change of the total. */
static void
put_explanation(struct buf *b, const struct diff_words *w, const struct causes_told *told)
{
	const struct compare *c = w->compare;
	double part = c->total.excess ? told->own / c->total.excess : 0;

	if (!told->n) {
		put_no_cause(b, c);
		return;
	}
	buf_str(b, STR("; "));
	put_causes(b, w, told);
	if (c->norm != CHANGES_TOTAL && part >= 0.05 && part <= 1.2) {
		buf_fmt(b, " explain%s ", told->n == 1 ? "s" : "");
		if (part >= 0.995)
			buf_str(b, STR("all of it"));
		else
			buf_fmt(b, "%.0f %% of it", part * 100);
	}
	put_rest(b, c, told);
}

static struct str
direction(const struct compare *c)
{
	bool grew = c->total.excess > 0;

	if (units_are_time(unit_of(c)))
		return grew ? STR("slower") : STR("faster");
	return grew ? STR("more") : STR("less");
}

static void
put_pairs(struct buf *b, const struct causes_told *told)
{
	if (told->renamed)
		buf_fmt(b, "; %zu function%s may be renamed", told->renamed,
			msg_s(told->renamed));
}

void
diff_words_put_verdict(struct buf *b, const struct diff_words *w)
{
	const struct compare *c = w->compare;
	struct causes_told told = count_causes(c);

	if (c->total.is_change) {
		buf_str(b, direction(c));
		buf_str(b, STR(": total "));
		put_total(b, w, " (", ")");
		put_explanation(b, w, &told);
	} else if (told.n) {
		buf_str(b, STR("no change in the total ("));
		put_total(b, w, ", ", "); ");
		put_causes(b, w, &told);
		put_no_more(b, c, &told);
	} else {
		buf_str(b, STR("no change: total "));
		put_total(b, w, " (", "), ");
		buf_str(b,
			c->tested || c->options->exact
				? STR("no function changed")
				: STR("no function could be tested"));
	}
	put_pairs(b, &told);
	if (c->is_single && c->is_known)
		buf_str(b, STR("; one run a side"));
}

/* The gate. */

/* The growth of V in the terms of the gate. */
static double
growth_of(const struct compare_options *o, const struct compare_value *v)
{
	return o->relative ? v->change : v->points;
}

static void
put_growth(struct buf *b, const struct compare_options *o, double growth)
{
	if (isfinite(growth))
		buf_fmt(b, "grew by %.1f %%", growth * 100);
	else
		buf_str(b, STR("is new code"));
	if (!o->relative)
		buf_str(b, STR(" of the total before"));
}

/* Adds the label of the gate's result. */
static void
put_label(struct buf *b, const struct diff_words *w, const char *label)
{
	buf_fmt(b, w->is_markdown ? "**%s:** " : "%s: ", label);
}

/* Adds one failure. */
static void
put_failure(struct buf *b, const struct diff_words *w, size_t row)
{
	const struct compare_options *o = w->compare->options;
	const struct compare_row *r = &w->compare->rows[row];
	bool is_self = !r->total.failed;

	diff_words_put_name(b, w, r->name);
	buf_str(b, is_self ? STR(" by itself ") : STR(" "));
	put_growth(b, o, growth_of(o, is_self ? &r->self : &r->total));
}

/* Ends the line of a failure that follows N others. */
static void
end_failure(struct buf *b, const struct compare_options *o, size_t n)
{
	if (!n) {
		buf_str(b, STR(" (limit "));
		put_limit(b, o);
		buf_char(b, ')');
	}
	buf_char(b, '\n');
}

/* Whether ROW failed together with the cause that it is folded under. */
static bool
is_echo(const struct compare *c, size_t row)
{
	size_t cause = c->rows[row].cause;

	return cause != row && c->rows[cause].failed;
}

static void
put_failures(struct buf *b, const struct diff_words *w, size_t top)
{
	const struct compare *c = w->compare;
	size_t i, n = 0, hidden = 0, callers = 0;

	put_label(b, w, "FAILED");
	if (c->total.failed) {
		buf_fmt(b, "the total grew by %.1f %%", c->total.change * 100);
		end_failure(b, c->options, n++);
	}
	for (i = 0; i < c->n; i++) {
		if (!c->rows[i].failed)
			continue;
		callers += is_echo(c, i);
		hidden += !is_echo(c, i) && top && n >= top;
		if (is_echo(c, i) || (top && n >= top))
			continue;
		if (n)
			buf_str(b, w->is_markdown ? STR("- ") : STR("  "));
		put_failure(b, w, i);
		end_failure(b, c->options, n++);
	}
	if (hidden)
		buf_fmt(b, "%sand %zu more\n", w->is_markdown ? "- " : "  ", hidden);
	if (callers)
		buf_fmt(b, "%sand with them %zu caller%s\n", w->is_markdown ? "- " : "  ",
			callers, msg_s(callers));
}

static void
put_needed(struct buf *b, double least)
{
	if (isfinite(least)) {
		buf_str(b, STR(" (only "));
		diff_words_put_percent(b, least);
		buf_str(b, STR(" % would have been found)"));
	} else {
		buf_str(b, STR(" (too few samples)"));
	}
}

/* Adds a growth by the limit that could not be detected: the first one. */
static void
put_doubt(struct buf *b, const struct diff_words *w)
{
	const struct compare *c = w->compare;
	const struct compare_options *o = c->options;
	size_t i;

	put_label(b, w, "cannot tell");
	if (!c->powers) {
		buf_str(b, STR("no function was to be tested\n"));
		return;
	}
	for (i = 0; i < c->powers && c->power[i].suffices; i++)
		;
	buf_str(b, STR("growth of "));
	if (i < c->powers)
		diff_words_put_name(b, w, c->power[i].name);
	else
		buf_str(b, STR("the total"));
	buf_str(b, STR(" by "));
	put_limit(b, o);
	if (i < c->powers && !o->relative)
		buf_str(b, STR(" of the total before"));
	buf_str(b, STR(" could have gone unseen"));
	put_needed(b,
		i == c->powers	      ? c->total.detectable
			: o->relative ? c->power[i].detectable
				      : c->power[i].points);
	buf_char(b, '\n');
}

void
diff_words_put_gate(struct buf *b, const struct diff_words *w, size_t top)
{
	const struct compare_options *o = w->compare->options;

	switch (w->compare->gate) {
	case COMPARE_FAILED: put_failures(b, w, top); return;
	case COMPARE_CANNOT_TELL: put_doubt(b, w); return;
	case COMPARE_PASSED:
	default:
		put_label(b, w, "passed");
		buf_str(b, o->no_total ? STR("no function") : STR("nothing"));
		buf_str(b, STR(" grew by more than "));
		put_limit(b, o);
		if (!o->relative)
			buf_str(b, STR(" of the total before"));
		buf_char(b, '\n');
	}
}

/* Methods. */

static void
put_power(struct buf *b, double least)
{
	if (!isfinite(least)) {
		buf_str(b, STR(" no change (too few samples)"));
		return;
	}
	buf_char(b, ' ');
	diff_words_put_percent(b, least);
	buf_str(b, STR(" %"));
}

void
diff_words_put_powers(struct buf *b, const struct diff_words *w)
{
	const struct compare *c = w->compare;
	size_t i;

	if (c->options->exact) {
		buf_str(b, STR("any change: the weights are exact"));
		return;
	}
	buf_str(b, STR("total"));
	put_power(b, c->total.detectable);
	for (i = 0; i < c->powers; i++) {
		/* A part of 0 cannot change. */
		if (!isfinite(c->power[i].detectable) && isfinite(c->power[i].points))
			continue;
		buf_str(b, STR(", "));
		diff_words_put_name(b, w, c->power[i].name);
		put_power(b, c->power[i].detectable);
	}
}

static void
put_sizes(struct buf *b, const struct compare *c)
{
	buf_fmt(b, ", sizes 1.00 : %.*f", decimals_of(c->size[AFTER]), c->size[AFTER]);
}

void
diff_words_put_norm(struct buf *b, const struct diff_words *w)
{
	const struct compare *c = w->compare;

	switch (c->norm) {
	case CHANGES_TOTAL:
		buf_str(b, STR("total, changes are of the share"));
		if (c->options->norms.norm == CHANGES_STEADY)
			buf_str(b, STR(" (too few functions for steady)"));
		break;
	case CHANGES_STEADY:
		buf_str(b,
			STR("steady, changes are beyond what most functions agree on"));
		break;
	case CHANGES_FRAME:
		diff_words_put_text(b, w, c->options->norms.frame);
		buf_str(b, STR(", changes are beyond that of this function"));
		break;
	case CHANGES_NONE:
	default: buf_str(b, STR("none")); return;
	}
	put_sizes(b, c);
}

void
diff_words_put_tests(struct buf *b, const struct diff_words *w)
{
	const struct compare *c = w->compare;
	const struct runs_side *s = c->runs->side;

	if (c->options->exact) {
		buf_str(b, STR("none, the weights are exact"));
		return;
	}
	units_put_count(b, c->tested);
	buf_str(b, STR(" of "));
	units_put_count(b, c->metrics);
	buf_fmt(b, " totals and self weights at confidence %.10g; ",
		c->options->confidence);
	if (s[RUNS_OLDER].n)
		buf_fmt(b, "%zu + %zu runs and %zu older", s[BEFORE].n, s[AFTER].n,
			s[RUNS_OLDER].n);
	else
		buf_fmt(b, "%zu + %zu run%s", s[BEFORE].n, s[AFTER].n,
			msg_s(s[BEFORE].n + s[AFTER].n));
}

/* Rows. */

void
diff_words_put_remark(struct buf *b, const struct diff_words *w, size_t row)
{
	const struct compare_row *r = &w->compare->rows[row];
	const struct compare_value *t = &r->total, *s = &r->self;

	if (r->status != COMPARE_CHANGED)
		return;
	if (!t->is_change) {
		buf_str(b, STR("by itself; its total did not change"));
	} else if (s->is_change &&
		fabs(t->excess - s->excess) >
			0.25 * fmax(fabs(t->excess), fabs(s->excess))) {
		buf_str(b, STR("by itself "));
		diff_words_put_excess(b, w, s->excess);
		if (isfinite(s->change)) {
			buf_str(b, STR(" ("));
			diff_words_put_percent(b, s->change);
			buf_str(b, STR(" %)"));
		}
	} else if (!s->is_change && row < w->compare->causes &&
		(s->weight[BEFORE] > 0 || s->weight[AFTER] > 0)) {
		buf_str(b, STR("in what it calls, none of which changed clearly"));
	}
}

/* Notes. */

static void
note_unpaired(struct buf *b, const struct compare *c)
{
	static const char *const side[] = { "before", "after" };
	int i;

	for (i = 0; i < RUNS_SIDES; i++)
		if (c->unpaired[i] > UNPAIRED)
			buf_fmt(b,
				"%.0f %% of the weight %s is in functions that are not %s: "
				"another program, a broken recording, or names that differ\n",
				c->unpaired[i] * 100, side[i], side[!i]);
}

static void
note_names(struct buf *b, const struct diff_words *w)
{
	const struct runs *r = w->compare->runs;

	if (r->merged)
		buf_fmt(b,
			"%zu name%s that differ%s only in what moves between builds %s merged; "
			"--exact-names keeps %s apart\n",
			r->merged, msg_s(r->merged), r->merged == 1 ? "s" : "",
			r->merged == 1 ? "was" : "were", r->merged == 1 ? "it" : "them");
	if (r->root[BEFORE].n || r->root[AFTER].n) {
		buf_str(b, STR("the roots "));
		diff_words_put_text(b, w, buf_view(&r->root[BEFORE]));
		buf_str(b, STR(" and "));
		diff_words_put_text(b, w, buf_view(&r->root[AFTER]));
		buf_str(b, STR(" are compared as one; --exact-names keeps them apart\n"));
	}
}

static void
note_samples(struct buf *b, const struct runs *r)
{
	double least = fmin(r->side[BEFORE].samples, r->side[AFTER].samples);

	if (!(least > 0 && least < STATS_SOFT))
		return;
	buf_str(b, STR("only "));
	units_put_count(b, stats_count(least));
	buf_str(b, STR(" samples on a side: only large changes can be detected\n"));
}

void
diff_words_put_notes(struct buf *b, const struct diff_words *w)
{
	const struct compare *c = w->compare;

	if (c->is_known) {
		if (c->is_single)
			buf_str(b,
				STR("one run a side: only large changes can be detected; "
				    "record three, interleaved\n"));
		note_samples(b, c->runs);
	}
	if (runs_are_apart(c->runs))
		buf_str(b,
			STR("all runs of one side came before the other: record them in turn, "
			    "or a change of the machine counts as one of the program\n"));
	note_unpaired(b, c);
	note_names(b, w);
}
