/* SPDX-License-Identifier: ISC */
/*
 * Flame graphs of Pyroscope, from its web interface and its API:
 *
 *	{"version":1,"flamebearer":{"names":["total","main","lex"],
 *	 "levels":[[0,89,0,0],[0,60,40,1,0,29,29,2]],"numTicks":89,"maxSelf":40},
 *	 "metadata":{"format":"single","units":"samples","startTime":1677178495}}
 *	{"flamegraph":{"names":[...],"levels":[{"values":["0","89","0","0"]},...],"total":"89"}}
 *
 * A level is a row of bars, the callers of those in the next level. A bar is four numbers: its
 * distance from the end of the previous bar, its width, its self weight, and its name; in a
 * comparison, format "double", seven: the first three for the baseline, the same three for the
 * compared profile, and the name. Nodes beyond a limit are merged into one called "other".
 *
 * grafana/pyroscope, pkg/og/structs/flamebearer/flamebearer.go, pkg/model/flamegraph.go.
 */
#include "formats.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "msg.h"
#include "stacks/boxes.h"

#include <inttypes.h>

/* Numbers per bar. */
enum { SINGLE = 4, DOUBLE = 7 };

/* A bar of the current row, or of the row of its callers. */
struct bar {
	uint64_t begin, end; /* sums of both sides */
	uint32_t box;
};

struct row {
	struct bar *bars;
	size_t n, cap;
};

struct reader {
	struct collapse *c;
	struct boxes boxes;
	struct json_texts names;
	uint64_t *numbers; /* of all levels, concatenated */
	size_t number_n, number_cap;
	size_t *ends; /* end of each level in numbers */
	size_t end_n, end_cap;
	bool is_double, others;
	struct buf unit;
	uint64_t start; /* s since 1970 */
};

/* In place of a number that is invalid or negative. */
#define NONE UINT64_MAX

static void
read_number(struct json_reader *p, struct reader *r)
{
	struct weight w = { 0 };
	bool negative = false;

	if (!json_read_weight(p, &w, &negative) || w.nano || (negative && w.whole))
		w.whole = NONE;
	*MEM_ADD(r->numbers, r->number_n, r->number_cap) = w.whole;
}

static void
read_numbers(struct json_reader *p, struct reader *r)
{
	if (json_read_array(p))
		while (json_next_element(p))
			read_number(p, r);
}

/* Reads a level: an array, or an object with one. */
static void
read_level(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;

	if (json_peek(p) == JSON_ARRAY) {
		read_numbers(p, r);
	} else if (json_read_object(p)) {
		while (json_next_key(p, &key))
			if (str_eq(key, STR("values")))
				read_numbers(p, r);
	}
	/* The last level of truncated text is incomplete. */
	if (json_failed(p))
		return;
	*MEM_ADD(r->ends, r->end_n, r->end_cap) = r->number_n;
}

static void
read_names(struct json_reader *p, void *context)
{
	struct reader *r = context;

	(void)json_read_texts(p, &r->names);
}

/* Reads leftTicks, which only comparisons have. */
static void
read_side(struct json_reader *p, void *context)
{
	struct reader *r = context;

	r->is_double |= json_peek(p) != JSON_NULL;
	json_skip(p);
}

static void
read_graph(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("names", read_names),
		JSON_EACH("levels", read_level), JSON_KEY("leftTicks", read_side) };

	json_walk(p, keys, sizeof keys / sizeof *keys, context);
}

static void
read_format(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str format;

	if (json_read_string(p, &format))
		r->is_double = str_eq(format, STR("double"));
}

static void
read_unit(struct json_reader *p, void *context)
{
	struct reader *r = context;

	json_read_text(p, &r->unit);
}

static void
read_start(struct json_reader *p, void *context)
{
	struct reader *r = context;

	(void)json_read_u64(p, &r->start);
}

static void
read_metadata(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("format", read_format),
		JSON_KEY("units", read_unit), JSON_KEY("startTime", read_start) };

	json_walk(p, keys, sizeof keys / sizeof *keys, context);
}

/* Places a bar of one side. NUMBERS: its three; *END: the end of the previous bar, moved to the end
 * of this one. Returns false if that overflows 63 bits. */
static bool
place(const uint64_t *numbers, uint64_t *end, uint64_t *begin)
{
	const uint64_t most = INT64_MAX / 4;

	if (numbers[0] > most || numbers[1] > most || numbers[2] > most || *end > most)
		return false;
	*begin = *end + numbers[0];
	*end = *begin + numbers[1];
	return true;
}

/* Returns the box of the caller at BEGIN. *AT is the first candidate, and advances. */
static uint32_t
find_caller(const struct row *callers, size_t *at, uint64_t begin)
{
	while (*at + 1 < callers->n && callers->bars[*at].end <= begin)
		++*at;
	return callers->n ? callers->bars[*at].box : BOXES_NONE;
}

/* Adds the bar of NUMBERS, called by CALLER. Returns its box, or BOXES_NONE. */
static uint32_t
add_bar(struct reader *r, const uint64_t *numbers, uint32_t caller)
{
	uint64_t name = numbers[r->is_double ? DOUBLE - 1 : SINGLE - 1];
	struct str text = { 0 };
	struct box *box;
	uint32_t i;

	if (!json_texts_get(&r->names, name > INT64_MAX ? -1 : (int64_t)name, &text))
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	i = boxes_add(&r->boxes, collapse_frame(r->c, text, 0), caller);
	if (i == BOXES_NONE)
		return i;
	box = &r->boxes.items[i];
	box->is_root = caller == BOXES_NONE;
	box->weight[BOXES_AFTER] = numbers[r->is_double ? 5 : 2];
	box->weight[BOXES_BEFORE] = r->is_double ? numbers[2] : 0;
	r->others |= str_eq(text, STR("other"));
	return i;
}

/* Sets ROW to the level of the N NUMBERS, on top of CALLERS. Returns false if it is malformed. */
static bool
add_level(struct reader *r, const uint64_t *numbers, size_t n, const struct row *callers,
	struct row *row)
{
	size_t size = r->is_double ? DOUBLE : SINGLE, at = 0, i;
	uint64_t end[BOXES_COLUMNS] = { 0 }, begin[BOXES_COLUMNS] = { 0 };
	uint32_t box;

	row->n = 0;
	for (i = 0; i + size <= n; i += size) {
		if (!place(numbers + i, &end[0], &begin[0]) ||
			(r->is_double && !place(numbers + i + 3, &end[1], &begin[1])))
			return false;
		box = add_bar(
			r, numbers + i, find_caller(callers, &at, begin[0] + begin[1]));
		if (box == BOXES_NONE)
			return false;
		*MEM_ADD(row->bars, row->n, row->cap) =
			(struct bar){ begin[0] + begin[1], end[0] + end[1], box };
	}
	return i == n;
}

static void
add_levels(struct reader *r)
{
	struct row rows[2] = { { 0 } };
	size_t i, from = 0;

	r->boxes.columns = r->is_double ? 2 : 1;
	if (!r->number_n)
		return;
	for (i = 0; i < r->end_n; i++) {
		if (!add_level(r, r->numbers + from, r->ends[i] - from,
			    &rows[(i + 1) % 2], &rows[i % 2]))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		from = r->ends[i];
	}
	free(rows[0].bars);
	free(rows[1].bars);
}

/* Returns the unit's name for boxes. The API states none and returns numbers in any unit. */
static struct str
find_unit(const struct reader *r)
{
	struct str unit = buf_view(&r->unit);

	if (!unit.n)
		return STR("units");
	if (str_eq(unit, STR("lock_nanoseconds")))
		return STR("ns");
	return str_eq(unit, STR("lock_samples")) ? STR("samples") : unit;
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("flamebearer", read_graph),
		JSON_KEY("flamegraph", read_graph), JSON_KEY("metadata", read_metadata) };
	struct reader r = { .c = c, .boxes = { .c = c } };
	struct json_profile f;
	bool good;

	json_profile_begin(&f, in, c);
	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
	add_levels(&r);
	if (r.start && r.start < UINT64_MAX / 1000000000)
		collapse_start(c, r.start * 1000000000);
	if (r.others)
		msg_warn("%s: frames called \"other\" stand for nodes that Pyroscope "
			 "left out",
			input_name(in));
	boxes_set_unit(&r.boxes, find_unit(&r));
	boxes_fold(&r.boxes);
	good = json_profile_end(&f, true);
	boxes_release(&r.boxes);
	json_texts_release(&r.names);
	buf_release(&r.unit);
	free(r.numbers);
	free(r.ends);
	return good;
}

static int
probe(struct str head)
{
	return json_has(head, "flamebearer.names") ||
			json_has(head, "flamebearer.levels") ||
			json_has(head, "flamegraph.names") ||
			json_has(head, "flamegraph.levels")
		? 95
		: 0;
}

const struct collapse_format collapse_flamebearer = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("flamebearer"), SIGN_KEY("flamegraph")),
	.run = run,
};
