/* SPDX-License-Identifier: ISC */
/*
 * JSON for gprof2dot, written by memray transform gprof2dot and memtrail:
 *
 *	{"version":0,"costs":[{"description":"Memory","unit":"bytes"}],
 *	 "functions":[{"name":"main","module":"work"},...],
 *	 "events":[{"callchain":[2,0],"cost":[1024]},...]}
 *
 * A chain lists functions, innermost first; an event has one cost of each kind. Keys come in any
 * order, but costs that come after the events cannot be chosen.
 *
 * jrfonseca/gprof2dot, gprof2dot.py, JsonParser.
 */
#include "stacks/quantity.h"
#include "formats.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "stacks/boxes.h"
#include "stacks/stack-table.h"

enum { COSTS_MOST = 64 };

struct reader {
	struct collapse *c;
	struct boxes boxes;	   /* by row of chains */
	struct stack_table chains; /* rows of functions, by number */
	uint32_t *names;	   /* the sink's frames, by function */
	size_t name_n, name_cap;
	unsigned cost_n, chosen;
	struct quantity kinds[COSTS_MOST];
	bool is_chosen, refused;
	struct json_ints chain;
};

/* Adds the kind of cost NAME; without UNIT it counts samples. */
static void
add_kind(struct reader *r, struct str name, struct str unit)
{
	struct quantity *q = &r->kinds[r->cost_n++];

	*q = quantity_of(STR("samples"), unit);
	(void)collapse_metric(r->c, name, q->unit);
	q->unit.n = 0;
}

static void
read_kind(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf name = { 0 }, unit = { 0 };
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("description")))
			json_read_text(p, &name);
		else if (str_eq(key, STR("unit")))
			json_read_text(p, &unit);
	if (r->cost_n < COSTS_MOST && !r->is_chosen)
		add_kind(r, buf_view(&name), buf_view(&unit));
	buf_release(&name);
	buf_release(&unit);
}

static void
read_function(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf name = { 0 }, module = { 0 };
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_text(p, &name);
		else if (str_eq(key, STR("module")))
			json_read_text(p, &module);
	*MEM_ADD(r->names, r->name_n, r->name_cap) = name.n
		? collapse_frame(r->c, buf_view(&name), 0)
		: collapse_bare_frame(r->c, buf_view(&module), (struct str){ 0 }, 0);
	buf_release(&name);
	buf_release(&module);
}

/* Chooses the metric to fold, at the first event. Returns false, after a message once, if --cost
 * names another one. */
static bool
choose(struct reader *r)
{
	if (r->is_chosen)
		return !r->refused;
	r->is_chosen = true;
	if (!r->cost_n)
		add_kind(r, STR("cost"), STR(""));
	r->chosen = collapse_choose_metric(r->c, 0);
	r->refused = r->chosen == COLLAPSE_NO_METRIC;
	if (r->refused)
		return false;
	r->boxes.counts = r->kinds[r->chosen].is_samples;
	r->boxes.times = r->kinds[r->chosen].times;
	if (!r->boxes.counts)
		collapse_exact(r->c);
	return true;
}

/* Reads an event's costs; *WEIGHT is the one to fold. Returns false if that is missing or
 * negative. */
static bool
read_costs(struct json_reader *p, struct reader *r, struct weight *weight)
{
	struct weight w;
	bool negative, found = false;
	unsigned i = 0;
	int64_t value;

	if (!json_read_array(p))
		return false;
	for (; json_next_element(p); i++) {
		if (!json_read_weight(p, &w, &negative))
			continue;
		if (i < r->cost_n && w.whole <= INT64_MAX &&
			quantity_scale(&r->kinds[i], (int64_t)w.whole, &value))
			collapse_count_cost(r->c, i, negative ? -value : value);
		if (i != r->chosen)
			continue;
		*weight = w;
		found = !negative;
		if (negative)
			collapse_lose(r->c, COLLAPSE_NEGATIVE);
	}
	return found;
}

/* Returns the row of the current chain, from the outermost function on. */
static uint32_t
find_row(struct reader *r)
{
	uint32_t row = STACK_EMPTY;
	size_t i;

	for (i = r->chain.n; i-- > 0 && row != STACK_NOWHERE;)
		row = r->chain.items[i] < 0 ? STACK_NOWHERE
					    : boxes_child(&r->boxes, &r->chains, row,
						      (uint32_t)r->chain.items[i]);
	return row;
}

static void
read_event(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct weight weight = { 0 };
	bool good = choose(r), has_cost = false;
	struct str key;
	uint32_t row;

	r->chain.n = 0;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("callchain")))
			good &= json_read_ints(p, &r->chain, -1);
		else if (str_eq(key, STR("cost")))
			has_cost = read_costs(p, r, &weight);
	if (!good || !has_cost || json_failed(p))
		return;
	row = find_row(r);
	if (row == STACK_EMPTY)
		collapse_lose(r->c, COLLAPSE_NO_STACK);
	else if (row == STACK_NOWHERE)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	else if (!boxes_weigh(&r->boxes, row, BOXES_AFTER, weight))
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_EACH("costs", read_kind),
		JSON_EACH("functions", read_function), JSON_EACH("events", read_event) };
	struct reader r = { .c = c, .boxes = { .c = c, .columns = 1, .times = 1 } };
	struct json_profile f;
	bool good;

	json_profile_begin(&f, in, c);
	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
	boxes_rename(&r.boxes, r.names, r.name_n);
	if (!r.refused)
		boxes_fold(&r.boxes);
	good = json_profile_end(&f, true) && !r.refused;
	boxes_release(&r.boxes);
	stack_table_release(&r.chains);
	json_ints_release(&r.chain);
	free(r.names);
	return good;
}

static int
probe(struct str head)
{
	return json_has(head, "events[].callchain") ||
			(json_has(head, "costs[].description") &&
				json_has(head, "events"))
		? 90
		: 0;
}

const struct collapse_format collapse_gprof2dot = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("events")),
	.run = run,
	.uses = COLLAPSE_USES_COST,
};
