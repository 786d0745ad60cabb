/* SPDX-License-Identifier: ISC */
/* Calls of a trace to stacks; see chrome-span.h. */
#include "chrome-span.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

/* A call. Before its end is known, END is below START. */
struct span {
	int64_t start, end;
	uint32_t name;
	uint32_t order;	 /* in the file; those that begin and end come first */
	uint32_t caller; /* of those: another span or CHROME_NONE, as long as ends are not
			  * all known */
	uint32_t older;	 /* the call of the same name that was open then */
	bool endless;	 /* it had no end */
};

/* What is open of one name on the thread that is looked at. */
struct open_name {
	uint32_t thread_turn;
	uint32_t latest; /* a span or CHROME_NONE */
	int64_t stray;	 /* when an end came that had no beginning */
	bool has_stray;
};

/* When an event that begins or ends a call was. */
struct moment {
	int64_t ts;
	uint32_t event;
};

/* A call on the stack of a sweep. */
struct level {
	int64_t end;
	uint32_t node;
};

struct folder {
	struct chrome_spans *all;
	struct input *in;
	struct collapse *c;
	struct collapse_sample s;
	uint32_t root, turn;
	uint32_t *frames;	/* names in the sink + 1, 0: not yet; by name */
	struct open_name *open; /* by name */
	struct moment *moments; /* of the thread */
	size_t n, cap;
	struct span *spans;
	size_t span_n, span_cap;
	uint32_t *stack; /* of spans that are open */
	size_t stack_n, stack_cap;
	struct level *levels;
	size_t level_n, level_cap;
	int64_t now, last;
	uint64_t strays;
	bool wanted; /* by the options */
};

void
chrome_spans_release(struct chrome_spans *s)
{
	intern_release(&s->names);
	free(s->events);
	*s = (struct chrome_spans){ 0 };
}

void
chrome_spans_add(struct chrome_spans *s, const struct chrome_event *e)
{
	s->events = mem_grow(s->events, &s->cap, s->n + 1, sizeof *s->events);
	s->events[s->n++] = *e;
}

static struct span *
add_span(struct folder *f, const struct chrome_event *e)
{
	struct span *s;

	f->spans = mem_grow(f->spans, &f->span_cap, f->span_n + 1, sizeof *f->spans);
	s = &f->spans[f->span_n];
	*s = (struct span){ .start = e->ts, .end = e->ts + e->dur, .name = e->name };
	s->order = (uint32_t)f->span_n++;
	s->caller = s->older = CHROME_NONE;
	return s;
}

/* What is open of NAME. */
static struct open_name *
find_open(struct folder *f, uint32_t name)
{
	struct open_name *o = &f->open[name];

	if (o->thread_turn != f->turn)
		*o = (struct open_name){ f->turn, CHROME_NONE, 0, false };
	return o;
}

static void
begin(struct folder *f, const struct chrome_event *e)
{
	struct open_name *o = find_open(f, e->name);
	struct span *s;

	/* Its end stood before it and at the same time: it took none. */
	if (o->has_stray && o->stray == e->ts) {
		o->has_stray = false;
		f->strays--;
		return;
	}
	s = add_span(f, e);
	s->end = s->start - 1;
	s->endless = true;
	s->older = o->latest;
	s->caller = f->stack_n ? f->stack[f->stack_n - 1] : CHROME_NONE;
	o->latest = s->order;
	f->stack = mem_grow(f->stack, &f->stack_cap, f->stack_n + 1, sizeof *f->stack);
	f->stack[f->stack_n++] = s->order;
}

/* The call that E, an end, is of; CHROME_NONE when none of its name is open. */
static uint32_t
find_begun(struct folder *f, const struct chrome_event *e)
{
	struct open_name *o;

	if (e->name == CHROME_NONE)
		return f->stack_n ? f->stack[f->stack_n - 1] : CHROME_NONE;
	o = find_open(f, e->name);
	if (o->latest == CHROME_NONE) {
		o->stray = e->ts;
		o->has_stray = true;
	}
	return o->latest;
}

static void
end(struct folder *f, const struct chrome_event *e)
{
	uint32_t at = find_begun(f, e);

	if (at == CHROME_NONE) {
		f->strays++;
		return;
	}
	f->spans[at].end = e->ts;
	f->spans[at].endless = false;
	find_open(f, f->spans[at].name)->latest = f->spans[at].older;
	while (f->stack_n && !f->spans[f->stack[f->stack_n - 1]].endless)
		f->stack_n--;
}

static int
by_moment(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->event < y->event ? -1 : 1;
}

/* The call that was open when S began, or CHROME_NONE. Callers that had ended by then
 * will have ended for all that follow too, and are left out of the way to them. */
static uint32_t
find_caller(struct folder *f, struct span *s)
{
	uint32_t at = s->caller, next;

	while (at != CHROME_NONE && f->spans[at].end < s->start)
		at = f->spans[at].caller;
	while (s->caller != at) {
		next = f->spans[s->caller].caller;
		f->spans[s->caller].caller = at;
		s->caller = next;
	}
	return at;
}

/* Gives calls without an end one. */
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
		s->end = caller == CHROME_NONE ? f->last : f->spans[caller].end;
	}
}

/* Pairs what begins and ends on a thread. */
static void
pair(struct folder *f)
{
	const struct chrome_event *e;
	bool sorted = true;
	size_t i;

	for (i = 1; i < f->n && sorted; i++)
		sorted = f->moments[i - 1].ts <= f->moments[i].ts;
	if (!sorted)
		qsort(f->moments, f->n, sizeof *f->moments, by_moment);
	for (i = 0; i < f->n; i++) {
		e = &f->all->events[f->moments[i].event];
		if (e->dur == CHROME_BEGIN)
			begin(f, e);
		else
			end(f, e);
	}
	settle(f);
}

/* Outer calls first. */
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

/* Sorts the calls, without those that took no time. */
static void
sort_spans(struct folder *f)
{
	bool sorted = true;
	size_t i, n = 0;

	for (i = 0; i < f->span_n; i++)
		if (f->spans[i].end > f->spans[i].start)
			f->spans[n++] = f->spans[i];
	f->span_n = n;
	for (i = 1; i < n && sorted; i++)
		sorted = by_start(&f->spans[i - 1], &f->spans[i]) < 0;
	if (!sorted)
		qsort(f->spans, n, sizeof *f->spans, by_start);
}

/* Gives the time until UNTIL to what is innermost. */
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

/* Closes what ends by UNTIL. */
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

static uint32_t
find_frame(struct folder *f, uint32_t name)
{
	if (!f->frames[name])
		f->frames[name] =
			collapse_frame(f->c, intern_str(&f->all->names, name), 0) + 1;
	return f->frames[name] - 1;
}

static void
open_call(struct folder *f, const struct span *s)
{
	uint32_t frame = find_frame(f, s->name), above = f->root;
	int64_t until = s->end;

	if (f->level_n) {
		above = f->levels[f->level_n - 1].node;
		if (s->endless && f->levels[f->level_n - 1].end < until)
			until = f->levels[f->level_n - 1].end;
	}
	f->levels = mem_grow(f->levels, &f->level_cap, f->level_n + 1, sizeof *f->levels);
	f->levels[f->level_n++] =
		(struct level){ until, collapse_path(f->c, above, &frame, 1) };
}

/* Folds the N events of THREAD whose numbers are EVENTS. */
static void
fold_thread(struct folder *f, const uint32_t *events, size_t n)
{
	const struct chrome_event *e;
	size_t i;

	f->turn++;
	f->n = f->span_n = f->stack_n = f->level_n = 0;
	f->last = INT64_MIN;
	f->moments = mem_grow(f->moments, &f->cap, n, sizeof *f->moments);
	for (i = 0; i < n; i++) {
		e = &f->all->events[events[i]];
		if (e->ts + (e->dur > 0 ? e->dur : 0) > f->last)
			f->last = e->ts + (e->dur > 0 ? e->dur : 0);
		if (e->dur < 0)
			f->moments[f->n++] = (struct moment){ e->ts, events[i] };
	}
	pair(f);
	for (i = 0; i < n; i++) {
		e = &f->all->events[events[i]];
		if (e->dur > 0)
			(void)add_span(f, e);
	}
	sort_spans(f);
	for (i = 0; i < f->span_n; i++) {
		if (!i)
			f->now = f->spans[i].start;
		close_until(f, f->spans[i].start);
		open_call(f, &f->spans[i]);
	}
	close_until(f, INT64_MAX);
}

/* The numbers of all events by thread, FIRST[thread] being where a thread begins. */
static uint32_t *
group(const struct chrome_spans *s, size_t *first, uint32_t threads)
{
	uint32_t *grouped = mem_alloc((s->n + 1) * sizeof *grouped), t;
	size_t i, sum = 0, n;

	for (i = 0; i < s->n; i++)
		first[s->events[i].thread]++;
	for (t = 0; t < threads; t++) {
		n = first[t];
		first[t] = sum;
		sum += n;
	}
	for (i = 0; i < s->n; i++)
		grouped[first[s->events[i].thread]++] = (uint32_t)i;
	for (t = threads; t > 0; t--)
		first[t] = first[t - 1];
	first[0] = 0;
	return grouped;
}

static void
tell_strays(struct folder *f)
{
	if (!f->strays || !f->wanted)
		return;
	collapse_lose_quietly(f->c, COLLAPSE_MALFORMED, f->strays);
	msg_warn_at(input_name(f->in), 0, "skipping %" PRIu64 " %s not begun", f->strays,
		f->strays == 1 ? "end of a call that has" : "ends of calls that have");
}

void
chrome_spans_fold(struct chrome_spans *s, const struct collapse_sample *whose, uint32_t n,
	struct input *in, struct collapse *c)
{
	struct folder f = { .all = s, .in = in, .c = c };
	uint32_t t;
	size_t *first = mem_zero((size_t)n + 1, sizeof *first);
	uint32_t *grouped = group(s, first, n);

	f.frames = mem_zero((size_t)s->names.n + 1, sizeof *f.frames);
	f.open = mem_zero((size_t)s->names.n + 1, sizeof *f.open);
	for (t = 0; t < n; t++) {
		if (first[t] == first[t + 1])
			continue;
		f.s = whose[t];
		f.root = collapse_root(c, &f.s);
		fold_thread(&f, grouped + first[t], first[t + 1] - first[t]);
	}
	tell_strays(&f);
	free(first);
	free(grouped);
	free(f.frames);
	free(f.open);
	free(f.moments);
	free(f.spans);
	free(f.stack);
	free(f.levels);
}
