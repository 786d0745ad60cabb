/* SPDX-License-Identifier: ISC */
/* A verdict for a terminal or a log; see diff-report.h. */
#include "diff-report.h"

#include <inttypes.h>

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
put_row(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	static const size_t width[COLUMNS] = { 9, 11, 10, 9, 21, 9 };
	size_t i, from;

	for (i = 0; i < COLUMNS; i++) {
		from = b->n;
		switch (i) {
		case 0: diff_report_put_share(b, g->share[COMPARE_BEFORE]); break;
		case 1: diff_report_put_share(b, g->share[COMPARE_AFTER]); break;
		case 2: diff_report_put_change(b, g->change); break;
		case 3: diff_report_put_ratio(b, g); break;
		case 4: diff_report_put_interval(b, g); break;
		default: diff_report_put_p(b, g->p); break;
		}
		align(b, from, width[i]);
	}
	buf_fmt(b, "  %-11s  ", diff_report_kind(g));
	diff_report_put_name(b, c, g->figure);
	buf_char(b, '\n');
}

static void
write_table(struct output *out, const struct diff_report *v, bool paths)
{
	const struct compare *c = v->compare;
	size_t n = diff_report_count(c, paths), shown = 0;
	const struct compare_change *g = NULL;
	struct buf b = { 0 };

	output_fmt(out, "\n%s that changed: %zu\n", paths ? "paths" : "functions", n);
	if (!n)
		return;
	buf_fmt(&b, "%.4g %% interval", c->options->confidence * 100);
	align(&b, 0, 21);
	output_fmt(out, "%9s%11s%10s%9s%s%9s  %-11s  %s\n", "before", "after", "points",
		"ratio", buf_cstr(&b), "p", "weight", paths ? "path" : "function");
	while ((!v->top || shown < v->top) && (g = diff_report_next(c, paths, g))) {
		buf_clear(&b);
		put_row(&b, c, g);
		output_str(out, buf_view(&b));
		shown++;
	}
	if (shown < n)
		output_fmt(out, "and %zu more\n", n - shown);
	buf_release(&b);
}

static void
put_side(struct buf *b, const struct diff_report *v, int side)
{
	const struct compare *c = v->compare;

	buf_str(b, side ? STR("after:  ") : STR("before: "));
	diff_report_put_files(b, v, side);
	buf_str(b, STR(": total "));
	diff_report_put_total(b, c, side);
	if (!c->options->exact) {
		buf_str(b, STR(", samples "));
		diff_report_put_samples(b, c, side);
	}
	buf_char(b, '\n');
}

static void
put_gate(struct buf *b, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	const struct compare_change *g = NULL;

	buf_str(b, c->failed ? STR("\nFAILED: ") : STR("\npassed: "));
	diff_report_put_answer(b, c);
	buf_char(b, '\n');
	while ((g = diff_report_next_failed(c, g))) {
		buf_str(b, STR("  "));
		diff_report_put_growth(b, c, g);
		buf_char(b, '\n');
	}
}

void
diff_report_write_text(struct output *out, const struct diff_report *v)
{
	const struct compare *c = v->compare;
	struct buf b = { 0 };

	put_side(&b, v, COMPARE_BEFORE);
	put_side(&b, v, COMPARE_AFTER);
	buf_str(&b, STR("norm:   "));
	diff_report_put_norm(&b, c);
	buf_str(&b, STR("\ntests:  "));
	diff_report_put_tests(&b, c);
	buf_char(&b, '\n');
	if (diff_report_is_soft(c))
		buf_str(&b, STR("note:   few samples: only large changes can be seen\n"));
	output_str(out, buf_view(&b));
	write_table(out, v, false);
	write_table(out, v, true);
	buf_clear(&b);
	if (c->options->gate)
		put_gate(&b, v);
	output_str(out, buf_view(&b));
	buf_release(&b);
}
