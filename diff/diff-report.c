/* SPDX-License-Identifier: ISC */
/* The words and figures that all forms of a verdict share; see diff-report.h. */
#include "diff-report.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>

bool
diff_report_is_soft(const struct compare *c)
{
	double a = c->side[0].samples, b = c->side[1].samples;

	return !c->options->exact && a > 0 && b > 0 && fmin(a, b) < STATS_SOFT;
}

void
diff_report_put_name(struct buf *b, const struct compare *c, struct metric f)
{
	struct buf name = { 0 };

	compare_put_name(&name, &c->tree, f);
	diff_report_put_text(b, buf_view(&name));
	buf_release(&name);
}

void
diff_report_put_files(struct buf *b, const struct diff_report *v, int side)
{
	size_t i;

	for (i = 0; i < v->files[side]; i++) {
		if (i)
			buf_str(b, STR(", "));
		diff_report_put_text(b, str_of(v->file[side][i]));
	}
}

void
diff_report_put_total(struct buf *b, const struct compare *c, int side)
{
	struct str unit = folded_info_get(&c->side[side].info, "unit");
	struct buf total = { 0 };

	if (unit.n)
		units_put(&total, c->tree.sum[side], c->tree.scale, 1, unit);
	else
		units_put_cell(&total, c->tree.sum[side], c->tree.scale, unit);
	diff_report_put_text(b, buf_view(&total));
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

void
diff_report_put_norm(struct buf *b, const struct compare *c)
{
	switch (c->options->norms.norm) {
	case SIGNIFICANCE_TOTAL:
		buf_str(b, STR("total: shares are of the total of each side"));
		break;
	case SIGNIFICANCE_FRAME:
		buf_str(b, STR("shares are of "));
		diff_report_put_text(b, c->options->norms.frame);
		buf_str(b, STR(" on each side"));
		break;
	case SIGNIFICANCE_NONE:
		buf_str(b, STR("none: shares are of the total before"));
		break;
	}
}

void
diff_report_put_tests(struct buf *b, const struct compare *c)
{
	if (c->options->exact) {
		buf_str(b, STR("none: the weights are exact"));
		return;
	}
	units_put_count(b, c->tested);
	buf_str(b, STR(" of "));
	units_put_count(b, c->figures);
	buf_fmt(b,
		" figure%s at confidence %.10g, %s, adjusted by Benjamini and Hochberg",
		msg_s(c->figures), c->options->confidence,
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

void
diff_report_put_answer(struct buf *b, const struct compare *c)
{
	const struct compare_change *g = NULL;
	size_t n = 0;

	while ((g = diff_report_next_failed(c, g)))
		n++;
	if (n)
		put_frames(b, n);
	else
		buf_str(b, STR("no frame"));
	buf_str(b, STR(" grew by more than "));
	put_limit(b, c->options);
	if (!c->options->exact)
		buf_str(b, n ? STR(" and not by chance") : STR(" other than by chance"));
}

void
diff_report_put_growth(
	struct buf *b, const struct compare *c, const struct compare_change *g)
{
	diff_report_put_name(b, c, g->figure);
	buf_fmt(b, " (%s) grew by ", diff_report_kind(g));
	if (c->options->relative && g->share[COMPARE_BEFORE] > 0)
		buf_fmt(b, "%.2f %%", g->change / g->share[COMPARE_BEFORE] * 100);
	else
		buf_fmt(b, "%.2f points", g->change * 100);
	buf_str(b, STR(", from "));
	diff_report_put_share(b, g->share[COMPARE_BEFORE]);
	buf_str(b, STR(" to "));
	diff_report_put_share(b, g->share[COMPARE_AFTER]);
}

void
diff_report_put_share(struct buf *b, double share)
{
	buf_fmt(b, "%.2f %%", share * 100);
}

void
diff_report_put_change(struct buf *b, double change)
{
	buf_fmt(b, "%+.2f", change * 100);
}

void
diff_report_put_ratio(struct buf *b, const struct compare_change *g)
{
	if (g->weight[COMPARE_BEFORE] && g->weight[COMPARE_AFTER])
		buf_fmt(b, "%.2f", g->share[COMPARE_AFTER] / g->share[COMPARE_BEFORE]);
	else
		buf_str(b, str_of(diff_report_status(g)));
}

void
diff_report_put_interval(struct buf *b, const struct compare_change *g)
{
	diff_report_put_change(b, g->interval.low);
	buf_str(b, STR(" .. "));
	diff_report_put_change(b, g->interval.high);
}

void
diff_report_put_p(struct buf *b, double p)
{
	if (p < 1e-99)
		buf_str(b, STR("<1e-99"));
	else
		buf_fmt(b, p < 1e-4 ? "%.0e" : "%.2g", p);
}

const char *
diff_report_kind(const struct compare_change *g)
{
	if (g->self_is_it)
		return "total, self";
	return g->figure.is_self ? "self" : "total";
}

const char *
diff_report_status(const struct compare_change *g)
{
	if (g->weight[COMPARE_BEFORE])
		return g->weight[COMPARE_AFTER] ? "changed" : "gone";
	return "new";
}

const struct compare_change *
diff_report_next(const struct compare *c, bool paths, const struct compare_change *g)
{
	for (g = g ? g + 1 : c->changes; g < c->changes + c->n; g++)
		if (g->figure.is_path == paths && !g->is_repeat)
			return g;
	return NULL;
}

size_t
diff_report_count(const struct compare *c, bool paths)
{
	const struct compare_change *g = NULL;
	size_t n = 0;

	while ((g = diff_report_next(c, paths, g)))
		n++;
	return n;
}

const struct compare_change *
diff_report_next_failed(const struct compare *c, const struct compare_change *g)
{
	for (g = g ? g + 1 : c->changes; g < c->changes + c->n; g++)
		if (g->failed && !g->is_repeat && !g->is_echo)
			return g;
	return NULL;
}
