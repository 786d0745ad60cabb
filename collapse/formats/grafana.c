/* SPDX-License-Identifier: ISC */
/*
 * Data frames of Grafana's flame graph panel, from its inspector or its API, alone or nested in
 * other JSON:
 *
 *	{"fields":[{"name":"level","values":[0,1,1]},{"name":"value","values":[89,60,29],
 *	 "config":{"unit":"ns"}},{"name":"self","values":[0,60,29]},
 *	 {"name":"label","values":["total","main","lex"]}]}
 *	{"schema":{"fields":[{"name":"level"},...,{"name":"label",
 *	 "config":{"type":{"enum":{"text":["total","main","lex"]}}}}]},
 *	 "data":{"values":[[0,1,1],[89,60,29],[0,60,29],[0,1,2]]}}
 *
 * Rows are nodes in depth-first order. Labels are texts, or indexes into an enum. A comparison also
 * has valueRight and selfRight, for the compared profile; value and self are the baseline's.
 *
 * grafana/grafana, packages/grafana-flamegraph/src/FlameGraph/dataTransform.ts.
 */
#include "formats.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "stacks/boxes.h"

/* The fields to read. */
enum field { LEVEL, SELF, SELF_RIGHT, LABEL, FIELDS, OTHER = FIELDS };

static const struct str names[FIELDS] = { { "level", 5 }, { "self", 4 },
	{ "selfRight", 9 }, { "label", 5 } };

struct column {
	struct weight *items;
	size_t n, cap;
	struct json_texts texts; /* labels, unless they are indexes */
};

struct reader {
	struct collapse *c;
	struct boxes boxes;
	struct column columns[FIELDS];
	struct json_texts labels; /* texts of the enum */
	enum field *order;	  /* the schema's fields, in order */
	size_t order_n, order_cap;
	struct buf unit;
	unsigned depth;
};

static void
read_values(struct json_reader *p, struct reader *r, enum field field)
{
	struct column *column = &r->columns[field];
	bool is_text, negative;
	struct str text;

	if (field == OTHER || !json_read_array(p))
		return;
	while (json_next_element(p)) {
		column->items = mem_grow(column->items, &column->cap, column->n + 1,
			sizeof *column->items);
		column->items[column->n] = (struct weight){ 0 };
		is_text = field == LABEL && json_peek(p) == JSON_STRING;
		if (is_text) {
			(void)json_read_string(p, &text);
			json_texts_add(&column->texts, text);
		} else if (json_read_weight(p, &column->items[column->n], &negative) &&
			negative && column->items[column->n].whole) {
			collapse_lose(r->c, COLLAPSE_NEGATIVE);
			column->items[column->n] = (struct weight){ 0 };
		}
		column->n += !json_failed(p);
	}
}

static void
read_texts(struct json_reader *p, void *context)
{
	struct reader *r = context;

	if (!r->labels.n)
		(void)json_read_texts(p, &r->labels);
}

static void
read_enum(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("text", read_texts) };

	json_walk(p, keys, 1, context);
}

static void
read_type(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("enum", read_enum) };

	if (json_peek(p) == JSON_OBJECT)
		json_walk(p, keys, 1, context);
}

static void
read_unit(struct json_reader *p, void *context)
{
	struct reader *r = context;

	if (!r->unit.n && json_peek(p) == JSON_STRING)
		json_read_text(p, &r->unit);
}

static void
read_config(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("type", read_type),
		JSON_KEY("unit", read_unit) };

	json_walk(p, keys, 2, context);
}

static enum field
find_field(struct str name)
{
	int i;

	for (i = 0; i < FIELDS && !str_eq(name, names[i]); i++)
		;
	return (enum field)i;
}

/* Reads a field; its name comes before its values. */
static void
read_field(struct json_reader *p, void *context)
{
	struct reader *r = context;
	enum field field = OTHER;
	struct str key, name;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name"))) {
			field = json_read_string(p, &name) ? find_field(name) : OTHER;
		} else if (str_eq(key, STR("config"))) {
			read_config(p, r);
		} else if (str_eq(key, STR("values"))) {
			read_values(p, r, field);
		}
	*MEM_ADD(r->order, r->order_n, r->order_cap) = field;
}

/* Reads values in the order of the fields. */
static void
read_data(struct json_reader *p, void *context)
{
	struct reader *r = context;
	size_t i;

	if (!json_read_array(p))
		return;
	for (i = 0; json_next_element(p); i++)
		read_values(p, r, i < r->order_n ? r->order[i] : OTHER);
}

/* Searches any JSON for data frames. */
static void
read_anything(struct json_reader *p, void *context)
{
	enum { DEEPEST = 32 };
	struct reader *r = context;
	struct str key;

	if (r->depth == DEEPEST)
		return;
	r->depth++;
	if (json_peek(p) == JSON_ARRAY) {
		json_each(p, read_anything, r);
	} else if (json_peek(p) == JSON_OBJECT && json_read_object(p)) {
		while (json_next_key(p, &key))
			if (str_eq(key, STR("fields")))
				json_each(p, read_field, r);
			else if (str_eq(key, STR("values")))
				read_data(p, r);
			else
				read_anything(p, r);
	}
	r->depth--;
}

/* Returns the label of row I; a missing one is empty, and counted as lost. */
static struct str
find_label(const struct reader *r, size_t i)
{
	const struct column *labels = &r->columns[LABEL];
	const struct json_texts *texts = labels->texts.n ? &labels->texts : &r->labels;
	struct str label = { 0 };
	uint64_t place = i;

	if (!labels->texts.n)
		place = i < labels->n ? labels->items[i].whole : UINT64_MAX;
	if (place > INT64_MAX || !json_texts_get(texts, (int64_t)place, &label))
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	return label;
}

/* Adds row I; its callers are in PATH, which has DEPTH levels and room for one more. Returns the
 * new depth. */
static size_t
add_row(struct reader *r, size_t i, uint32_t *path, size_t depth)
{
	uint64_t level = r->columns[LEVEL].items[i].whole;
	struct str label = find_label(r, i);
	uint32_t box;

	if (level > depth) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return depth;
	}
	box = boxes_add(&r->boxes, collapse_frame(r->c, label, 0),
		level ? path[level - 1] : BOXES_NONE);
	if (box == BOXES_NONE)
		return depth;
	path[level] = box;
	r->boxes.items[box].is_root = level == 0 &&
		(!label.n || str_eq(label, STR("total")) || str_eq(label, STR("all")));
	if (i < r->columns[SELF].n &&
		!boxes_weigh(&r->boxes, box,
			r->boxes.columns > 1 ? BOXES_BEFORE : BOXES_AFTER,
			r->columns[SELF].items[i]))
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
	if (r->boxes.columns > 1 && i < r->columns[SELF_RIGHT].n &&
		!boxes_weigh(
			&r->boxes, box, BOXES_AFTER, r->columns[SELF_RIGHT].items[i]))
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
	return (size_t)level + 1;
}

static void
add_rows(struct reader *r)
{
	size_t i, depth = 0, cap = 0;
	uint32_t *path = NULL;

	r->boxes.columns = r->columns[SELF_RIGHT].n ? 2 : 1;
	for (i = 0; i < r->columns[LEVEL].n; i++) {
		path = mem_grow(path, &cap, depth + 1, sizeof *path);
		depth = add_row(r, i, path, depth);
	}
	free(path);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .boxes = { .c = c } };
	struct json_profile f;
	struct str unit;
	bool good;
	int i;

	json_profile_begin(&f, in, c);
	read_anything(&f.p, &r);
	add_rows(&r);
	unit = buf_view(&r.unit);
	boxes_set_unit(&r.boxes, str_eq(unit, STR("short")) ? (struct str){ 0 } : unit);
	boxes_fold(&r.boxes);
	good = json_profile_end(&f, true);
	boxes_release(&r.boxes);
	for (i = 0; i < FIELDS; i++) {
		free(r.columns[i].items);
		json_texts_release(&r.columns[i].texts);
	}
	json_texts_release(&r.labels);
	buf_release(&r.unit);
	free(r.order);
	return good;
}

/* Skips C and the blanks around it. Returns false if *REST begins with something else. */
static bool
skip_mark(struct str *rest, char c)
{
	*rest = str_trim(*rest);
	if (!rest->n || rest->s[0] != c)
		return false;
	*rest = str_trim(str_from(*rest, 1));
	return true;
}

/* Whether HEAD begins with the levels of a frame, so many that they fill it and hide the other
 * fields. The first row is the root, the second its child. */
static bool
begins_levels(struct str head)
{
	enum { MANY = 64 * 1024 };
	struct str rest = str_from(head, str_search(head, STR("\"level\"")));

	rest = str_from(rest, str_search(rest, STR("\"values\"")) + 8);
	return rest.n >= MANY && skip_mark(&rest, ':') && skip_mark(&rest, '[') &&
		skip_mark(&rest, '0') && skip_mark(&rest, ',') && skip_mark(&rest, '1');
}

static int
probe(struct str head)
{
	static const char *const paths[] = { "fields[].name", "schema.fields[].name",
		"[].fields[].name", "[].schema.fields[].name",
		"frames[].schema.fields[].name",
		"results.A.frames[].schema.fields[].name",
		"data.frames[].schema.fields[].name" };
	size_t i;

	if (str_search(head, STR("\"self\"")) >= head.n) {
		for (i = 0; i < sizeof paths / sizeof *paths; i++)
			if (json_has_text(head, paths[i], STR("level")))
				return begins_levels(head) ? 60 : 0;
		return 0;
	}
	for (i = 0; i < sizeof paths / sizeof *paths; i++)
		if (json_has_text(head, paths[i], STR("level")) &&
			json_has_text(head, paths[i], STR("self")))
			return 90;
	return 0;
}

const struct collapse_format collapse_grafana = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("level")),
	.run = run,
};
