/* SPDX-License-Identifier: ISC */
/*
 * OpenTelemetry's ProfilesData in protobuf (opentelemetry-proto, profiles/v1development, 1.10):
 *
 *	resource_profiles { resource { attributes { key: "service.name" ... } }
 *	  scope_profiles { profiles { sample_type { type_strindex: 1 unit_strindex: 2 }
 *	    samples { stack_index: 1 attribute_indices: [1] values: [2] } } } }
 *	dictionary { location_table { lines { function_index: 1 line: 12 } }
 *	  stack_table { location_indices: [2, 1] } string_table: "" ... }
 *
 * The first element of each table is the null value. Stacks are innermost first. Dimensions are
 * attributes of samples. Each of two columns is a profile. The protocol may still change.
 */
#include "export.h"
#include "mem.h"
#include "wire.h"

enum { DATA_RESOURCES = 1, DATA_DICTIONARY };
enum { RESOURCES_RESOURCE = 1, RESOURCES_SCOPES };
enum { RESOURCE_ATTRIBUTES = 1, SCOPES_PROFILES = 2 };
enum { PROFILE_TYPE = 1, PROFILE_SAMPLES, PROFILE_TIME };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4, SAMPLE_TIMES };
enum {
	TABLE_MAPPING = 1,
	TABLE_LOCATION,
	TABLE_FUNCTION,
	TABLE_LINK,
	TABLE_STRING,
	TABLE_ATTRIBUTE,
	TABLE_STACK
};
enum { LOCATION_LINES = 3 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_NAME = 1, FUNCTION_FILE = 3 };
enum { KEY = 1, VALUE };
enum { VALUE_STRING = 1, VALUE_INT = 3 };
enum { FIXED64 = 1 };

struct writer {
	struct export *x;
	struct buf profile, part, inner, text;
	struct buf attributes; /* of the current track: packed indices */
	struct intern strings, table, functions;
	uint32_t *stack; /* by node: its index in the table, 0 for none */
	uint32_t *order; /* the nodes in the table */
	uint32_t stack_n;
};

static uint64_t
string_id(struct writer *w, struct str text)
{
	buf_clear(&w->text);
	export_put_utf8(&w->text, text);
	return intern_id(&w->strings, buf_view(&w->text));
}

/* Makes w->text an AnyValue: a number if VALUE is one. */
static void
make_value(struct writer *w, struct str value)
{
	struct buf utf8 = { 0 };
	uint64_t number;

	buf_clear(&w->text);
	if (export_is_number(value, &number)) {
		wire_number(&w->text, VALUE_INT, number);
		return;
	}
	export_put_utf8(&utf8, value);
	wire_bytes(&w->text, VALUE_STRING, buf_view(&utf8));
	buf_release(&utf8);
}

static void
add_attribute(struct writer *w, struct str key, struct str value)
{
	uint64_t id;

	if (!value.s || str_eq(value, DIMENSIONS_NO_VALUE))
		return;
	id = string_id(w, key);
	buf_clear(&w->inner);
	wire_number(&w->inner, KEY, id);
	make_value(w, value);
	wire_bytes(&w->inner, VALUE, buf_view(&w->text));
	wire_varint(
		&w->attributes, (uint64_t)intern_id(&w->table, buf_view(&w->inner)) + 1);
}

/* Sets the attributes to those in TRACK. */
static void
make_attributes(struct writer *w, uint32_t track)
{
	const struct export *x = w->x;
	struct export_thread t = export_thread(x, track);
	struct str name;
	size_t i;

	buf_clear(&w->attributes);
	add_attribute(w, STR("thread.name"), t.comm);
	add_attribute(w, STR("process.pid"), t.pid);
	add_attribute(w, STR("thread.id"), t.tid);
	for (i = 0; i < x->by->n; i++)
		if (export_is_label(x, i, &name))
			add_attribute(w, name, export_value(x, track, i));
}

/* The index of the stack NODE. */
static uint32_t
stack_id(struct writer *w, uint32_t node)
{
	if (node != TREE_ROOT && !w->stack[node]) {
		w->order[w->stack_n] = node;
		w->stack[node] = ++w->stack_n;
	}
	return w->stack[node];
}

static void
put_sample(struct writer *w, const struct export_sample *s, int c)
{
	buf_clear(&w->part);
	wire_number(&w->part, SAMPLE_STACK, stack_id(w, s->stack));
	if (w->attributes.n)
		wire_bytes(&w->part, SAMPLE_ATTRIBUTES, buf_view(&w->attributes));
	buf_clear(&w->inner);
	wire_varint(&w->inner, s->weight[c]);
	wire_bytes(&w->part, SAMPLE_VALUES, buf_view(&w->inner));
	if (s->timed) {
		buf_clear(&w->inner);
		wire_fixed64(&w->inner, export_start(w->x) + s->time);
		wire_bytes(&w->part, SAMPLE_TIMES, buf_view(&w->inner));
	}
	wire_bytes(&w->profile, PROFILE_SAMPLES, buf_view(&w->part));
}

static struct str
type_of(const struct export *x, int c)
{
	struct str name = export_column(x, c);

	return x->kind == EXPORT_TIME && x->columns == 1 && str_eq(name, x->unit)
		? STR("cpu")
		: name;
}

/* Fills w->profile from column C. */
static void
make_profile(struct writer *w, int c)
{
	const struct export *x = w->x;
	uint64_t start = export_start(x);
	size_t i;

	buf_clear(&w->profile);
	buf_clear(&w->part);
	wire_number(&w->part, 1, string_id(w, type_of(x, c)));
	wire_number(&w->part, 2,
		string_id(w,
			x->kind == EXPORT_TIME		  ? STR("nanoseconds")
				: x->kind == EXPORT_BYTES ? STR("bytes")
							  : STR("count")));
	wire_bytes(&w->profile, PROFILE_TYPE, buf_view(&w->part));
	for (i = 0; i < x->n; i++) {
		if (!i || x->samples[i].track != x->samples[i - 1].track)
			make_attributes(w, x->samples[i].track);
		if (x->samples[i].weight[c])
			put_sample(w, &x->samples[i], c);
	}
	if (start) {
		wire_varint(&w->profile, PROFILE_TIME << 3 | FIXED64);
		wire_fixed64(&w->profile, start);
	}
}

static void
put_resources(struct writer *w)
{
	struct str title = export_title(w->x);
	struct buf resources = { 0 }, scopes = { 0 };
	int c;

	buf_clear(&w->inner);
	wire_bytes(&w->inner, KEY, STR("service.name"));
	buf_clear(&w->part);
	buf_clear(&w->text);
	export_put_utf8(&w->text, str_base(str_word(&title)));
	wire_bytes(&w->part, VALUE_STRING, buf_view(&w->text));
	wire_bytes(&w->inner, VALUE, buf_view(&w->part));
	buf_clear(&w->part);
	wire_bytes(&w->part, RESOURCE_ATTRIBUTES, buf_view(&w->inner));
	wire_bytes(&resources, RESOURCES_RESOURCE, buf_view(&w->part));
	for (c = 0; c < w->x->columns; c++) {
		make_profile(w, c);
		wire_bytes(&scopes, SCOPES_PROFILES, buf_view(&w->profile));
	}
	wire_bytes(&resources, RESOURCES_SCOPES, buf_view(&scopes));
	wire_bytes(&w->x->b, DATA_RESOURCES, buf_view(&resources));
	buf_release(&resources);
	buf_release(&scopes);
}

/* Adds the function of PLACE to FUNCTIONS unless it is there; returns its index. */
static uint64_t
function_id(struct writer *w, const struct export_place *place, struct buf *functions)
{
	uint64_t name = string_id(w, place->name), file = string_id(w, place->file);
	uint64_t key[2] = { name, file };
	uint32_t known = w->functions.n, id;

	id = intern_id(&w->functions, (struct str){ (const char *)key, sizeof key });
	if (id == known) {
		buf_clear(&w->part);
		wire_number(&w->part, FUNCTION_NAME, name);
		wire_number(&w->part, FUNCTION_FILE, file);
		wire_bytes(functions, TABLE_FUNCTION, buf_view(&w->part));
	}
	return (uint64_t)id + 1;
}

/* Adds locations, which are the names of the tree, and their functions. */
static void
put_locations(struct writer *w, struct buf *dictionary)
{
	const struct intern *names = &w->x->tree->names;
	struct buf functions = { 0 };
	struct export_place place;
	uint64_t function;
	uint32_t i;

	wire_bytes(dictionary, TABLE_LOCATION, STR(""));
	wire_bytes(&functions, TABLE_FUNCTION, STR(""));
	for (i = 0; i < names->n; i++) {
		place = export_place(intern_str(names, i));
		function = function_id(w, &place, &functions);
		buf_clear(&w->inner);
		wire_number(&w->inner, LINE_FUNCTION, function);
		wire_number(&w->inner, LINE_LINE, place.line);
		buf_clear(&w->part);
		wire_bytes(&w->part, LOCATION_LINES, buf_view(&w->inner));
		wire_bytes(dictionary, TABLE_LOCATION, buf_view(&w->part));
	}
	buf_str(dictionary, buf_view(&functions));
	buf_release(&functions);
}

static void
put_stacks(struct writer *w, struct buf *dictionary)
{
	struct export *x = w->x;
	const uint32_t *path;
	uint32_t i;
	size_t n;

	wire_bytes(dictionary, TABLE_STACK, STR(""));
	for (i = 0; i < w->stack_n; i++) {
		path = export_path(x, w->order[i], &n);
		buf_clear(&w->inner);
		while (n > 0)
			wire_varint(
				&w->inner, (uint64_t)x->tree->nodes[path[--n]].name + 1);
		buf_clear(&w->part);
		wire_bytes(&w->part, 1, buf_view(&w->inner));
		wire_bytes(dictionary, TABLE_STACK, buf_view(&w->part));
	}
}

static void
put_dictionary(struct writer *w)
{
	struct buf dictionary = { 0 };
	uint32_t i;

	wire_bytes(&dictionary, TABLE_MAPPING, STR(""));
	wire_bytes(&dictionary, TABLE_LINK, STR(""));
	put_locations(w, &dictionary);
	wire_bytes(&dictionary, TABLE_ATTRIBUTE, STR(""));
	for (i = 0; i < w->table.n; i++)
		wire_bytes(&dictionary, TABLE_ATTRIBUTE, intern_str(&w->table, i));
	put_stacks(w, &dictionary);
	for (i = 0; i < w->strings.n; i++)
		wire_bytes(&dictionary, TABLE_STRING, intern_str(&w->strings, i));
	wire_bytes(&w->x->b, DATA_DICTIONARY, buf_view(&dictionary));
	buf_release(&dictionary);
}

static bool
write_data(struct export *x)
{
	struct writer w = { .x = x };

	w.stack = mem_zero(x->tree->n, sizeof *w.stack);
	w.order = mem_zero(x->tree->n, sizeof *w.order);
	(void)string_id(&w, STR(""));
	put_resources(&w);
	put_dictionary(&w);
	buf_release(&w.profile);
	buf_release(&w.part);
	buf_release(&w.inner);
	buf_release(&w.text);
	buf_release(&w.attributes);
	intern_release(&w.strings);
	intern_release(&w.table);
	intern_release(&w.functions);
	free(w.stack);
	free(w.order);
	return true;
}

const struct export_target export_otlp = {
	.needs = EXPORT_TRACKS | EXPORT_WHOLE | EXPORT_BOTH | EXPORT_BINARY,
	.write = write_data,
};
