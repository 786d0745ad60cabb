/* SPDX-License-Identifier: ISC */
/* Properties of inputs, and losses; see collapse.h. */
#include "date.h"
#include "msg.h"
#include "sink.h"
#include "weight.h"

const struct collapse_options *
collapse_options(const struct collapse *c)
{
	return c->options;
}

bool
collapse_has_root(const struct collapse *c, enum collapse_by by)
{
	size_t i;

	for (i = 0; i < COLLAPSE_BY_MAX && c->options->by[i]; i++)
		if (c->options->by[i] == by)
			return true;
	return false;
}

void
collapse_begin(struct collapse *c, struct input *in)
{
	c->in = in;
	c->inputs++;
	c->has_first_time = c->threadless = false;
	c->timeless = 0;
	c->decimals = 0;
	c->metric_first = c->metric_n;
	/* To show progress. */
	input_stacks(in, &c->tree.stacks);
}

void
collapse_origin(struct collapse *c, uint64_t time)
{
	if (!c->has_first_time || time < c->first_time)
		c->first_time = time;
	c->has_first_time = true;
}

void
collapse_threadless(struct collapse *c)
{
	c->threadless = true;
}

void
collapse_exact(struct collapse *c)
{
	c->exact = true;
}

void
collapse_differs(struct collapse *c)
{
	c->differs = true;
}

void
collapse_perf(struct collapse *c)
{
	c->perf = true;
}

void
collapse_info(struct collapse *c, const char *key, struct str value)
{
	if (!folded_info_get(&c->info, key).n)
		folded_info_set(&c->info, key, value);
}

static void
put_start(struct collapse *c, uint64_t start, bool zoned)
{
	struct buf text = { 0 };

	date_put(&text, start, zoned);
	collapse_info(c, "start", buf_view(&text));
	buf_release(&text);
}

void
collapse_start(struct collapse *c, uint64_t start)
{
	if (start)
		put_start(c, start, true);
}

void
collapse_start_text(struct collapse *c, struct str text)
{
	uint64_t start;
	bool zoned;

	if (date_cut(&text, &start, &zoned))
		put_start(c, start, zoned);
}

void
collapse_program(
	struct collapse *c, struct str program, struct str build_id, struct str path)
{
	struct buf id = { 0 };

	buf_hex(&id, build_id);
	(void)folded_program_add(
		&c->info, &(struct folded_program){ program, buf_view(&id), path });
	buf_release(&id);
}

void
collapse_info_add(struct collapse *c, const char *key, uint64_t n)
{
	folded_info_set_u64(
		&c->info, key, weight_count(folded_info_u64(&c->info, key), n));
}

uint64_t
collapse_samples(const struct collapse *c)
{
	return c->samples;
}

unsigned
collapse_restarts(const struct collapse *c)
{
	return c->restarts;
}

void
collapse_snapshot(struct collapse *c, uint64_t bytes)
{
	if (bytes > c->snapshot)
		c->snapshot = bytes;
}

void
collapse_unit(struct collapse *c, struct str unit)
{
	c->mixed |= c->unit.n && !str_eq(c->unit, unit);
	c->unit = unit;
}

bool
collapse_decimals(struct collapse *c, unsigned decimals)
{
	unsigned had = c->tree.scale;
	uint64_t times;
	size_t i;

	if (!tree_set_scale(&c->tree, decimals))
		return false;
	times = weight_units(c->tree.scale - had);
	for (i = 0; i < c->line_n; i++)
		c->lines[i].weight *= times;
	for (i = 0; i < COLLAPSE_ENDS; i++)
		c->ends[i] *= times;
	c->decimals = decimals;
	return true;
}

void
collapse_lose(struct collapse *c, enum collapse_loss kind)
{
	static const char *const first[COLLAPSE_LOSSES] = {
		[COLLAPSE_NO_STACK] = "skipping a sample without a stack",
		[COLLAPSE_MALFORMED] = "skipping a line outside of samples",
		[COLLAPSE_DAMAGED] = "skipping a damaged record",
		[COLLAPSE_OVERFLOW] =
			"skipping a sample: with its weight the sum overflows 64 bits",
		[COLLAPSE_NEGATIVE] = "skipping a sample with a weight below 0",
	};

	const char *text = first[kind];

	if (kind == COLLAPSE_MALFORMED && !c->perf)
		text = "skipping a malformed part";
	if (collapse_lose_quietly(c, kind, 1))
		msg_warn_at(input_name(c->in), input_line_number(c->in), "%s%s", text,
			kind == COLLAPSE_OVERFLOW && !c->options->count
				? "; count samples with --weight samples"
				: "");
}

bool
collapse_lose_quietly(struct collapse *c, enum collapse_loss kind, uint64_t n)
{
	bool first = n && !c->losses[kind];

	c->losses[kind] += n;
	return first;
}

void
collapse_lose_recorded(struct collapse *c, uint64_t n)
{
	c->lost += n;
}

bool
collapse_damage(struct collapse *c, uint64_t before, bool cut)
{
	const char *name = input_name(c->in);
	bool folded = c->samples > before;

	/* The rest of the input counts as one loss, as its size is unknown. */
	collapse_lose_quietly(c, COLLAPSE_DAMAGED, folded);
	if (cut && folded)
		msg_warn("%s: is truncated; kept the samples before its end", name);
	else if (cut)
		msg_error("%s: is truncated, and nothing could be folded", name);
	return folded;
}
