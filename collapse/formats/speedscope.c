/* SPDX-License-Identifier: ISC */
/*
 * speedscope's file format, written by many profilers: frames, and profiles of samples
 * (outermost frame first) or of calls (open and close events).
 *
 *	{"$schema":"https://www.speedscope.app/file-format-schema.json",
 *	 "shared":{"frames":[{"name":"a","file":"x.c","line":3},{"name":"b"}]},
 *	 "profiles":[
 *	  {"type":"sampled","name":"one","unit":"seconds","startValue":0,
 *	   "endValue":14,"samples":[[0,1],[0]],"weights":[1,0.5]},
 *	  {"type":"evented","name":"two","unit":"none","startValue":0,
 *	   "endValue":14,"events":[{"type":"O","frame":0,"at":0},
 *	   {"type":"C","frame":0,"at":14}]}]}
 *
 * https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
 *
 * All profiles are folded, each below its name (--by comm). Times are converted to ns.
 * Keys come in any order, so stacks are kept as frame numbers, each stack once, until all
 * names have been read.
 */
#include "stacks/cache.h"
#include "collapse.h"
#include "formats.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "msg.h"
#include "stacks/quantity.h"
#include "stacks/stack-table.h"

#include <inttypes.h>
#include <math.h>

/* Replace a frame's number: in a column, and in an event. */
#define NO_FRAME  (-1)
#define NO_NUMBER UINT32_MAX

/* Times and weights beyond this many ns are malformed. */
#define FURTHEST 9e18

/* A sample and its weight; or a time, and the stack from then on. */
struct mark {
	double value;
	uint32_t stack;
};

struct profile {
	struct buf name;
	struct str unit; /* from the units table, or empty */
	double factor;	 /* from its unit to ns; 0: not a time */
	double start;
	bool evented;
	struct mark *marks;
	size_t n, cap;
	struct json_doubles weights; /* of samples */
	uint64_t broken;	     /* invalid events */
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct stack_table stacks; /* frames are indices in frames */
	uint32_t *frames;	   /* names in the sink */
	size_t frame_n, frame_cap;
	struct profile *profiles;
	size_t n, cap;
	bool several_units;
};

/* Reads a frame number; NO_NUMBER if invalid. */
static uint32_t
read_number(struct json_reader *p)
{
	uint64_t number;

	return json_read_u64(p, &number) && number < NO_NUMBER ? (uint32_t)number
							       : NO_NUMBER;
}

static void
add_mark(struct profile *f, double value, uint32_t stack)
{
	*MEM_ADD(f->marks, f->n, f->cap) = (struct mark){ value, stack };
}

/* The previous sample, one item per frame; and the stacks of samples, by their frames. */
struct before {
	struct {
		int32_t frame;
		uint32_t stack;
	} * items;
	size_t n, cap;
	struct cache stacks;
};

/* The stack of ROW, which shares its first SAME frames with the previous sample. */
static uint32_t
add_stack(struct reader *r, const struct json_ints *row, struct before *last, size_t same)
{
	size_t i;

	last->items = mem_grow(last->items, &last->cap, row->n, sizeof *last->items);
	last->n = same;
	for (i = same; i < row->n && row->items[i] != NO_FRAME; i++) {
		last->items[i].frame = row->items[i];
		last->items[i].stack = stack_table_child(&r->stacks,
			i ? last->items[i - 1].stack : STACK_EMPTY,
			(uint32_t)row->items[i]);
		last->n++;
	}
	if (i < row->n)
		return STACK_NOWHERE;
	return row->n ? last->items[row->n - 1].stack : STACK_EMPTY;
}

/* The stack of ROW, which often begins like the previous sample's, or equals that of an
 * earlier sample. */
static uint32_t
find_stack(struct reader *r, const struct json_ints *row, struct before *last)
{
	enum { FEW = 4 };
	struct str_digest key;
	uint32_t stack;
	size_t same = 0;

	while (same < row->n && same < last->n &&
		row->items[same] == last->items[same].frame)
		same++;
	if (row->n - same <= FEW)
		return add_stack(r, row, last, same);
	key = str_digest(
		(struct str){ (const char *)row->items, row->n * sizeof *row->items });
	stack = cache_find(&last->stacks, key);
	if (stack == CACHE_NONE) {
		stack = add_stack(r, row, last, same);
		cache_add(&last->stacks, key, stack);
	}
	return stack;
}

static void
read_samples(struct json_reader *p, struct reader *r, struct profile *f)
{
	struct before last = { .n = 0 };
	struct json_ints row = { .n = 0 };
	bool good;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		row.n = 0;
		good = json_read_ints(p, &row, NO_FRAME);
		if (!json_failed(p))
			add_mark(f, 1, good ? find_stack(r, &row, &last) : STACK_NOWHERE);
	}
	free(last.items);
	cache_release(&last.stacks);
	json_ints_release(&row);
}

struct event {
	char type;
	uint32_t frame;
	double at;
};

static bool
read_event(struct json_reader *p, struct event *e)
{
	struct str key, s;

	*e = (struct event){ .frame = NO_NUMBER, .at = NAN };
	if (!json_read_object(p))
		return false;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("type")))
			e->type = (char)(json_read_string(p, &s) && s.n ? s.s[0] : 0);
		else if (str_eq(key, STR("frame")))
			e->frame = read_number(p);
		else if (str_eq(key, STR("at")))
			(void)json_read_double(p, &e->at);
	}
	return !json_failed(p) && (e->type == 'O' || e->type == 'C') &&
		e->frame != NO_NUMBER && !isnan(e->at);
}

static const char *
name_of(struct profile *f)
{
	return f->name.n ? buf_cstr(&f->name) : "(unnamed)";
}

/* Reports that event NUMBER of F is invalid; the rest of F is ignored. */
static void
break_off(struct reader *r, struct profile *f, size_t number, const char *why)
{
	if (!f->broken++)
		msg_error(
			"%s: profile %.99s: event %zu %s; skipping the rest of this profile",
			input_name(r->in), name_of(f), number, why);
}

/* The stack after E; STACK_NOWHERE, after a message, if E is invalid. */
static uint32_t
follow(struct reader *r, struct profile *f, const struct event *e, size_t number)
{
	uint32_t stack = f->n ? f->marks[f->n - 1].stack : STACK_EMPTY;

	if (f->n && e->at < f->marks[f->n - 1].value)
		break_off(r, f, number, "is earlier than its predecessor");
	else if (e->type == 'O')
		return stack_table_child(&r->stacks, stack, e->frame);
	else if (stack == STACK_EMPTY)
		break_off(r, f, number, "closes a frame, but none is open");
	else if (r->stacks.rows[stack].frame != e->frame)
		break_off(r, f, number, "closes a frame other than the innermost");
	else
		return r->stacks.rows[stack].caller;
	return STACK_NOWHERE;
}

static void
read_events(struct json_reader *p, struct reader *r, struct profile *f)
{
	struct event e;
	uint32_t stack;
	size_t number = 0;

	f->evented = true;
	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		number++;
		if (!read_event(p, &e)) {
			if (!json_failed(p))
				break_off(r, f, number, "is malformed");
			continue;
		}
		if (f->broken)
			continue;
		stack = follow(r, f, &e, number);
		if (stack != STACK_NOWHERE)
			add_mark(f, e.at, stack);
	}
	if (!f->broken && !json_failed(p) && f->n &&
		f->marks[f->n - 1].stack != STACK_EMPTY) {
		f->broken++;
		msg_error(
			"%s: profile %.99s ends with open frames; their time is unknown",
			input_name(r->in), name_of(f));
	}
}

static void
read_unit(struct json_reader *p, struct profile *f)
{
	struct quantity q;
	struct str s;

	if (!json_read_string(p, &s))
		return;
	q = quantity_of((struct str){ 0 }, s);
	if (str_eq(q.unit, STR("ns"))) {
		f->unit = q.unit;
		f->factor = (double)q.times;
	} else if (str_eq(s, STR("bytes"))) {
		f->unit = STR("bytes");
		f->factor = 0;
	}
}

static void
read_profile(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct profile *f;
	struct str key, s;

	if (!json_read_object(p))
		return;
	f = MEM_ADD(r->profiles, r->n, r->cap);
	*f = (struct profile){ .evented = false };
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("name"))) {
			if (json_read_string(p, &s))
				buf_str(&f->name, s);
		} else if (str_eq(key, STR("unit"))) {
			read_unit(p, f);
		} else if (str_eq(key, STR("startValue"))) {
			(void)json_read_double(p, &f->start);
		} else if (str_eq(key, STR("samples")) && !f->n && !f->evented) {
			read_samples(p, r, f);
		} else if (str_eq(key, STR("weights"))) {
			(void)json_read_doubles(p, &f->weights, NAN);
		} else if (str_eq(key, STR("events")) && !f->n) {
			read_events(p, r, f);
		}
	}
}

/* Reads a frame: its name, with --srcline followed by ":file:line". */
static void
read_frame(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf name = { 0 }, file = { 0 };
	struct str key, s;
	uint64_t line = 0;

	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("name")) && json_read_string(p, &s))
				buf_str(&name, s);
			else if (str_eq(key, STR("file")) &&
				json_peek(p) == JSON_STRING && json_read_string(p, &s))
				buf_str(&file, str_base(s));
			else if (str_eq(key, STR("line")) && json_peek(p) == JSON_NUMBER)
				(void)json_read_u64(p, &line);
		}
	if (!name.n)
		buf_str(&name, STR("[unknown]"));
	if (collapse_options(r->c)->srcline && file.n) {
		buf_char(&name, ':');
		buf_str(&name, buf_view(&file));
		if (line)
			buf_fmt(&name, ":%" PRIu64, line);
	}
	*MEM_ADD(r->frames, r->frame_n, r->frame_cap) =
		collapse_frame(r->c, buf_view(&name), 0);
	buf_release(&name);
	buf_release(&file);
}

static void
read_shared(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_EACH("frames", read_frame) };

	json_walk(p, keys, 1, context);
}

/* The node of ROW below NODE; STACK_NOWHERE if its frame is undefined. */
static uint32_t
add_frame(void *context, uint32_t node, uint32_t row)
{
	const struct reader *r = context;
	uint32_t frame = r->stacks.rows[row].frame;

	return frame < r->frame_n ? collapse_path(r->c, node, &r->frames[frame], 1)
				  : STACK_NOWHERE;
}

/* Where a profile is folded to, and its current time. */
struct fold {
	struct collapse_sample s;
	struct str unit;
	double factor;
	bool timed;
	int64_t at;
};

/* The number of decimals of VALUE, from LEAST to the most that weights may have. */
static unsigned
count_decimals(double value, unsigned least)
{
	double power = 1;
	unsigned n;

	for (n = 0; n < TREE_SCALE_MAX; n++, power *= 10)
		if (n >= least && round(value * power) / power == value)
			break;
	return n;
}

/* Keeps the decimals of F's weights if they are not times. Returns the factor that makes
 * them integers. */
static double
find_factor(struct reader *r, const struct profile *f)
{
	unsigned decimals = 0;
	size_t i;

	if (f->factor > 0) {
		(void)collapse_decimals(r->c, 0);
		return f->factor;
	}
	for (i = 0; i < f->weights.n; i++)
		decimals = count_decimals(f->weights.items[i], decimals);
	for (i = 0; f->evented && i < f->n; i++)
		decimals = count_decimals(f->marks[i].value, decimals);
	if (!collapse_decimals(r->c, decimals)) {
		(void)collapse_decimals(r->c, 0);
		decimals = 0;
	}
	return pow(10, decimals);
}

/* Sets *TO to VALUE times FACTOR. Returns false if it is not a number or too large. */
static bool
fix(double value, double factor, int64_t *to)
{
	value = round(value * factor);
	if (!(fabs(value) < FURTHEST))
		return false;
	*to = (int64_t)value;
	return true;
}

/* Folds WEIGHT at STACK, beginning at f->at. */
static void
fold(struct reader *r, struct fold *f, uint32_t stack, int64_t weight)
{
	struct collapse *c = r->c;
	uint32_t path;

	if (weight < 0) {
		collapse_lose(c, COLLAPSE_NEGATIVE);
		return;
	}
	f->s.period = (uint64_t)weight;
	f->s.has_time = f->timed && f->at >= 0;
	f->s.time = f->s.has_time ? (uint64_t)f->at : 0;
	if (!collapse_wants(c, &f->s))
		return;
	collapse_unit(c, f->unit);
	path = stack_table_node(&r->stacks, stack, add_frame, r);
	collapse_add(c, path, &f->s);
}

/* Leaves out time without an open frame. */
static void
fold_calls(struct reader *r, const struct profile *p, struct fold *f)
{
	int64_t until;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (!fix(p->marks[i].value, f->factor, &until)) {
			collapse_lose(r->c, COLLAPSE_MALFORMED);
			continue;
		}
		if (i > 0 && until > f->at && p->marks[i - 1].stack != STACK_EMPTY)
			fold(r, f, p->marks[i - 1].stack, until - f->at);
		f->at = until;
	}
}

static void
fold_samples(struct reader *r, const struct profile *p, struct fold *f)
{
	bool weighed = p->weights.n > 0;
	int64_t weight;
	size_t i;

	f->s.has_period = weighed;
	if (!fix(p->start, f->factor, &f->at))
		f->timed = false;
	for (i = 0; i < p->n; i++) {
		weight = 1;
		if (p->marks[i].stack == STACK_NOWHERE ||
			(weighed &&
				(i >= p->weights.n ||
					!fix(p->weights.items[i], f->factor, &weight)))) {
			collapse_lose(r->c, COLLAPSE_MALFORMED);
			continue;
		}
		if (p->marks[i].stack != STACK_EMPTY)
			fold(r, f, p->marks[i].stack, weight);
		if (weighed && weight > 0 && f->at < INT64_MAX - weight)
			f->at += weight;
	}
}

static void
fold_profile(struct reader *r, const struct profile *p)
{
	struct fold f = { .unit = p->unit };

	f.timed = p->factor > 0;
	f.s = (struct collapse_sample){ .comm = buf_view(&p->name), .has_period = true };
	/* Different units become different events. */
	if (r->several_units)
		f.s.event = p->unit.n ? p->unit : STR("none");
	f.factor = find_factor(r, p);
	stack_table_root(&r->stacks, collapse_root(r->c, &f.s));
	if (p->evented)
		collapse_exact(r->c);
	collapse_lose_quietly(r->c, COLLAPSE_MALFORMED, p->broken);
	if (p->evented)
		fold_calls(r, p, &f);
	else
		fold_samples(r, p, &f);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("shared", read_shared),
		JSON_EACH("profiles", read_profile) };
	struct reader r = { .in = in, .c = c };
	uint64_t broken = 0, before = collapse_samples(c);
	struct json_profile file;
	bool good;
	size_t i;

	json_profile_begin(&file, in, c);
	json_walk(&file.p, keys, sizeof keys / sizeof *keys, &r);
	for (i = 1; i < r.n; i++)
		r.several_units |= !str_eq(r.profiles[i].unit, r.profiles[0].unit);
	for (i = 0; i < r.n; i++) {
		fold_profile(&r, &r.profiles[i]);
		broken += r.profiles[i].broken;
		buf_release(&r.profiles[i].name);
		free(r.profiles[i].marks);
		json_doubles_release(&r.profiles[i].weights);
	}
	good = json_profile_end(&file, false) &&
		(!broken || collapse_samples(c) > before);
	stack_table_release(&r.stacks);
	free(r.frames);
	free(r.profiles);
	return good;
}

static int
probe(struct str head)
{
	if (json_has_text(head, "$schema",
		    STR("https://www.speedscope.app/file-format-schema.json")))
		return 100;
	return json_has(head, "shared.frames") || json_has(head, "profiles[].endValue")
		? 80
		: 0;
}

const struct collapse_format collapse_speedscope = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("$schema"), SIGN_KEY("shared"), SIGN_KEY("endValue")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE,
};
