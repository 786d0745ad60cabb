/* SPDX-License-Identifier: ISC */
/*
 * Trace events for Perfetto and chrome://tracing: the beginning and end of each call.
 *
 *	{"displayTimeUnit":"ns","traceEvents":[
 *	 {"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"work"}},
 *	 {"ph":"B","pid":7,"tid":8,"ts":0,"name":"main"},
 *	 {"ph":"E","pid":7,"tid":8,"ts":1.5}]}
 *
 * Times are in us. Each track is a thread. Samples follow one another, at their times if known;
 * a frame continues if the next sample has it too.
 */
#include "export.h"
#include "json.h"
#include "mem.h"

struct writer {
	struct export *x;
	struct intern known; /* "pid/tid" of the tracks before */
	struct buf identity; /* "pid":7,"tid":8 */
	uint32_t *open;	     /* names of the open calls */
	size_t n, cap;
	uint64_t at;
};

static uint64_t
number_of(struct str text, uint64_t otherwise)
{
	uint64_t n;

	return str_to_u64(text, &n) && n <= INT32_MAX ? n : otherwise;
}

/* Finds unique numbers for TRACK. */
static void
identify(struct writer *w, uint32_t track)
{
	enum { OTHERS = 1000000000 };
	struct export_thread t = export_thread(w->x, track);
	uint64_t pid = number_of(t.pid, 1), tid = number_of(t.tid, (uint64_t)track + 1);
	uint32_t before = w->known.n;

	buf_clear(&w->identity);
	buf_fmt(&w->identity, "%llu/%llu", (unsigned long long)pid,
		(unsigned long long)tid);
	if (intern_id(&w->known, buf_view(&w->identity)) < before)
		tid = OTHERS + (uint64_t)track;
	buf_clear(&w->identity);
	buf_fmt(&w->identity, "\"pid\":%llu,\"tid\":%llu", (unsigned long long)pid,
		(unsigned long long)tid);
}

/* Begins an event of phase PH. */
static void
begin(struct writer *w, const char *ph)
{
	struct buf *b = &w->x->b;

	json_element_begin(b);
	json_str(b, "ph", str_of(ph));
	buf_char(b, ',');
	buf_str(b, buf_view(&w->identity));
}

static void
put_name(struct writer *w, uint32_t track)
{
	struct buf *b = &w->x->b, name = { 0 };

	export_put_thread(&name, w->x, track);
	begin(w, "M");
	json_str(b, "name", STR("thread_name"));
	json_begin(b, "args");
	json_str(b, "name", name.n ? buf_view(&name) : export_title(w->x));
	json_end(b);
	json_end(b);
	buf_release(&name);
}

static void
put_time(struct writer *w)
{
	json_number(&w->x->b, "ts", STR(""));
	export_put_decimal(&w->x->b, w->at, 3);
}

/* Ends the open calls except the outermost N. */
static void
close_to(struct writer *w, size_t n)
{
	for (; w->n > n; w->n--) {
		begin(w, "E");
		put_time(w);
		json_end(&w->x->b);
		export_flush(w->x);
	}
}

static void
open_call(struct writer *w, uint32_t name)
{
	struct export_place place = export_place(intern_str(&w->x->tree->names, name));
	struct buf *b = &w->x->b;

	begin(w, "B");
	put_time(w);
	json_str(b, "name", place.name);
	if (place.line) {
		json_begin(b, "args");
		json_str(b, "file", place.file);
		json_u64(b, "line", place.line);
		json_end(b);
	}
	json_end(b);
	export_flush(w->x);
	w->open = mem_grow(w->open, &w->cap, w->n + 1, sizeof *w->open);
	w->open[w->n++] = name;
}

static void
put_sample(struct writer *w, const struct export_sample *s)
{
	struct export *x = w->x;
	size_t n, i, same = 0;
	const uint32_t *path = export_path(x, s->stack, &n);

	if (s->timed && s->time > w->at) {
		close_to(w, 0);
		w->at = s->time;
	}
	while (same < n && same < w->n &&
		w->open[same] == x->tree->nodes[path[same]].name)
		same++;
	close_to(w, same);
	for (i = same; i < n; i++)
		open_call(w, x->tree->nodes[path[i]].name);
	w->at += s->weight[0];
}

static bool
write_file(struct export *x)
{
	struct writer w = { .x = x };
	size_t i;

	json_begin(&x->b, NULL);
	json_str(&x->b, "displayTimeUnit", STR("ns"));
	json_array(&x->b, "traceEvents");
	for (i = 0; i < x->n; i++) {
		if (!i || x->samples[i].track != x->samples[i - 1].track) {
			close_to(&w, 0);
			w.at = 0;
			identify(&w, x->samples[i].track);
			put_name(&w, x->samples[i].track);
		}
		put_sample(&w, &x->samples[i]);
	}
	close_to(&w, 0);
	json_array_end(&x->b);
	json_end(&x->b);
	buf_char(&x->b, '\n');
	intern_release(&w.known);
	buf_release(&w.identity);
	free(w.open);
	return true;
}

const struct export_target export_chrome = {
	.needs = EXPORT_TRACKS | EXPORT_TIMES | EXPORT_WHOLE | EXPORT_DOUBLES,
	.write = write_file,
};
