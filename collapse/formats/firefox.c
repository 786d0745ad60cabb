/* SPDX-License-Identifier: ISC */
/*
 * Profiles of Firefox Profiler ("processed"), as written by samply, probe-rs and many others, and
 * as saved by profiler.firefox.com:
 *
 *	{"meta":{"interval":1,"preprocessedProfileVersion":55,"product":"fw",...},
 *	 "libs":[{"name":"fw","path":"/opt/fw.elf","codeId":"66b0cff14f...",...}],
 *	 "threads":[{"name":"Thread <0>","pid":"0","tid":"0",
 *	  "samples":{"stack":[1,1,null],"weight":[1,1,1],"weightType":"samples",...},
 *	  "stackTable":{"prefix":[null,0],"frame":[0,1]},
 *	  "frameTable":{"address":[1320,1418],"func":[0,1],...},
 *	  "funcTable":{"name":[1,2],"resource":[0,0],...},
 *	  "resourceTable":{"lib":[0],...},"stringArray":["fw","0x528","0x58a"]}]}
 *
 * The layout has a version (docs-developer/CHANGELOG-formats.md and
 * processed-profile-format.md of firefox-devtools/profiler). What matters here:
 *
 *	41	libs are shared, no longer per thread
 *	38	a caller's address is within its call, no longer after it
 *	56	texts are in "shared"; from 60 on the other tables too
 *	66	a stack's caller is a number of rows back (prefixOffset)
 *	70	a frame has the library, no longer its function's resource
 *
 * Each table is looked up in the thread, then in "shared", whatever the version. A profile without
 * names has addresses, which libraries.h symbolizes. probe-rs is recognized by its second category,
 * "raw"; its threads are cores.
 */
#include "collapse.h"
#include "firefox-profile.h"
#include "formats.h"
#include "readers/json-profile.h"
#include "mem.h"

#include <math.h>

struct job {
	struct firefox_fold fold;
	struct str product;
	bool has_meta;
};

static int
probe(struct str head)
{
	if (json_has(head, "meta.preprocessedProfileVersion"))
		return 100;
	return json_has(head, "threads[].stackTable.prefix") ||
			json_has(head, "threads[].frameTable.func")
		? 90
		: 0;
}

static void
read_stacks(struct firefox_stacks *s, struct json_reader *p)
{
	struct str key;

	s->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("prefix"))) {
			json_read_ints(p, &s->prefix, -1);
		} else if (str_eq(key, STR("prefixOffset"))) {
			s->by_offset = true;
			json_read_ints(p, &s->prefix, 0);
		} else if (str_eq(key, STR("frame"))) {
			json_read_ints(p, &s->frame, -1);
		}
}

static void
read_frames(struct firefox_frames *f, struct json_reader *p, bool lines)
{
	struct str key;

	f->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("func")))
			json_read_ints(p, &f->func, -1);
		else if (str_eq(key, STR("address")))
			json_read_doubles(p, &f->address, -1);
		else if (str_eq(key, STR("inlineDepth")))
			json_read_ints(p, &f->inline_depth, 0);
		else if (str_eq(key, STR("lib")))
			json_read_ints(p, &f->lib, -1);
		else if (lines && str_eq(key, STR("line")))
			json_read_ints(p, &f->line, -1);
}

static void
read_bools(struct buf *b, struct json_reader *p)
{
	bool value;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		value = false;
		if (!json_read_null(p))
			(void)json_read_bool(p, &value);
		if (!json_failed(p))
			buf_char(b, value);
	}
}

static void
read_funcs(struct firefox_funcs *f, struct json_reader *p, bool lines)
{
	struct str key;

	f->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_ints(p, &f->name, -1);
		else if (str_eq(key, STR("resource")))
			json_read_ints(p, &f->resource, -1);
		else if (str_eq(key, STR("isJS")))
			read_bools(&f->is_js, p);
		else if (lines && str_eq(key, STR("fileName")))
			json_read_ints(p, &f->file, -1);
		else if (lines && str_eq(key, STR("source")))
			json_read_ints(p, &f->source, -1);
		else if (lines && str_eq(key, STR("lineNumber")))
			json_read_ints(p, &f->line, -1);
}

static void
read_sources(struct firefox_sources *s, struct json_reader *p)
{
	struct str key;

	s->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("filename")))
			json_read_ints(p, &s->file, -1);
}

static void
read_resources(struct firefox_resources *r, struct json_reader *p)
{
	struct str key;

	r->given = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("lib")))
			json_read_ints(p, &r->lib, -1);
}

static void
read_libs(struct firefox_libs *l, struct json_reader *p, struct libraries *n)
{
	l->given = true;
	if (!json_read_array(p))
		return;
	while (json_next_element(p))
		json_ints_add(&l->ids, libraries_read(n, p));
}

/* Reads the value of KEY into T if it is a table, else returns false. Libraries are added to N. */
static bool
read_table(struct firefox_tables *t, struct str key, struct json_reader *p,
	struct libraries *n)
{
	bool lines = collapse_options(n->c)->srcline;

	if (str_eq(key, STR("stackTable"))) {
		read_stacks(&t->stacks, p);
	} else if (str_eq(key, STR("frameTable"))) {
		read_frames(&t->frames, p, lines);
	} else if (str_eq(key, STR("funcTable"))) {
		read_funcs(&t->funcs, p, lines);
	} else if (lines && str_eq(key, STR("sources"))) {
		read_sources(&t->sources, p);
	} else if (str_eq(key, STR("resourceTable"))) {
		read_resources(&t->resources, p);
	} else if (str_eq(key, STR("stringArray")) || str_eq(key, STR("stringTable"))) {
		t->strings.given = true;
		json_read_texts(p, &t->strings.texts);
	} else if (str_eq(key, STR("libs"))) {
		read_libs(&t->libs, p, n);
	} else {
		return false;
	}
	return true;
}

/* Adds VALUE to W; without items, all earlier weights are 1. */
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
read_weights(struct firefox_samples *s, struct json_reader *p)
{
	enum { PIECE = 512 };
	int64_t plain[PIECE];
	double value;
	size_t n, i;

	if (json_read_null(p) || !json_read_array(p))
		return;
	s->weighed = true;
	while (json_next_element(p)) {
		n = json_take_wholes(p, plain, PIECE);
		for (i = 0; i < n; i++)
			add_weight(&s->weight, (double)plain[i]);
		value = NAN;
		if (!json_read_null(p))
			(void)json_read_double(p, &value);
		if (!json_failed(p))
			add_weight(&s->weight, value);
	}
}

static void
read_unit(struct firefox_samples *s, struct json_reader *p)
{
	struct str unit;

	if (json_read_null(p) || !json_read_string(p, &unit))
		return;
	s->unit = str_eq(unit, STR("tracing-ms")) ? FIREFOX_MS
		: str_eq(unit, STR("bytes"))	  ? FIREFOX_BYTES
						  : FIREFOX_SAMPLES;
}

static void
read_samples(struct firefox_samples *s, struct json_reader *p, bool times)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("stack"))) {
			json_read_ints(p, &s->stack, -1);
		} else if (str_eq(key, STR("weight"))) {
			read_weights(s, p);
		} else if (str_eq(key, STR("weightType"))) {
			read_unit(s, p);
		} else if (times && str_eq(key, STR("timeDeltas"))) {
			s->by_delta = true;
			json_read_doubles(p, &s->time, 0);
		} else if (times && str_eq(key, STR("time")) && !json_read_null(p)) {
			json_read_doubles(p, &s->time, 0);
		}
}

/* Reads the value of KEY if it is a table of samples, else returns false. */
static bool
read_kind(struct firefox_thread *t, struct str key, struct json_reader *p, bool times)
{
	static const char *const keys[FIREFOX_KINDS] = {
		[FIREFOX_TIMER] = "samples",
		[FIREFOX_JS_ALLOCATIONS] = "jsAllocations",
		[FIREFOX_NATIVE_ALLOCATIONS] = "nativeAllocations",
	};
	int kind;

	for (kind = 0; kind < FIREFOX_KINDS; kind++)
		if (str_eq(key, str_of(keys[kind]))) {
			read_samples(firefox_thread_samples(t, kind), p, times);
			return true;
		}
	return false;
}

/* Reads a category. Returns whether it is one of probe-rs. */
static bool
read_category(struct json_reader *p)
{
	bool raw = false;
	struct str key, name;

	if (!json_read_object(p))
		return false;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")) && json_read_string(p, &name))
			raw = str_eq(name, STR("raw"));
	return raw;
}

static void
read_meta(struct json_reader *p, void *context)
{
	enum { NUDGED = 38 };
	struct job *job = context;
	uint64_t version = 0;
	struct str key;

	job->has_meta = true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("preprocessedProfileVersion")))
			(void)json_read_u64(p, &version);
		else if (str_eq(key, STR("product")))
			job->product = firefox_fold_text(&job->fold, p);
		else if (str_eq(key, STR("categories")) && json_read_array(p))
			while (json_next_element(p))
				job->fold.probe_rs |= read_category(p);
	job->fold.libraries.callers = job->fold.probe_rs ? LIBRARIES_PROBE_RS
		: version < NUDGED			 ? LIBRARIES_AFTER
							 : LIBRARIES_IN_CALL;
}

/* Sets the library for addresses without one: a profile of probe-rs is of one program, even if no
 * address is relative to its start. */
static void
find_firmware(struct job *job)
{
	struct firefox_fold *f = &job->fold;
	struct library program = { .name = job->product };

	if (!f->probe_rs || f->firmware >= 0)
		return;
	f->firmware = job->fold.shared.libs.ids.n
		? job->fold.shared.libs.ids.items[0]
		: libraries_add(&f->libraries, &program);
}

/* Whether everything that T needs has been read. If samples are cut by time, they wait for the
 * first sample of all threads. */
static bool
is_whole(const struct job *job, const struct firefox_thread *t)
{
	const struct firefox_tables *own = t->own;

	return job->has_meta && !job->fold.timed && own && own->stacks.given &&
		own->frames.given && own->funcs.given && own->strings.given &&
		(own->libs.given || job->fold.shared.libs.given) &&
		!t->samples[FIREFOX_JS_ALLOCATIONS] &&
		!t->samples[FIREFOX_NATIVE_ALLOCATIONS];
}

/* Reads T: its identity, samples, and own tables. */
static void
read_thread_into(struct job *job, struct firefox_thread *t, struct json_reader *p)
{
	struct firefox_tables tables = { .libs = { .given = false } };
	bool own = false;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (!firefox_fold_identity(&job->fold, t, key, p) &&
			!read_kind(t, key, p, job->fold.timed))
			own |= read_table(&tables, key, p, &job->fold.libraries);
	if (own)
		*firefox_thread_tables(t) = tables;
}

static void
read_thread(struct json_reader *p, void *context)
{
	struct firefox_thread t = { .own = NULL };
	struct job *job = context;
	bool empty = true;
	int kind;

	read_thread_into(job, &t, p);
	for (kind = 0; kind < FIREFOX_KINDS; kind++)
		empty &= !t.samples[kind] || !t.samples[kind]->stack.n;
	/* A truncated thread lacks tables. */
	if (json_failed(p) || empty) {
		firefox_thread_release(&t);
	} else if (is_whole(job, &t)) {
		find_firmware(job);
		firefox_fold_thread(&job->fold, &t, FIREFOX_TIMER);
		firefox_thread_release(&t);
	} else {
		firefox_fold_wait(&job->fold, &t);
	}
}

static void
read_shared(struct json_reader *p, void *context)
{
	struct job *job = context;
	struct str key;

	if (json_read_object(p))
		while (json_next_key(p, &key))
			read_table(&job->fold.shared, key, p, &job->fold.libraries);
}

static void
read_shared_libs(struct json_reader *p, void *context)
{
	struct job *job = context;

	read_libs(&job->fold.shared.libs, p, &job->fold.libraries);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("meta", read_meta),
		JSON_KEY("libs", read_shared_libs), JSON_KEY("shared", read_shared),
		JSON_EACH("threads", read_thread) };
	struct job job = { .has_meta = false };

	firefox_fold_begin(&job.fold, in, c);
	json_walk(&job.fold.file.p, keys, sizeof keys / sizeof *keys, &job);
	find_firmware(&job);
	return firefox_fold_end(&job.fold);
}

const struct collapse_format collapse_firefox = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("preprocessedProfileVersion"), SIGN_KEY("stackTable"),
		SIGN_KEY("frameTable")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_SYMS,
};
