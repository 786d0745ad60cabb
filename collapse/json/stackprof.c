/* SPDX-License-Identifier: ISC */
/*
 * stackprof, the sampling profiler of Ruby, as JSON: stackprof --json FILE, or
 * JSON.generate(StackProf.run(raw: true) { ... }).
 *
 *	{"version":1.2,"mode":"cpu","interval":1000,"samples":3,
 *	 "frames":{"140279474744720":{"name":"A#b","file":"/opt/sp.rb","line":2},
 *	  "1":{"name":"(garbage collection)","file":""}},
 *	 "raw":[2,140279530618240,140279474744720,2, 1,1,1],
 *	 "raw_sample_timestamps":[4284632046,4284636049,4284640047],
 *	 "raw_timestamp_deltas":[4720,3988,3992]}
 *
 * raw, which is there with raw: true only, is runs of equal samples: the number
 * of frames, the frames, outermost first, and how many samples. interval, time
 * stamps and what passed before each sample are in microseconds.
 *
 *	mode	a sample weighs
 *	cpu	the interval: the clock of the process
 *	wall	the time since the sample before it
 *	object	1: each interval-th object that was made
 *	custom	1
 *
 * Older stackprof writes garbage collection as one frame without its callers: it
 * is put on the stack before it. Newer ones add what the collector does, and
 * these samples stay as they are. The frames' own line is where they begin.
 *
 * tmm1/stackprof, ext/stackprof/stackprof.c and lib/stackprof/report.rb.
 */
#include "collapse.h"
#include "formats.h"
#include "json-profile.h"
#include "frame-names.h"

enum mode { OTHER, CPU, WALL };

/* No number, in a column. */
#define NONE UINT64_MAX

/* A column of whole numbers: ids have up to 64 bits. */
struct numbers {
	uint64_t *items;
	size_t n, cap;
};

struct frame {
	uint32_t name; /* an id of the sink */
	bool collector;
};

struct reader {
	struct collapse *c;
	enum mode mode;
	bool has_raw;
	uint64_t interval; /* NONE: not known */
	uint64_t missed;
	struct intern ids;    /* frames by the bytes of their ids */
	struct frame *frames; /* the first of ids */
	size_t frame_n, frame_cap;
	struct numbers raw;
	struct numbers times, deltas; /* by sample */
	size_t sample;		      /* the next one, in both */
	uint64_t clock;		      /* the sum of the deltas so far */
	uint32_t *stack; /* at 0 room for the collector, then the stack that was
				       * seen last, innermost first */
	size_t stack_n, stack_cap;
};

/* Takes an array of whole numbers; what is none becomes NONE. */
static void
take_numbers(struct json_reader *p, struct numbers *v)
{
	uint64_t value;

	v->n = 0;
	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		if (!json_read_u64(p, &value))
			value = NONE;
		v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
		v->items[v->n++] = value;
	}
}

static struct str
bytes_of(const uint64_t *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

/* Takes what is known of the frame ID. */
static void
take_frame(struct json_reader *p, struct reader *r, uint64_t id)
{
	struct frame_names_script f = { .line = 0 };
	struct buf name = { 0 }, file = { 0 };
	struct frame frame;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_text(p, &name);
		else if (str_eq(key, STR("file")))
			json_read_text(p, &file);
		else if (str_eq(key, STR("line")) && !json_read_null(p))
			(void)json_read_u64(p, &f.line);
	f.name = buf_view(&name);
	f.file = buf_view(&file);
	frame.name = frame_names_script(r->c, &f);
	frame.collector = str_eq(f.name, STR("(garbage collection)"));
	buf_release(&name);
	buf_release(&file);
	if (intern_id(&r->ids, bytes_of(&id)) != r->frame_n)
		return;
	r->frames = mem_grow(r->frames, &r->frame_cap, r->frame_n + 1, sizeof *r->frames);
	r->frames[r->frame_n++] = frame;
}

static void
take_frames(struct json_reader *p, struct reader *r)
{
	struct str key;
	uint64_t id;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_to_u64(key, &id))
			take_frame(p, r, id);
		else
			collapse_lose(r->c, COLLAPSE_MALFORMED);
}

static void
take_mode(struct json_reader *p, struct reader *r)
{
	struct str mode;

	(void)json_read_string(p, &mode);
	if (str_eq(mode, STR("cpu")))
		r->mode = CPU;
	else if (str_eq(mode, STR("wall")))
		r->mode = WALL;
}

static void
take_file(struct json_reader *p, struct reader *r)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("mode"))) {
			take_mode(p, r);
		} else if (str_eq(key, STR("interval"))) {
			if (!json_read_null(p) && !json_read_u64(p, &r->interval))
				r->interval = NONE;
		} else if (str_eq(key, STR("missed_samples"))) {
			(void)json_read_u64(p, &r->missed);
		} else if (str_eq(key, STR("frames"))) {
			take_frames(p, r);
		} else if (str_eq(key, STR("raw"))) {
			r->has_raw = true;
			take_numbers(p, &r->raw);
		} else if (str_eq(key, STR("raw_sample_timestamps"))) {
			take_numbers(p, &r->times);
		} else if (str_eq(key, STR("raw_timestamp_deltas"))) {
			take_numbers(p, &r->deltas);
		}
	}
}

/* Makes the N frames IDS, outermost first, the stack. False, and it is empty, when
 * one of them is not known. A collector alone leaves the stack as it is; *COLLECTOR
 * says so, and it is at 0. */
static bool
take_stack(struct reader *r, const uint64_t *ids, size_t n, bool *collector)
{
	const struct frame *frame = NULL;
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
add(struct reader *r, uint32_t node, struct collapse_sample s, uint64_t time)
{
	bool fits = true;

	if (r->mode != OTHER && time != NONE) {
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
fold_timed(struct reader *r, uint32_t node, uint64_t count)
{
	struct collapse_sample s = { .count = 1, .has_time = true };
	uint64_t time, delta;

	for (; count > 0; count--, r->sample++) {
		delta = r->sample < r->deltas.n ? r->deltas.items[r->sample] : NONE;
		r->clock += delta == NONE ? 0 : delta;
		time = r->sample < r->times.n ? r->times.items[r->sample] : r->clock;
		s.time = time > UINT64_MAX / 1000 ? UINT64_MAX : time * 1000;
		if (r->mode == WALL && delta == NONE)
			continue; /* has been counted as no number */
		add(r, node, s, r->mode == WALL ? delta : r->interval);
	}
}

/* Adds COUNT samples at NODE. */
static void
fold_run(struct reader *r, uint32_t node, uint64_t count)
{
	size_t timed = r->deltas.n > r->times.n ? r->deltas.n : r->times.n;
	struct collapse_sample s = { .count = count };

	if (r->mode == WALL)
		timed = r->deltas.n;
	if (count <= timed - r->sample)
		fold_timed(r, node, count);
	else
		add(r, node, s, r->interval);
}

/* Reads raw. */
static void
fold(struct reader *r)
{
	const struct numbers *raw = &r->raw;
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
			raw->items[i + n + 1] != NONE;
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

static void
release(struct reader *r)
{
	intern_release(&r->ids);
	free(r->frames);
	free(r->raw.items);
	free(r->times.items);
	free(r->deltas.items);
	free(r->stack);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .interval = NONE };
	struct json_profile f;
	bool good;

	json_profile_begin(&f, in, c);
	take_file(&f.p, &r);
	good = r.has_raw || json_failed(&f.p);
	if (!good)
		msg_error("%s: contains no stacks; record with StackProf.run(raw: true)",
			input_name(in));
	if (r.mode != OTHER) {
		collapse_unit(c, STR("ns"));
		/* Of objects those are missed that the interval leaves out. */
		collapse_lose_recorded(c, r.missed);
	}
	fold(&r);
	release(&r);
	if (good)
		return json_profile_end(&f, true);
	json_reader_release(&f.p);
	return false;
}

static int
probe(struct str head)
{
	bool modes = json_has_text(head, "mode", STR("cpu")) ||
		json_has_text(head, "mode", STR("wall")) ||
		json_has_text(head, "mode", STR("object")) ||
		json_has_text(head, "mode", STR("custom"));

	if (!modes || !json_has(head, "interval"))
		return 0;
	return json_has(head, "frames") ? 90 : 60;
}

const struct collapse_format collapse_stackprof = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
