/* SPDX-License-Identifier: ISC */
/*
 * DHAT: what a program allocated, and where. Written by valgrind --tool=dhat
 * (3.15 and later) and by Rust's crate dhat.
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
 * A program point (pps) is a stack, innermost frame first, by places in ftbl,
 * which comes after it. Modes heap, copy and ad-hoc are valgrind's, rust-heap
 * and rust-ad-hoc the crate's. A point has lifetimes only with bklt and
 * accesses only with bkacc. acc is a number of accesses for each byte of the
 * block, -N before one that N bytes have in common. mb is each point's own
 * maximum: their sum is that of no moment.
 *
 * valgrind, dhat/dh_main.c; nnethercote/dhat-rs, src/lib.rs.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "valgrind-frame.h"

/* What points have only in some files, and of what metrics are. */
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

/* A program point; its frames end at END. */
struct point {
	uint64_t weight;
	size_t end;
	bool bad;
};

struct reader {
	struct input *in;
	struct collapse *c;
	const struct metric *metric; /* asked for; NULL: nothing that there is */
	const struct metric *next[METRICS + 1]; /* by the one before: what follows most */
	uint64_t sums[METRICS];
	bool has[ACCESSES + 1];	 /* by need */
	bool micro, ad_hoc;	 /* times are microseconds; mode ad-hoc */
	struct json_ints frames; /* of all points */
	struct point *points;
	size_t point_n, point_cap;
	uint32_t *names; /* the frames of ftbl's texts, one after another */
	size_t name_n, name_cap;
	size_t *ends; /* of text I in names */
	size_t end_n, end_cap;
	struct frame_names stack;
};

/* The sum of an array of accesses: -8,1200,300 are 8 * 1200 + 300. */
static bool
take_accesses(struct json_reader *p, uint64_t *sum)
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
	/* The rest of an array that is left early. */
	while (json_next_element(p))
		;
	return good;
}

/* Takes what a point has of the metric M. */
static bool
take_weight(
	struct json_reader *p, struct reader *r, const struct metric *m, uint64_t *weight)
{
	uint64_t *sum = &r->sums[m - metrics], value = 0;
	bool good =
		m->of == TOUCHES ? take_accesses(p, &value) : json_read_u64(p, &value);

	*sum = value <= UINT64_MAX - *sum ? *sum + value : UINT64_MAX;
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

/* The same for the key of a point: points have their keys in one order, and what came behind
 * the metric LAST is tried first. */
static const struct metric *
find_next_metric(struct reader *r, const struct metric *last, struct str name)
{
	const struct metric **next = &r->next[last ? last - metrics + 1 : 0];

	if (!*next || !str_eq(name, (*next)->name))
		*next = find_metric(name);
	return *next;
}

static void
take_point(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct point point = { 0 };
	/* Only of small blocks the accesses to each byte are counted. */
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
			weighed = take_weight(p, r, m, &point.weight);
		else if (m)
			(void)take_weight(p, r, m, &other);
	}
	if (json_failed(p))
		return;
	point.bad |= !weighed;
	point.end = r->frames.n;
	r->points = mem_grow(r->points, &r->point_cap, r->point_n + 1, sizeof *r->points);
	r->points[r->point_n++] = point;
}

/* Takes what the file says of its points and of the program. */
static void
take_about(struct json_reader *p, struct reader *r, struct str key)
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

/* Takes ftbl: the texts become frames of the sink, of which one may give several. */
static void
take_table(struct json_reader *p, struct reader *r)
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
		s = valgrind_frame_cut(text, collapse_options(r->c)->srcline);
		r->stack.n = 0;
		frame_names_add(&r->stack, &s);
		r->names = mem_grow(
			r->names, &r->name_cap, r->name_n + r->stack.n, sizeof *r->names);
		for (i = 0; i < r->stack.n; i++)
			r->names[r->name_n++] = r->stack.ids[i];
		r->ends = mem_grow(r->ends, &r->end_cap, r->end_n + 1, sizeof *r->ends);
		r->ends[r->end_n++] = r->name_n;
	}
}

static void
take_file(struct json_reader *p, struct reader *r)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("pps")))
			json_each(p, take_point, r);
		else if (str_eq(key, STR("ftbl")))
			take_table(p, r);
		else
			take_about(p, r, key);
}

/* Adds the frames of the text ID; false when there is none. */
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

/* Folds POINT, whose frames begin at FROM, innermost first. */
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

/* Whether the file has the metric that was asked for; tells the sink of all it has. */
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
	struct reader r = { .in = in, .c = c, .stack.c = c, .has[ALWAYS] = true };
	struct json_profile f;
	bool good;

	r.metric = find_metric(
		str_of(collapse_options(c)->cost ? collapse_options(c)->cost : "tb"));
	collapse_exact(c);
	json_profile_begin(&f, in, c);
	take_file(&f.p, &r);
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
	.run = run,
	.uses = COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES |
		COLLAPSE_USES_COST,
};
