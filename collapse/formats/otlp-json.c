/* SPDX-License-Identifier: ISC */
/*
 * OpenTelemetry profiles in JSON (OTLP's JSON encoding: the keys of
 * profiles/v1development/profiles.proto in lowerCamelCase, 64-bit numbers as strings,
 * zeros omitted). The Collector's file exporter writes one document per line, each with
 * its own dictionary.
 *
 *	{"resourceProfiles":[{"resource":{"attributes":[{"key":"process.pid",
 *	  "value":{"intValue":"66"}}]},"scopeProfiles":[{"profiles":[{
 *	   "sampleType":{"typeStrindex":1,"unitStrindex":2},"samples":[{"stackIndex":1,
 *	    "attributeIndices":[4],"values":["806680624"],
 *	    "timestampsUnixNano":["1774910497581596132"]}]}]}]}],
 *	 "dictionary":{"mappingTable":[{},{"filenameStrindex":3}],"locationTable":[{},
 *	  {"mappingIndex":1,"address":"4330560","lines":[{"functionIndex":1}]}],
 *	  "functionTable":[{},{"nameStrindex":6}],"stackTable":[{},{"locationIndices":[1]}],
 *	  "stringTable":["","off_cpu","nanoseconds","vmlinux"],"attributeTable":[{}]}}
 *
 * Version 1.8 of the protocol has "sample" and "line" instead of "samples" and "lines".
 */
#include "otlp-data.h"
#include "collapse.h"
#include "formats.h"
#include "readers/json-profile.h"
#include "mem.h"

#include <inttypes.h>

struct reader {
	struct otlp data;
	struct otlp_sample sample;
	struct protobuf_numbers numbers;
	struct location location; /* current */
	struct otlp_profile *profile;
	struct buf key, value; /* of an attribute */
	uint64_t value_place;
	bool too_old;
};

/* Reads an integer, maybe a string; a negative one in two's complement. */
static uint64_t
read_number(struct json_reader *p)
{
	uint64_t value = 0;
	int64_t negative = 0;
	struct str text;
	bool minus;

	if (json_peek(p) != JSON_STRING) {
		(void)json_read_i64(p, &negative);
		return (uint64_t)negative;
	}
	(void)json_read_string(p, &text);
	minus = str_starts(text, STR("-"));
	p->wrong += !str_to_u64(str_from(text, minus), &value);
	return minus ? 0 - value : value;
}

/* Reads an array of such numbers into V. */
static void
read_numbers(struct json_reader *p, struct protobuf_numbers *v)
{
	v->n = 0;
	if (!json_read_array(p))
		return;
	while (json_next_element(p))
		*MEM_ADD(v->items, v->n, v->cap) = read_number(p);
}

/* Reads an AnyValue as text; arrays and maps become empty. */
static void
read_value(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key, text;
	double real;
	bool flag;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("stringValue")) ||
			(str_eq(key, STR("intValue")) && json_peek(p) == JSON_STRING)) {
			(void)json_read_string(p, &text);
			buf_str(&r->value, text);
		} else if (str_eq(key, STR("intValue"))) {
			buf_fmt(&r->value, "%" PRId64, (int64_t)read_number(p));
		} else if (str_eq(key, STR("boolValue")) && json_read_bool(p, &flag)) {
			buf_str(&r->value, flag ? STR("true") : STR("false"));
		} else if (str_eq(key, STR("doubleValue")) &&
			json_read_double(p, &real)) {
			buf_double(&r->value, real);
		} else if (str_eq(key, STR("stringValueStrindex"))) {
			r->value_place = read_number(p);
		}
}

static void
read_key(struct json_reader *p, void *context)
{
	struct reader *r = context;

	json_read_text(p, &r->key);
}

static void
read_resource_attribute(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("key", read_key),
		JSON_KEY("value", read_value) };
	struct reader *r = context;

	buf_clear(&r->key);
	buf_clear(&r->value);
	json_walk(p, keys, sizeof keys / sizeof *keys, r);
	if (r->key.n && r->value.n)
		otlp_add_resource_attribute(
			&r->data, buf_view(&r->key), buf_view(&r->value));
}

static void
read_resource(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_EACH(
		"attributes", read_resource_attribute) };

	json_walk(p, keys, sizeof keys / sizeof *keys, context);
}

static void
read_type(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("typeStrindex")))
			r->profile->type = read_number(p);
		else if (str_eq(key, STR("unitStrindex")))
			r->profile->unit = read_number(p);
}

static void
read_time(struct json_reader *p, void *context)
{
	struct reader *r = context;

	r->profile->time = read_number(p);
}

static void
read_sample(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct otlp_sample *s = &r->sample;
	struct str key;
	int i;

	s->stack = s->times.n = 0;
	for (i = 0; i < OTLP_LISTS; i++)
		s->lists[i].n = 0;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("stackIndex")))
			s->stack = read_number(p);
		else if (str_eq(key, STR("attributeIndices")))
			read_numbers(p, &s->lists[OTLP_FIELD_2]);
		else if (str_eq(key, STR("values")))
			read_numbers(p, &s->lists[OTLP_FIELD_4]);
		else if (str_eq(key, STR("timestampsUnixNano")))
			read_numbers(p, &s->times);
		else if (str_eq(key, STR("locationsLength")))
			r->too_old = true;
	if (!json_failed(p))
		otlp_add_sample(&r->data, s);
}

static void
refuse(struct json_reader *p, void *context)
{
	struct reader *r = context;

	(void)p;
	r->too_old = true;
}

static void
read_profile(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("sampleType", read_type),
		JSON_EACH("samples", read_sample), JSON_EACH("sample", read_sample),
		JSON_KEY("timeUnixNano", read_time), JSON_KEY("locationIndices", refuse),
		JSON_KEY("stringTable", refuse) };
	struct reader *r = context;

	r->profile = otlp_add_profile(&r->data);
	json_walk(p, keys, sizeof keys / sizeof *keys, r);
}

static void
read_scope(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_EACH("profiles", read_profile) };

	json_walk(p, keys, sizeof keys / sizeof *keys, context);
}

static void
read_resources(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_KEY("resource", read_resource),
		JSON_EACH("scopeProfiles", read_scope) };
	struct reader *r = context;

	otlp_add_resource(&r->data);
	json_walk(p, keys, sizeof keys / sizeof *keys, r);
}

static void
read_mapping(struct json_reader *p, void *context)
{
	struct location_mapping mapping = { .file = 0 };
	struct reader *r = context;
	struct str key;

	r->numbers.n = 0;
	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("memoryStart")))
				mapping.start = read_number(p);
			else if (str_eq(key, STR("memoryLimit")))
				mapping.limit = read_number(p);
			else if (str_eq(key, STR("fileOffset")))
				mapping.offset = read_number(p);
			else if (str_eq(key, STR("filenameStrindex")))
				mapping.file = read_number(p);
			else if (str_eq(key, STR("attributeIndices")))
				read_numbers(p, &r->numbers);
		}
	otlp_add_mapping(&r->data, &mapping, &r->numbers);
}

static void
read_line(struct json_reader *p, void *context)
{
	struct location_line line = { .line = 0 };
	struct reader *r = context;
	struct str key;

	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("functionIndex")))
				line.function = read_number(p);
			else if (str_eq(key, STR("line")))
				line.line = read_number(p);
		}
	locations_add_line(&r->data.locations, &line);
}

static void
read_location(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct location *l = &r->location;
	struct str key;

	*l = (struct location){ .line = r->data.locations.line_n };
	r->numbers.n = 0;
	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("mappingIndex")))
				l->mapping = read_number(p);
			else if (str_eq(key, STR("address")))
				l->address = read_number(p);
			else if (str_eq(key, STR("lines")) || str_eq(key, STR("line")))
				json_each(p, read_line, r);
			else if (str_eq(key, STR("attributeIndices")))
				read_numbers(p, &r->numbers);
		}
	l->line_n = r->data.locations.line_n - l->line;
	otlp_add_location(&r->data, l, &r->numbers);
}

static void
read_function(struct json_reader *p, void *context)
{
	struct location_function function = { .name = 0 };
	struct reader *r = context;
	struct str key;

	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("nameStrindex")))
				function.name = read_number(p);
			else if (str_eq(key, STR("systemNameStrindex")))
				function.system_name = read_number(p);
			else if (str_eq(key, STR("filenameStrindex")))
				function.file = read_number(p);
		}
	locations_add_function(&r->data.locations, &function);
}

static void
read_stack(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;

	r->numbers.n = 0;
	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("locationIndices")))
				read_numbers(p, &r->numbers);
		}
	otlp_add_stack(&r->data, &r->numbers);
}

static void
read_attribute(struct json_reader *p, void *context)
{
	struct otlp_attribute a = { .key = 0 };
	struct reader *r = context;
	struct str key;

	buf_clear(&r->value);
	r->value_place = 0;
	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("keyStrindex")))
				a.key = read_number(p);
			else if (str_eq(key, STR("value")))
				read_value(p, r);
		}
	a.text = buf_view(&r->value);
	a.value = r->value_place;
	otlp_add_attribute(&r->data, &a);
}

static void
read_texts(struct json_reader *p, void *context)
{
	struct reader *r = context;

	(void)json_read_texts(p, &r->data.locations.texts);
}

static void
read_dictionary(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_EACH("mappingTable", read_mapping),
		JSON_EACH("locationTable", read_location),
		JSON_EACH("functionTable", read_function),
		JSON_EACH("stackTable", read_stack), JSON_KEY("stringTable", read_texts),
		JSON_EACH("attributeTable", read_attribute) };

	json_walk(p, keys, sizeof keys / sizeof *keys, context);
}

static void
release(struct reader *r)
{
	otlp_release(&r->data);
	otlp_sample_release(&r->sample);
	protobuf_numbers_release(&r->numbers);
	buf_release(&r->key);
	buf_release(&r->value);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_EACH("resourceProfiles",
							read_resources),
		JSON_KEY("dictionary", read_dictionary) };
	struct reader r = { .too_old = false };
	struct json_profile f;
	bool good = true;

	otlp_init(&r.data, c, in);
	r.data.moved = true;
	json_profile_begin(&f, in, c);
	do {
		json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
		if (!r.too_old)
			otlp_fold(&r.data);
	} while (!r.too_old && json_more(&f.p));
	if (r.too_old)
		otlp_refuse(in);
	good = !r.too_old && otlp_end(&r.data);
	good = json_profile_end(&f, !r.too_old) && good;
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	return json_has(head, "resourceProfiles") ? 95 : 0;
}

const struct collapse_format collapse_otlp_json = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("resourceProfiles")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
