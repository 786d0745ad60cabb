/* SPDX-License-Identifier: ISC */
/*
 * R profiles written by Rprof("FILE") (R's src/main/eval.c):
 *
 *	memory profiling: GC profiling: line profiling: sample.interval=10000
 *	#File 1: /opt/demo/fib.R
 *	:347206:3743485:36903720:8:1#1 "sort" 1#2 "slow" 1#7 "eval" "source"
 *	:347846:441607:37086504:1:"<GC>" "runif" 1#2 "slow" 1#7 "eval" "source"
 *
 * The first line names the enabled kinds of profiling, and the interval in us. Then each
 * line is a sample. With memory.profiling it begins with the vector cells of 8 bytes in
 * use, small and large, the bytes of nodes, and the objects duplicated since the last
 * sample. Names follow, innermost first. Before a function's name is the place it
 * executes: file number, '#', line.
 *
 * A sample weighs 1. With --cost=memory it weighs the growth since the previous sample,
 * as in summaryRprof(memory = "both").
 */
#include "collapse.h"
#include "stacks/cache.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "intern.h"
#include "mem.h"

enum metric { SAMPLES, MEMORY, DUPLICATED, METRICS };

enum { GROWING = 3, MEMORY_FIELDS = 4 }; /* the first GROWING are totals */

struct reader {
	struct collapse *c;
	struct frame_names names;
	bool with_memory;
	unsigned metric;
	uint64_t was[MEMORY_FIELDS];
	bool has_was;
	struct intern files; /* names */
	uint32_t *file_of;   /* file number to an id in files + 1 */
	size_t file_cap;
	struct buf place;
	struct cache stacks; /* by the names in a line */
};

enum { FILES_MOST = 1 << 20 };

/* Parses "#File 1: fib.R". Returns false for another line. */
static bool
parse_file(struct reader *r, struct str line)
{
	struct str head = STR("#File "), number;
	uint64_t n;

	if (!str_starts(line, head))
		return false;
	line = str_from(line, head.n);
	number = str_cut(&line, ':');
	if (!str_to_u64(number, &n) || n >= FILES_MOST) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return true;
	}
	*MEM_AT(r->file_of, r->file_cap, n) = intern_id(&r->files, str_trim(line)) + 1;
	cache_release(&r->stacks);
	return true;
}

/* Cuts ":1:2:3:4:" off *LINE; sets the growth of memory, and the duplications, in
 * GROWN. */
static bool
cut_memory(struct reader *r, struct str *line, int64_t grown[METRICS])
{
	static const uint64_t bytes[GROWING] = { 8, 8, 1 };
	uint64_t field[MEMORY_FIELDS], grew = 0, more;
	struct str rest = str_from(*line, 1);
	int i;

	if (!str_starts(*line, STR(":")))
		return false;
	for (i = 0; i < MEMORY_FIELDS; i++)
		if (!str_to_u64(str_cut(&rest, ':'), &field[i]) ||
			field[i] > INT64_MAX / 64)
			return false;
	for (i = 0; i < GROWING && r->has_was; i++) {
		more = field[i] > r->was[i] ? field[i] - r->was[i] : 0;
		grew += more * bytes[i];
	}
	grown[MEMORY] = (int64_t)grew;
	grown[DUPLICATED] = (int64_t)field[MEMORY_FIELDS - 1];
	memcpy(r->was, field, sizeof field);
	r->has_was = true;
	*line = rest;
	return true;
}

/* Sets r->place to "fib.R:12" for the token "1#12". Returns false for another token. */
static bool
parse_place(struct reader *r, struct str token)
{
	struct str line = token, number = str_cut(&line, '#');
	uint64_t file, n;

	if (!str_to_u64(number, &file) || !str_to_u64(line, &n))
		return false;
	buf_clear(&r->place);
	if (!collapse_options(r->c)->srcline || file >= r->file_cap || !r->file_of[file])
		return true;
	buf_str(&r->place, intern_str(&r->files, r->file_of[file] - 1));
	buf_char(&r->place, ':');
	buf_u64(&r->place, n);
	return true;
}

/* Cuts a quoted name off *LINE. Only a quote before a blank or the line's end ends it. */
static bool
cut_name(struct str *line, struct str *name)
{
	size_t i;

	if (!str_starts(*line, STR("\"")))
		return false;
	for (i = 1; i < line->n; i++)
		if (line->s[i] == '"' && (i + 1 == line->n || line->s[i + 1] == ' ')) {
			*name = str_head(str_from(*line, 1), i - 1);
			*line = str_from(*line, i + 1);
			return true;
		}
	return false;
}

/* Adds the frame NAME, at r->place. */
static void
add_frame(struct reader *r, struct str name)
{
	struct buf text = { 0 };

	if (!r->place.n) {
		frame_names_push(&r->names, collapse_frame(r->c, name, 0));
		return;
	}
	buf_str(&text, name);
	buf_char(&text, ':');
	buf_str(&text, buf_view(&r->place));
	frame_names_push(&r->names, collapse_frame(r->c, buf_view(&text), 0));
	buf_release(&text);
	buf_clear(&r->place);
}

/* Reads the names in LINE into the stack. Returns false if malformed. */
static bool
cut_names(struct reader *r, struct str line)
{
	struct str name, rest;

	r->names.n = 0;
	buf_clear(&r->place);
	while (line = str_trim(line), line.n) {
		rest = line;
		if (cut_name(&line, &name))
			add_frame(r, name);
		else if (parse_place(r, str_word(&rest)))
			line = rest;
		else
			return false;
	}
	return true;
}

/* The node of the names in LINE for S; COLLAPSE_NOWHERE if malformed. */
static uint32_t
find_node(struct reader *r, const struct collapse_sample *s, struct str line)
{
	struct str_digest key = str_digest(line);
	uint32_t node = cache_find(&r->stacks, key);

	if (node != CACHE_NONE)
		return node;
	if (!cut_names(r, line))
		return COLLAPSE_NOWHERE;
	if (!r->names.n)
		return TREE_ROOT;
	return cache_add(&r->stacks, key,
		collapse_path(r->c, collapse_root(r->c, s), r->names.ids, r->names.n));
}

static void
parse_sample(struct reader *r, struct str line)
{
	int64_t value[METRICS] = { [SAMPLES] = 1 };
	struct collapse_sample s = { .count = 1, .has_period = r->metric != SAMPLES };
	unsigned i;

	if (r->with_memory && !cut_memory(r, &line, value)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	for (i = 0; i < (r->with_memory ? METRICS : 1); i++)
		collapse_count_cost(r->c, i, value[i]);
	s.period = (uint64_t)value[r->metric];
	if (collapse_wants(r->c, &s))
		collapse_add(r->c, find_node(r, &s, line), &s);
}

/* Parses the first line. Returns false unless it is Rprof's. */
static bool
cut_head(struct str line, bool *memory)
{
	static const struct str words[] = { { "memory profiling: ", 18 },
		{ "GC profiling: ", 14 }, { "line profiling: ", 16 } };
	struct str interval = STR("sample.interval=");
	uint64_t us;
	size_t i;

	*memory = false;
	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (str_starts(line, words[i])) {
			*memory |= i == 0;
			line = str_from(line, words[i].n);
		}
	return str_starts(line, interval) &&
		str_to_u64(str_trim(str_from(line, interval.n)), &us);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .names.c = c };
	struct str line;

	collapse_threadless(c);
	if (input_line(in, &line) && !cut_head(line, &r.with_memory))
		collapse_lose(c, COLLAPSE_MALFORMED);
	(void)collapse_metric(c, STR("samples"), (struct str){ 0 });
	if (r.with_memory) {
		(void)collapse_metric(c, STR("memory"), STR("bytes"));
		(void)collapse_metric(c, STR("duplications"), STR("objects"));
	}
	r.metric = collapse_choose_metric(c, SAMPLES);
	while (r.metric != COLLAPSE_NO_METRIC && input_line(in, &line))
		if (str_trim(line).n && !parse_file(&r, line))
			parse_sample(&r, line);
	frame_names_release(&r.names);
	intern_release(&r.files);
	cache_release(&r.stacks);
	buf_release(&r.place);
	free(r.file_of);
	return r.metric != COLLAPSE_NO_METRIC;
}

static int
probe(struct str head)
{
	bool memory;

	return cut_head(str_cut(&head, '\n'), &memory) ? 100 : 0;
}

const struct collapse_format collapse_rprof = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "sample.interval=")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
