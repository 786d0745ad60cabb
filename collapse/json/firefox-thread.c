/* SPDX-License-Identifier: ISC */
/* A thread of a profile of Firefox Profiler; see firefox-thread.h. */
#include "firefox-thread.h"
#include "mem.h"

#include <math.h>
#include <stdio.h>

void
firefox_thread_release(struct firefox_thread *t)
{
	struct firefox_samples *s;
	int kind;

	for (kind = 0; kind < FIREFOX_KINDS; kind++) {
		s = t->samples[kind];
		if (!s)
			continue;
		json_ints_release(&s->stack);
		json_doubles_release(&s->time);
		free(s->weight.items);
		free(s);
	}
	if (t->own)
		firefox_tables_release(t->own);
	free(t->own);
	*t = (struct firefox_thread){ .own = NULL };
}

struct firefox_samples *
firefox_thread_samples(struct firefox_thread *t, enum firefox_kind kind)
{
	if (!t->samples[kind])
		t->samples[kind] = mem_zero(1, sizeof **t->samples);
	return t->samples[kind];
}

struct firefox_tables *
firefox_thread_tables(struct firefox_thread *t)
{
	if (!t->own)
		t->own = mem_zero(1, sizeof *t->own);
	return t->own;
}

struct str
firefox_text(struct json_reader *p, struct arena *a)
{
	char text[40];
	struct str s = { 0 };
	double number;

	if (json_peek(p) == JSON_NUMBER && json_read_double(p, &number)) {
		snprintf(text, sizeof text, "%.17g", number);
		return arena_str(a, str_of(text));
	}
	if (!json_read_null(p))
		(void)json_read_string(p, &s);
	return arena_str(a, s);
}

/* Adds VALUE to W, of which all before were 1 when there are no items. */
static void
add_weight(struct firefox_weights *w, double value)
{
	size_t i;

	if (!w->items && value != 1) {
		w->items = mem_grow(NULL, &w->cap, w->n + 1, sizeof *w->items);
		for (i = 0; i < w->n; i++)
			w->items[i] = 1;
	}
	if (w->items) {
		w->items = mem_grow(w->items, &w->cap, w->n + 1, sizeof *w->items);
		w->items[w->n] = value;
	}
	w->n++;
}

static void
take_weights(struct firefox_samples *s, struct json_reader *p)
{
	double value;

	if (json_read_null(p) || !json_read_array(p))
		return;
	s->weighed = true;
	while (json_next_element(p)) {
		value = NAN;
		if (!json_read_null(p))
			(void)json_read_double(p, &value);
		if (!json_failed(p))
			add_weight(&s->weight, value);
	}
}

double
firefox_weight(const struct firefox_samples *s, size_t i)
{
	if (i >= s->weight.n)
		return NAN;
	return s->weight.items ? s->weight.items[i] : 1;
}

static void
take_unit(struct firefox_samples *s, struct json_reader *p)
{
	struct str unit;

	if (json_read_null(p) || !json_read_string(p, &unit))
		return;
	s->unit = str_eq(unit, STR("tracing-ms")) ? FIREFOX_MS
		: str_eq(unit, STR("bytes"))	  ? FIREFOX_BYTES
						  : FIREFOX_SAMPLES;
}

static void
take_samples(struct firefox_samples *s, struct json_reader *p, bool times)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("stack"))) {
			json_read_ints(p, &s->stack, -1);
		} else if (str_eq(key, STR("weight"))) {
			take_weights(s, p);
		} else if (str_eq(key, STR("weightType"))) {
			take_unit(s, p);
		} else if (times && str_eq(key, STR("timeDeltas"))) {
			s->by_delta = true;
			json_read_doubles(p, &s->time, 0);
		} else if (times && str_eq(key, STR("time")) && !json_read_null(p)) {
			json_read_doubles(p, &s->time, 0);
		}
}

/* Takes the value of KEY when it is a table of samples. */
static bool
take_kind(struct firefox_thread *t, struct str key, struct json_reader *p, bool times)
{
	static const char *const keys[FIREFOX_KINDS] = {
		[FIREFOX_TIMER] = "samples",
		[FIREFOX_JS_ALLOCATIONS] = "jsAllocations",
		[FIREFOX_NATIVE_ALLOCATIONS] = "nativeAllocations",
	};
	int kind;

	for (kind = 0; kind < FIREFOX_KINDS; kind++)
		if (str_eq(key, str_of(keys[kind]))) {
			take_samples(firefox_thread_samples(t, kind), p, times);
			return true;
		}
	return false;
}

void
firefox_thread_take(struct firefox_thread *t, struct json_reader *p, struct arena *a,
	struct libraries *n, bool times)
{
	struct firefox_tables tables = { .libs = { .given = false } };
	bool own = false;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			t->name = firefox_text(p, a);
		else if (str_eq(key, STR("pid")))
			t->pid = firefox_text(p, a);
		else if (str_eq(key, STR("tid")))
			t->tid = firefox_text(p, a);
		else if (!take_kind(t, key, p, times))
			own |= firefox_tables_take(&tables, key, p, n);
	if (own)
		*firefox_thread_tables(t) = tables;
}
