/* SPDX-License-Identifier: ISC */
/*
 * OpenTelemetry profiles in protobuf: a ProfilesData or ExportProfilesServiceRequest
 * message (open-telemetry/opentelemetry-proto, profiles/v1development/profiles.proto, 1.8
 * or later), written by async-profiler -o otlp, sent by agents and the Collector.
 *
 *	resource_profiles {
 *	  resource { attributes { key: "process.pid" value { int_value: 66 } } }
 *	  scope_profiles { profiles {
 *	    sample_type { type_strindex: 1 unit_strindex: 2 }
 *	    samples { stack_index: 1 attribute_indices: [4] values: [2] }
 *	  } }
 *	}
 *	dictionary {
 *	  location_table { mapping_index: 1 address: 4198710 lines { function_index: 7 } }
 *	  stack_table { location_indices: [1, 2, 3] }
 *	  string_table: "" ...
 *	}
 *
 * The dictionary may come first. Some writers pad lengths. otlp-data.h describes the
 * versions.
 */
#include "collapse.h"
#include "formats.h"
#include "mem.h"
#include "msg.h"
#include "otlp-data.h"
#include "readers/protobuf.h"

#include <inttypes.h>

enum { DATA_RESOURCES = 1, DATA_DICTIONARY };
enum { RESOURCES_RESOURCE = 1, RESOURCES_SCOPES };
enum { RESOURCE_ATTRIBUTES = 1 };
enum { SCOPES_PROFILES = 2 };
enum { PROFILE_TYPE = 1, PROFILE_SAMPLES, PROFILE_TIME };
enum { SAMPLE_STACK = 1, SAMPLE_2, SAMPLE_3, SAMPLE_4, SAMPLE_TIMES };
enum {
	TABLE_MAPPING = 1,
	TABLE_LOCATION,
	TABLE_FUNCTION,
	TABLE_LINK,
	TABLE_STRING,
	TABLE_ATTRIBUTE,
	TABLE_STACK
};
enum {
	MAPPING_START = 1,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_ATTRIBUTES
};
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINES, LOCATION_ATTRIBUTES };
enum { TYPE_TYPE = 1, TYPE_UNIT, TYPE_VALUES };
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_VALUES };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM, FUNCTION_FILE, FUNCTION_VALUES };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE, KEY_VALUE_KEY_INDEX };
enum { VALUE_STRING = 1, VALUE_BOOL, VALUE_INT, VALUE_DOUBLE, VALUE_STRING_INDEX = 8 };

struct reader {
	struct otlp data;
	struct protobuf_stream s;
	struct otlp_sample sample;
	struct protobuf_numbers numbers;
	struct buf text;
	bool too_old;
};

/* Reads an AnyValue: returns its text, borrowed until the next call, or sets *PLACE to an
 * index of the string table. Arrays and maps become empty. */
static struct str
read_value(struct reader *r, struct str bytes, uint64_t *place)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	double real;

	buf_clear(&r->text);
	while (protobuf_next(&m, &f))
		switch (f.number) {
		case VALUE_STRING: buf_str(&r->text, f.bytes); break;
		case VALUE_BOOL:
			buf_str(&r->text, f.value ? STR("true") : STR("false"));
			break;
		case VALUE_INT: buf_fmt(&r->text, "%" PRId64, (int64_t)f.value); break;
		case VALUE_DOUBLE:
			memcpy(&real, &f.value, sizeof real);
			buf_double(&r->text, real);
			break;
		case VALUE_STRING_INDEX: *place = f.value; break;
		default: break;
		}
	(void)protobuf_good(&m, r->data.c);
	return buf_view(&r->text);
}

static void
read_resource_attribute(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct str key = { 0 }, value = { 0 };
	struct protobuf_field f;
	uint64_t place = 0;

	while (protobuf_next(&m, &f))
		if (f.number == KEY_VALUE_KEY)
			key = f.bytes;
		else if (f.number == KEY_VALUE_VALUE)
			value = read_value(r, f.bytes, &place);
	if (protobuf_good(&m, r->data.c) && key.n && value.n)
		otlp_add_resource_attribute(&r->data, key, value);
}

static void
read_resource(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		if (f.number == RESOURCE_ATTRIBUTES)
			read_resource_attribute(r, f.bytes);
	(void)protobuf_good(&m, r->data.c);
}

/* Agents that do not record times repeat equal samples. */
static void
read_sample(struct reader *r, struct str bytes)
{
	struct str_digest key = { 0 };
	struct otlp_sample *s = &r->sample;
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	bool good = true;
	int i;

	if (!r->data.has_times) {
		key = str_digest(bytes);
		if (otlp_add_known_sample(&r->data, key))
			return;
	}
	s->stack = s->times.n = 0;
	for (i = 0; i < OTLP_LISTS; i++)
		s->lists[i].n = 0;
	while (good && protobuf_next(&m, &f))
		if (f.number == SAMPLE_STACK)
			s->stack = f.value;
		else if (f.number == SAMPLE_TIMES)
			good = protobuf_numbers_add(&s->times, &f, true);
		else if (f.number > SAMPLE_TIMES)
			continue;
		else {
			i = (int)f.number - SAMPLE_2;
			good = protobuf_numbers_add(&s->lists[i], &f, false);
			r->data.packed[i] |= f.type == PROTOBUF_BYTES;
		}
	m.bad |= !good;
	if (!protobuf_good(&m, r->data.c))
		return;
	otlp_add_sample(&r->data, s);
	otlp_know_sample(&r->data, key);
}

static void
read_type(struct reader *r, struct otlp_profile *p, struct str bytes)
{
	uint64_t v[TYPE_VALUES];

	(void)protobuf_values(bytes, r->data.c, v, TYPE_VALUES);
	p->type = v[TYPE_TYPE];
	p->unit = v[TYPE_UNIT];
}

static void
read_profile(struct reader *r)
{
	struct otlp_profile *p = otlp_add_profile(&r->data);
	struct protobuf_field f;

	while (protobuf_stream_next(&r->s, &f))
		if (f.number == PROFILE_TYPE && protobuf_stream_bytes(&r->s, &f))
			read_type(r, p, f.bytes);
		else if (f.number == PROFILE_SAMPLES && protobuf_stream_bytes(&r->s, &f))
			read_sample(r, f.bytes);
		else if (f.number == PROFILE_TIME && f.type == PROTOBUF_FIXED64)
			p->time = f.value;
		else if (f.number == PROFILE_TIME)
			/* Indices of locations, or a table. */
			r->too_old = true;
}

static void
read_scopes(struct reader *r)
{
	struct protobuf_field f;

	while (protobuf_stream_next(&r->s, &f))
		if (f.number == SCOPES_PROFILES && protobuf_stream_enter(&r->s))
			read_profile(r);
}

static void
read_resources(struct reader *r)
{
	struct protobuf_field f;

	otlp_add_resource(&r->data);
	while (protobuf_stream_next(&r->s, &f))
		if (f.number == RESOURCES_RESOURCE && protobuf_stream_bytes(&r->s, &f))
			read_resource(r, f.bytes);
		else if (f.number == RESOURCES_SCOPES && protobuf_stream_enter(&r->s))
			read_scopes(r);
}

static void
read_mapping(struct reader *r, struct str bytes)
{
	struct location_mapping mapping = { .file = 0 };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	r->numbers.n = 0;
	while (protobuf_next(&m, &f))
		switch (f.number) {
		case MAPPING_START: mapping.start = f.value; break;
		case MAPPING_LIMIT: mapping.limit = f.value; break;
		case MAPPING_OFFSET: mapping.offset = f.value; break;
		case MAPPING_FILE: mapping.file = f.value; break;
		case MAPPING_ATTRIBUTES:
			m.bad |= !protobuf_numbers_add(&r->numbers, &f, false);
			break;
		default: break;
		}
	(void)protobuf_good(&m, r->data.c);
	otlp_add_mapping(&r->data, &mapping, &r->numbers);
}

static void
read_line(struct reader *r, struct str bytes)
{
	uint64_t v[LINE_VALUES];

	(void)protobuf_values(bytes, r->data.c, v, LINE_VALUES);
	locations_add_line(&r->data.locations,
		&(struct location_line){ v[LINE_FUNCTION], v[LINE_LINE] });
}

static void
read_location(struct reader *r, struct str bytes)
{
	struct location location = { .line = r->data.locations.line_n };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	r->numbers.n = 0;
	while (protobuf_next(&m, &f))
		switch (f.number) {
		case LOCATION_MAPPING: location.mapping = f.value; break;
		case LOCATION_ADDRESS: location.address = f.value; break;
		case LOCATION_LINES: read_line(r, f.bytes); break;
		case LOCATION_ATTRIBUTES:
			m.bad |= !protobuf_numbers_add(&r->numbers, &f, false);
			break;
		default: break;
		}
	(void)protobuf_good(&m, r->data.c);
	location.line_n = r->data.locations.line_n - location.line;
	otlp_add_location(&r->data, &location, &r->numbers);
}

static void
read_function(struct reader *r, struct str bytes)
{
	uint64_t v[FUNCTION_VALUES];

	(void)protobuf_values(bytes, r->data.c, v, FUNCTION_VALUES);
	locations_add_function(&r->data.locations,
		&(struct location_function){
			v[FUNCTION_NAME], v[FUNCTION_SYSTEM], v[FUNCTION_FILE] });
}

static void
read_attribute(struct reader *r, struct str bytes)
{
	struct otlp_attribute a = { .key = 0 };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		if (f.number == 1)
			a.key = f.value;
		else if (f.number == 2)
			a.text = read_value(r, f.bytes, &a.value);
	(void)protobuf_good(&m, r->data.c);
	otlp_add_attribute(&r->data, &a);
}

static void
read_stack(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	r->numbers.n = 0;
	while (protobuf_next(&m, &f))
		if (f.number == 1)
			m.bad |= !protobuf_numbers_add(&r->numbers, &f, false);
	(void)protobuf_good(&m, r->data.c);
	otlp_add_stack(&r->data, &r->numbers);
}

/* Reads an element of the table NUMBER; a damaged one still occupies its index. */
static void
read_element(struct reader *r, uint32_t number, struct str bytes)
{
	switch (number) {
	case TABLE_MAPPING: read_mapping(r, bytes); break;
	case TABLE_LOCATION: read_location(r, bytes); break;
	case TABLE_FUNCTION: read_function(r, bytes); break;
	case TABLE_STRING: json_texts_add(&r->data.locations.texts, bytes); break;
	case TABLE_ATTRIBUTE: read_attribute(r, bytes); break;
	case TABLE_STACK: read_stack(r, bytes); break;
	default: break;
	}
}

static void
read_dictionary(struct reader *r)
{
	struct protobuf_field f;

	while (protobuf_stream_next(&r->s, &f))
		if (protobuf_stream_bytes(&r->s, &f))
			read_element(r, f.number, f.bytes);
}

static void
read_data(struct reader *r)
{
	struct protobuf_field f;

	while (protobuf_stream_next(&r->s, &f))
		if (f.number > DATA_DICTIONARY)
			/* Top-level tables, before there was a dictionary. */
			r->too_old |= f.type == PROTOBUF_BYTES;
		else if (protobuf_stream_enter(&r->s) && f.number == DATA_RESOURCES)
			read_resources(r);
		else
			read_dictionary(r);
}

static void
release(struct reader *r)
{
	otlp_release(&r->data);
	otlp_sample_release(&r->sample);
	protobuf_numbers_release(&r->numbers);
	buf_release(&r->text);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .too_old = false };
	uint64_t before = collapse_samples(c);
	bool good;

	otlp_init(&r.data, c, in);
	protobuf_stream_init(&r.s, in);
	read_data(&r);
	if (r.too_old) {
		otlp_refuse(in);
		good = false;
	} else {
		otlp_fold(&r.data);
		good = otlp_end(&r.data) && protobuf_stream_report(&r.s, c, before);
	}
	release(&r);
	return good;
}

/* Cuts a length-delimited field off *REST and returns its number; *BYTES may be truncated
 * in the last one. Returns 0 for anything else. */
static uint64_t
cut_message(struct str *rest, struct str *bytes)
{
	struct bytes b = bytes_of(*rest, false);
	uint64_t tag, length;

	*bytes = (struct str){ 0 };
	if (!protobuf_varint(&b, &tag) || (tag & 7) != PROTOBUF_BYTES ||
		!protobuf_varint(&b, &length))
		return 0;
	*bytes = bytes_take(&b, length < bytes_left(&b) ? length : bytes_left(&b));
	*rest = bytes_rest(&b);
	return tag >> 3;
}

/* Whether BYTES begin like resource_profiles: a resource with a key, or a profile. */
static bool
is_resources(struct str bytes)
{
	struct str inner, first;

	switch (cut_message(&bytes, &inner)) {
	case RESOURCES_RESOURCE:
		if (!inner.n)
			return is_resources(bytes);
		return cut_message(&inner, &first) == RESOURCE_ATTRIBUTES &&
			cut_message(&first, &inner) == KEY_VALUE_KEY && inner.n;
	case RESOURCES_SCOPES:
		while (cut_message(&inner, &first) == 1) /* scope */
			;
		return first.n && str_find(STR("\x0a\x12\x19\x21"), first.s[0]) < 4;
	default: return false;
	}
}

/* Whether BYTES begin like a dictionary: only known tables, and the first string is
 * empty. */
static bool
is_dictionary(struct str bytes)
{
	enum { ENOUGH = 3 };
	static const struct protobuf_shape shapes[] = {
		[TABLE_MAPPING] = { 0x3e, 1 << MAPPING_ATTRIBUTES },
		[TABLE_LOCATION] = { 0x1e,
			1 << LOCATION_LINES | 1 << LOCATION_ATTRIBUTES },
		[TABLE_FUNCTION] = { 0x1e, 0 },
		[TABLE_LINK] = { 0, 6 },
		[TABLE_ATTRIBUTE] = { 0xa, 4 },
		[TABLE_STACK] = { 2, 2 },
	};
	bool has_texts = false;
	struct str inner;
	uint64_t table;
	size_t n;

	for (n = 0; bytes.n; n++) {
		table = cut_message(&bytes, &inner);
		if (table < TABLE_MAPPING || table > TABLE_STACK ||
			(table == TABLE_STRING && !has_texts && inner.n))
			return false;
		has_texts |= table == TABLE_STRING;
		/* The last one may be truncated. */
		if (bytes.n && table != TABLE_STRING &&
			!protobuf_fits(&shapes[table], inner))
			return false;
	}
	return n >= ENOUGH;
}

static int
probe(struct str head)
{
	/* Old versions also have top-level tables. */
	enum { LAST = 8 };
	bool found = false;
	struct str bytes;
	uint64_t number;

	while (head.n) {
		number = cut_message(&head, &bytes);
		if (number < DATA_RESOURCES || number > LAST ||
			(number > DATA_DICTIONARY && !found))
			return 0;
		if ((number == DATA_RESOURCES && !is_resources(bytes)) ||
			(number == DATA_DICTIONARY && !found && !is_dictionary(bytes)))
			return 0;
		found = true;
	}
	return found ? 90 : 0;
}

const struct collapse_format collapse_otlp = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "\n"), SIGN(MAGIC, "\x12")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
