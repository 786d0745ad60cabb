/* SPDX-License-Identifier: ISC */
/* The metrics of a profile, and the choice of the one to fold; see collapse.h. */
#include "folded.h"
#include "mem.h"
#include "msg.h"
#include "sink.h"

#include <inttypes.h>

/* The most names in a message. */
enum { NAMED = 12 };

unsigned
collapse_metric(struct collapse *c, struct str name, struct str unit)
{
	uint32_t id = intern_id(&c->metric_texts, name);
	size_t *named = MEM_AT(c->metric_named, c->metric_named_cap, id), i = c->metric_n;

	if (*named > c->metric_first)
		return (unsigned)(*named - 1 - c->metric_first);
	*named = i + 1;
	*MEM_ADD(c->metrics, c->metric_n, c->metric_cap) = (struct collapse_metric){
		.name = id,
		.unit = intern_id(&c->metric_texts, unit),
	};
	return (unsigned)(i - c->metric_first);
}

void
collapse_metric_decimals(struct collapse *c, unsigned metric, unsigned decimals)
{
	c->metrics[c->metric_first + metric].decimals = decimals;
}

static struct str
name_of(const struct collapse *c, size_t i)
{
	return intern_str(&c->metric_texts, c->metrics[i].name);
}

static struct str
unit_of(const struct collapse *c, size_t i)
{
	return intern_str(&c->metric_texts, c->metrics[i].unit);
}

/* Lists the metrics of this input: ALL, or those with values except the chosen one. */
static void
put_names(struct buf *b, const struct collapse *c, bool all)
{
	size_t i, n = 0;

	for (i = c->metric_first; i < c->metric_n; i++)
		if (all || (c->metrics[i].sum && i != c->metric_chosen))
			if (n++ < NAMED)
				buf_fmt(b, "%s%.*s", n > 1 ? ", " : "",
					(int)name_of(c, i).n, name_of(c, i).s);
	if (n > NAMED)
		buf_fmt(b, " and %zu more", n - NAMED);
}

unsigned
collapse_choose_metric(struct collapse *c, unsigned main)
{
	const char *asked = c->options->cost;
	size_t i = c->metric_first + main;
	struct buf list = { 0 };

	if (asked) {
		for (i = c->metric_first; i < c->metric_n; i++)
			if (str_eq(name_of(c, i), str_of(asked)))
				break;
	}
	if (i >= c->metric_n) {
		put_names(&list, c, true);
		msg_error("%s: has no metric %s; it has %s", input_name(c->in),
			asked ? asked : "", list.n ? buf_cstr(&list) : "none");
		buf_release(&list);
		return COLLAPSE_NO_METRIC;
	}
	c->metric_chosen = i;
	if (unit_of(c, i).n)
		collapse_unit(c, unit_of(c, i));
	if (c->metric_n - c->metric_first > 1)
		folded_info_set(&c->info, "cost", name_of(c, i));
	return (unsigned)(i - c->metric_first);
}

bool
collapse_choose_among(struct collapse *c, const unsigned *numbers, unsigned n,
	unsigned main, unsigned *place)
{
	unsigned number = collapse_choose_metric(c, main), i;

	if (number == COLLAPSE_NO_METRIC)
		return false;
	for (i = 0; i < n && numbers[i] != number; i++)
		;
	*place = i < n ? i : *place;
	return true;
}

void
collapse_count_cost(struct collapse *c, unsigned metric, int64_t value)
{
	struct collapse_metric *m = &c->metrics[c->metric_first + metric];

	if (value > 0 ? m->sum > INT64_MAX - value : m->sum < INT64_MIN - value)
		m->too_large = true;
	else
		m->sum += value;
}

void
collapse_count_weight(struct collapse *c, unsigned metric, uint64_t weight)
{
	collapse_count_cost(c, metric, weight < INT64_MAX ? (int64_t)weight : INT64_MAX);
}

void
collapse_tell_costs(struct collapse *c)
{
	struct buf list = { 0 };
	struct str name, unit;

	if (c->options->cost || c->metric_n - c->metric_first < 2)
		return;
	put_names(&list, c, false);
	name = name_of(c, c->metric_chosen);
	unit = unit_of(c, c->metric_chosen);
	if (list.n)
		msg_warn("%s: weighed by %.*s%s%.*s%s; --cost also takes %s",
			input_name(c->in), (int)name.n, name.s, unit.n ? " (" : "",
			(int)unit.n, unit.s, unit.n ? ")" : "", buf_cstr(&list));
	buf_release(&list);
}

/* A line of --list-costs. */
static void
put_row(struct output *out, struct str name, struct str unit, const char *sum,
	bool chosen)
{
	output_fmt(out, "%-24.*s %-12.*s %20s%s\n", (int)name.n, name.s, (int)unit.n,
		unit.s, sum, chosen ? "  default" : "");
}

/* Lists events, for an input without metrics. */
static void
list_events(struct collapse *c, struct output *out)
{
	struct buf sum = { 0 };
	struct str name;
	uint32_t id;

	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		buf_clear(&sum);
		buf_fmt(&sum, "%" PRIu64, c->events[id].samples);
		put_row(out, name.n ? name : STR("samples"), STR("samples"),
			buf_cstr(&sum), c->events[id].wanted);
	}
	buf_release(&sum);
}

void
collapse_list_costs(struct collapse *c, struct output *out)
{
	const struct collapse_metric *m;
	struct buf sum = { 0 };
	size_t i;

	if (c->metric_n == c->metric_first)
		list_events(c, out);
	for (i = c->metric_first; i < c->metric_n; i++) {
		m = &c->metrics[i];
		buf_clear(&sum);
		if (m->sum < 0)
			buf_char(&sum, '-');
		weight_put_scaled(&sum,
			m->sum < 0 ? 0 - (uint64_t)m->sum : (uint64_t)m->sum,
			m->decimals);
		if (m->too_large)
			buf_str(&sum, STR(" and more"));
		put_row(out, name_of(c, i), unit_of(c, i), buf_cstr(&sum),
			i == c->metric_chosen);
	}
	buf_release(&sum);
}
