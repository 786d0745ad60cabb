/* SPDX-License-Identifier: ISC */
/*
 * Trace events, which Chrome, Perfetto, node --trace-events-enabled, uftrace,
 * clang -ftime-trace and many others write: an array, perhaps cut off, or an
 * object that has one.
 *
 *	{"traceEvents":[
 *	 {"ph":"M","pid":7,"tid":1,"name":"thread_name","args":{"name":"io"}},
 *	 {"ph":"X","pid":7,"tid":1,"ts":10,"dur":5.25,"name":"read"},
 *	 {"ph":"B","pid":7,"tid":1,"ts":20,"name":"write"},
 *	 {"ph":"E","pid":7,"tid":1,"ts":30}],
 *	 "samples":[{"pid":7,"tid":1,"ts":12,"sf":3}],
 *	 "stackFrames":{"2":{"name":"main"},"3":{"name":"f","parent":2}}}
 *
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 * Times are us; numbers may be strings. The timelines of Chrome's DevTools have
 * profiles of V8 in such events: a CpuProfile, or a Profile and then a
 * ProfileChunk now and again with the same id. Events of other kinds
 * (asynchronous, counters, marks) are no stacks.
 */
#include "chrome-span.h"
#include "collapse.h"
#include "folded.h"
#include "formats.h"
#include "json-profile.h"
#include "mem.h"
#include "v8-profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Times further from 0, in us, are damage: three of them fit in 64 bits of ns. */
#define FURTHEST 3e15

struct thread {
	uint32_t pid, tid; /* ids of texts: numbers, or any text */
	uint32_t name;	   /* the same, or CHROME_NONE */
};

/* A number and the id of its text. */
struct number {
	int64_t n;
	bool known;
	uint32_t text;
};
enum { NUMBERS = 64 };

/* A zeroed table is empty. */
struct threads {
	struct intern texts;
	struct intern keys;   /* pid and tid of each thread */
	struct thread *items; /* in the order of keys */
	size_t cap;
	uint32_t *processes; /* names of processes or CHROME_NONE, by the id of pid */
	size_t process_n, process_cap;
	struct number numbers[NUMBERS]; /* of late */
};

/* Samples of a trace: moments of threads, each with the number of a frame, which
 * names its caller. A sample lasts until the next one of its thread; how long
 * the last one lasts is not known, it has no weight. */
struct sample {
	int64_t ts; /* ns */
	uint32_t thread;
	uint32_t frame; /* an id of texts or CHROME_NONE */
	uint32_t cpu;	/* the same */
	uint32_t order;
};

/* A zeroed struct has none. */
struct stacks {
	struct v8_tree frames; /* their numbers are ids of texts */
	struct sample *samples;
	size_t n, cap;
};

/* An event as it is read, keys being in any order. */
struct event {
	char phase;
	struct buf name, arg, detail; /* arg and detail: args.name, args.detail */
	int64_t ts, dur;
	bool has_ts, has_dur, has_average;
	uint32_t pid, tid, id, frame, cpu; /* texts, or CHROME_NONE */
};

/* A profile of V8 and the thread it is of. */
struct timeline {
	struct v8_profile profile;
	uint32_t thread; /* or CHROME_NONE */
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct threads threads;
	struct chrome_spans spans;
	struct stacks stacks;
	struct v8_profile part; /* of the event that is read */
	struct timeline *timelines;
	size_t cap;
	struct intern keys; /* of timelines: process, id, number when it is whole */
	uint32_t last_pid, last_tid, last_thread;
	struct event e;
	bool between; /* events, where the text may end */
};

/* The id of the text of N: a trace has few numbers, many times. */
static uint32_t
find_number(struct threads *t, int64_t n)
{
	struct number *known = &t->numbers[(uint64_t)n % NUMBERS];
	char digits[24];

	if (!known->known || known->n != n) {
		snprintf(digits, sizeof digits, "%" PRId64, n);
		*known = (struct number){ n, true, intern_id(&t->texts, str_of(digits)) };
	}
	return known->text;
}

/* The number of the thread TID of PID, ids of texts, added when it is new. */
static uint32_t
find_thread(struct threads *t, uint32_t pid, uint32_t tid)
{
	uint32_t pair[2] = { pid, tid }, known = t->keys.n, at;

	at = intern_id(&t->keys, (struct str){ (const char *)pair, sizeof pair });
	if (at == known) {
		t->items = mem_grow(t->items, &t->cap, (size_t)at + 1, sizeof *t->items);
		t->items[at] = (struct thread){ pid, tid, CHROME_NONE };
	}
	return at;
}

/* Says that the process PID has a NAME, an id of texts. */
static void
name_process(struct threads *t, uint32_t pid, uint32_t name)
{
	t->processes = mem_grow(
		t->processes, &t->process_cap, (size_t)pid + 1, sizeof *t->processes);
	while (t->process_n <= pid)
		t->processes[t->process_n++] = CHROME_NONE;
	t->processes[pid] = name;
}

/* Whether root frames are to have numbers. */
static bool
wants_numbers(const struct collapse_options *o)
{
	size_t i;

	for (i = 0; i < COLLAPSE_BY_MAX && o->by[i]; i++)
		if (o->by[i] == COLLAPSE_PID || o->by[i] == COLLAPSE_TID)
			return true;
	return false;
}

/* A sample of THREAD: who it is, without anything else. The name is the thread's
 * or else that of its process. */
static struct collapse_sample
sample_of(const struct threads *t, const struct collapse *c, uint32_t thread)
{
	const struct thread *at = &t->items[thread];
	struct collapse_sample s = { .has_period = true };
	uint32_t name = at->name;

	if (name == CHROME_NONE && at->pid < t->process_n)
		name = t->processes[at->pid];
	s.pid = intern_str(&t->texts, at->pid);
	s.tid = intern_str(&t->texts, at->tid);
	if (name != CHROME_NONE)
		s.comm = intern_str(&t->texts, name);
	/* Who has numbers and no name is somebody. */
	else if (wants_numbers(collapse_options(c)))
		s.comm = STR("[unknown]");
	return s;
}

/* A string or a whole number, as the id of a text. */
static uint32_t
take_text(struct json_reader *p, struct reader *r)
{
	struct str s;
	int64_t n;

	if (json_peek(p) == JSON_STRING)
		return json_read_string(p, &s) ? intern_id(&r->threads.texts, s)
					       : CHROME_NONE;
	return json_read_i64(p, &n) ? find_number(&r->threads, n) : CHROME_NONE;
}

/* A time in us to ns. */
static bool
take_time(struct json_reader *p, int64_t *ns)
{
	bool rounded = false;
	uint64_t value;
	struct str s;
	double us;

	if (json_peek(p) == JSON_STRING) {
		if (!json_read_string(p, &s) || !folded_weight(s, 3, &value, &rounded) ||
			value >= (uint64_t)(FURTHEST * 1000))
			return false;
		*ns = (int64_t)value;
		return true;
	}
	if (!json_read_double(p, &us) || !(fabs(us) < FURTHEST))
		return false;
	*ns = llround(us * 1000);
	return true;
}

/* What an event says of a profile. */
static void
take_data(struct json_reader *p, struct reader *r)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("cpuProfile")) && json_peek(p) == JSON_OBJECT) {
			if (json_read_object(p))
				while (json_next_key(p, &key))
					(void)v8_profile_take(&r->part, p, r->c, key);
		} else if (str_eq(key, STR("timeDeltas")) ||
			str_eq(key, STR("startTime")) || str_eq(key, STR("endTime"))) {
			(void)v8_profile_take(&r->part, p, r->c, key);
		}
	}
}

static void
take_args(struct json_reader *p, struct reader *r)
{
	struct str key;

	if (json_peek(p) != JSON_OBJECT || !json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("name")))
			json_read_text(p, &r->e.arg);
		else if (str_eq(key, STR("detail")))
			json_read_text(p, &r->e.detail);
		else if (str_eq(key, STR("data")) && json_peek(p) == JSON_OBJECT)
			take_data(p, r);
		else if (str_eq(key, STR("avg ms")))
			r->e.has_average = true;
	}
}

/* Takes the value of KEY. */
static void
take_part(struct json_reader *p, struct reader *r, struct str key)
{
	struct event *e = &r->e;
	struct str s;

	if (str_eq(key, STR("ph")))
		e->phase = (char)(json_read_string(p, &s) && s.n == 1 ? s.s[0] : 0);
	else if (str_eq(key, STR("name")))
		json_read_text(p, &e->name);
	else if (str_eq(key, STR("ts")))
		e->has_ts = take_time(p, &e->ts);
	else if (str_eq(key, STR("dur")))
		e->has_dur = take_time(p, &e->dur);
	else if (str_eq(key, STR("tdur")) && !e->has_dur)
		e->has_dur = take_time(p, &e->dur);
	else if (str_eq(key, STR("pid")))
		e->pid = take_text(p, r);
	else if (str_eq(key, STR("tid")))
		e->tid = take_text(p, r);
	else if (str_eq(key, STR("id")))
		e->id = take_text(p, r);
	else if (str_eq(key, STR("sf")))
		e->frame = take_text(p, r);
	else if (str_eq(key, STR("cpu")))
		e->cpu = take_text(p, r);
	else if (str_eq(key, STR("args")))
		take_args(p, r);
}

static uint32_t
thread_of(struct reader *r)
{
	uint32_t pid = r->e.pid, tid = r->e.tid;

	if (pid == r->last_pid && tid == r->last_tid && r->threads.keys.n)
		return r->last_thread;
	r->last_pid = pid;
	r->last_tid = tid;
	if (pid == CHROME_NONE)
		pid = intern_id(&r->threads.texts, STR(""));
	if (tid == CHROME_NONE)
		tid = intern_id(&r->threads.texts, STR(""));
	return r->last_thread = find_thread(&r->threads, pid, tid);
}

/* Takes the name of a thread or a process. */
static void
keep_name(struct reader *r)
{
	struct str what = buf_view(&r->e.name);
	uint32_t thread = thread_of(r), name;

	if (!r->e.arg.n)
		return;
	name = intern_id(&r->threads.texts, buf_view(&r->e.arg));
	if (str_eq(what, STR("thread_name")))
		r->threads.items[thread].name = name;
	else if (str_eq(what, STR("process_name")))
		name_process(&r->threads, r->threads.items[thread].pid, name);
}

static void
keep_call(struct reader *r)
{
	struct event *e = &r->e;
	struct chrome_event call = { .ts = e->ts, .name = CHROME_NONE };

	if (e->phase == 'B')
		call.dur = CHROME_BEGIN;
	else if (e->phase == 'E')
		call.dur = CHROME_END;
	else if (e->has_dur && e->dur > 0)
		call.dur = e->dur;
	else if (e->has_dur && e->dur < 0)
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
	/* What is complete and takes no time leaves no trace; "Total Frontend" of clang
	 * sums up calls that are there too. */
	if (!call.dur ||
		(e->has_average && str_starts(buf_view(&e->name), STR("Total "))))
		return;
	call.thread = thread_of(r);
	/* "Source" of clang is one call for each header. */
	if (collapse_options(r->c)->full_names && call.dur > 0 && e->detail.n) {
		buf_char(&e->name, ' ');
		buf_str(&e->name, buf_view(&e->detail));
	}
	if (e->name.n)
		call.name = intern_id(&r->spans.names, buf_view(&e->name));
	else if (e->phase != 'E')
		call.name = intern_id(&r->spans.names, STR("(unnamed)"));
	chrome_spans_add(&r->spans, &call);
}

static void
keep_sample(struct reader *r)
{
	struct stacks *to = &r->stacks;
	struct sample s = { .ts = r->e.ts, .thread = thread_of(r) };

	s.frame = r->e.frame;
	s.cpu = r->e.cpu;
	if (s.cpu != CHROME_NONE &&
		str_starts(intern_str(&r->threads.texts, s.cpu), STR("-")))
		s.cpu = CHROME_NONE;
	s.order = (uint32_t)to->n;
	to->samples = mem_grow(to->samples, &to->cap, to->n + 1, sizeof *to->samples);
	to->samples[to->n++] = s;
}

/* The timeline that the event belongs to; a WHOLE one is of its own. */
static struct timeline *
find_timeline(struct reader *r, bool whole)
{
	uint32_t key[3] = { r->e.pid, r->e.id, 0 }, known = r->keys.n, at;

	if (whole)
		key[2] = known + 1;
	at = intern_id(&r->keys, (struct str){ (const char *)key, sizeof key });
	if (at == known) {
		r->timelines = mem_grow(
			r->timelines, &r->cap, (size_t)at + 1, sizeof *r->timelines);
		r->timelines[at] = (struct timeline){ .thread = CHROME_NONE };
	}
	return &r->timelines[at];
}

/* Keeps what an event says of a profile; false when it says nothing. */
static bool
keep_profile(struct reader *r)
{
	struct str name = buf_view(&r->e.name);
	bool begins = str_eq(name, STR("Profile")),
	     whole = str_eq(name, STR("CpuProfile"));
	struct timeline *t;

	if (!begins && !whole && !str_eq(name, STR("ProfileChunk")))
		return false;
	t = find_timeline(r, whole);
	if (begins || whole || t->thread == CHROME_NONE)
		t->thread = thread_of(r);
	v8_profile_move(&t->profile, &r->part, r->e.has_ts ? (double)r->e.ts : 0);
	return true;
}

static void
keep_event(struct reader *r)
{
	char phase = r->e.phase;

	if (phase == 'M') {
		keep_name(r);
	} else if (phase == 'B' || phase == 'E' || phase == 'X') {
		if (r->e.has_ts)
			keep_call(r);
		else
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else if (keep_profile(r)) {
		return;
	} else if (phase == 'P' && r->e.frame != CHROME_NONE) {
		if (r->e.has_ts)
			keep_sample(r);
		else
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
}

/* Makes E empty but for its PHASE, and keeps its memory. */
static void
begin_event(struct event *e, char phase)
{
	struct event empty = {
		.phase = phase, .name = e->name, .arg = e->arg, .detail = e->detail
	};

	empty.name.n = empty.arg.n = empty.detail.n = 0;
	empty.pid = empty.tid = empty.id = empty.frame = empty.cpu = CHROME_NONE;
	*e = empty;
}

/* Takes an array of events, which are of PHASE when they do not say so. */
static void
take_events(struct json_reader *p, struct reader *r, char phase)
{
	struct str key;

	if (!json_read_array(p))
		return;
	r->between = true;
	while (json_next_element(p)) {
		r->between = false;
		begin_event(&r->e, phase);
		if (json_read_object(p))
			while (json_next_key(p, &key))
				take_part(p, r, key);
		if (json_failed(p))
			return;
		keep_event(r);
		v8_profile_clear(&r->part);
		r->between = true;
	}
	r->between = json_failed(p);
}

/* Takes the frames of samples, by their numbers. */
static void
take_frames(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf name = { 0 };
	uint32_t id, caller;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		id = intern_id(&r->threads.texts, key);
		caller = CHROME_NONE;
		buf_clear(&name);
		if (json_read_object(p))
			while (json_next_key(p, &key)) {
				if (str_eq(key, STR("name")))
					json_read_text(p, &name);
				else if (str_eq(key, STR("parent")))
					caller = take_text(p, r);
			}
		if (!name.n)
			buf_str(&name, STR("(unnamed)"));
		v8_tree_add(&r->stacks.frames, collapse_frame(r->c, buf_view(&name), 0),
			(int32_t)id, caller == CHROME_NONE ? V8_NO_ID : (int32_t)caller);
	}
	buf_release(&name);
}

static void
take_trace_events(struct json_reader *p, void *context)
{
	take_events(p, context, 0);
}

static void
take_samples(struct json_reader *p, void *context)
{
	take_events(p, context, 'P');
}

static void
read_file(struct json_reader *p, struct reader *r)
{
	static const struct json_key keys[] = { JSON_KEY(
							"traceEvents", take_trace_events),
		JSON_KEY("samples", take_samples), JSON_KEY("stackFrames", take_frames) };

	if (json_peek(p) == JSON_ARRAY)
		take_events(p, r, 0);
	else
		json_walk(p, keys, sizeof keys / sizeof *keys, r);
}

static int
by_thread_and_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Folds AT, which lasts until the next sample of its thread. */
static void
fold_sample(struct reader *r, struct collapse_sample *whose, const struct sample *at)
{
	struct stacks *s = &r->stacks;
	const struct sample *next = at + 1;
	uint32_t root = collapse_root(r->c, whose), node = V8_NONE, path = STACK_NOWHERE;

	whose->has_time = at->ts >= 0;
	whose->time = whose->has_time ? (uint64_t)at->ts : 0;
	whose->period = next < s->samples + s->n && next->thread == at->thread
		? (uint64_t)(next->ts - at->ts)
		: 0;
	if (!collapse_wants(r->c, whose))
		return;
	if (at->frame != CHROME_NONE)
		node = v8_tree_find(&s->frames, (int32_t)at->frame);
	if (node != V8_NONE)
		path = v8_tree_path(&s->frames, r->c, root, node);
	collapse_add(r->c, path, whose);
}

/* Pours all samples into the sink, as samples of EVENT. */
static void
fold_samples(struct reader *r, struct str event)
{
	struct stacks *s = &r->stacks;
	struct collapse_sample whose = { .has_period = true };
	const struct sample *at;
	size_t i;

	collapse_lose_quietly(r->c, COLLAPSE_MALFORMED, v8_tree_link(&s->frames));
	if (s->n)
		qsort(s->samples, s->n, sizeof *s->samples, by_thread_and_time);
	for (i = 0; i < s->n; i++) {
		at = &s->samples[i];
		if (!i || at->thread != at[-1].thread || at->cpu != at[-1].cpu) {
			whose = sample_of(&r->threads, r->c, at->thread);
			whose.event = event;
			if (at->cpu != CHROME_NONE)
				whose.cpu = intern_str(&r->threads.texts, at->cpu);
		}
		fold_sample(r, &whose, at);
	}
}

/* Pours all calls into the sink, as samples of EVENT. */
static void
fold_calls(struct reader *r, struct str event)
{
	uint32_t n = r->threads.keys.n, i;
	struct collapse_sample *whose = mem_zero(n, sizeof *whose);

	for (i = 0; i < n; i++) {
		whose[i] = sample_of(&r->threads, r->c, i);
		whose[i].event = event;
	}
	chrome_spans_fold(&r->spans, whose, n, r->in, r->c);
	free(whose);
}

/* Makes --from and --to count from the first event of all threads. */
static void
find_origin(struct reader *r)
{
	int64_t first = INT64_MAX;
	size_t i;

	for (i = 0; i < r->spans.n; i++)
		if (r->spans.events[i].ts < first)
			first = r->spans.events[i].ts;
	for (i = 0; i < r->stacks.n; i++)
		if (r->stacks.samples[i].ts < first)
			first = r->stacks.samples[i].ts;
	if (first < 0 || first == INT64_MAX || r->keys.n)
		return;
	collapse_origin(r->c, (uint64_t)first);
}

/* Pours all that was read into the sink: as events, when it is of several kinds. */
static void
fold(struct reader *r)
{
	bool several = (r->keys.n > 0) + (r->stacks.n > 0) + (r->spans.n > 0) > 1;
	struct collapse_sample s;
	uint32_t i;

	for (i = 0; i < r->keys.n; i++) {
		s = sample_of(&r->threads, r->c, r->timelines[i].thread);
		s.event = several ? STR("cpu-profile") : STR("");
		v8_profile_fold(&r->timelines[i].profile, r->c, s);
	}
	if (r->stacks.n || r->spans.n)
		collapse_unit(r->c, STR("ns"));
	fold_samples(r, several ? STR("samples") : STR(""));
	if (r->spans.n && !several)
		collapse_exact(r->c);
	fold_calls(r, several ? STR("calls") : STR(""));
}

static void
release(struct reader *r)
{
	uint32_t i;

	for (i = 0; i < r->keys.n; i++)
		v8_profile_release(&r->timelines[i].profile);
	free(r->timelines);
	intern_release(&r->keys);
	v8_profile_release(&r->part);
	chrome_spans_release(&r->spans);
	v8_tree_release(&r->stacks.frames);
	free(r->stacks.samples);
	intern_release(&r->threads.texts);
	intern_release(&r->threads.keys);
	free(r->threads.items);
	free(r->threads.processes);
	buf_release(&r->e.name);
	buf_release(&r->e.arg);
	buf_release(&r->e.detail);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c };
	struct json_profile f;

	json_profile_begin(&f, in, c);
	read_file(&f.p, &r);
	find_origin(&r);
	fold(&r);
	release(&r);
	if (!f.p.cut || !r.between)
		return json_profile_end(&f, false);
	/* A program that writes as it goes leaves the end away when it is stopped. */
	json_reader_release(&f.p);
	return true;
}

static int
probe(struct str head)
{
	if (json_has(head, "traceEvents") || json_has(head, "[].ph"))
		return 90;
	return json_has(head, "stackFrames") ? 60 : 0;
}

const struct collapse_format collapse_chrome_trace = {
	.name = "chrome-trace",
	.about =
		"trace events: Chrome and its DevTools, Perfetto, node, uftrace dump --chrome",
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
