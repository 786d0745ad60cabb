/* SPDX-License-Identifier: ISC */
/*
 * A processed profile of Firefox Profiler. The profiler upgrades older versions, so this one
 * suffices. All threads share the tables, and a stack's prefixOffset is the distance to its
 * caller's row, 0 for none:
 *
 *	{"meta":{"preprocessedProfileVersion":70,"interval":1,...},
 *	 "shared":{"stackTable":{"frame":[0,1],"prefixOffset":[0,1],"length":2},
 *	  "frameTable":{"func":[0,1],"line":[null,12],...},
 *	  "funcTable":{"name":[0,1],...},"stringArray":["main","parse"],...},
 *	 "threads":[{"name":"work","pid":"7","tid":8,"samples":{"stack":[1],"time":[0],
 *	  "weight":[1.5],"weightType":"tracing-ms","length":1},...}]}
 *
 * Each track is a thread, or two for two columns. Stacks, frames and functions are the nodes
 * and names of the tree. The profiler rejects a profile that lacks a column.
 */
#include "export.h"
#include "frame.h"
#include "json.h"
#include "mem.h"

enum { VERSION = 70, GECKO_VERSION = 33 };

enum category { OTHER, USER, KERNEL, GENERATED, CATEGORIES };

struct writer {
	struct export *x;
	struct intern texts; /* the names, then the files */
	uint32_t *name,
		*file; /* by name of the tree: indices of texts, and of sources or NONE */
	struct intern files;
};

#define NONE UINT32_MAX

static void
put_category(struct buf *b, const char *name, const char *colour)
{
	json_element_begin(b);
	json_str(b, "name", str_of(name));
	json_str(b, "color", str_of(colour));
	json_array(b, "subcategories");
	json_element_str(b, STR("Other"));
	json_array_end(b);
	json_end(b);
}

/* Adds a text that the profiler shows among the facts of a profile. */
static void
put_fact(struct buf *b, const char *label, struct str value)
{
	json_element_begin(b);
	json_str(b, "label", str_of(label));
	json_str(b, "format", STR("string"));
	json_str(b, "value", value);
	json_end(b);
}

static void
put_facts(const struct writer *w)
{
	const struct folded_info *info = &w->x->profile->info;
	struct buf *b = &w->x->b, key = { 0 };
	size_t i;

	json_array(b, "extra");
	json_element_begin(b);
	json_str(b, "label", STR("fg"));
	json_array(b, "entries");
	put_fact(b, "time axis",
		w->x->time < w->x->by->n
			? STR("the start of each sample's step of time")
			: STR("not recorded: samples stand one after another, by stack"));
	for (i = 0; i < info->n; i++) {
		buf_clear(&key);
		buf_str(&key, info->fields[i].key);
		put_fact(b, buf_cstr(&key), info->fields[i].value);
	}
	json_array_end(b);
	json_end(b);
	json_array_end(b);
	buf_release(&key);
}

/* The time between two samples, if known. */
static void
put_interval(const struct writer *w)
{
	const struct export *x = w->x;
	uint64_t samples = folded_info_samples(
		&x->profile->info, &x->profile->tree, x->first + x->columns - 1);

	json_number(&w->x->b, "interval", STR(""));
	if (x->kind == EXPORT_TIME && samples && x->sum[x->columns - 1] / samples)
		export_put_seconds(&w->x->b, x, x->sum[x->columns - 1] / samples, 3);
	else
		buf_char(&w->x->b, '1');
}

static void
put_meta(const struct writer *w)
{
	struct buf *b = &w->x->b;

	json_begin(b, "meta");
	put_interval(w);
	json_number(b, "startTime", STR(""));
	export_put_decimal(b, export_start(w->x), 6);
	json_u64(b, "processType", 0);
	json_str(b, "product", export_title(w->x));
	json_str(b, "importedFrom", STR("fg-export"));
	json_u64(b, "stackwalk", 0);
	json_u64(b, "version", GECKO_VERSION);
	json_u64(b, "preprocessedProfileVersion", VERSION);
	/* Otherwise the profiler asks servers for symbols. */
	json_bool(b, "symbolicated", true);
	json_array(b, "categories");
	put_category(b, "Other", "grey");
	put_category(b, "User", "blue");
	put_category(b, "Kernel", "orange");
	put_category(b, "Generated", "yellow");
	json_array_end(b);
	json_array(b, "markerSchema");
	json_array_end(b);
	put_facts(w);
	json_end(b);
}

/* Adds a column of N equal values WHAT. */
static void
put_constant(struct export *x, const char *key, struct str what, size_t n)
{
	json_array(&x->b, key);
	for (; n; n--) {
		json_element_number(&x->b, what);
		export_flush(x);
	}
	json_array_end(&x->b);
}

/* Adds a column of the N numbers in VALUES, null for NONE. */
static void
put_numbers(struct export *x, const char *key, const uint32_t *values, size_t n)
{
	size_t i;

	json_array(&x->b, key);
	for (i = 0; i < n; i++) {
		if (values[i] == NONE)
			json_element_number(&x->b, STR("null"));
		else
			json_element_u64(&x->b, values[i]);
		export_flush(x);
	}
	json_array_end(&x->b);
}

static void
put_stacks(struct export *x)
{
	const struct tree *t = x->tree;
	uint32_t i, up;

	json_begin(&x->b, "stackTable");
	json_array(&x->b, "frame");
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		json_element_u64(&x->b, t->nodes[i].name);
		export_flush(x);
	}
	json_array_end(&x->b);
	json_array(&x->b, "prefixOffset");
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		up = t->nodes[i].parent;
		json_element_u64(&x->b, up == TREE_ROOT ? 0 : i - up);
		export_flush(x);
	}
	json_array_end(&x->b);
	json_u64(&x->b, "length", t->n - 1);
	json_end(&x->b);
}

static enum category
category_of(struct str frame)
{
	char letter = frame_annotation(frame);

	return letter == 'k' ? KERNEL : letter == 'j' ? GENERATED : USER;
}

static void
put_frames(struct writer *w)
{
	struct export *x = w->x;
	const struct intern *names = &x->tree->names;
	uint32_t *of = mem_alloc((names->n + 1) * sizeof *of), i;
	struct export_place place;

	json_begin(&x->b, "frameTable");
	put_constant(x, "address", STR("-1"), names->n);
	put_constant(x, "inlineDepth", STR("0"), names->n);
	for (i = 0; i < names->n; i++)
		of[i] = category_of(intern_str(names, i));
	put_numbers(x, "category", of, names->n);
	put_constant(x, "subcategory", STR("0"), names->n);
	for (i = 0; i < names->n; i++)
		of[i] = i;
	put_numbers(x, "func", of, names->n);
	put_constant(x, "lib", STR("-1"), names->n);
	put_constant(x, "nativeSymbol", STR("null"), names->n);
	put_constant(x, "innerWindowID", STR("0"), names->n);
	for (i = 0; i < names->n; i++) {
		place = export_place(intern_str(names, i));
		of[i] = place.line ? (uint32_t)place.line : NONE;
	}
	put_numbers(x, "line", of, names->n);
	put_constant(x, "column", STR("null"), names->n);
	put_constant(x, "originalLocation", STR("null"), names->n);
	json_u64(&x->b, "length", names->n);
	json_end(&x->b);
	free(of);
}

static void
put_functions(struct writer *w)
{
	struct export *x = w->x;
	uint32_t n = x->tree->names.n;

	json_begin(&x->b, "funcTable");
	put_numbers(x, "name", w->name, n);
	put_constant(x, "isJS", STR("false"), n);
	put_constant(x, "relevantForJS", STR("false"), n);
	put_constant(x, "resource", STR("-1"), n);
	put_numbers(x, "source", w->file, n);
	put_constant(x, "lineNumber", STR("null"), n);
	put_constant(x, "columnNumber", STR("null"), n);
	put_constant(x, "originalLocation", STR("null"), n);
	json_u64(&x->b, "length", n);
	json_end(&x->b);
}

/* Begins the table KEY with the columns of COLUMNS up to NULL, each of N nulls. */
static void
begin_table(struct export *x, const char *key, const char *const *columns, size_t n)
{
	json_begin(&x->b, key);
	for (; *columns; columns++)
		put_constant(x, *columns, STR("null"), n);
	json_u64(&x->b, "length", n);
}

static void
put_small_tables(struct writer *w)
{
	static const char *const resource[] = { "lib", "name", "host", "type", NULL };
	static const char *const symbol[] = { "libIndex", "address", "name",
		"functionSize", NULL };
	static const char *const location[] = { "source", "line", "column", NULL };
	static const char *const source[] = { "id", "startLine", "startColumn",
		"sourceMapURL", "content", NULL };
	struct export *x = w->x;
	uint32_t i;

	begin_table(x, "resourceTable", resource, 0);
	json_end(&x->b);
	begin_table(x, "nativeSymbols", symbol, 0);
	json_end(&x->b);
	begin_table(x, "sourceLocationTable", location, 0);
	json_end(&x->b);
	begin_table(x, "sources", source, w->files.n);
	json_array(&x->b, "filename");
	for (i = 0; i < w->files.n; i++)
		json_element_u64(&x->b, intern_id(&w->texts, intern_str(&w->files, i)));
	json_array_end(&x->b);
	json_end(&x->b);
}

static void
put_shared(struct writer *w)
{
	struct export *x = w->x;
	uint32_t i;

	json_begin(&x->b, "shared");
	put_stacks(x);
	put_frames(w);
	put_functions(w);
	put_small_tables(w);
	json_array(&x->b, "stringArray");
	for (i = 0; i < w->texts.n; i++) {
		json_element_str(&x->b, intern_str(&w->texts, i));
		export_flush(x);
	}
	json_array_end(&x->b);
	json_end(&x->b);
}

static void
put_name(struct export *x, uint32_t track, int c)
{
	struct buf name = { 0 };

	export_put_thread(&name, x, track);
	if (!name.n)
		buf_str(&name, export_title(x));
	if (x->columns > 1) {
		buf_char(&name, ' ');
		buf_str(&name, export_column(x, c));
	}
	json_str(&x->b, "name", buf_view(&name));
	buf_release(&name);
}

/* Adds the identity of the thread; NUMBER is its index. */
static void
put_identity(struct export *x, uint32_t track, int c, uint32_t number)
{
	struct export_thread t = export_thread(x, track);
	uint64_t tid;

	json_str(&x->b, "processType", STR("default"));
	json_str(&x->b, "processName", t.pid.n ? t.comm : export_title(x));
	json_u64(&x->b, "processStartupTime", 0);
	json_number(&x->b, "processShutdownTime", STR("null"));
	json_u64(&x->b, "registerTime", 0);
	json_number(&x->b, "unregisterTime", STR("null"));
	json_array(&x->b, "pausedRanges");
	json_array_end(&x->b);
	put_name(x, track, c);
	json_bool(&x->b, "isMainThread", !t.tid.n || str_eq(t.pid, t.tid));
	json_str(&x->b, "pid", t.pid.n ? t.pid : STR("0"));
	if (x->columns == 1 && str_to_u64(t.tid, &tid) && tid <= INT32_MAX)
		json_u64(&x->b, "tid", tid);
	else
		json_u64(&x->b, "tid", number);
}

static void
put_markers(struct buf *b)
{
	static const char *const keys[] = { "data", "name", "startTime", "endTime",
		"phase", "category" };
	size_t i;

	json_begin(b, "markers");
	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		json_array(b, keys[i]);
		json_array_end(b);
	}
	json_u64(b, "length", 0);
	json_end(b);
}

/* Samples of one track in one column. */
struct piece {
	const struct export_sample *first, *end;
	int c;
};

static void
put_sample_stacks(struct export *x, const struct piece *p)
{
	const struct export_sample *s;

	json_array(&x->b, "stack");
	for (s = p->first; s < p->end; s++) {
		if (!s->weight[p->c])
			continue;
		if (s->stack == TREE_ROOT)
			json_element_number(&x->b, STR("null"));
		else
			json_element_u64(&x->b, s->stack - 1);
		export_flush(x);
	}
	json_array_end(&x->b);
}

/* Adds the time of each sample in ms; without times, the sum of the weights before it. */
static void
put_sample_times(struct export *x, const struct piece *p)
{
	const struct export_sample *s;
	uint64_t before = 0;

	json_array(&x->b, "time");
	for (s = p->first; s < p->end; s++) {
		if (!s->weight[p->c])
			continue;
		json_element_number(&x->b, STR(""));
		if (x->time < x->by->n)
			export_put_decimal(&x->b, s->timed ? s->time : 0, 6);
		else if (x->kind == EXPORT_TIME)
			export_put_seconds(&x->b, x, before, 3);
		else
			buf_u64(&x->b, before);
		before += x->kind == EXPORT_TIME ? s->weight[p->c] : 1;
		export_flush(x);
	}
	json_array_end(&x->b);
}

static void
put_sample_weights(struct export *x, const struct piece *p)
{
	const struct export_sample *s;
	size_t n = 0;

	json_array(&x->b, "weight");
	for (s = p->first; s < p->end; s++) {
		if (!s->weight[p->c])
			continue;
		n++;
		json_element_number(&x->b, STR(""));
		if (x->kind == EXPORT_TIME)
			export_put_seconds(&x->b, x, s->weight[p->c], 3);
		else
			export_put_decimal(&x->b, s->weight[p->c], (int)x->scale);
		export_flush(x);
	}
	json_array_end(&x->b);
	json_str(&x->b, "weightType",
		x->kind == EXPORT_TIME		  ? STR("tracing-ms")
			: x->kind == EXPORT_BYTES ? STR("bytes")
						  : STR("samples"));
	json_u64(&x->b, "length", n);
}

static void
put_thread(struct export *x, const struct piece *p, uint32_t number)
{
	json_element_begin(&x->b);
	put_identity(x, p->first->track, p->c, number);
	json_begin(&x->b, "samples");
	put_sample_stacks(x, p);
	put_sample_times(x, p);
	put_sample_weights(x, p);
	json_end(&x->b);
	put_markers(&x->b);
	json_end(&x->b);
}

static void
put_threads(struct export *x)
{
	const struct export_sample *end = x->samples + x->n;
	struct piece p;
	uint32_t number = 0;

	json_array(&x->b, "threads");
	for (p.first = x->samples; p.first < end; p.first = p.end) {
		for (p.end = p.first; p.end < end && p.end->track == p.first->track;)
			p.end++;
		for (p.c = 0; p.c < x->columns; p.c++)
			put_thread(x, &p, ++number);
	}
	json_array_end(&x->b);
}

/* Assigns texts and files to the names of the tree. */
static void
list_texts(struct writer *w)
{
	const struct intern *names = &w->x->tree->names;
	struct export_place place;
	uint32_t i;

	w->name = mem_alloc((names->n + 1) * sizeof *w->name);
	w->file = mem_alloc((names->n + 1) * sizeof *w->file);
	for (i = 0; i < names->n; i++) {
		place = export_place(intern_str(names, i));
		w->name[i] = intern_id(&w->texts, place.name);
		w->file[i] = place.line ? intern_id(&w->files, place.file) : NONE;
	}
}

static bool
write_file(struct export *x)
{
	struct writer w = { .x = x };

	list_texts(&w);
	json_begin(&x->b, NULL);
	put_meta(&w);
	json_array(&x->b, "libs");
	json_array_end(&x->b);
	put_shared(&w);
	put_threads(x);
	json_end(&x->b);
	buf_char(&x->b, '\n');
	intern_release(&w.texts);
	intern_release(&w.files);
	free(w.name);
	free(w.file);
	return true;
}

const struct export_target export_firefox = {
	.needs = EXPORT_TRACKS | EXPORT_BOTH | EXPORT_DOUBLES,
	.write = write_file,
};
