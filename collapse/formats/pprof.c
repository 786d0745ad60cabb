/* SPDX-License-Identifier: ISC */
/*
 * pprof profiles: one protobuf message (google/pprof, proto/profile.proto), usually
 * gzipped. Go's runtime/pprof and net/http/pprof write them, and profilers for nearly
 * every language.
 *
 *	sample_type { type: "cpu" unit: "nanoseconds" }
 *	sample { location_id: [3, 2, 1] value: [20000000] label { key: "kind" str: "demo" } }
 *	mapping { id: 1 memory_start: 0x400000 filename: "/bin/x" build_id: "c0ffee" }
 *	location { id: 1 mapping_id: 1 address: 0x401136 line { function_id: 1 line: 7 } }
 *	function { id: 1 name: "main.work" filename: "x.go" }
 *	string_table: ""
 *
 * Strings are indices in string_table, whose first element is empty. Locations are
 * innermost first; so are a location's lines, functions inlined into the next one. Ids
 * are any numbers except 0; Pyroscope's .NET profiler omitted those of functions. A
 * sample has a value for each sample_type.
 *
 * Fields come in any order. Writers put samples before the tables they refer to, so
 * samples are kept: each stack once, as its bytes, each set of labels once, and the
 * values.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/places.h"
#include "stacks/locations.h"
#include "mem.h"
#include "msg.h"
#include "pprof-label.h"
#include "readers/protobuf.h"
#include "stacks/quantity.h"
#include "stacks/stack-table.h"

#include <inttypes.h>

/* The fields of Profile, and of the messages in it. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE,
	MAPPING,
	LOCATION,
	FUNCTION,
	STRING,
	DROP_FRAMES,
	KEEP_FRAMES,
	TIME_NANOS,
	DURATION_NANOS,
	PERIOD_TYPE,
	PERIOD,
	COMMENT,
	DEFAULT_TYPE,
	DOC_URL
};
enum { TYPE_TYPE = 1, TYPE_UNIT, TYPE_VALUES };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT };
enum {
	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_BUILD,
	MAPPING_VALUES
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_VALUES };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM, FUNCTION_FILE, FUNCTION_VALUES };

struct type {
	uint64_t type, unit; /* indices in texts */
	struct quantity quantity;
	unsigned metric;
	bool ambiguous; /* another type has the same name */
};

/* A sample; its values follow the previous sample's in reader.values. */
struct sample {
	uint32_t stack, labels; /* ids in stacks and label_sets */
	uint32_t value_bytes;
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct locations locations;
	struct places location_ids, mapping_ids, function_ids;
	struct type *types;
	size_t type_n, type_cap;
	uint64_t default_type, time;
	struct sample *samples;
	size_t sample_n, sample_cap;
	struct buf values;		  /* of all samples, packed */
	struct intern stacks, label_sets; /* packed locations; label messages with their
	                                   * tags */
	struct buf stack, labels;	  /* of the current sample */

	/* Used while folding. */
	const struct type *chosen, *counted; /* counted: a type that counts samples, or
	                                      * NULL */
	struct protobuf_numbers numbers;
	struct collapse_sample s; /* the current sample, from its labels */
	uint32_t label_set;
	uint32_t root;
	struct collapse_label *label_list;
	size_t label_cap;
	struct intern number_texts;
	struct stack_memo nodes; /* by stack, below root */
	uint64_t *places;	 /* of the current stack */
	size_t place_cap;
};

/* Appends a varint field, which may be packed, to TO, packed. */
static void
put_varints(struct buf *to, const struct protobuf_field *f)
{
	if (f->type == PROTOBUF_BYTES)
		buf_str(to, f->bytes);
	else
		protobuf_put_varint(to, f->value);
}

static void
read_sample(struct reader *r, struct str bytes)
{
	struct protobuf m = protobuf_of(bytes);
	size_t before = r->values.n;
	struct protobuf_field f;
	struct bytes from;

	buf_clear(&r->stack);
	buf_clear(&r->labels);
	for (from = m.rest; protobuf_next(&m, &f); from = m.rest)
		switch (f.number) {
		case SAMPLE_LOCATIONS: put_varints(&r->stack, &f); break;
		case SAMPLE_VALUES: put_varints(&r->values, &f); break;
		case SAMPLE_LABEL:
			buf_str(&r->labels,
				bytes_take(&from, bytes_between(&from, &m.rest)));
			break;
		default: break;
		}
	if (!protobuf_good(&m, r->c) || r->values.n - before > UINT32_MAX) {
		r->values.n = before;
		return;
	}
	*MEM_ADD(r->samples, r->sample_n, r->sample_cap) =
		(struct sample){ intern_id(&r->stacks, buf_view(&r->stack)),
			intern_id(&r->label_sets, buf_view(&r->labels)),
			(uint32_t)(r->values.n - before) };
}

static void
read_type(struct reader *r, struct str bytes)
{
	uint64_t v[TYPE_VALUES];

	(void)protobuf_values(bytes, r->c, v, TYPE_VALUES);
	*MEM_ADD(r->types, r->type_n, r->type_cap) =
		(struct type){ .type = v[TYPE_TYPE], .unit = v[TYPE_UNIT] };
}

static void
read_mapping(struct reader *r, struct str bytes)
{
	uint64_t v[MAPPING_VALUES];

	if (!protobuf_values(bytes, r->c, v, MAPPING_VALUES))
		return;
	places_add(&r->mapping_ids, v[MAPPING_ID], r->locations.mapping_n);
	locations_add_mapping(&r->locations,
		&(struct location_mapping){ .start = v[MAPPING_START],
			.limit = v[MAPPING_LIMIT],
			.offset = v[MAPPING_OFFSET],
			.file = v[MAPPING_FILE],
			.build_id = v[MAPPING_BUILD] });
}

static void
read_function(struct reader *r, struct str bytes)
{
	uint64_t v[FUNCTION_VALUES];

	if (!protobuf_values(bytes, r->c, v, FUNCTION_VALUES))
		return;
	/* The default id is the function's place, from 1. */
	places_add(&r->function_ids,
		v[FUNCTION_ID] ? v[FUNCTION_ID] : r->locations.function_n + 1,
		r->locations.function_n);
	locations_add_function(&r->locations,
		&(struct location_function){
			v[FUNCTION_NAME], v[FUNCTION_SYSTEM], v[FUNCTION_FILE] });
}

/* Reads a line; its function is an id until resolve_ids. */
static void
read_line(struct reader *r, struct str bytes)
{
	uint64_t v[LINE_VALUES];

	if (protobuf_values(bytes, r->c, v, LINE_VALUES))
		locations_add_line(&r->locations,
			&(struct location_line){ v[LINE_FUNCTION], v[LINE_LINE] });
}

/* Reads a location; its mapping is an id until resolve_ids. */
static void
read_location(struct reader *r, struct str bytes)
{
	struct location location = { .line = r->locations.line_n };
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;
	uint64_t id = 0;

	while (protobuf_next(&m, &f))
		switch (f.number) {
		case LOCATION_ID: id = f.value; break;
		case LOCATION_MAPPING: location.mapping = f.value; break;
		case LOCATION_ADDRESS: location.address = f.value; break;
		case LOCATION_LINE: read_line(r, f.bytes); break;
		default: break;
		}
	if (!protobuf_good(&m, r->c))
		return;
	location.line_n = r->locations.line_n - location.line;
	places_add(&r->location_ids, id, r->locations.n);
	locations_add(&r->locations, &location);
}

static void
read_message(struct reader *r, uint32_t number, struct str bytes)
{
	switch (number) {
	case SAMPLE_TYPE: read_type(r, bytes); break;
	case SAMPLE: read_sample(r, bytes); break;
	case MAPPING: read_mapping(r, bytes); break;
	case LOCATION: read_location(r, bytes); break;
	case FUNCTION: read_function(r, bytes); break;
	case STRING: json_texts_add(&r->locations.texts, bytes); break;
	default: break;
	}
}

static void
read_profile(struct reader *r, struct protobuf_stream *s)
{
	struct protobuf_field f;

	while (protobuf_stream_next(s, &f))
		if (f.type == PROTOBUF_BYTES && f.number <= STRING) {
			if (protobuf_stream_bytes(s, &f))
				read_message(r, f.number, f.bytes);
		} else if (f.number == TIME_NANOS) {
			r->time = f.value;
		} else if (f.number == DEFAULT_TYPE) {
			r->default_type = f.value;
		}
}

/* Replaces ids by indices. */
static void
resolve_ids(struct reader *r)
{
	struct locations *l = &r->locations;
	size_t i;

	for (i = 0; i < l->n; i++)
		l->items[i].mapping = places_find(&r->mapping_ids, l->items[i].mapping);
	for (i = 0; i < l->line_n; i++)
		l->lines[i].function =
			places_find(&r->function_ids, l->lines[i].function);
}

/* Finds types with equal names. */
static void
find_ambiguous(struct reader *r)
{
	struct intern names = { 0 };
	struct type **first = mem_zero(r->type_n, sizeof *first), *t;
	uint32_t id;

	for (t = r->types; t && t < r->types + r->type_n; t++) {
		id = intern_id(&names, locations_text(&r->locations, t->type));
		t->ambiguous = first[id];
		if (first[id])
			first[id]->ambiguous = true;
		else
			first[id] = t;
	}
	intern_release(&names);
	free(first);
}

/* Declares the types as metrics: "cpu", or "cpu/nanoseconds" if ambiguous. */
static void
name_types(struct reader *r)
{
	struct str type, unit;
	struct buf name = { 0 };
	struct type *t;

	find_ambiguous(r);
	for (t = r->types; t && t < r->types + r->type_n; t++) {
		type = locations_text(&r->locations, t->type);
		unit = locations_text(&r->locations, t->unit);
		t->quantity = quantity_of(type, unit);
		if (t->quantity.is_samples && !r->counted)
			r->counted = t;
		buf_clear(&name);
		buf_str(&name, type);
		if (t->ambiguous) {
			buf_char(&name, '/');
			buf_str(&name, unit);
		}
		t->metric = collapse_metric(r->c, buf_view(&name), t->quantity.unit);
	}
	buf_release(&name);
}

/* Reads the values of S into r->numbers, and advances *VALUES past them. Returns false
 * unless there is one for each type. */
static bool
read_numbers(struct reader *r, const struct sample *s, struct bytes *values)
{
	struct protobuf_field own = { .type = PROTOBUF_BYTES,
		.bytes = bytes_take(values, s->value_bytes) };

	r->numbers.n = 0;
	return protobuf_numbers_add(&r->numbers, &own, false) &&
		r->numbers.n == r->type_n;
}

/* Whether a sample has a nonzero value of type I. */
static bool
has_values(struct reader *r, size_t i)
{
	const struct sample *s;
	struct bytes values = bytes_of(buf_view(&r->values), false);

	for (s = r->samples; s && s < r->samples + r->sample_n; s++)
		if (read_numbers(r, s, &values) && r->numbers.items[i])
			return true;
	return false;
}

/* The type that pprof shows: the profile's default, else the last one with values. */
static unsigned
find_main(struct reader *r)
{
	struct str wanted = locations_text(&r->locations, r->default_type);
	size_t i;

	for (i = 0; wanted.n && i < r->type_n; i++)
		if (str_eq(locations_text(&r->locations, r->types[i].type), wanted))
			return r->types[i].metric;
	for (i = r->type_n; i > 0; i--)
		if (has_values(r, i - 1))
			return r->types[i - 1].metric;
	return r->types[r->type_n - 1].metric;
}

/* Chooses the type to fold. Returns false, after an error, if it is missing. */
static bool
choose(struct reader *r)
{
	unsigned metric;
	const struct type *t;

	if (!r->type_n || !r->locations.texts.n) {
		msg_error("%s: has no %s; is it a complete pprof profile?",
			input_name(r->in), r->type_n ? "texts" : "sample types");
		return false;
	}
	name_types(r);
	metric = collapse_choose_metric(r->c, find_main(r));
	for (t = r->types; t && t < r->types + r->type_n && !r->chosen; t++)
		if (t->metric == metric)
			r->chosen = t;
	if (!r->counted)
		collapse_exact(r->c);
	return r->chosen != NULL;
}

/* VALUE as text, with UNIT unless that is empty. */
static struct str
number_text(struct reader *r, uint64_t value, struct str unit)
{
	struct buf b = { 0 };
	uint32_t id;

	buf_fmt(&b, "%" PRId64, (int64_t)value);
	if (unit.n) {
		buf_char(&b, ' ');
		buf_str(&b, unit);
	}
	id = intern_id(&r->number_texts, buf_view(&b));
	buf_release(&b);
	return intern_str(&r->number_texts, id);
}

static void
add_label(struct reader *r, struct str key, struct str value)
{
	*MEM_ADD(r->label_list, r->s.label_n, r->label_cap) =
		(struct collapse_label){ key, value };
	r->s.labels = r->label_list;
}

/* Reads the label message BYTES into FIELDS. Returns its key. */
static struct str
read_label(const struct reader *r, struct str bytes, uint64_t fields[LABEL_NUM_UNIT + 1])
{
	struct protobuf m = protobuf_of(bytes);
	struct protobuf_field f;

	while (protobuf_next(&m, &f))
		if (f.number <= LABEL_NUM_UNIT)
			fields[f.number] = f.value;
	return locations_text(&r->locations, fields[LABEL_KEY]);
}

/* Whether the label KEY is a sample's time, maybe written by fg-export. */
static bool
is_time(const struct reader *r, struct str key, const uint64_t *fields)
{
	return pprof_label_of(key) == PPROF_LABEL_TIME ||
		(str_eq(key, STR("time")) && !fields[LABEL_STR] &&
			str_eq(locations_text(&r->locations, fields[LABEL_NUM_UNIT]),
				STR("nanoseconds")));
}

/* Applies the label message BYTES to the sample. */
static void
apply_label(struct reader *r, struct str bytes)
{
	uint64_t fields[LABEL_NUM_UNIT + 1] = { 0 };
	struct str key = read_label(r, bytes, fields), text;
	enum pprof_label role = pprof_label_of(key);

	if (is_time(r, key, fields)) {
		r->s.time = fields[LABEL_NUM];
		r->s.has_time = true;
	}
	if (role == PPROF_LABEL_TIME)
		return;
	if (role == PPROF_LABEL_OTHER && !collapse_has_root(r->c, COLLAPSE_LABEL))
		return;
	text = locations_text(&r->locations, fields[LABEL_STR]);
	if (!text.n)
		text = number_text(r, fields[LABEL_NUM],
			locations_text(&r->locations, fields[LABEL_NUM_UNIT]));
	if (role == PPROF_LABEL_COMM)
		r->s.comm = text;
	else if (role == PPROF_LABEL_PID)
		r->s.pid = text;
	else if (role == PPROF_LABEL_TID)
		r->s.tid = text;
	add_label(r, key, text);
}

/* Resets the sample to the labels SET. */
static void
set_labels(struct reader *r, uint32_t set)
{
	struct protobuf m = protobuf_of(intern_str(&r->label_sets, set));
	struct protobuf_field f;
	uint32_t root;

	r->s = (struct collapse_sample){ .has_period = true };
	r->label_set = set;
	while (protobuf_next(&m, &f))
		apply_label(r, f.bytes);
	locations_name_thread(&r->locations, &r->s);
	root = collapse_root(r->c, &r->s);
	if (root != r->root)
		stack_memo_forget(&r->nodes, r->stacks.n);
	r->root = root;
}

/* The node of the stack whose packed locations are BYTES. */
static uint32_t
find_path(struct reader *r, struct str bytes)
{
	struct bytes rest = bytes_of(bytes, false);
	uint64_t id;
	size_t n = 0;

	r->places = mem_grow(r->places, &r->place_cap, bytes.n, sizeof *r->places);
	while (bytes_left(&rest)) {
		if (!protobuf_varint(&rest, &id))
			return COLLAPSE_NOWHERE;
		r->places[n++] = places_find(&r->location_ids, id);
	}
	return locations_path(&r->locations, r->root, r->places, n);
}

static uint32_t
find_node(struct reader *r, uint32_t stack)
{
	uint32_t node;

	if (stack_memo_get(&r->nodes, stack, &node))
		return node;
	node = find_path(r, intern_str(&r->stacks, stack));
	stack_memo_set(&r->nodes, stack, node);
	return node;
}

/* For --list-costs. */
static void
count_costs(struct reader *r)
{
	int64_t value;
	size_t i;

	for (i = 0; i < r->type_n; i++)
		if (quantity_scale(
			    &r->types[i].quantity, (int64_t)r->numbers.items[i], &value))
			collapse_count_cost(r->c, r->types[i].metric, value);
}

/* Folds the sample with STACK, whose values are in r->numbers. */
static void
fold_values(struct reader *r, uint32_t stack)
{
	int64_t value = (int64_t)r->numbers.items[r->chosen - r->types], scaled = 0,
		count;
	bool fits = quantity_scale(&r->chosen->quantity, value, &scaled);

	count_costs(r);
	/* Not a sample of this type. */
	if (!value)
		return;
	count = r->counted ? (int64_t)r->numbers.items[r->counted - r->types] : 1;
	r->s.count = count > 0 ? (uint64_t)count : 1;
	r->s.period = (uint64_t)scaled;
	r->s.has_period = !r->chosen->quantity.is_samples;
	if (!collapse_wants(r->c, &r->s))
		return;
	if (value < 0)
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
	else if (!fits)
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
	else
		collapse_add(r->c, find_node(r, stack), &r->s);
}

/* Finds the time of the first sample; they may be out of order. */
static void
find_origin(struct reader *r)
{
	struct protobuf_field f;
	struct protobuf m;
	struct str key;
	uint32_t i;

	for (i = 0; i < r->label_sets.n; i++) {
		m = protobuf_of(intern_str(&r->label_sets, i));
		while (protobuf_next(&m, &f)) {
			uint64_t fields[LABEL_NUM_UNIT + 1] = { 0 };

			key = read_label(r, f.bytes, fields);
			if (is_time(r, key, fields))
				collapse_origin(r->c, fields[LABEL_NUM]);
		}
	}
}

static void
fold(struct reader *r)
{
	const struct sample *s;
	struct bytes values = bytes_of(buf_view(&r->values), false);

	stack_memo_forget(&r->nodes, r->stacks.n);
	r->root = TREE_ROOT;
	r->label_set = UINT32_MAX;
	if (collapse_needs_times(r->c))
		find_origin(r);
	for (s = r->samples; s && s < r->samples + r->sample_n; s++) {
		if (!read_numbers(r, s, &values)) {
			collapse_lose(r->c, COLLAPSE_MALFORMED);
			continue;
		}
		if (s->labels != r->label_set)
			set_labels(r, s->labels);
		fold_values(r, s->stack);
	}
	locations_explain(&r->locations);
}

/* Puts information about the profile into the header. */
static void
put_info(struct reader *r)
{
	const struct location_mapping *first = r->locations.mappings;

	if (first)
		collapse_info(
			r->c, "command", locations_text(&r->locations, first->file));
	collapse_start(r->c, r->time);
}

static void
release(struct reader *r)
{
	locations_release(&r->locations);
	places_release(&r->location_ids);
	places_release(&r->mapping_ids);
	places_release(&r->function_ids);
	free(r->types);
	free(r->samples);
	buf_release(&r->values);
	intern_release(&r->stacks);
	intern_release(&r->label_sets);
	buf_release(&r->stack);
	buf_release(&r->labels);
	protobuf_numbers_release(&r->numbers);
	free(r->label_list);
	intern_release(&r->number_texts);
	stack_memo_release(&r->nodes);
	free(r->places);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c };
	uint64_t before = collapse_samples(c);
	struct protobuf_stream s;
	bool good;

	collapse_threadless(c);
	locations_init(&r.locations, c, in);
	protobuf_stream_init(&s, in);
	read_profile(&r, &s);
	resolve_ids(&r);
	good = s.bad && !r.locations.texts.n ? true : choose(&r);
	if (r.chosen) {
		fold(&r);
		put_info(&r);
	}
	good = good && protobuf_stream_report(&s, c, before);
	release(&r);
	return good;
}

enum { TYPE_FIELDS = 1 << TYPE_TYPE | 1 << TYPE_UNIT };

static const struct protobuf_shape shapes[] = {
	[SAMPLE_TYPE] = { TYPE_FIELDS, 0 },
	[SAMPLE] = { 1 << SAMPLE_LOCATIONS | 1 << SAMPLE_VALUES,
		1 << SAMPLE_LOCATIONS | 1 << SAMPLE_VALUES | 1 << SAMPLE_LABEL },
	[MAPPING] = { 0x7fe, 0 },
	[LOCATION] = { 1 << LOCATION_ID | 1 << LOCATION_MAPPING | 1 << LOCATION_ADDRESS |
			1 << 5,
		1 << LOCATION_LINE },
	[FUNCTION] = { 0x3e, 0 },
	[PERIOD_TYPE] = { TYPE_FIELDS, 0 },
};

static const struct protobuf_shape profile = { 1 << DROP_FRAMES | 1 << KEEP_FRAMES |
		1 << TIME_NANOS | 1 << DURATION_NANOS | 1 << PERIOD | 1 << COMMENT |
		1 << DEFAULT_TYPE | 1 << DOC_URL,
	1 << SAMPLE_TYPE | 1 << SAMPLE | 1 << MAPPING | 1 << LOCATION | 1 << FUNCTION |
		1 << STRING | 1 << PERIOD_TYPE | 1 << COMMENT };

/* Whether F may be a field of a profile. */
static bool
is_plausible(const struct protobuf_field *f)
{
	if (!protobuf_has(&profile, f))
		return false;
	if (f->type != PROTOBUF_BYTES || f->number == STRING || f->number == COMMENT)
		return true;
	return protobuf_fits(&shapes[f->number], f->bytes);
}

static int
probe(struct str head)
{
	enum { ENOUGH = 3 };
	struct protobuf m = protobuf_of(head);
	size_t texts = 0, samples = 0, n = 0;
	struct protobuf_field f;

	while (protobuf_next(&m, &f)) {
		/* Unknown fields may be anything; the first string is empty. */
		if (f.number > DOC_URL)
			continue;
		if (!is_plausible(&f) || (f.number == STRING && !texts++ && f.bytes.n))
			break;
		n++;
		samples += f.number == SAMPLE || f.number == SAMPLE_TYPE;
	}
	return samples && n >= ENOUGH ? 90 : 0;
}

const struct collapse_format collapse_pprof = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
