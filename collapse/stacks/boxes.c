/* SPDX-License-Identifier: ISC */
/* Turns boxes into stacks; see boxes.h. */
#include "boxes.h"
#include "quantity.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

void
boxes_release(struct boxes *b)
{
	free(b->items);
	*b = (struct boxes){ .c = b->c };
}

void
boxes_set_unit(struct boxes *b, struct str unit)
{
	struct quantity q = quantity_of(STR("samples"), unit);

	b->times = 1;
	b->counts = q.is_samples || str_eq(unit, STR("samples"));
	if (b->counts) {
		collapse_unit(b->c, STR("samples"));
		return;
	}
	b->times = q.times;
	/* The number of samples behind such weights is unknown. */
	collapse_exact(b->c);
	b->metric = collapse_metric(b->c, STR("weight"), q.unit);
	b->has_metric = collapse_choose_metric(b->c, b->metric) == b->metric;
}

uint32_t
boxes_add(struct boxes *b, uint32_t frame, uint32_t parent)
{
	if (b->n == BOXES_NONE)
		return BOXES_NONE;
	b->items = mem_grow(b->items, &b->cap, b->n + 1, sizeof *b->items);
	b->items[b->n] = (struct box){ .frame = frame, .parent = parent };
	return (uint32_t)b->n++;
}

uint32_t
boxes_child(struct boxes *b, struct stack_table *t, uint32_t caller, uint32_t frame)
{
	uint32_t row = stack_table_child(t, caller, frame);

	if (b->n < t->n)
		(void)boxes_add(b, frame, caller);
	return row;
}

void
boxes_rename(struct boxes *b, const uint32_t *frames, size_t n)
{
	const struct str nothing = { 0 };
	struct box *box;

	for (box = b->items; box && box < b->items + b->n; box++)
		if (box->frame < n) {
			box->frame = frames[box->frame];
		} else {
			box->frame = collapse_bare_frame(b->c, nothing, nothing, 0);
			collapse_lose(b->c, COLLAPSE_MALFORMED);
		}
}

/* Gives weights decimals. Returns false if they would overflow. */
static bool
refine(struct boxes *b)
{
	enum { DECIMALS = 6, UNITS = 1000000 };
	size_t i;
	int column;

	for (i = 0; i < b->n; i++)
		for (column = 0; column < b->columns; column++)
			if (b->items[i].weight[column] > UINT64_MAX / UNITS)
				return false;
	for (i = 0; i < b->n; i++)
		for (column = 0; column < b->columns; column++)
			b->items[i].weight[column] *= UNITS;
	b->decimals = DECIMALS;
	return true;
}

bool
boxes_weigh(struct boxes *b, uint32_t i, int column, struct weight w)
{
	uint64_t value, *weight = &b->items[i].weight[column];

	if (w.nano && !b->decimals)
		(void)refine(b);
	if (!weight_scaled(w, b->decimals, &value) || value > UINT64_MAX - *weight)
		return false;
	*weight += value;
	return true;
}

void
boxes_warn_narrowest(const struct boxes *b, const char *name, struct str unit)
{
	struct str what = unit.n ? unit : STR("samples");
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; i < b->n; i++)
		if (!b->items[i].is_nothing && b->items[i].weight[BOXES_AFTER] &&
			b->items[i].weight[BOXES_AFTER] < least)
			least = b->items[i].weight[BOXES_AFTER];
	if (b->n && least > 1)
		msg_warn("%s: its narrowest frame has %" PRIu64
			 " %.*s; narrower frames, if any, are counted in their callers",
			name, least, STR_ARG(what));
}

uint64_t
boxes_subtract(struct boxes *b, int column)
{
	uint64_t *above = mem_zero(b->n, sizeof *above), less = 0;
	struct box *box;
	size_t i;

	for (i = b->n; i-- > 0;) {
		box = &b->items[i];
		if (box->parent != BOXES_NONE)
			above[box->parent] =
				weight_count(above[box->parent], box->weight[column]);
		less += box->weight[column] < above[i];
		box->weight[column] -=
			box->weight[column] < above[i] ? box->weight[column] : above[i];
	}
	free(above);
	return less;
}

/* Adds WEIGHT at NODE for the event of S. */
static void
add(struct boxes *b, struct collapse_sample s, uint32_t node, uint64_t weight)
{
	if (b->counts && !b->decimals) {
		s.count = weight;
	} else {
		s.has_period = true;
		s.period = weight * b->times;
	}
	if (!collapse_wants(b->c, &s))
		return;
	if (weight > UINT64_MAX / b->times) {
		collapse_lose(b->c, COLLAPSE_OVERFLOW);
		return;
	}
	if (b->has_metric && weight * b->times <= INT64_MAX)
		collapse_count_cost(b->c, b->metric, (int64_t)(weight * b->times));
	collapse_add(b->c, node, &s);
}

/* Prefetches for the box AHEAD of I, if its caller's node is known. */
static inline void
expect_ahead(const struct boxes *b, const uint32_t *nodes, size_t i)
{
	enum { AHEAD = 16 };
	const struct box *box = i + AHEAD < b->n ? &b->items[i + AHEAD] : NULL;

	if (box && box->parent < i)
		collapse_expect_path(b->c, nodes[box->parent], box->frame);
}

static void
fold_column(struct boxes *b, int column, uint32_t *nodes)
{
	struct collapse_sample s = { .event = b->events[column] };
	uint32_t root = collapse_root(b->c, &s), below;
	const struct box *box;
	size_t i;

	for (i = 0; i < b->n; i++) {
		expect_ahead(b, nodes, i);
		box = &b->items[i];
		below = box->parent == BOXES_NONE ? root : nodes[box->parent];
		nodes[i] = box->is_root || box->is_nothing
			? below
			: collapse_path(b->c, below, &box->frame, 1);
		if (!box->weight[column])
			continue;
		add(b, s,
			box->is_root ? collapse_path(b->c, below, &box->frame, 1)
				     : nodes[i],
			box->weight[column]);
	}
}

/* Declares the columns as events. */
static void
expect(struct boxes *b)
{
	const struct collapse_options *o = collapse_options(b->c);

	if (b->columns == 1)
		return;
	if (!b->events[BOXES_AFTER].n) {
		b->events[BOXES_AFTER] = STR("after");
		b->events[BOXES_BEFORE] = STR("before");
		collapse_differs(b->c);
		if (!o->event && !o->columns[1].n)
			msg_warn("the input compares two profiles; keep both with "
				 "--columns before,after");
	}
	collapse_expect(b->c, b->events[BOXES_AFTER]);
	collapse_expect(b->c, b->events[BOXES_BEFORE]);
}

void
boxes_fold(struct boxes *b)
{
	uint32_t *nodes = mem_zero(b->n, sizeof *nodes);
	int column;

	if (b->decimals && !collapse_decimals(b->c, b->decimals))
		b->decimals = 0;
	/* A fraction of a sample is not a sample. */
	if (b->decimals)
		collapse_exact(b->c);
	collapse_leads(b->c, b->by);
	expect(b);
	for (column = 0; column < b->columns; column++)
		fold_column(b, column, nodes);
	free(nodes);
}
