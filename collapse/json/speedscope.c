/* SPDX-License-Identifier: ISC */
/*
 * The file format of speedscope, which many profilers write: frames, and
 * profiles of samples (outermost frame first) or of calls that open and close.
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
 * All profiles are folded, each below its name (--by comm). Times become ns.
 * Keys stand in any order, so stacks are kept as numbers of frames, each stack
 * once, until all names are there.
 */
#include "msg.h"
#include "json-probe.h"
#include "json-profile.h"
#include "speedscope-fold.h"

#include <inttypes.h>
#include <math.h>

static uint32_t
add_frame(struct speedscope *r, uint32_t stack, uint32_t frame)
{
	return tree_child(
		&r->stacks, stack, (struct str){ (const char *)&frame, sizeof frame });
}

/* The sample before, one item for each frame. */
struct before {
	struct {
		int32_t frame;
		uint32_t stack;
	} * items;
	size_t n, cap;
};

/* What stands for a frame that is no number. */
#define NO_FRAME (-1)

/* A number of a frame; SPEEDSCOPE_NONE when it is none. */
static uint32_t
take_number(struct json_reader *p)
{
	uint64_t number;

	return json_read_u64(p, &number) && number < SPEEDSCOPE_NONE ? (uint32_t)number
								     : SPEEDSCOPE_NONE;
}

static void
add_mark(struct speedscope_profile *f, double value, uint32_t stack)
{
	f->marks = mem_grow(f->marks, &f->cap, f->n + 1, sizeof *f->marks);
	f->marks[f->n++] = (struct speedscope_mark){ value, stack };
}

/* The stack of ROW, whose beginning is often that of the sample before. */
static uint32_t
find_stack(struct speedscope *r, const struct json_ints *row, struct before *last)
{
	size_t i, same = 0;

	while (same < row->n && same < last->n &&
		row->items[same] == last->items[same].frame)
		same++;
	last->items = mem_grow(last->items, &last->cap, row->n, sizeof *last->items);
	last->n = same;
	for (i = same; i < row->n && row->items[i] != NO_FRAME; i++) {
		last->items[i].frame = row->items[i];
		last->items[i].stack =
			add_frame(r, i ? last->items[i - 1].stack : TREE_ROOT,
				(uint32_t)row->items[i]);
		last->n++;
	}
	if (i < row->n)
		return SPEEDSCOPE_NONE;
	return row->n ? last->items[row->n - 1].stack : TREE_ROOT;
}

static void
take_samples(struct speedscope *r, struct speedscope_profile *f)
{
	struct before last = { .n = 0 };
	struct json_ints row = { .n = 0 };
	struct json_reader *p = &r->file.p;
	bool good;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		row.n = 0;
		good = json_read_ints(p, &row, NO_FRAME);
		if (!json_failed(p))
			add_mark(f, 1,
				good ? find_stack(r, &row, &last) : SPEEDSCOPE_NONE);
	}
	free(last.items);
	json_ints_release(&row);
}

/* What a call that opens or closes has. */
struct event {
	char type;
	uint32_t frame;
	double at;
};

static bool
take_event(struct json_reader *p, struct event *e)
{
	struct str key, s;

	*e = (struct event){ .frame = SPEEDSCOPE_NONE, .at = NAN };
	if (!json_read_object(p))
		return false;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("type")))
			e->type = (char)(json_read_string(p, &s) && s.n ? s.s[0] : 0);
		else if (str_eq(key, STR("frame")))
			e->frame = take_number(p);
		else if (str_eq(key, STR("at")))
			(void)json_read_double(p, &e->at);
	}
	return !json_failed(p) && (e->type == 'O' || e->type == 'C') &&
		e->frame != SPEEDSCOPE_NONE && !isnan(e->at);
}

static const char *
name_of(struct speedscope_profile *f)
{
	return f->name.n ? buf_cstr(&f->name) : "without a name";
}

/* Says what is wrong with event NUMBER of F, which ends what is used of it. */
static void
break_off(struct speedscope *r, struct speedscope_profile *f, size_t number,
	const char *why)
{
	if (!f->broken++)
		msg_error("%s: profile %.99s: event %zu %s; what follows is not used",
			input_name(r->in), name_of(f), number, why);
}

/* What the stack is after E. SPEEDSCOPE_NONE when E does not fit, after a message. */
static uint32_t
follow(struct speedscope *r, struct speedscope_profile *f, const struct event *e,
	size_t number)
{
	uint32_t stack = f->n ? f->marks[f->n - 1].stack : TREE_ROOT;

	if (f->n && e->at < f->marks[f->n - 1].value)
		break_off(r, f, number, "is earlier than the one before");
	else if (e->type == 'O')
		return add_frame(r, stack, e->frame);
	else if (stack == TREE_ROOT)
		break_off(r, f, number, "closes a frame while none is open");
	else if (speedscope_frame(r, stack) != e->frame)
		break_off(r, f, number, "closes a frame that is not the innermost");
	else
		return r->stacks.nodes[stack].parent;
	return SPEEDSCOPE_NONE;
}

static void
take_events(struct speedscope *r, struct speedscope_profile *f)
{
	struct event e;
	uint32_t stack;
	size_t number = 0;

	f->evented = true;
	if (!json_read_array(&r->file.p))
		return;
	while (json_next_element(&r->file.p)) {
		number++;
		if (!take_event(&r->file.p, &e)) {
			if (!json_failed(&r->file.p))
				break_off(r, f, number, "is none");
			continue;
		}
		if (f->broken)
			continue;
		stack = follow(r, f, &e, number);
		if (stack != SPEEDSCOPE_NONE)
			add_mark(f, e.at, stack);
	}
	if (!f->broken && !json_failed(&r->file.p) && f->n &&
		f->marks[f->n - 1].stack != TREE_ROOT) {
		f->broken++;
		msg_error(
			"%s: profile %.99s ends with frames open; that time is not known",
			input_name(r->in), name_of(f));
	}
}

static void
take_unit(struct json_reader *p, struct speedscope_profile *f)
{
	static const struct {
		const char *name, *unit;
		double factor;
	} units[] = { { "nanoseconds", "ns", 1 }, { "microseconds", "ns", 1e3 },
		{ "milliseconds", "ns", 1e6 }, { "seconds", "ns", 1e9 },
		{ "bytes", "bytes", 0 } };
	struct str s;
	size_t i;

	if (!json_read_string(p, &s))
		return;
	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_eq(s, str_of(units[i].name))) {
			f->unit = str_of(units[i].unit);
			f->factor = units[i].factor;
		}
}

static void
take_profile(struct speedscope *r)
{
	struct json_reader *p = &r->file.p;
	struct speedscope_profile *f;
	struct str key, s;

	if (!json_read_object(p))
		return;
	r->profiles = mem_grow(r->profiles, &r->cap, r->n + 1, sizeof *r->profiles);
	f = &r->profiles[r->n++];
	*f = (struct speedscope_profile){ .evented = false };
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("name"))) {
			if (json_read_string(p, &s))
				buf_str(&f->name, s);
		} else if (str_eq(key, STR("unit"))) {
			take_unit(p, f);
		} else if (str_eq(key, STR("startValue"))) {
			(void)json_read_double(p, &f->start);
		} else if (str_eq(key, STR("samples")) && !f->n && !f->evented) {
			take_samples(r, f);
		} else if (str_eq(key, STR("weights"))) {
			(void)json_read_doubles(p, &f->weights, NAN);
		} else if (str_eq(key, STR("events")) && !f->n) {
			take_events(r, f);
		}
	}
}

/* A frame: its name, with --srcline ":file:line" behind it. */
static void
take_frame(struct speedscope *r)
{
	struct buf name = { 0 }, file = { 0 };
	struct str key, s;
	uint64_t line = 0;

	if (json_read_object(&r->file.p))
		while (json_next_key(&r->file.p, &key)) {
			if (str_eq(key, STR("name")) && json_read_string(&r->file.p, &s))
				buf_str(&name, s);
			else if (str_eq(key, STR("file")) &&
				json_peek(&r->file.p) == JSON_STRING &&
				json_read_string(&r->file.p, &s))
				buf_str(&file, str_base(s));
			else if (str_eq(key, STR("line")) &&
				json_peek(&r->file.p) == JSON_NUMBER)
				(void)json_read_u64(&r->file.p, &line);
		}
	if (!name.n)
		buf_str(&name, STR("[unknown]"));
	if (r->c->options->srcline && file.n) {
		buf_char(&name, ':');
		buf_str(&name, buf_view(&file));
		if (line)
			buf_fmt(&name, ":%" PRIu64, line);
	}
	r->frames = mem_grow(r->frames, &r->frame_cap, r->frame_n + 1, sizeof *r->frames);
	r->frames[r->frame_n++] = collapse_frame(r->c, buf_view(&name), 0);
	buf_release(&name);
	buf_release(&file);
}

static void
take_shared(struct speedscope *r)
{
	struct str key;

	if (!json_read_object(&r->file.p))
		return;
	while (json_next_key(&r->file.p, &key))
		if (str_eq(key, STR("frames")) && json_read_array(&r->file.p))
			while (json_next_element(&r->file.p))
				take_frame(r);
}

static void
read_file(struct speedscope *r)
{
	struct str key;

	if (!json_read_object(&r->file.p))
		return;
	while (json_next_key(&r->file.p, &key)) {
		if (str_eq(key, STR("shared")))
			take_shared(r);
		else if (str_eq(key, STR("profiles")) && json_read_array(&r->file.p))
			while (json_next_element(&r->file.p))
				take_profile(r);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct speedscope r = { .in = in, .c = c };
	uint64_t broken = 0, before = c->samples;
	bool good;
	size_t i;

	tree_init(&r.stacks, 1);
	json_profile_begin(&r.file, in, c);
	read_file(&r);
	r.paths = mem_zero(r.stacks.n, sizeof *r.paths);
	for (i = 1; i < r.n; i++)
		r.several_units |= !str_eq(r.profiles[i].unit, r.profiles[0].unit);
	for (i = 0; i < r.n; i++) {
		speedscope_fold(&r, i);
		broken += r.profiles[i].broken;
		buf_release(&r.profiles[i].name);
		free(r.profiles[i].marks);
		json_doubles_release(&r.profiles[i].weights);
	}
	good = json_profile_end(&r.file, false) && (!broken || c->samples > before);
	tree_release(&r.stacks);
	free(r.paths);
	free(r.climb);
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
	.name = "speedscope",
	.about = "speedscope's own files: py-spy, rbspy, pyinstrument, dotnet-trace, ...",
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE,
};
