/* SPDX-License-Identifier: ISC */
/*
 * Trace events, as written by Chrome, Perfetto, node --trace-events-enabled, uftrace, clang
 * -ftime-trace and many others: an array, perhaps truncated, or an object with one.
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
 * Times are us; numbers may be strings. Timelines of Chrome's DevTools hold profiles of V8 in such
 * events: a CpuProfile, or a Profile followed by ProfileChunks with the same id. Other events
 * (asynchronous, counters, marks) have no stacks and are skipped.
 *
 * A call lasts from its beginning to the next end of the same name on the thread. If several begin
 * at once, the longest is outermost; of equally long ones, those written as beginning and end come
 * before complete ones, then the order in the file decides. A call that outlasts its caller extends
 * the caller. A call without an end lasts as long as its caller, or until the thread's last event.
 */
#include "collapse.h"
#include "folded.h"
#include "formats.h"
#include "intern.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "msg.h"
#include "v8-profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define NONE UINT32_MAX /* in place of an id */

/* Times further from 0, in us, are damaged: three times this fits in 64 bits of ns. */
#define FURTHEST 3e15

struct thread {
	uint32_t pid,
		tid; /* ids in texts, of numbers or any other text; tid NONE: a whole process */
	uint32_t name; /* id in texts, or NONE */
};

/* A number and the id of its decimal text. */
struct number {
	int64_t n;
	bool known;
	uint32_t text;
};
enum { NUMBERS = 64 };

/* A zeroed struct threads is empty. */
struct threads {
	struct intern texts;
	struct intern keys;   /* pid and tid of each thread */
	struct thread *items; /* by id in keys */
	size_t cap;
	struct number numbers[NUMBERS]; /* recently used */
};

/* A sample: a moment of a thread and the number of a frame, which names its caller. It lasts until
 * the next sample of its thread; the last one has no known duration, so its weight is 0. */
struct sample {
	int64_t ts; /* ns */
	uint32_t thread;
	uint32_t frame; /* an id in texts or NONE */
	uint32_t cpu;	/* an id in texts or NONE */
	uint32_t order;
};

struct stacks {
	struct v8_tree frames; /* their numbers are ids in texts */
	struct sample *samples;
	size_t n, cap;
};

/* In place of a duration. */
enum { BEGIN = -1, END = -2 };

/* A call, or its beginning or end. */
struct call {
	int64_t ts, dur; /* dur: 0 or more for a complete call */
	uint32_t name;	 /* an id in names; NONE: unnamed */
	uint32_t thread;
	uint32_t order; /* its place in the file */
};

struct calls {
	struct intern names;
	struct call *events;
	size_t n, cap;
};

/* The current event; its keys come in any order. */
struct event {
	char phase;
	struct buf name, arg, detail; /* arg: args.name; detail: args.detail */
	int64_t ts, dur;
	bool has_ts, has_dur, has_average;
	uint32_t pid, tid, id, frame, cpu; /* ids in texts, or NONE */
};

struct timeline {
	struct v8_profile profile;
	uint32_t thread; /* or NONE */
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct threads threads;
	struct calls calls;
	struct stacks stacks;
	struct v8_profile part; /* the current event's part of a profile */
	struct timeline *timelines;
	size_t cap;
	struct intern keys; /* of timelines: process, id, own number if whole */
	uint32_t last_pid, last_tid, last_thread;
	struct event e;
	int64_t first; /* time of the first sample or call, ns */
	bool between;  /* between events, where the text may end */
};

/* Returns the id in texts of N in decimal. Cached: a trace repeats few numbers many times. */
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

/* PID, TID: ids in texts. Returns the thread's number, adding it if it is new. */
static uint32_t
find_thread(struct threads *t, uint32_t pid, uint32_t tid)
{
	uint32_t pair[2] = { pid, tid }, known = t->keys.n, at;

	at = intern_id(&t->keys, (struct str){ (const char *)pair, sizeof pair });
	if (at == known) {
		*MEM_AT(t->items, t->cap, at) = (struct thread){ pid, tid, NONE };
	}
	return at;
}

/* Returns a sample of THREAD with only its identity set. Its name is the thread's, or else the
 * process's. */
static struct collapse_sample
sample_of(struct threads *t, uint32_t thread)
{
	struct thread at = t->items[thread];
	struct collapse_sample s = { .has_period = true };
	uint32_t process = find_thread(t, at.pid, NONE);

	if (at.name == NONE)
		at.name = t->items[process].name;
	s.pid = intern_str(&t->texts, at.pid);
	s.tid = intern_str(&t->texts, at.tid);
	if (at.name != NONE)
		s.comm = intern_str(&t->texts, at.name);
	return s;
}

/* Reads a string or an integer; returns its id in texts, or NONE. */
static uint32_t
read_text_id(struct json_reader *p, struct reader *r)
{
	struct str s;
	int64_t n;

	if (json_peek(p) == JSON_STRING)
		return json_read_string(p, &s) ? intern_id(&r->threads.texts, s) : NONE;
	return json_read_i64(p, &n) ? find_number(&r->threads, n) : NONE;
}

/* Reads a time in us; *NS is in ns. */
static bool
read_time(struct json_reader *p, int64_t *ns)
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

/* Reads an event's part of a profile. */
static void
read_data(struct json_reader *p, struct reader *r)
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
read_args(struct json_reader *p, struct reader *r)
{
	struct str key;

	if (json_peek(p) != JSON_OBJECT || !json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_text(p, &r->e.arg);
		else if (str_eq(key, STR("detail")))
			json_read_text(p, &r->e.detail);
		else if (str_eq(key, STR("data")) && json_peek(p) == JSON_OBJECT)
			read_data(p, r);
		else if (str_eq(key, STR("avg ms")))
			r->e.has_average = true;
}

static void
read_field(struct json_reader *p, struct reader *r, struct str key)
{
	struct event *e = &r->e;
	struct str s;

	if (str_eq(key, STR("ph")))
		e->phase = (char)(json_read_string(p, &s) && s.n == 1 ? s.s[0] : 0);
	else if (str_eq(key, STR("name")))
		json_read_text(p, &e->name);
	else if (str_eq(key, STR("ts")))
		e->has_ts = read_time(p, &e->ts);
	else if (str_eq(key, STR("dur")))
		e->has_dur = read_time(p, &e->dur);
	else if (str_eq(key, STR("tdur")) && !e->has_dur)
		e->has_dur = read_time(p, &e->dur);
	else if (str_eq(key, STR("pid")))
		e->pid = read_text_id(p, r);
	else if (str_eq(key, STR("tid")))
		e->tid = read_text_id(p, r);
	else if (str_eq(key, STR("id")))
		e->id = read_text_id(p, r);
	else if (str_eq(key, STR("sf")))
		e->frame = read_text_id(p, r);
	else if (str_eq(key, STR("cpu")))
		e->cpu = read_text_id(p, r);
	else if (str_eq(key, STR("args")))
		read_args(p, r);
}

static uint32_t
thread_of(struct reader *r)
{
	uint32_t pid = r->e.pid, tid = r->e.tid;

	if (pid == r->last_pid && tid == r->last_tid && r->threads.keys.n)
		return r->last_thread;
	r->last_pid = pid;
	r->last_tid = tid;
	if (pid == NONE)
		pid = intern_id(&r->threads.texts, STR(""));
	if (tid == NONE)
		tid = intern_id(&r->threads.texts, STR(""));
	return r->last_thread = find_thread(&r->threads, pid, tid);
}

/* Keeps the name of a thread or a process. */
static void
keep_name(struct reader *r)
{
	struct threads *t = &r->threads;
	uint32_t thread = thread_of(r);

	if (!r->e.arg.n)
		return;
	if (str_eq(buf_view(&r->e.name), STR("process_name")))
		thread = find_thread(t, t->items[thread].pid, NONE);
	else if (!str_eq(buf_view(&r->e.name), STR("thread_name")))
		return;
	t->items[thread].name = intern_id(&t->texts, buf_view(&r->e.arg));
}

/* Finds the first event of all threads, from which --from and --to count. */
static void
note_time(struct reader *r)
{
	if (r->e.ts < r->first)
		r->first = r->e.ts;
}

static void
keep_call(struct reader *r)
{
	struct event *e = &r->e;
	struct calls *to = &r->calls;
	struct call call = { .ts = e->ts, .name = NONE };

	if (e->phase == 'B')
		call.dur = BEGIN;
	else if (e->phase == 'E')
		call.dur = END;
	else if (e->has_dur && e->dur > 0)
		call.dur = e->dur;
	else if (e->has_dur && e->dur < 0)
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
	/* A complete call without duration is invisible. clang's "Total Frontend" and the like
	 * repeat the sum of other calls. */
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
		call.name = intern_id(&r->calls.names, buf_view(&e->name));
	else if (e->phase != 'E')
		call.name = intern_id(&r->calls.names, STR("(unnamed)"));
	call.order = (uint32_t)to->n;
	*MEM_ADD(to->events, to->n, to->cap) = call;
	note_time(r);
}

static void
keep_sample(struct reader *r)
{
	struct stacks *to = &r->stacks;
	struct sample s = { .ts = r->e.ts, .thread = thread_of(r) };

	s.frame = r->e.frame;
	s.cpu = r->e.cpu;
	if (s.cpu != NONE && str_starts(intern_str(&r->threads.texts, s.cpu), STR("-")))
		s.cpu = NONE;
	s.order = (uint32_t)to->n;
	*MEM_ADD(to->samples, to->n, to->cap) = s;
	note_time(r);
}

/* Returns the timeline of the current event; a WHOLE one gets its own. */
static struct timeline *
find_timeline(struct reader *r, bool whole)
{
	uint32_t key[3] = { r->e.pid, r->e.id, 0 }, known = r->keys.n, at;

	if (whole)
		key[2] = known + 1;
	at = intern_id(&r->keys, (struct str){ (const char *)key, sizeof key });
	if (at == known) {
		*MEM_AT(r->timelines, r->cap, at) = (struct timeline){ .thread = NONE };
	}
	return &r->timelines[at];
}

/* Keeps the current event's part of a profile. Returns false if the event is not about one. */
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
	if (begins || whole || t->thread == NONE)
		t->thread = thread_of(r);
	v8_profile_move(&t->profile, &r->part, r->e.has_ts ? (double)r->e.ts : 0);
	return true;
}

static void
keep_event(struct reader *r)
{
	char phase = r->e.phase;
	bool call = phase == 'B' || phase == 'E' || phase == 'X';

	if (phase == 'M')
		keep_name(r);
	else if (!call && (keep_profile(r) || phase != 'P' || r->e.frame == NONE))
		return;
	else if (!r->e.has_ts)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	else if (call)
		keep_call(r);
	else
		keep_sample(r);
}

/* Empties E, keeps its memory and sets its PHASE. */
static void
begin_event(struct event *e, char phase)
{
	struct event empty = {
		.phase = phase, .name = e->name, .arg = e->arg, .detail = e->detail
	};

	empty.name.n = empty.arg.n = empty.detail.n = 0;
	empty.pid = empty.tid = empty.id = empty.frame = empty.cpu = NONE;
	*e = empty;
}

/* Reads an array of events; PHASE is the default for events without one. */
static void
read_events(struct json_reader *p, struct reader *r, char phase)
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
				read_field(p, r, key);
		if (json_failed(p))
			return;
		keep_event(r);
		v8_profile_clear(&r->part);
		r->between = true;
	}
	r->between = json_failed(p);
}

/* Reads the frames of samples, an object with their numbers as keys. */
static void
read_frames(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf name = { 0 };
	uint32_t id, caller;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		id = intern_id(&r->threads.texts, key);
		caller = NONE;
		buf_clear(&name);
		if (json_read_object(p))
			while (json_next_key(p, &key)) {
				if (str_eq(key, STR("name")))
					json_read_text(p, &name);
				else if (str_eq(key, STR("parent")))
					caller = read_text_id(p, r);
			}
		if (!name.n)
			buf_str(&name, STR("(unnamed)"));
		v8_tree_add(&r->stacks.frames, collapse_frame(r->c, buf_view(&name), 0),
			(int32_t)id, caller == NONE ? V8_NO_ID : (int32_t)caller);
	}
	buf_release(&name);
}

static void
read_trace_events(struct json_reader *p, void *context)
{
	read_events(p, context, 0);
}

static void
read_samples(struct json_reader *p, void *context)
{
	read_events(p, context, 'P');
}

static void
read_file(struct json_reader *p, struct reader *r)
{
	static const struct json_key keys[] = { JSON_KEY(
							"traceEvents", read_trace_events),
		JSON_KEY("samples", read_samples), JSON_KEY("stackFrames", read_frames) };

	if (json_peek(p) == JSON_ARRAY)
		read_events(p, r, 0);
	else
		json_walk(p, keys, sizeof keys / sizeof *keys, r);
}

/* Sorts N ITEMS of SIZE bytes; usually they are in order already. */
static void
sort(void *items, size_t n, size_t size, int compare(const void *, const void *))
{
	const char *item = items;
	size_t i;

	for (i = 1; i < n; i++)
		if (compare(item + (i - 1) * size, item + i * size) > 0) {
			qsort(items, n, size, compare);
			return;
		}
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

/* Folds AT, a sample of WHOSE, which lasts until the next sample of its thread. */
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
	if (at->frame != NONE)
		node = v8_tree_find(&s->frames, (int32_t)at->frame);
	if (node != V8_NONE)
		path = v8_tree_path(&s->frames, r->c, root, node);
	collapse_add(r->c, path, whose);
}

/* Folds all samples, as samples of EVENT. */
static void
fold_samples(struct reader *r, struct str event)
{
	struct stacks *s = &r->stacks;
	struct collapse_sample whose = { .has_period = true };
	const struct sample *at;
	size_t i;

	collapse_lose_quietly(r->c, COLLAPSE_MALFORMED, v8_tree_link(&s->frames));
	sort(s->samples, s->n, sizeof *s->samples, by_thread_and_time);
	for (i = 0; i < s->n; i++) {
		at = &s->samples[i];
		if (!i || at->thread != at[-1].thread || at->cpu != at[-1].cpu) {
			whose = sample_of(&r->threads, at->thread);
			whose.event = event;
			if (at->cpu != NONE)
				whose.cpu = intern_str(&r->threads.texts, at->cpu);
		}
		fold_sample(r, &whose, at);
	}
}

/* A call. END is below START until it is known. */
struct span {
	int64_t start, end;
	uint32_t name;
	uint32_t order;	 /* in the file; calls with a beginning and an end come first */
	uint32_t caller; /* of those: another span or NONE, until all ends are known */
	uint32_t older;	 /* the enclosing open call of the same name */
	bool endless;	 /* without an end event */
};

/* The open calls of one name on the current thread. */
struct open_name {
	uint32_t generation;
	uint32_t latest; /* a span or NONE */
	int64_t stray;	 /* time of an end without a beginning */
	bool has_stray;
};

/* A call on the stack of a sweep. */
struct level {
	int64_t end;
	uint32_t node;
};

struct folder {
	struct collapse *c;
	const struct intern *names;
	struct collapse_sample s;
	uint32_t root, generation;
	uint32_t *frames;	/* by name: 1 + the sink's id, 0: not yet known */
	struct open_name *open; /* by name */
	struct span *spans;
	size_t span_n, span_cap;
	uint32_t *stack; /* open spans */
	size_t stack_n, stack_cap;
	struct level *levels;
	size_t level_n, level_cap;
	int64_t now, last;
	uint64_t strays;
	bool wanted; /* the options select some time of this input */
};

static struct span *
add_span(struct folder *f, const struct call *e)
{
	struct span *s;

	f->spans = mem_grow(f->spans, &f->span_cap, f->span_n + 1, sizeof *f->spans);
	s = &f->spans[f->span_n];
	*s = (struct span){ .start = e->ts, .end = e->ts + e->dur, .name = e->name };
	s->order = (uint32_t)f->span_n++;
	s->caller = s->older = NONE;
	return s;
}

static struct open_name *
find_open(struct folder *f, uint32_t name)
{
	struct open_name *o = &f->open[name];

	if (o->generation != f->generation)
		*o = (struct open_name){ f->generation, NONE, 0, false };
	return o;
}

static void
begin(struct folder *f, const struct call *e)
{
	struct open_name *o = find_open(f, e->name);
	struct span *s;

	/* Its end came just before it, at the same time: it took no time. */
	if (o->has_stray && o->stray == e->ts) {
		o->has_stray = false;
		f->strays--;
		return;
	}
	s = add_span(f, e);
	s->end = s->start - 1;
	s->endless = true;
	s->older = o->latest;
	s->caller = f->stack_n ? f->stack[f->stack_n - 1] : NONE;
	o->latest = s->order;
	*MEM_ADD(f->stack, f->stack_n, f->stack_cap) = s->order;
}

/* Returns the call that E, an end, belongs to; NONE if none of its name is open. */
static uint32_t
find_begun(struct folder *f, const struct call *e)
{
	struct open_name *o;

	if (e->name == NONE)
		return f->stack_n ? f->stack[f->stack_n - 1] : NONE;
	o = find_open(f, e->name);
	if (o->latest == NONE) {
		o->stray = e->ts;
		o->has_stray = true;
	}
	return o->latest;
}

static void
end(struct folder *f, const struct call *e)
{
	uint32_t at = find_begun(f, e);

	if (at == NONE) {
		f->strays++;
		return;
	}
	f->spans[at].end = e->ts;
	f->spans[at].endless = false;
	find_open(f, f->spans[at].name)->latest = f->spans[at].older;
	while (f->stack_n && !f->spans[f->stack[f->stack_n - 1]].endless)
		f->stack_n--;
}

/* Returns the call that was open when S began, or NONE. Callers that ended before are cut out of
 * the chain, as they have ended for all later calls too. */
static uint32_t
find_caller(struct folder *f, struct span *s)
{
	uint32_t at = s->caller, next;

	while (at != NONE && f->spans[at].end < s->start)
		at = f->spans[at].caller;
	while (s->caller != at) {
		next = f->spans[s->caller].caller;
		f->spans[s->caller].caller = at;
		s->caller = next;
	}
	return at;
}

/* Sets the end of calls without one. */
static void
settle(struct folder *f)
{
	struct span *s;
	uint32_t caller;
	size_t i;

	for (i = 0; i < f->span_n; i++) {
		s = &f->spans[i];
		if (!s->endless)
			continue;
		caller = find_caller(f, s);
		s->end = caller == NONE ? f->last : f->spans[caller].end;
	}
}

/* By time, then in the order of the file. */
static int
by_time(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int
by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts the calls outermost first, and drops those that took no time. */
static void
sort_spans(struct folder *f)
{
	size_t i, n = 0;

	for (i = 0; i < f->span_n; i++)
		if (f->spans[i].end > f->spans[i].start)
			f->spans[n++] = f->spans[i];
	f->span_n = n;
	sort(f->spans, n, sizeof *f->spans, by_start);
}

/* Adds the time until UNTIL to the innermost call. */
static void
spend(struct folder *f, int64_t until)
{
	int64_t from = f->now;

	f->now = until;
	if (!f->level_n || until <= from)
		return;
	f->s.period = (uint64_t)(until - from);
	f->s.has_time = from >= 0;
	f->s.time = f->s.has_time ? (uint64_t)from : 0;
	if (!collapse_wants(f->c, &f->s))
		return;
	f->wanted = true;
	collapse_add(f->c, f->levels[f->level_n - 1].node, &f->s);
}

/* Closes the calls that end by UNTIL. */
static void
close_until(struct folder *f, int64_t until)
{
	int64_t at;

	while (f->level_n && f->levels[f->level_n - 1].end <= until) {
		at = f->levels[f->level_n - 1].end;
		spend(f, at);
		f->level_n--;
		if (f->level_n && f->levels[f->level_n - 1].end < at)
			f->levels[f->level_n - 1].end = at;
	}
	spend(f, until);
}

static void
open_call(struct folder *f, const struct span *s)
{
	uint32_t *known = &f->frames[s->name], frame, above = f->root;
	int64_t until = s->end;

	if (!*known)
		*known = collapse_frame(f->c, intern_str(f->names, s->name), 0) + 1;
	frame = *known - 1;
	if (f->level_n) {
		above = f->levels[f->level_n - 1].node;
		if (s->endless && f->levels[f->level_n - 1].end < until)
			until = f->levels[f->level_n - 1].end;
	}
	*MEM_ADD(f->levels, f->level_n, f->level_cap) =
		(struct level){ until, collapse_path(f->c, above, &frame, 1) };
}

static void
fold_thread(struct folder *f, struct call *events, size_t n)
{
	struct call *e, *end_of_all = events + n;
	size_t i;

	f->generation++;
	f->span_n = f->stack_n = f->level_n = 0;
	f->last = INT64_MIN;
	sort(events, n, sizeof *events, by_time);
	for (e = events; e < end_of_all; e++) {
		if (e->ts + (e->dur > 0 ? e->dur : 0) > f->last)
			f->last = e->ts + (e->dur > 0 ? e->dur : 0);
		if (e->dur == BEGIN)
			begin(f, e);
		else if (e->dur == END)
			end(f, e);
	}
	settle(f);
	for (e = events; e < end_of_all; e++)
		if (e->dur > 0)
			(void)add_span(f, e);
	sort_spans(f);
	for (i = 0; i < f->span_n; i++) {
		if (!i)
			f->now = f->spans[i].start;
		close_until(f, f->spans[i].start);
		open_call(f, &f->spans[i]);
	}
	close_until(f, INT64_MAX);
}

/* Groups the events by thread, in the order of the file. Returns where each of the N threads'
 * events end; the caller frees it. */
static size_t *
group(struct calls *calls, uint32_t n)
{
	struct call *grouped = mem_alloc((calls->n + 1) * sizeof *grouped);
	size_t *next = mem_zero((size_t)n + 2, sizeof *next), i;

	for (i = 0; i < calls->n; i++)
		next[calls->events[i].thread + 1]++;
	for (i = 0; i < n; i++)
		next[i + 1] += next[i];
	for (i = 0; i < calls->n; i++)
		grouped[next[calls->events[i].thread]++] = calls->events[i];
	free(calls->events);
	calls->events = grouped;
	return next;
}

/* Folds all calls, as samples of EVENT. */
static void
fold_calls(struct reader *r, struct str event)
{
	struct folder f = { .c = r->c, .names = &r->calls.names };
	uint32_t n = r->threads.keys.n, t;
	size_t *ends = group(&r->calls, n), from = 0;

	f.frames = mem_zero((size_t)f.names->n + 1, sizeof *f.frames);
	f.open = mem_zero((size_t)f.names->n + 1, sizeof *f.open);
	for (t = 0; t < n; from = ends[t++]) {
		if (from == ends[t])
			continue;
		f.s = sample_of(&r->threads, t);
		f.s.event = event;
		f.root = collapse_root(r->c, &f.s);
		fold_thread(&f, r->calls.events + from, ends[t] - from);
	}
	if (f.strays && f.wanted) {
		collapse_lose_quietly(r->c, COLLAPSE_MALFORMED, f.strays);
		msg_warn_at(input_name(r->in), 0, "skipping %" PRIu64 " %s not begun",
			f.strays,
			f.strays == 1 ? "end of a call that has"
				      : "ends of calls that have");
	}
	free(ends);
	free(f.frames);
	free(f.open);
	free(f.spans);
	free(f.stack);
	free(f.levels);
}

/* Folds samples, calls and profiles: as several events if there are several kinds. */
static void
fold(struct reader *r)
{
	bool several = (r->keys.n > 0) + (r->stacks.n > 0) + (r->calls.n > 0) > 1;
	struct collapse_sample s;
	uint32_t i;

	for (i = 0; i < r->keys.n; i++) {
		s = sample_of(&r->threads, r->timelines[i].thread);
		s.event = several ? STR("cpu-profile") : STR("");
		v8_profile_fold(&r->timelines[i].profile, r->c, s);
	}
	if (r->stacks.n || r->calls.n)
		collapse_unit(r->c, STR("ns"));
	fold_samples(r, several ? STR("samples") : STR(""));
	if (r->calls.n && !several)
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
	intern_release(&r->calls.names);
	free(r->calls.events);
	v8_tree_release(&r->stacks.frames);
	free(r->stacks.samples);
	intern_release(&r->threads.texts);
	intern_release(&r->threads.keys);
	free(r->threads.items);
	buf_release(&r->e.name);
	buf_release(&r->e.arg);
	buf_release(&r->e.detail);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c, .first = INT64_MAX };
	struct json_profile f;

	json_profile_begin(&f, in, c);
	read_file(&f.p, &r);
	if (r.first >= 0 && r.first < INT64_MAX && !r.keys.n)
		collapse_origin(c, (uint64_t)r.first);
	fold(&r);
	release(&r);
	if (!f.p.cut || !r.between)
		return json_profile_end(&f, false);
	/* A program that is stopped while it writes events leaves out the end. */
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
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("traceEvents"), SIGN_KEY("ph"), SIGN_KEY("stackFrames")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
