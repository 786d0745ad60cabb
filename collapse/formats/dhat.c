/* SPDX-License-Identifier: ISC */
/*
 * DHAT profiles of allocations, written by valgrind --tool=dhat (3.15 and later) and by Rust's
 * crate dhat.
 *
 *	{"dhatFileVersion":2
 *	,"mode":"heap","verb":"Allocated"
 *	,"bklt":true,"bkacc":true
 *	,"tu":"instrs","cmd":"./heap","pid":3983
 *	,"pps":
 *	 [{"tb":27500,"tbk":10,"tl":12495720,"mb":27500,"mbk":10
 *	  ,"gb":27500,"gbk":10,"eb":27500,"ebk":10,"rb":0,"wb":27500
 *	  ,"acc":[-8,1200,-8,600,900]
 *	  ,"fs":[1,2,3]}]
 *	,"ftbl":
 *	 ["[root]"
 *	 ,"0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)"
 *	 ,"0x109366: store::make_list(int) (heap.cpp:11)"
 *	 ,"0x49047B9: ??? (in /usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30)"]}
 *
 * A program point (pps) is a stack, innermost frame first, as indexes into ftbl, which comes later.
 * Modes heap, copy and ad-hoc are valgrind's, rust-heap and rust-ad-hoc the crate's. Points have
 * lifetimes only with bklt and accesses only with bkacc. acc has the number of accesses to each
 * byte of the block; -N before a number repeats it for N bytes. mb is each point's own maximum, at
 * its own time; their sum was never in use at once.
 *
 * valgrind, dhat/dh_main.c; nnethercote/dhat-rs, src/lib.rs.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "valgrind-frame.h"
#include "weight.h"

/* Metrics that only some files have, and the units of metrics. */
enum need { ALWAYS, LIFETIMES, ACCESSES };
enum of { BYTES, BLOCKS, TIME, TOUCHES };

struct metric {
	struct str name;
	enum need need;
	enum of of;
};

static const struct metric metrics[] = {
	{ { "tb", 2 }, ALWAYS, BYTES },
	{ { "tbk", 3 }, ALWAYS, BLOCKS },
	{ { "gb", 2 }, LIFETIMES, BYTES },
	{ { "gbk", 3 }, LIFETIMES, BLOCKS },
	{ { "eb", 2 }, LIFETIMES, BYTES },
	{ { "ebk", 3 }, LIFETIMES, BLOCKS },
	{ { "mb", 2 }, LIFETIMES, BYTES },
	{ { "mbk", 3 }, LIFETIMES, BLOCKS },
	{ { "tl", 2 }, LIFETIMES, TIME },
	{ { "rb", 2 }, ACCESSES, BYTES },
	{ { "wb", 2 }, ACCESSES, BYTES },
	{ { "acc", 3 }, ACCESSES, TOUCHES },
};

enum { METRICS = sizeof metrics / sizeof *metrics };

/* A program point; its frames end before END. */
struct point {
	uint64_t weight;
	size_t end;
	bool bad;
};

struct reader {
	struct collapse *c;
	const struct metric *metric;		/* the one to fold; NULL: unknown name */
	const struct metric *next[METRICS + 1]; /* by metric: the next key */
	uint64_t sums[METRICS];
	bool has[ACCESSES + 1];	 /* by need */
	bool micro, ad_hoc;	 /* micro: times are us; ad_hoc: mode ad-hoc */
	struct json_ints frames; /* of all points */
	struct point *points;
	size_t point_n, point_cap;
	uint32_t *names; /* frames of ftbl's texts, concatenated */
	size_t name_n, name_cap;
	size_t *ends; /* end of each text's frames in names */
	size_t end_n, end_cap;
	struct frame_names stack;
};

/* Reads an array of accesses and sums it up: -8,1200,300 is 8 * 1200 + 300. Returns false if it is
 * malformed or overflows. */
static bool
read_accesses(struct json_reader *p, uint64_t *sum)
{
	uint64_t times = 1, part;
	int64_t value;
	bool good = json_read_array(p);

	*sum = 0;
	while (good && json_next_element(p)) {
		good = json_read_i64(p, &value);
		if (good && value < 0) {
			times = 0 - (uint64_t)value;
			continue;
		}
		part = good ? (uint64_t)value : 0;
		good = good && (!part || times <= UINT64_MAX / part) &&
			part * times <= UINT64_MAX - *sum;
		*sum += good ? part * times : 0;
		times = 1;
	}
	/* Skips the rest of the array. */
	while (json_next_element(p))
		;
	return good;
}

/* Reads a point's value of M, and adds it to the sums. If M is the one to fold, sets *WEIGHT and
 * returns whether the value is valid; else returns false. */
static bool
read_weight(
	struct json_reader *p, struct reader *r, const struct metric *m, uint64_t *weight)
{
	uint64_t *sum = &r->sums[m - metrics], value = 0;
	bool good =
		m->of == TOUCHES ? read_accesses(p, &value) : json_read_u64(p, &value);

	*sum = weight_count(*sum, value);
	if (m != r->metric)
		return false;
	*weight = value;
	return good;
}

static const struct metric *
find_metric(struct str name)
{
	size_t i;

	for (i = 0; i < METRICS; i++)
		if (str_eq(name, metrics[i].name))
			return &metrics[i];
	return NULL;
}

/* Like find_metric, but tries the metric that last followed LAST first: the keys of points are
 * always in the same order. */
static const struct metric *
find_next_metric(struct reader *r, const struct metric *last, struct str name)
{
	const struct metric **next = &r->next[last ? last - metrics + 1 : 0];

	if (!*next || !str_eq(name, (*next)->name))
		*next = find_metric(name);
	return *next;
}

static void
read_point(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct point point = { 0 };
	/* DHAT counts accesses to each byte only in small blocks. */
	bool weighed = r->metric && r->metric->of == TOUCHES;
	const struct metric *m = NULL;
	uint64_t other;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("fs"))) {
			point.bad |= !json_read_ints(p, &r->frames, -1);
			continue;
		}
		m = find_next_metric(r, m, key);
		if (m && m == r->metric)
			weighed = read_weight(p, r, m, &point.weight);
		else if (m)
			(void)read_weight(p, r, m, &other);
	}
	if (json_failed(p))
		return;
	point.bad |= !weighed;
	point.end = r->frames.n;
	*MEM_ADD(r->points, r->point_n, r->point_cap) = point;
}

/* Reads the value of KEY, which describes the points or the program. */
static void
read_about(struct json_reader *p, struct reader *r, struct str key)
{
	struct str text;

	if (str_eq(key, STR("bklt"))) {
		(void)json_read_bool(p, &r->has[LIFETIMES]);
	} else if (str_eq(key, STR("bkacc"))) {
		(void)json_read_bool(p, &r->has[ACCESSES]);
	} else if (str_eq(key, STR("mode"))) {
		(void)json_read_string(p, &text);
		r->ad_hoc = str_ends(text, STR("ad-hoc"));
	} else if (str_eq(key, STR("tu"))) {
		(void)json_read_string(p, &text);
		r->micro = str_eq(text, STR("µs"));
	} else if (str_eq(key, STR("cmd"))) {
		(void)json_read_string(p, &text);
		collapse_info(r->c, "command", text);
	}
}

/* Reads ftbl. A text may give several frames. */
static void
read_table(struct json_reader *p, struct reader *r)
{
	struct frame_names_symbol s;
	struct str text;
	size_t i;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		text = (struct str){ 0 };
		(void)json_read_string(p, &text);
		if (json_failed(p))
			return;
		s = valgrind_frame_cut(text);
		r->stack.n = 0;
		frame_names_add(&r->stack, &s);
		r->names = mem_grow(
			r->names, &r->name_cap, r->name_n + r->stack.n, sizeof *r->names);
		for (i = 0; i < r->stack.n; i++)
			r->names[r->name_n++] = r->stack.ids[i];
		*MEM_ADD(r->ends, r->end_n, r->end_cap) = r->name_n;
	}
}

static void
read_file(struct json_reader *p, struct reader *r)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("pps")))
			json_each(p, read_point, r);
		else if (str_eq(key, STR("ftbl")))
			read_table(p, r);
		else
			read_about(p, r, key);
}

/* Pushes the frames of text ID. Returns false if there is no such text. */
static bool
add_frame(struct reader *r, int32_t id)
{
	size_t i;

	if (id < 0 || (size_t)id >= r->end_n)
		return false;
	for (i = id > 0 ? r->ends[id - 1] : 0; i < r->ends[id]; i++)
		frame_names_push(&r->stack, r->names[i]);
	return true;
}

/* Folds POINT; its frames begin at FROM, innermost first. */
static void
fold_point(struct reader *r, const struct point *point, size_t from)
{
	struct collapse_sample s = { .period = point->weight, .has_period = true };
	bool whole = !point->bad;
	size_t i;

	if (r->metric->of == TIME && r->micro) {
		whole &= s.period <= UINT64_MAX / 1000;
		s.period *= 1000;
	}
	r->stack.n = 0;
	for (i = from; i < point->end && whole; i++)
		whole = add_frame(r, r->frames.items[i]);
	if (!collapse_wants(r->c, &s))
		return;
	if (!whole || !r->stack.n) {
		collapse_lose(r->c, whole ? COLLAPSE_NO_STACK : COLLAPSE_MALFORMED);
		return;
	}
	collapse_stack(r->c, &s, r->stack.ids, r->stack.n);
}

static void
fold(struct reader *r)
{
	size_t from = 0, i;

	for (i = 0; i < r->point_n; i++) {
		fold_point(r, &r->points[i], from);
		from = r->points[i].end;
	}
}

static struct str
unit_of(const struct reader *r, const struct metric *m)
{
	switch (m->of) {
	case BYTES: return r->ad_hoc ? STR("units") : STR("bytes");
	case BLOCKS: return r->ad_hoc ? STR("events") : STR("blocks");
	case TIME: return r->micro ? STR("ns") : STR("instrs");
	default: return STR("accesses");
	}
}

/* Announces the file's metrics and their totals. Returns false if --cost names another one. */
static bool
choose_metric(const struct reader *r)
{
	uint64_t sum, most;
	unsigned number;
	size_t i;

	for (i = 0; i < METRICS; i++) {
		if (!r->has[metrics[i].need])
			continue;
		number = collapse_metric(r->c, metrics[i].name, unit_of(r, &metrics[i]));
		sum = r->sums[i];
		most = r->micro && metrics[i].of == TIME ? INT64_MAX / 1000 : INT64_MAX;
		if (sum > most)
			sum = most;
		collapse_count_cost(
			r->c, number, (int64_t)(most < INT64_MAX ? sum * 1000 : sum));
	}
	return collapse_choose_metric(r->c, 0) != COLLAPSE_NO_METRIC;
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .stack.c = c, .has[ALWAYS] = true };
	struct json_profile f;
	bool good;

	r.metric = find_metric(
		str_of(collapse_options(c)->cost ? collapse_options(c)->cost : "tb"));
	collapse_exact(c);
	json_profile_begin(&f, in, c);
	read_file(&f.p, &r);
	good = choose_metric(&r);
	if (good) {
		fold(&r);
		good = json_profile_end(&f, true);
	} else {
		json_reader_release(&f.p);
	}
	json_ints_release(&r.frames);
	free(r.points);
	free(r.names);
	free(r.ends);
	frame_names_release(&r.stack);
	return good;
}

static int
probe(struct str head)
{
	return json_has(head, "dhatFileVersion") ? 95 : 0;
}

const struct collapse_format collapse_dhat = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("dhatFileVersion")),
	.run = run,
	.uses = COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES |
		COLLAPSE_USES_COST,
};
