/* SPDX-License-Identifier: ISC */
/* The header of a collapsed profile; see header.h. */
#include "header.h"
#include "diagnosis.h"
#include "event.h"
#include "sink.h"

/* Lists the events that are WANTED, or those that are not, separated by commas; skips
 * events without a name. Metrics are listed elsewhere, unless all are folded. */
static void
put_events(struct buf *b, const struct collapse *c, bool wanted)
{
	bool all = c->options->event && event_is_any(str_of(c->options->event));
	uint32_t id, n = 0;
	struct str name;

	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		if (!collapse_event_has_samples(c, id, wanted) || !name.n ||
			(collapse_event_is_metric(c, id) && !all))
			continue;
		if (n++)
			buf_char(b, ',');
		buf_str(b, name);
	}
}

/* Sets the keys of two columns. */
static void
put_columns(struct collapse *c)
{
	struct buf names = { 0 };

	buf_str(&names, c->options->columns[0]);
	buf_char(&names, ',');
	buf_str(&names, c->options->columns[1]);
	if (!c->differs)
		folded_info_set(&c->info, "ratio", buf_view(&names));
	if (!c->exact) {
		folded_info_set_u64(&c->info, "samples-before", c->column_samples[0]);
		folded_info_set_u64(&c->info, "samples", c->column_samples[1]);
	}
	buf_release(&names);
}

/* The unit of weights: nanoseconds, the event, or samples. Empty for several events. */
static struct str
find_unit(const struct collapse *c)
{
	struct str unit = { 0 }, this, name;
	uint32_t id;

	if (!c->has_period)
		return STR("samples");
	if (c->unit.n)
		return c->mixed ? unit : c->unit;
	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		if (!collapse_event_has_samples(c, id, true))
			continue;
		this = event_is_clock(name) ? STR("ns") : event_plain(name);
		if (unit.n && !str_eq(unit, this))
			return (struct str){ 0 };
		unit = this;
	}
	return unit;
}

/* Sets the quality of stacks, if the formats know it. */
static void
put_quality(struct collapse *c)
{
	struct buf b = { 0 };
	struct quality q;

	if (diagnosis_quality(c, &q))
		quality_put(&b, &q, c->tree.sum[0]);
	folded_info_set(&c->info, "stacks", buf_view(&b));
	buf_release(&b);
}

void
header_complete(struct collapse *c)
{
	struct buf events = { 0 }, by = { 0 };

	folded_info_set(&c->info, "unit", find_unit(c));
	if (!c->exact)
		folded_info_set_u64(&c->info, "samples", c->samples);
	if ((c->event_names.n > 1 ||
		    (c->event_names.n && intern_str(&c->event_names, 0).n)) &&
		!(c->differs && c->tree.columns > 1))
		put_events(&events, c, true);
	folded_info_set(&c->info, "event", buf_view(&events));
	dimensions_put(&by, &c->dimensions);
	folded_info_set(&c->info, "by", buf_view(&by));
	if (c->tree.columns > 1)
		put_columns(c);
	if (c->lost)
		folded_info_set_u64(&c->info, "lost", c->lost);
	put_quality(c);
	buf_release(&events);
	buf_release(&by);
}
