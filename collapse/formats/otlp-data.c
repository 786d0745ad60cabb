/* SPDX-License-Identifier: ISC */
/* Turns OpenTelemetry profiles into samples; see otlp-data.h. */
#include "otlp-data.h"
#include "mem.h"
#include "msg.h"

void
otlp_sample_release(struct otlp_sample *s)
{
	int i;

	for (i = 0; i < OTLP_LISTS; i++)
		protobuf_numbers_release(&s->lists[i]);
	protobuf_numbers_release(&s->times);
}

void
otlp_init(struct otlp *o, struct collapse *c, struct input *in)
{
	*o = (struct otlp){ .c = c, .in = in };
	o->timed = collapse_needs_times(c);
	locations_init(&o->locations, c, in);
	collapse_threadless(c);
}

static void
forget(struct otlp *o)
{
	locations_release(&o->locations);
	arena_release(&o->arena);
	json_texts_release(&o->stacks);
	json_texts_release(&o->of_mapping);
	json_texts_release(&o->of_location);
	cache_release(&o->nodes);
	cache_release(&o->known);
	cache_release(&o->known_put);
	o->attribute_n = o->resource_n = o->label_n = o->profile_n = o->sample_n = 0;
	buf_clear(&o->samples);
	memset(o->seen, 0, sizeof o->seen);
	memset(o->packed, 0, sizeof o->packed);
	o->untimed = o->has_times = false;
	o->largest = 0;
}

void
otlp_release(struct otlp *o)
{
	forget(o);
	free(o->attributes);
	free(o->resources);
	free(o->labels);
	free(o->profiles);
	buf_release(&o->samples);
	free(o->times_seen);
	free(o->types);
	arena_release(&o->names);
	otlp_sample_release(&o->sample);
	free(o->sample_labels);
	buf_release(&o->bytes);
	free(o->places);
}

void
otlp_add_resource(struct otlp *o)
{
	*MEM_ADD(o->resources, o->resource_n, o->resource_cap) =
		(struct otlp_resource){ .label = o->label_n };
}

/* How an attribute describes a sample. */
enum role { LABEL, COMM, EXECUTABLE, PID, TID };

static enum role
find_role(struct str key)
{
	static const struct {
		const char *key;
		enum role role;
	} roles[] = { { "thread.name", COMM }, { "process.executable.name", EXECUTABLE },
		{ "process.pid", PID }, { "thread.id", TID } };
	size_t i;

	for (i = 0; i < sizeof roles / sizeof *roles; i++)
		if (str_eq(key, str_of(roles[i].key)))
			return roles[i].role;
	return LABEL;
}

void
otlp_add_resource_attribute(struct otlp *o, struct str key, struct str value)
{
	struct otlp_resource *r = &o->resources[o->resource_n - 1];
	enum role role = find_role(key);
	struct collapse_label *l;

	l = MEM_ADD(o->labels, o->label_n, o->label_cap);
	*l = (struct collapse_label){ arena_str(&o->arena, key),
		arena_str(&o->arena, value) };
	r->label_n++;
	if (role == COMM || role == EXECUTABLE)
		r->comm = l->value;
	else if (role == PID)
		r->pid = l->value;
	if (str_eq(key, STR("host.name")))
		collapse_info(o->c, "host", value);
}

struct otlp_profile *
otlp_add_profile(struct otlp *o)
{
	struct otlp_profile *p;

	p = MEM_ADD(o->profiles, o->profile_n, o->profile_cap);
	*p = (struct otlp_profile){ .resource = o->resource_n - 1 };
	return p;
}

void
otlp_add_attribute(struct otlp *o, const struct otlp_attribute *a)
{
	o->attributes = mem_grow(o->attributes, &o->attribute_cap, o->attribute_n + 1,
		sizeof *o->attributes);
	o->attributes[o->attribute_n] = *a;
	o->attributes[o->attribute_n++].text = arena_str(&o->arena, a->text);
}

/* Adds the numbers V to TO as one packed text. */
static void
add_packed(struct otlp *o, struct json_texts *to, const struct protobuf_numbers *v)
{
	size_t i;

	buf_clear(&o->bytes);
	for (i = 0; i < v->n; i++)
		protobuf_put_varint(&o->bytes, v->items[i]);
	json_texts_add(to, buf_view(&o->bytes));
}

void
otlp_add_mapping(struct otlp *o, const struct location_mapping *m,
	const struct protobuf_numbers *attributes)
{
	locations_add_mapping(&o->locations, m);
	add_packed(o, &o->of_mapping, attributes);
}

void
otlp_add_location(struct otlp *o, const struct location *location,
	const struct protobuf_numbers *attributes)
{
	locations_add(&o->locations, location);
	add_packed(o, &o->of_location, attributes);
}

void
otlp_add_stack(struct otlp *o, const struct protobuf_numbers *locations)
{
	add_packed(o, &o->stacks, locations);
}

static inline void
put_number(struct buf *b, uint64_t value)
{
	if (value <= 0x7f)
		buf_char(b, (char)value);
	else
		protobuf_put_varint(b, value);
}

static void
put_list(struct buf *b, const struct protobuf_numbers *v, size_t n)
{
	size_t i;

	put_number(b, n);
	for (i = 0; i < n; i++)
		put_number(b, v->items[i]);
}

/* Makes KEY unique to the last profile. */
static struct str_digest
key_in_profile(const struct otlp *o, struct str_digest key)
{
	key.a ^= o->profile_n * 0x9e3779b97f4a7c15;
	return key;
}

bool
otlp_add_known_sample(struct otlp *o, struct str_digest key)
{
	uint32_t i;

	i = cache_find(&o->known, key_in_profile(o, key));
	if (i == CACHE_NONE)
		return false;
	o->times_seen[i]++;
	return true;
}

void
otlp_know_sample(struct otlp *o, struct str_digest key)
{
	/* --in-order keeps samples apart. */
	if (o->last_sample >= CACHE_NONE || o->has_times ||
		collapse_options(o->c)->in_order)
		return;
	cache_add(&o->known, key_in_profile(o, key), (uint32_t)o->last_sample);
}

/* Merges the sample at FROM of o->samples into an equal earlier one. Returns false if
 * there is none. */
static bool
is_repeated(struct otlp *o, size_t from)
{
	struct str_digest key;
	uint32_t i;

	if (o->timed || o->sample_n >= CACHE_NONE || collapse_options(o->c)->in_order)
		return false;
	key = str_digest(str_from(buf_view(&o->samples), from));
	i = cache_find(&o->known_put, key);
	if (i == CACHE_NONE) {
		cache_add(&o->known_put, key, (uint32_t)o->sample_n);
		return false;
	}
	o->samples.n = from;
	o->times_seen[i]++;
	o->last_sample = i;
	return true;
}

void
otlp_add_sample(struct otlp *o, const struct otlp_sample *s)
{
	size_t k, from = o->samples.n;
	int i;

	o->last_sample = SIZE_MAX;
	if (!o->profile_n)
		return;
	o->has_times |= s->times.n > 0;
	if (!s->times.n && s->lists[OTLP_FIELD_2].n)
		o->untimed = true;
	for (k = 0; k < s->lists[OTLP_FIELD_2].n; k++)
		if (s->lists[OTLP_FIELD_2].items[k] > o->largest)
			o->largest = s->lists[OTLP_FIELD_2].items[k];
	put_number(&o->samples, o->profile_n - 1);
	put_number(&o->samples, s->stack);
	for (i = 0; i < OTLP_LISTS; i++) {
		put_list(&o->samples, &s->lists[i], s->lists[i].n);
		o->seen[i] |= s->lists[i].n > 0;
	}
	for (k = 0; o->timed && k < s->times.n; k++)
		collapse_origin(o->c, s->times.items[k]);
	/* The number of times is a count, even if the times are not needed. */
	put_number(&o->samples, s->times.n);
	put_list(&o->samples, &s->times, o->timed ? s->times.n : 0);
	if (is_repeated(o, from))
		return;
	o->last_sample = o->sample_n;
	*MEM_ADD(o->times_seen, o->sample_n, o->sample_cap) = 1;
}

/* Whether fields 2 and 3 have the meaning of 1.8 and 1.9: values and attributes. Writers
 * pack lists, except async-profiler, which writes 1.10, for a single number. */
static bool
is_old(const struct otlp *o)
{
	if (o->moved || o->packed[OTLP_FIELD_4])
		return false;
	if (o->packed[OTLP_FIELD_3])
		return true;
	/* Packed values, and links. */
	if (o->seen[OTLP_FIELD_4])
		return o->packed[OTLP_FIELD_2];
	/* A sample needs values or times, and attributes have to be in range. */
	return o->untimed || o->largest >= o->attribute_n;
}

static struct str
value_of(const struct otlp *o, const struct otlp_attribute *a)
{
	return a->text.n ? a->text : locations_text(&o->locations, a->value);
}

/* The attribute KEY of item I, whose attributes are in LISTS; NULL if absent. */
static const struct otlp_attribute *
find_attribute(
	const struct otlp *o, const struct json_texts *lists, size_t i, struct str key)
{
	const struct otlp_attribute *a;
	struct str packed = { 0 };
	struct bytes rest;
	uint64_t place;

	(void)json_texts_get(lists, (int64_t)i, &packed);
	rest = bytes_of(packed, false);
	while (protobuf_varint(&rest, &place)) {
		a = place < o->attribute_n ? &o->attributes[place] : NULL;
		if (a && str_eq(locations_text(&o->locations, a->key), key))
			return a;
	}
	return NULL;
}

/* The kind of code that profile.frame.type names. */
static unsigned
find_kind(struct str type)
{
	static const char *const jits[] = { "jvm", "dotnet", "v8js", "beam" };
	size_t i;

	if (str_eq(type, STR("kernel")))
		return COLLAPSE_KERNEL;
	for (i = 0; i < sizeof jits / sizeof *jits; i++)
		if (str_eq(type, str_of(jits[i])))
			return COLLAPSE_JIT;
	return 0;
}

/* Applies the attributes of locations and mappings. */
static void
apply_attributes(struct otlp *o)
{
	struct locations *l = &o->locations;
	const struct otlp_attribute *a;
	size_t i;

	for (i = 0; i < o->attribute_n; i++)
		o->attributes[i].role =
			find_role(locations_text(l, o->attributes[i].key));
	for (i = 0; i < l->n; i++) {
		a = find_attribute(o, &o->of_location, i, STR("profile.frame.type"));
		if (a)
			l->items[i].kind = find_kind(value_of(o, a));
	}
	for (i = 0; i < l->mapping_n; i++) {
		a = find_attribute(
			o, &o->of_mapping, i, STR("process.executable.build_id.gnu"));
		if (!a)
			continue;
		l->mappings[i].build_id = a->value;
		if (!a->text.n)
			continue;
		l->mappings[i].build_id = l->texts.n;
		json_texts_add(&l->texts, a->text);
	}
}

/* Finds or makes the type of P. If another type has its name, the unit becomes part of
 * the name. */
static const struct otlp_type *
find_type(struct otlp *o, const struct otlp_profile *p)
{
	struct str type = locations_text(&o->locations, p->type);
	struct str unit = locations_text(&o->locations, p->unit);
	struct buf name = { 0 };
	struct otlp_type *t;

	buf_str(&name, type);
	for (t = o->types; t && t < o->types + o->type_n; t++) {
		if (str_eq(t->type, type) && str_eq(t->unit, unit))
			break;
		if (str_eq(t->type, type) && name.n == type.n) {
			buf_char(&name, '/');
			buf_str(&name, unit);
		}
	}
	if (!t || t == o->types + o->type_n) {
		t = MEM_ADD(o->types, o->type_n, o->type_cap);
		t->type = arena_str(&o->names, type);
		t->unit = arena_str(&o->names, unit);
		t->name = arena_str(&o->names, buf_view(&name));
		t->quantity = quantity_of(t->type, t->unit);
		t->metric = collapse_metric(o->c, t->name, t->quantity.unit);
	}
	buf_release(&name);
	return t;
}

/* Finds the types of all profiles. By default the first type that counts samples is
 * folded, else the first. */
static void
find_types(struct otlp *o)
{
	const struct otlp_type *t;
	bool samples = false;
	size_t i;

	for (i = 0; i < o->profile_n; i++) {
		t = find_type(o, &o->profiles[i]);
		o->profiles[i].metric = t->metric;
		o->profiles[i].quantity = t->quantity;
		if ((!i || (t->quantity.is_samples && !samples)) && !o->has_main)
			o->main = t->metric;
		samples |= t->quantity.is_samples;
		collapse_start(o->c, o->profiles[i].time);
	}
	o->has_main |= o->profile_n > 0;
}

static bool
is_chosen(const struct otlp *o, unsigned metric)
{
	const char *cost = collapse_options(o->c)->cost;
	const struct otlp_type *t;

	for (t = o->types; t && cost && t < o->types + o->type_n; t++)
		if (t->metric == metric)
			return str_eq(t->name, str_of(cost));
	return metric == o->main;
}

static void
add_label(struct otlp *o, struct collapse_label label)
{
	*MEM_ADD(o->sample_labels, o->s.label_n, o->sample_label_cap) = label;
	o->s.labels = o->sample_labels;
}

static void
apply_attribute(struct otlp *o, const struct otlp_attribute *a)
{
	struct str value = value_of(o, a);

	if (a->role == COMM || (a->role == EXECUTABLE && !o->s.comm.n))
		o->s.comm = value;
	else if (a->role == PID)
		o->s.pid = value;
	else if (a->role == TID)
		o->s.tid = value;
	if (collapse_has_root(o->c, COLLAPSE_LABEL))
		add_label(o,
			(struct collapse_label){
				locations_text(&o->locations, a->key), value });
}

/* Sets the thread, process and labels of a sample of P with the attributes LIST. */
static void
describe_sample(
	struct otlp *o, const struct otlp_profile *p, const struct protobuf_numbers *list)
{
	const struct otlp_resource *r =
		p->resource < o->resource_n ? &o->resources[p->resource] : NULL;
	size_t i;

	o->s = (struct collapse_sample){ .has_period = true };
	for (i = 0; i < list->n; i++)
		if (list->items[i] < o->attribute_n)
			apply_attribute(o, &o->attributes[list->items[i]]);
	for (i = 0; r && collapse_has_root(o->c, COLLAPSE_LABEL) && i < r->label_n; i++)
		add_label(o, o->labels[r->label + i]);
	if (r && !o->s.pid.n)
		o->s.pid = r->pid;
	if (r && !o->s.comm.n)
		o->s.comm = r->comm;
}

static uint32_t
make_node(struct otlp *o, uint32_t root, uint64_t stack)
{
	struct str packed;
	struct bytes rest;
	size_t n = 0;

	if (stack > INT64_MAX || !json_texts_get(&o->stacks, (int64_t)stack, &packed))
		return stack ? COLLAPSE_NOWHERE : TREE_ROOT;
	o->places = mem_grow(o->places, &o->place_cap, packed.n, sizeof *o->places);
	rest = bytes_of(packed, false);
	while (bytes_left(&rest) && protobuf_varint(&rest, &o->places[n]))
		n++;
	return locations_path(&o->locations, root, o->places, n);
}

static uint32_t
find_node(struct otlp *o, uint64_t stack)
{
	uint32_t root = collapse_root(o->c, &o->s);
	struct str_digest key = cache_key(root, stack);
	uint32_t node = cache_find(&o->nodes, key);

	return node != CACHE_NONE ? node
				  : cache_add(&o->nodes, key, make_node(o, root, stack));
}

/* Adds the current sample with VALUE, or counts it as lost. */
static void
add_value(struct otlp *o, int64_t value, bool fits)
{
	if (!collapse_wants(o->c, &o->s))
		return;
	if (value < 0)
		collapse_lose(o->c, COLLAPSE_NEGATIVE);
	else if (!fits)
		collapse_lose(o->c, COLLAPSE_OVERFLOW);
	else if (value)
		collapse_add(o->c, find_node(o, o->sample.stack), &o->s);
}

/* Adds the current sample SEEN times, each with VALUE for COUNT observations. */
static void
fold_value(struct otlp *o, const struct otlp_profile *p, int64_t value, uint64_t count,
	uint64_t seen)
{
	int64_t scaled = 0;
	bool fits = quantity_scale(&p->quantity, value, &scaled);

	o->s.count = p->quantity.is_samples && value > 0 ? (uint64_t)value : count;
	o->s.period = (uint64_t)scaled;
	o->s.has_period = !p->quantity.is_samples;
	/* Samples that are lost, or may be, are added one by one. */
	if (value > 0 && fits && !o->timed && o->s.count <= UINT32_MAX &&
		o->s.period <= UINT32_MAX && seen <= UINT32_MAX) {
		/* A count of 0 means 1. */
		o->s.count = (o->s.count ? o->s.count : 1) * seen;
		o->s.period *= seen;
		seen = 1;
	}
	while (seen--)
		add_value(o, value, fits);
}

/* Folds the current sample SEEN times. VALUES has a value for each of its times, or one
 * in total. */
static void
fold_sample(struct otlp *o, const struct otlp_profile *p,
	const struct protobuf_numbers *values, uint64_t time_n, uint64_t seen)
{
	const struct protobuf_numbers *times = &o->sample.times;
	int64_t sum = values->n ? 0 : (int64_t)time_n, counted;
	bool fits = true;
	size_t i;

	for (i = 0; i < values->n; i++)
		fits &= !__builtin_add_overflow(sum, (int64_t)values->items[i], &sum);
	if (fits && quantity_scale(&p->quantity, sum, &counted))
		for (i = 0; i < seen; i++)
			collapse_count_cost(o->c, p->metric, counted);
	if (!is_chosen(o, p->metric))
		return;
	o->uncounted |= !p->quantity.is_samples && !time_n;
	if (!fits) {
		for (i = 0; i < seen; i++)
			collapse_lose(o->c, COLLAPSE_OVERFLOW);
	} else if (!times->n || (values->n && values->n != times->n)) {
		fold_value(o, p, sum, time_n, seen);
	} else {
		o->s.has_time = true;
		for (i = 0; i < times->n; i++) {
			o->s.time = times->items[i];
			fold_value(
				o, p, values->n ? (int64_t)values->items[i] : 1, 1, seen);
		}
	}
}

/* Reads a number of o->samples, which is never truncated. */
static uint64_t
read_number(struct bytes *samples)
{
	uint64_t v;

	(void)protobuf_varint(samples, &v);
	return v;
}

static void
read_list(struct bytes *samples, struct protobuf_numbers *v)
{
	size_t n = (size_t)read_number(samples);

	v->items = mem_grow(v->items, &v->cap, n, sizeof *v->items);
	for (v->n = 0; v->n < n; v->n++)
		v->items[v->n] = read_number(samples);
}

void
otlp_fold(struct otlp *o)
{
	enum otlp_list values = OTLP_FIELD_4, attributes = OTLP_FIELD_2;
	const struct otlp_profile *p;
	struct bytes samples = bytes_of(buf_view(&o->samples), false);
	struct otlp_sample *s = &o->sample;
	uint64_t time_n;
	size_t i;
	int k;

	if (is_old(o)) {
		values = OTLP_FIELD_2;
		attributes = OTLP_FIELD_3;
	}
	apply_attributes(o);
	find_types(o);
	for (i = 0; i < o->sample_n; i++) {
		p = &o->profiles[read_number(&samples)];
		s->stack = read_number(&samples);
		for (k = 0; k < OTLP_LISTS; k++)
			read_list(&samples, &s->lists[k]);
		time_n = read_number(&samples);
		read_list(&samples, &s->times);
		describe_sample(o, p, &s->lists[attributes]);
		fold_sample(o, p, &s->lists[values], time_n, o->times_seen[i]);
	}
	locations_explain(&o->locations);
	forget(o);
	locations_init(&o->locations, o->c, o->in);
}

bool
otlp_end(struct otlp *o)
{
	if (!o->type_n) {
		msg_error("%s: has no profiles", input_name(o->in));
		return false;
	}
	if (o->uncounted)
		collapse_exact(o->c);
	return collapse_choose_metric(o->c, o->main) != COLLAPSE_NO_METRIC;
}

void
otlp_refuse(const struct input *in)
{
	msg_error(
		"%s: has OpenTelemetry profiles older than version 1.8 of the protocol, whose "
		"field numbers differ; record with a newer agent, or let it write pprof",
		input_name(in));
}
