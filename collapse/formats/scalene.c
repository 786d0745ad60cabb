/* SPDX-License-Identifier: ISC */
/*
 * scalene, a profiler of CPU and memory for Python: scalene --json --stacks --outfile
 * FILE.
 *
 *	{"elapsed_time_sec":1.5,"files":{"w.py":{"functions":[],"lines":[]}},"program":"w.py",
 *	 "stacks":[[[{"filename":"w.py","function_name":"main","line_number":3}],
 *	  {"count":7,"python_time":0.5,"c_time":0.1,"cpu_samples":0.6}]],
 *	 "combined_stacks":[[[{"kind":"py","display_name":"main",
 *	   "filename_or_module":"w.py","line":3},
 *	  {"kind":"native","display_name":"sqrt","filename_or_module":"/lib/libm.so.6"}],7]],
 *	 "memory_stacks":[[[{"kind":"py","display_name":"main"}],10.5]]}
 *
 * Stacks begin with the outermost frame; after them is the number of hits, or of MiB
 * allocated. The older "stacks" contains only Python functions, and is used if there are
 * no "combined_stacks"; its frames may be [file, function, line], and its counts arrays.
 * Without --stacks the profile only has totals per line. scalene/scalene_json.py.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "msg.h"

#include <math.h>

enum table { STACKS, COMBINED, MEMORY, TABLES };

/* A stack: N names of reader.ids from FIRST on, outermost first. */
struct entry {
	enum table table;
	size_t first, n;
	double weight;
};

struct reader {
	struct collapse *c;
	struct frame_names names; /* of one frame */
	uint32_t *ids;
	size_t id_n, id_cap;
	struct entry *entries;
	size_t n, cap;
	size_t sizes[TABLES];
	enum table table; /* current */
};

struct frame {
	struct buf name, file;
	uint64_t line;
	bool native;
};

/* Reads [file, function, line]. */
static void
read_array(struct json_reader *p, struct frame *f)
{
	int i;

	if (!json_read_array(p))
		return;
	for (i = 0; json_next_element(p); i++)
		if (i == 0)
			json_read_text(p, &f->file);
		else if (i == 1)
			json_read_text(p, &f->name);
		else if (i == 2)
			(void)json_read_u64(p, &f->line);
}

static void
read_object(struct json_reader *p, struct frame *f)
{
	struct str key, s;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("display_name")) || str_eq(key, STR("function_name")))
			json_read_text(p, &f->name);
		else if (str_eq(key, STR("filename_or_module")) ||
			str_eq(key, STR("filename")))
			json_read_text(p, &f->file);
		else if (str_eq(key, STR("kind")))
			f->native = json_read_string(p, &s) && str_eq(s, STR("native"));
		else if ((str_eq(key, STR("line")) || str_eq(key, STR("line_number"))) &&
			!json_read_null(p))
			(void)json_read_u64(p, &f->line);
}

/* Keeps the names of F; arrows in a native name make several. */
static void
keep_frame(struct reader *r, const struct frame *f)
{
	struct frame_names_script script = {
		.name = buf_view(&f->name), .file = buf_view(&f->file), .line = f->line
	};
	struct frame_names_symbol symbol = { .name = script.name, .module = script.file };

	r->names.n = 0;
	if (f->native)
		frame_names_add(&r->names, &symbol);
	else
		frame_names_push(&r->names, frame_names_script(r->c, &script));
	r->ids = mem_grow(r->ids, &r->id_cap, r->id_n + r->names.n, sizeof *r->ids);
	while (r->names.n > 0)
		r->ids[r->id_n++] = r->names.ids[--r->names.n];
}

static void
read_frames(struct json_reader *p, struct reader *r)
{
	struct frame f = { .line = 0 };

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		buf_clear(&f.name);
		buf_clear(&f.file);
		f.line = 0;
		f.native = false;
		if (json_peek(p) == JSON_ARRAY)
			read_array(p, &f);
		else
			read_object(p, &f);
		if (!json_failed(p))
			keep_frame(r, &f);
	}
	buf_release(&f.name);
	buf_release(&f.file);
}

/* Reads a number, the first element of an array, or the "count" of an object. */
static double
read_weight(struct json_reader *p)
{
	double weight = NAN, rest;
	struct str key;

	if (json_peek(p) == JSON_OBJECT) {
		if (json_read_object(p))
			while (json_next_key(p, &key))
				if (str_eq(key, STR("count")))
					(void)json_read_double(p, &weight);
	} else if (json_peek(p) == JSON_ARRAY) {
		if (json_read_array(p) && json_next_element(p)) {
			(void)json_read_double(p, &weight);
			while (json_next_element(p))
				(void)json_read_double(p, &rest);
		}
	} else {
		(void)json_read_double(p, &weight);
	}
	return weight;
}

/* Reads [frames, weight]. */
static void
read_stack(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct entry e = { .table = r->table, .first = r->id_n, .weight = NAN };
	int i;

	if (!json_read_array(p))
		return;
	for (i = 0; json_next_element(p); i++)
		if (i == 0)
			read_frames(p, r);
		else if (i == 1)
			e.weight = read_weight(p);
	if (json_failed(p))
		return;
	e.n = r->id_n - e.first;
	*MEM_ADD(r->entries, r->n, r->cap) = e;
	r->sizes[r->table]++;
}

static void
read_stacks(struct json_reader *p, void *context)
{
	((struct reader *)context)->table = STACKS;
	json_each(p, read_stack, context);
}

static void
read_combined(struct json_reader *p, void *context)
{
	((struct reader *)context)->table = COMBINED;
	json_each(p, read_stack, context);
}

static void
read_memory(struct json_reader *p, void *context)
{
	((struct reader *)context)->table = MEMORY;
	json_each(p, read_stack, context);
}

/* Adds E to the sink if its METRIC is CHOSEN. */
static void
fold_entry(struct reader *r, const struct entry *e, unsigned metric, bool chosen)
{
	const double mib = 1048576;
	struct collapse_sample s = { .has_period = e->table == MEMORY };
	double weight = round(e->weight * (e->table == MEMORY ? mib : 1));
	uint32_t node;
	size_t i;

	if (!(weight > 0 && weight < 9e18)) {
		if (chosen && weight != 0)
			collapse_lose(r->c,
				weight < 0 ? COLLAPSE_NEGATIVE : COLLAPSE_MALFORMED);
		return;
	}
	collapse_count_cost(r->c, metric, (int64_t)weight);
	if (s.has_period)
		s.period = (uint64_t)weight;
	else
		s.count = (uint64_t)weight;
	if (!chosen || !collapse_wants(r->c, &s))
		return;
	node = collapse_root(r->c, &s);
	for (i = 0; i < e->n; i++)
		node = collapse_path(r->c, node, &r->ids[e->first + i], 1);
	collapse_add(r->c, e->n ? node : TREE_ROOT, &s);
}

/* Adds all stacks to the sink. Returns false without the metric of --cost. */
static bool
fold(struct reader *r)
{
	enum table hits = r->sizes[COMBINED] ? COMBINED : STACKS;
	unsigned numbers[TABLES] = { 0 }, chosen;
	size_t i;

	if (r->sizes[hits])
		numbers[hits] = collapse_metric(r->c, STR("hits"), STR(""));
	if (r->sizes[MEMORY])
		numbers[MEMORY] = collapse_metric(r->c, STR("memory"), STR("bytes"));
	chosen = collapse_choose_metric(r->c, 0);
	if (chosen == COLLAPSE_NO_METRIC)
		return false;
	for (i = 0; i < r->n; i++)
		if (r->entries[i].table == hits || r->entries[i].table == MEMORY)
			fold_entry(r, &r->entries[i], numbers[r->entries[i].table],
				numbers[r->entries[i].table] == chosen);
	return true;
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("stacks", read_stacks),
		JSON_KEY("combined_stacks", read_combined),
		JSON_KEY("memory_stacks", read_memory) };
	struct reader r = { .c = c, .names = { .c = c } };
	struct json_profile f;
	bool good = false;

	json_profile_begin(&f, in, c);
	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
	if (r.n)
		good = fold(&r);
	else if (!json_failed(&f.p))
		msg_error("%s: contains no stacks; record with scalene --stacks",
			input_name(in));
	if (good || (!r.n && json_failed(&f.p)))
		good = json_profile_end(&f, true);
	else
		json_reader_release(&f.p);
	frame_names_release(&r.names);
	free(r.ids);
	free(r.entries);
	return good;
}

static int
probe(struct str head)
{
	if (!json_has(head, "elapsed_time_sec"))
		return json_has(head, "combined_stacks") ? 70 : 0;
	return json_has(head, "files") ? 80 : 0;
}

const struct collapse_format collapse_scalene = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("elapsed_time_sec"), SIGN_KEY("combined_stacks")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_COST,
};
