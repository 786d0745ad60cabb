/* SPDX-License-Identifier: ISC */
/* Runs of samples to stacks; see stackprof-raw.h. */
#include "stackprof-raw.h"
#include "mem.h"
#include "msg.h"

void
stackprof_raw_init(struct stackprof_raw *r, struct collapse *c)
{
	*r = (struct stackprof_raw){ .c = c, .interval = STACKPROF_NONE };
}

void
stackprof_raw_release(struct stackprof_raw *r)
{
	intern_release(&r->ids);
	free(r->frames);
	free(r->raw.items);
	free(r->times.items);
	free(r->deltas.items);
	free(r->stack);
}

void
stackprof_raw_set_mode(struct stackprof_raw *r, struct str name)
{
	r->mode = STACKPROF_OTHER;
	if (str_eq(name, STR("cpu")))
		r->mode = STACKPROF_CPU;
	else if (str_eq(name, STR("wall")))
		r->mode = STACKPROF_WALL;
}

struct stackprof_numbers *
stackprof_raw_column(struct stackprof_raw *r, struct str key)
{
	struct stackprof_numbers *column = NULL;

	if (str_eq(key, STR("raw")))
		column = &r->raw;
	else if (str_eq(key, STR("raw_sample_timestamps")))
		column = &r->times;
	else if (str_eq(key, STR("raw_timestamp_deltas")))
		column = &r->deltas;
	r->has_raw |= column == &r->raw;
	if (column)
		column->n = 0;
	return column;
}

void
stackprof_raw_add(struct stackprof_numbers *to, uint64_t value)
{
	to->items = mem_grow(to->items, &to->cap, to->n + 1, sizeof *to->items);
	to->items[to->n++] = value;
}

static struct str
bytes_of(const uint64_t *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

void
stackprof_raw_frame(
	struct stackprof_raw *r, uint64_t id, const struct frame_names_script *f)
{
	if (intern_id(&r->ids, bytes_of(&id)) != r->frame_n)
		return;
	r->frames = mem_grow(r->frames, &r->frame_cap, r->frame_n + 1, sizeof *r->frames);
	r->frames[r->frame_n++] = (struct stackprof_frame){
		.name = frame_names_script(r->c, f),
		.collector = str_eq(f->name, STR("(garbage collection)")),
	};
}

/* Makes the N frames IDS, outermost first, the stack. False, and it is empty, when
 * one of them is not known. A collector alone leaves the stack as it is; *COLLECTOR
 * says so, and it is at 0. */
static bool
take_stack(struct stackprof_raw *r, const uint64_t *ids, size_t n, bool *collector)
{
	const struct stackprof_frame *frame = NULL;
	uint32_t id;
	size_t i;

	r->stack = mem_grow(r->stack, &r->stack_cap, n + 1, sizeof *r->stack);
	for (i = 0; i < n; i++) {
		id = intern_id(&r->ids, bytes_of(&ids[i]));
		if (id >= r->frame_n) {
			r->stack_n = 0;
			return false;
		}
		frame = &r->frames[id];
		if (n > 1 || !frame->collector)
			r->stack[n - i] = frame->name;
	}
	*collector = n == 1 && frame->collector;
	if (*collector)
		r->stack[0] = frame->name;
	else
		r->stack_n = n;
	return true;
}

/* Adds S at NODE with the weight of its samples at TIME microseconds each. */
static void
add(struct stackprof_raw *r, uint32_t node, struct collapse_sample s, uint64_t time)
{
	bool fits = true;

	if (r->mode != STACKPROF_OTHER && time != STACKPROF_NONE) {
		fits = !time || s.count <= UINT64_MAX / 1000 / time;
		s.period = fits ? s.count * time * 1000 : 0;
		s.has_period = true;
	}
	if (!collapse_wants(r->c, &s))
		return;
	if (fits)
		collapse_add(r->c, node, &s);
	else
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
}

/* Adds COUNT samples, for which there are time stamps, at NODE. */
static void
fold_timed(struct stackprof_raw *r, uint32_t node, uint64_t count)
{
	struct collapse_sample s = { .count = 1, .has_time = true };
	uint64_t time, delta;

	for (; count > 0; count--, r->sample++) {
		delta = r->sample < r->deltas.n ? r->deltas.items[r->sample]
						: STACKPROF_NONE;
		r->clock += delta == STACKPROF_NONE ? 0 : delta;
		time = r->sample < r->times.n ? r->times.items[r->sample] : r->clock;
		s.time = time > UINT64_MAX / 1000 ? UINT64_MAX : time * 1000;
		if (r->mode == STACKPROF_WALL && delta == STACKPROF_NONE)
			continue; /* has been counted as no number */
		add(r, node, s, r->mode == STACKPROF_WALL ? delta : r->interval);
	}
}

/* Adds COUNT samples at NODE. */
static void
fold_run(struct stackprof_raw *r, uint32_t node, uint64_t count)
{
	size_t timed = r->deltas.n > r->times.n ? r->deltas.n : r->times.n;
	struct collapse_sample s = { .count = count };

	if (r->mode == STACKPROF_WALL)
		timed = r->deltas.n;
	if (count <= timed - r->sample)
		fold_timed(r, node, count);
	else
		add(r, node, s, r->interval);
}

/* Reads raw. */
static void
fold_raw(struct stackprof_raw *r)
{
	const struct stackprof_numbers *raw = &r->raw;
	struct collapse_sample nobody = { .count = 0 };
	uint32_t root = collapse_root(r->c, &nobody), node;
	bool collector, good;
	size_t i, n;

	for (i = 0; i < raw->n; i += n + 2) {
		if (raw->n - i < 2 || raw->items[i] > raw->n - i - 2) {
			collapse_lose(r->c, COLLAPSE_MALFORMED);
			return;
		}
		n = (size_t)raw->items[i];
		good = take_stack(r, raw->items + i + 1, n, &collector) &&
			raw->items[i + n + 1] != STACKPROF_NONE;
		if (!good || r->stack_n + collector == 0) {
			collapse_lose(
				r->c, good ? COLLAPSE_NO_STACK : COLLAPSE_MALFORMED);
			continue;
		}
		node = collapse_path(
			r->c, root, r->stack + !collector, r->stack_n + collector);
		fold_run(r, node, raw->items[i + n + 1]);
	}
}

bool
stackprof_raw_fold(struct stackprof_raw *r, const struct input *in, bool whole)
{
	if (r->mode != STACKPROF_OTHER) {
		collapse_unit(r->c, STR("ns"));
		/* Of objects those are missed that the interval leaves out. */
		collapse_lose_recorded(r->c, r->missed);
	}
	fold_raw(r);
	if (r->has_raw || !whole)
		return true;
	msg_error("%s: contains no stacks; record with StackProf.run(raw: true)",
		input_name(in));
	return false;
}
