/* SPDX-License-Identifier: ISC */
/* A verdict for scripts; see diff-report.h. fg-diff(1) says what the keys are. */
#include "json.h"
#include "diff-report.h"

#include <math.h>

static void
put_weight(struct buf *b, const char *key, const struct compare *c, uint64_t weight)
{
	struct buf digits = { 0 };

	folded_put_weight(&digits, weight, c->tree.scale);
	json_number(b, key, buf_view(&digits));
	buf_release(&digits);
}

static void
put_side(struct buf *b, const struct diff_report *v, int side)
{
	const struct compare *c = v->compare;
	struct str unit = folded_info_get(&c->side[side].info, "unit");
	size_t i;

	json_begin(b, side ? "after" : "before");
	json_array(b, "files");
	for (i = 0; i < v->files[side]; i++)
		json_element_str(b, str_of(v->file[side][i]));
	json_array_end(b);
	put_weight(b, "total", c, c->tree.sum[side]);
	if (unit.n)
		json_str(b, "unit", unit);
	if (c->side[side].samples > 0)
		json_u64(b, "samples", stats_count(c->side[side].samples));
	json_end(b);
}

/* The norm: none, total, or frame and its name. */
static void
put_norm(struct buf *b, const struct compare_options *o)
{
	static const char *const name[] = { "none", "total", "frame" };

	json_str(b, "norm", str_of(name[o->norms.norm]));
	if (o->norms.norm == SIGNIFICANCE_FRAME)
		json_str(b, "frame", o->norms.frame);
}

/* One side of a change. */
static void
put_share(
	struct buf *b, const struct compare *c, const struct compare_change *g, int side)
{
	json_begin(b, side ? "after" : "before");
	put_weight(b, "weight", c, g->weight[side]);
	json_double(b, "share", g->share[side] * 100);
	json_end(b);
}

static void
put_change(struct buf *b, const struct compare *c, const struct compare_change *g)
{
	struct buf name = { 0 };

	compare_put_name(&name, &c->tree, g->figure);
	json_element_begin(b);
	json_str(b, "kind", g->figure.is_path ? STR("path") : STR("function"));
	json_str(b, "name", buf_view(&name));
	json_str(b, "figure", g->figure.is_self ? STR("self") : STR("total"));
	json_str(b, "fate", str_of(diff_report_status(g)));
	put_share(b, c, g, COMPARE_BEFORE);
	put_share(b, c, g, COMPARE_AFTER);
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
put_gate(struct buf *b, const struct compare *c)
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
	put_side(&b, v, COMPARE_BEFORE);
	put_side(&b, v, COMPARE_AFTER);
	put_norm(&b, c->options);
	json_double(&b, "confidence", c->options->confidence);
	json_bool(&b, "exact", c->options->exact);
	json_u64(&b, "figures", c->figures);
	json_u64(&b, "tested", c->tested);
	json_bool(&b, "few_samples", diff_report_is_soft(c));
	if (c->options->gate)
		put_gate(&b, c);
	json_array(&b, "changes");
	for (i = 0; i < c->n; i++)
		put_change(&b, c, &c->changes[i]);
	json_array_end(&b);
	json_end(&b);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&b);
}
