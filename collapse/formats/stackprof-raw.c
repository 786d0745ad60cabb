/* SPDX-License-Identifier: ISC */
/* Turns runs of samples into stacks; see stackprof-raw.h. */
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
	free(r->runs);
	cache_release(&r->nodes);
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
	if (column == &r->raw)
		r->run_n = 0;
	return column;
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
	*MEM_ADD(r->frames, r->frame_n, r->frame_cap) = (struct stackprof_frame){
		.name = frame_names_script(r->c, f),
		.collector = str_eq(f->name, STR("(garbage collection)")),
	};
}

/* The frame ID; NULL if undefined. */
static const struct stackprof_frame *
find_frame(const struct stackprof_raw *r, uint64_t id)
{
	uint32_t i;

	return intern_find(&r->ids, bytes_of(&id), &i) ? &r->frames[i] : NULL;
}

/* The node of the N frames IDS, outermost first, below ROOT; COLLAPSE_NOWHERE if one is
 * undefined. */
static uint32_t
find_path(struct stackprof_raw *r, uint32_t root, const uint64_t *ids, size_t n)
{
	struct str_digest key =
		str_digest((struct str){ (const char *)ids, n * sizeof *ids });
	uint32_t node = cache_find(&r->nodes, key);
	const struct stackprof_frame *frame;
	size_t i;

	if (node != CACHE_NONE)
		return node;
	r->stack = mem_grow(r->stack, &r->stack_cap, n, sizeof *r->stack);
	for (i = 0; i < n; i++) {
		frame = find_frame(r, ids[i]);
		if (!frame)
			return COLLAPSE_NOWHERE;
		r->stack[n - 1 - i] = frame->name;
	}
	return cache_add(&r->nodes, key, collapse_path(r->c, root, r->stack, n));
}

/* The node of the N frames IDS; TREE_ROOT without frames. A garbage collection alone goes
 * on top of the last stack, which stays the last one. */
static uint32_t
find_node(struct stackprof_raw *r, const uint64_t *ids, size_t n)
{
	const struct stackprof_frame *frame = n == 1 ? find_frame(r, ids[0]) : NULL;
	struct collapse_sample nobody = { .count = 0 };
	uint32_t root = collapse_root(r->c, &nobody), node = TREE_ROOT;

	if (frame && frame->collector)
		return collapse_path(
			r->c, r->last == TREE_ROOT ? root : r->last, &frame->name, 1);
	if (n)
		node = find_path(r, root, ids, n);
	r->last = node == COLLAPSE_NOWHERE ? TREE_ROOT : node;
	return node;
}

/* Adds a run of COUNT samples of the N frames IDS. */
static void
add_run(struct stackprof_raw *r, const uint64_t *ids, size_t n, uint64_t count)
{
	uint32_t node = find_node(r, ids, n);

	if (node == COLLAPSE_NOWHERE || count == STACKPROF_NONE) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	if (node == TREE_ROOT) {
		collapse_lose(r->c, COLLAPSE_NO_STACK);
		return;
	}
	*MEM_ADD(r->runs, r->run_n, r->run_cap) = (struct stackprof_run){ count, node };
}

/* Turns the complete runs in raw into r->runs. */
static void
make_runs(struct stackprof_raw *r)
{
	struct stackprof_numbers *raw = &r->raw;
	size_t i, n;

	for (i = 0; raw->n - i >= 2 && raw->items[i] <= raw->n - i - 2; i += n + 2) {
		n = (size_t)raw->items[i];
		add_run(r, raw->items + i + 1, n, raw->items[i + n + 1]);
	}
	raw->n -= i;
	if (i)
		memmove(raw->items, raw->items + i, raw->n * sizeof *raw->items);
}

void
stackprof_raw_add(struct stackprof_raw *r, struct stackprof_numbers *to,
	const uint64_t *values, size_t n)
{
	to->items = mem_grow(to->items, &to->cap, to->n + n, sizeof *to->items);
	if (n)
		memcpy(to->items + to->n, values, n * sizeof *values);
	to->n += n;
	if (to == &r->raw && r->frame_n && to->n > 1 && to->items[0] <= to->n - 2)
		make_runs(r);
}

/* Adds S at NODE; each of its samples took TIME microseconds. */
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

/* Adds COUNT samples with time stamps at NODE. */
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
			continue; /* already counted as an invalid number */
		add(r, node, s, r->mode == STACKPROF_WALL ? delta : r->interval);
	}
}

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

/* Folds the runs of raw. */
static void
fold_raw(struct stackprof_raw *r)
{
	size_t i;

	make_runs(r);
	if (r->raw.n)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	for (i = 0; i < r->run_n; i++)
		fold_run(r, r->runs[i].node, r->runs[i].count);
}

bool
stackprof_raw_fold(struct stackprof_raw *r, const struct input *in, bool whole)
{
	if (r->mode != STACKPROF_OTHER) {
		collapse_unit(r->c, STR("ns"));
		/* In mode "object", missed samples are those skipped by the interval. */
		collapse_lose_recorded(r->c, r->missed);
	}
	fold_raw(r);
	if (r->has_raw || !whole)
		return true;
	msg_error("%s: contains no stacks; record with StackProf.run(raw: true)",
		input_name(in));
	return false;
}
