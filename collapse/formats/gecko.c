/* SPDX-License-Identifier: ISC */
/*
 * Profiles as exported by Firefox itself, before Firefox Profiler processes them ("Gecko"
 * profiles):
 *
 *	{"meta":{"version":13,"interval":1,"startTime":1460221352723.438,...},
 *	 "libs":[{"name":"firefox","path":"/opt/firefox","start":4294967296,...}],
 *	 "threads":[{"name":"GeckoMain","pid":3333,"tid":1111,
 *	  "samples":{"schema":{"stack":0,"time":1},"data":[[1,0],[2,1.5]]},
 *	  "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},
 *	  "frameTable":{"schema":{"location":0},"data":[[0],[1]]},
 *	  "stringTable":["(root)","0x100000f84"]}],
 *	 "processes":[...]}
 *
 * (docs-developer/gecko-profile-format.md of firefox-devtools/profiler). A table is rows and a
 * schema of their columns; rows may be shorter. A frame is a text:
 *
 *	0x100000f84			an address in memory
 *	f (in libx) + 12		native code with a name
 *	f (http://x.org/a.js:3:5)[12]	JavaScript; [] holds a number
 *	js::RunScript			a label
 *
 * Old developer tools put everything below "profile". Other processes are profiles in "processes",
 * or before version 4 strings of JSON among the threads.
 */
#include "collapse.h"
#include "firefox-profile.h"
#include "formats.h"
#include "frame.h"
#include "mem.h"
#include "search.h"
#include "readers/json-profile.h"

#include <math.h>

/* The deepest nesting of processes. */
enum { DEEPEST = 8 };

struct job {
	struct firefox_fold fold;
	double start; /* of the first process, ms */
	bool has_start;
	unsigned depth;
};

/* Where a process has mapped a library. */
struct range {
	uint64_t start, end, base;
	int32_t lib;
};

/* A process. Its threads are kept until its libraries are known. */
struct process {
	struct range *libs; /* sorted by start */
	size_t lib_n, lib_cap;
	struct firefox_thread *threads;
	size_t n, cap;
	double start; /* ms */
};

static void read_process(struct job *job, struct json_reader *p);

static int
probe(struct str head)
{
	if (json_has(head, "threads[].samples.schema") ||
		json_has(head, "profile.threads[].samples.schema"))
		return 100;
	if (json_has(head, "meta.preprocessedProfileVersion"))
		return 0;
	if (json_has(head, "profile.libs[].breakpadId") ||
		json_has(head, "profile.meta.stackwalk"))
		return 90;
	/* Profiles of old developer tools may begin with other keys. */
	if (json_has(head, "label") && json_has(head, "duration") &&
		json_has(head, "markers"))
		return 60;
	return json_has(head, "meta.stackwalk") && json_has(head, "libs") ? 70 : 0;
}

/* A column and its target, INTS or NUMBERS. Missing values become -1, or 0 in numbers. PLACE is its
 * index in a row, by default unless the schema comes first. */
struct column {
	const char *name;
	uint64_t place;
	struct json_ints *ints;
	struct json_doubles *numbers;
};

/* The most columns read from a table, and the most entries of a row read at once. */
enum { COLUMNS = 2, PLAIN = 8 };

/* Reads an entry of a row into column C. */
static void
read_entry(const struct column *c, struct json_reader *p)
{
	int64_t whole = -1;
	double number = 0;

	if (json_read_null(p)) {
		;
	} else if (c->numbers) {
		(void)json_read_double(p, &number);
	} else if (!json_read_i64(p, &whole) || whole < 0 || whole > INT32_MAX) {
		whole = -1;
	}
	if (json_failed(p))
		return;
	if (c->numbers)
		json_doubles_add(c->numbers, number);
	else
		json_ints_add(c->ints, (int32_t)whole);
}

/* Adds VALUE, a plain number, to column C. */
static void
put_plain(const struct column *c, double value, struct json_reader *p)
{
	bool whole = value >= 0 && value <= INT32_MAX && value == (double)(int32_t)value;

	if (c->numbers) {
		json_doubles_add(c->numbers, value);
		return;
	}
	/* Counts as read_entry does. */
	p->wrong += !whole && value != floor(value);
	json_ints_add(c->ints, whole ? (int32_t)value : -1);
}

/* Returns which of the N columns C gets the entry at PLACE of a row; N: none. */
static size_t
claim(const struct column *c, size_t n, uint64_t place, bool *taken)
{
	size_t i;

	for (i = 0; i < n && (c[i].place != place || taken[i]); i++)
		;
	if (i < n)
		taken[i] = true;
	return i;
}

/* Reads a row into the N columns C. */
static void
read_row(const struct column *c, size_t n, struct json_reader *p)
{
	bool taken[COLUMNS] = { false };
	double plain[PLAIN];
	size_t plain_n = json_take_row(p, plain, PLAIN), i;
	uint64_t place;

	if (!plain_n && !json_read_array(p))
		return;
	for (place = 0; place < plain_n; place++) {
		i = claim(c, n, place, taken);
		if (i < n)
			put_plain(&c[i], plain[place], p);
	}
	for (place = 0; !plain_n && json_next_element(p); place++) {
		i = claim(c, n, place, taken);
		if (i < n)
			read_entry(&c[i], p);
	}
	for (i = 0; i < n && !json_failed(p); i++)
		if (!taken[i] && c[i].numbers)
			json_doubles_add(c[i].numbers, 0);
		else if (!taken[i])
			json_ints_add(c[i].ints, -1);
}

/* Sets the places of the N columns C from the schema. */
static void
read_schema(struct column *c, size_t n, struct json_reader *p)
{
	struct str key;
	size_t i;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		for (i = 0; i < n; i++)
			if (str_eq(key, str_of(c[i].name))) {
				(void)json_read_u64(p, &c[i].place);
				break;
			}
}

/* Reads a table into the N columns C; each gets one entry per row. */
static void
read_rows(struct column *c, size_t n, struct json_reader *p)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("schema")))
			read_schema(c, n, p);
		else if (str_eq(key, STR("data")) && json_read_array(p))
			while (json_next_element(p))
				read_row(c, n, p);
}

static void
read_samples(struct job *job, struct firefox_thread *t, struct json_reader *p)
{
	struct firefox_samples *s = firefox_thread_samples(t, FIREFOX_TIMER);
	struct column c[] = { { "stack", 0, &s->stack, NULL },
		{ "time", 1, NULL, &s->time } };

	read_rows(c, job->fold.timed ? 2 : 1, p);
}

static void
read_thread(struct job *job, struct firefox_thread *t, struct json_reader *p)
{
	struct firefox_tables *own = firefox_thread_tables(t);
	struct column stack[] = { { "prefix", 0, &own->stacks.prefix, NULL },
		{ "frame", 1, &own->stacks.frame, NULL } };
	struct column frame[] = { { "location", 0, &own->funcs.name, NULL } };
	struct str key;

	own->stacks.given = own->frames.given = own->funcs.given = own->strings.given =
		true;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (firefox_fold_identity(&job->fold, t, key, p))
			continue;
		else if (str_eq(key, STR("samples")))
			read_samples(job, t, p);
		else if (str_eq(key, STR("stackTable")))
			read_rows(stack, 2, p);
		else if (str_eq(key, STR("frameTable")))
			read_rows(frame, 1, p);
		else if (str_eq(key, STR("stringTable")))
			(void)json_read_texts(p, &own->strings.texts);
}

/* Returns the library of Q at ADDRESS, or NULL. */
static const struct range *
find_range(const struct process *q, uint64_t address)
{
	size_t n = search_upto(q->libs, q->lib_n, sizeof *q->libs, address);

	return n && address < q->libs[n - 1].end ? &q->libs[n - 1] : NULL;
}

/* Returns the length of the name in LOCATION; sets *NATIVE if a library follows it. */
static size_t
name_size(struct str location, bool *native)
{
	size_t in = str_search(location, STR(" (in ")), open;
	uint64_t number;

	*native = str_find(str_from(location, in), ')') < location.n - in;
	if (*native)
		return in;
	open = str_rfind(location, '[');
	if (open > 0 && open < location.n && location.s[open - 1] == ')' &&
		str_ends(location, STR("]")) &&
		str_to_u64(str_head(str_from(location, open + 1), location.n - open - 2),
			&number))
		return open;
	return location.n;
}

/* A parsed frame text. */
struct place {
	int32_t name;	/* index in the texts */
	int32_t lib;	/* -1: none */
	double address; /* -1: none */
};

/* Parses text I of T, which exists. */
static struct place
settle_text(const struct process *q, struct json_texts *t, int32_t i)
{
	struct place p = { i, -1, -1 };
	const struct range *range;
	struct str location;
	uint64_t at;
	size_t size;
	bool native;

	(void)json_texts_get(t, i, &location);
	size = name_size(location, &native);
	if (frame_is_address(location, &at)) {
		range = find_range(q, at);
		if (range) {
			p.lib = range->lib;
			p.address = (double)(at - range->base);
		}
	} else if (size < location.n && t->n < INT32_MAX) {
		p.name = (int32_t)t->n;
		p.address = native ? 0 : -1;
		json_texts_add_head(t, (size_t)i, size);
	}
	return p;
}

/* Converts T's locations to Firefox Profiler's tables. */
static void
settle_thread(const struct process *q, struct firefox_tables *t)
{
	size_t n = t->strings.texts.n, i;
	struct place *places = mem_zero(n, sizeof *places), p;
	bool *known = mem_zero(n, sizeof *known);
	int32_t text;

	for (i = 0; i < t->funcs.name.n && i < INT32_MAX; i++) {
		text = t->funcs.name.items[i];
		p = (struct place){ -1, -1, -1 };
		if (text >= 0 && (size_t)text < n) {
			if (!known[text])
				places[text] = settle_text(q, &t->strings.texts, text);
			known[text] = true;
			p = places[text];
		}
		t->funcs.name.items[i] = p.name;
		json_ints_add(&t->frames.func, (int32_t)i);
		json_ints_add(&t->frames.lib, p.lib);
		json_doubles_add(&t->frames.address, p.address);
	}
	free(known);
	free(places);
}

/* Reads the libraries of Q. */
static void
read_libs(struct job *job, struct process *q, struct json_reader *p)
{
	struct libraries *libraries = &job->fold.libraries;
	const struct library *l;
	int32_t id;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		id = libraries_read(libraries, p);
		l = &libraries->libs[id];
		*MEM_ADD(q->libs, q->lib_n, q->lib_cap) =
			(struct range){ l->start, l->end, l->base, id };
	}
}

static int
by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->lib < y->lib ? -1 : x->lib > y->lib;
}

/* Reads the next value with READ_ONE; it may be JSON within a string, whose errors count as errors
 * of P. */
typedef void read_value(struct job *job, struct process *q, struct json_reader *p);
static void
read_inside(
	struct job *job, struct process *q, struct json_reader *p, read_value *read_one)
{
	struct input *in;
	struct json_reader text;
	struct str s;

	if (json_peek(p) != JSON_STRING) {
		read_one(job, q, p);
		return;
	}
	if (!json_read_string(p, &s))
		return;
	in = input_of_memory(input_name(job->fold.in), s);
	json_reader_init(&text, in);
	text.quiet = true;
	read_one(job, q, &text);
	p->wrong += text.wrong;
	if (json_failed(&text))
		json_fail(p, "damaged JSON inside a string");
	json_reader_release(&text);
	input_close(in);
}

/* Reads an element of "threads". */
static void
read_threads(struct job *job, struct process *q, struct json_reader *p)
{
	struct firefox_thread t = { .own = NULL };

	read_thread(job, &t, p);
	if (json_failed(p) || !t.samples[FIREFOX_TIMER]) {
		firefox_thread_release(&t);
		return;
	}
	*MEM_ADD(q->threads, q->n, q->cap) = t;
}

static void
read_other(struct job *job, struct process *q, struct json_reader *p)
{
	(void)q;
	if (job->depth == DEEPEST) {
		json_fail(p, "processes are nested too deep");
		return;
	}
	job->depth++;
	read_process(job, p);
	job->depth--;
}

static void
read_meta(struct job *job, struct process *q, struct json_reader *p)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("startTime")))
			(void)json_read_double(p, &q->start);
	if (!job->has_start)
		job->start = q->start;
	job->has_start = true;
}

/* Passes the threads of Q to the fold; their times count from the start of the first process. */
static void
end_process(struct job *job, struct process *q)
{
	struct json_doubles *time;
	size_t i, j;

	if (q->lib_n)
		qsort(q->libs, q->lib_n, sizeof *q->libs, by_start);
	for (i = 0; i < q->n; i++) {
		time = &q->threads[i].samples[FIREFOX_TIMER]->time;
		for (j = 0; j < time->n; j++)
			time->items[j] += q->start - job->start;
		settle_thread(q, q->threads[i].own);
		firefox_fold_wait(&job->fold, &q->threads[i]);
	}
	free(q->threads);
	free(q->libs);
}

static void
read_process(struct job *job, struct json_reader *p)
{
	struct process q = { .start = job->start };
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("meta")))
			read_meta(job, &q, p);
		else if (str_eq(key, STR("libs")))
			read_inside(job, &q, p, read_libs);
		else if (str_eq(key, STR("threads")) && json_read_array(p))
			while (json_next_element(p))
				read_inside(job, &q, p,
					json_peek(p) == JSON_STRING ? read_other
								    : read_threads);
		else if (str_eq(key, STR("processes")) && json_read_array(p))
			while (json_next_element(p))
				read_inside(job, &q, p, read_other);
		else if (str_eq(key, STR("profile")) && !job->depth)
			read_other(job, &q, p);
	end_process(job, &q);
}

/* Lists all libraries by id: settle_thread refers to them so. */
static void
list_libs(struct firefox_fold *f)
{
	size_t i;

	f->shared.libs.given = true;
	for (i = 0; i < f->libraries.lib_n; i++)
		json_ints_add(&f->shared.libs.ids, (int32_t)i);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct job job = { .depth = 0 };

	firefox_fold_begin(&job.fold, in, c);
	job.fold.libraries.callers = LIBRARIES_AFTER;
	read_process(&job, &job.fold.file.p);
	list_libs(&job.fold);
	return firefox_fold_end(&job.fold);
}

const struct collapse_format collapse_gecko = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("schema"), SIGN_KEY("breakpadId"), SIGN_KEY("stackwalk"),
		SIGN_KEY("markers")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_SYMS,
};
