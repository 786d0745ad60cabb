/* SPDX-License-Identifier: ISC */
/* Reads chunks of Java Flight Recorder. */
#include "jfr-chunk.h"
#include "budget.h"
#include "buf.h"
#include "mem.h"
#include "utf8.h"

#include <stdlib.h>

/* The deepest nesting of metadata elements, and of types. */
enum { DEEPEST_ELEMENT = 16, DEEPEST_TYPE = 24 };

static const char *const POOL_TYPES[JFR_POOLS] = {
	[JFR_STRINGS] = "java.lang.String",
	[JFR_SYMBOLS] = "jdk.types.Symbol",
	[JFR_CLASSES] = "java.lang.Class",
	[JFR_METHODS] = "jdk.types.Method",
	[JFR_STACKS] = "jdk.types.StackTrace",
	[JFR_THREADS] = "java.lang.Thread",
	[JFR_FRAME_TYPES] = "jdk.types.FrameType",
	[JFR_STATES] = "jdk.types.ThreadState",
};

static uint64_t
read_big(struct bytes *b, unsigned size)
{
	struct str s = bytes_take(b, size);
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < s.n; i++)
		v = v << 8 | (uint8_t)s.s[i];
	return v;
}

/* Reads a compressed integer of up to eight bytes; eight bytes must be available. Returns false if
 * it is longer. */
static inline bool
read_eight(struct bytes *b, uint64_t *value)
{
	uint64_t w = str_eight(bytes_rest(b).s), ends = ~w & UINT64_MAX / 255 * 0x80;
	unsigned n;

	if (!ends)
		return false;
	n = (unsigned)__builtin_ctzll(ends) / 8 + 1;
	bytes_skip(b, n);
	/* Join the seven bits of each byte to pairs, then to fours, then all. */
	w = w << (64 - 8 * n) >> (64 - 8 * n) & UINT64_MAX / 255 * 0x7f;
	w = (w & UINT64_C(0x007f007f007f007f)) | (w & UINT64_C(0x7f007f007f007f00)) >> 1;
	w = (w & UINT64_C(0x00003fff00003fff)) | (w & UINT64_C(0x3fff00003fff0000)) >> 2;
	*value = (w & UINT64_C(0x0fffffff)) | (w & UINT64_C(0x0fffffff00000000)) >> 4;
	return true;
}

uint64_t
jfr_chunk_long(struct bytes *b)
{
	enum { LAST = 56 };
	struct str rest = bytes_rest(b);
	uint64_t v = 0;
	unsigned shift;
	uint8_t byte;

	if (rest.n >= 2 && !(rest.s[1] & 0x80)) {
		bytes_skip(b, 2);
		return ((uint64_t)rest.s[0] & 0x7f) | (uint64_t)rest.s[1] << 7;
	}
	if (rest.n >= sizeof v && read_eight(b, &v))
		return v;
	for (shift = 0; shift < LAST; shift += 7) {
		byte = bytes_u8(b);
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	return v | (uint64_t)bytes_u8(b) << LAST;
}

bool
jfr_chunk_header(struct str bytes, struct jfr_header *h)
{
	struct bytes b = bytes_of(str_head(bytes, JFR_HEADER_SIZE), false);

	if (!str_starts(bytes, STR("FLR\0")) || bytes.n < JFR_HEADER_SIZE)
		return false;
	bytes_skip(&b, 4);
	h->major = (uint16_t)read_big(&b, 2);
	h->minor = (uint16_t)read_big(&b, 2);
	h->size = read_big(&b, 8);
	h->checkpoint = read_big(&b, 8);
	h->metadata = read_big(&b, 8);
	h->start = read_big(&b, 8);
	bytes_skip(&b, 8); /* duration */
	h->start_ticks = read_big(&b, 8);
	h->ticks_per_second = read_big(&b, 8);
	h->generation = bytes_u8(&b);
	bytes_skip(&b, 1);
	h->compressed = read_big(&b, 2) & 1;
	return true;
}

void
jfr_chunk_release(struct jfr_chunk *k)
{
	free(k->types);
	free(k->fields);
	free(k->constants);
	idmap_release(&k->type_ids);
	idmap_release(&k->keys);
	arena_release(&k->arena);
	*k = (struct jfr_chunk){ 0 };
}

uint32_t
jfr_chunk_type(const struct jfr_chunk *k, uint64_t id)
{
	const uint64_t *place = idmap_find(&k->type_ids, id, 0);

	return place ? (uint32_t)*place - 1 : JFR_NONE;
}

struct jfr_constant *
jfr_chunk_constant(const struct jfr_chunk *k, enum jfr_pool pool, uint64_t key)
{
	/* Only enumerations have a constant 0. */
	const uint64_t *place =
		key || pool >= JFR_FRAME_TYPES ? idmap_find(&k->keys, key, pool) : NULL;

	return place ? &k->constants[*place - 1] : NULL;
}

struct bytes
jfr_chunk_value(const struct jfr_chunk *k, const struct jfr_constant *c)
{
	return bytes_of(str_from(k->bytes, c->at), false);
}

uint32_t
jfr_chunk_field(const struct jfr_chunk *k, uint32_t type, const char *name)
{
	const struct jfr_type *t = &k->types[type];
	uint32_t i;

	for (i = 0; i < t->n; i++)
		if (str_eq(k->fields[t->first + i].name, str_of(name)))
			return i;
	return JFR_NONE;
}

static void
put_point(struct buf *b, uint32_t point)
{
	char utf8[UTF8_LONGEST];

	buf_str(b, (struct str){ utf8, utf8_put(utf8, point) });
}

/* Reads N units of UTF-16 from B, and appends them to TEXT as UTF-8. */
static void
put_units(struct buf *text, struct bytes *b, uint64_t n)
{
	enum {
		ASCII = 0x80,
		HIGH = 0xd800,
		LOW = 0xdc00,
		LAST = 0xdfff,
		SUPPLEMENT = 0x10000
	};
	uint32_t unit, high = 0;

	for (; n && !b->bad; n--) {
		unit = (uint32_t)jfr_chunk_int(b) & 0xffff;
		if (unit < ASCII && !high) {
			buf_char(text, (char)unit);
			continue;
		}
		if (high && unit >= LOW && unit <= LAST)
			put_point(text, SUPPLEMENT + ((high - HIGH) << 10) + unit - LOW);
		else if (high || (unit >= LOW && unit <= LAST))
			buf_str(text, BUF_MARK);
		high = unit >= HIGH && unit < LOW ? unit : 0;
		if (!high && (unit < LOW || unit > LAST))
			put_point(text, unit);
	}
	if (high)
		buf_str(text, BUF_MARK);
}

/* Whether S is ASCII, for which Latin-1 and UTF-8 are the same. */
static bool
is_ascii(struct str s)
{
	const uint64_t high = UINT64_C(0x8080808080808080);
	uint64_t word, seen = 0;
	size_t i;

	for (i = 0; i + sizeof word <= s.n; i += sizeof word) {
		memcpy(&word, s.s + i, sizeof word);
		seen |= word;
	}
	for (; i < s.n; i++)
		seen |= (uint8_t)s.s[i];
	return !(seen & high);
}

/* Reads a string of UTF-16, if WIDE, or of Latin-1, as UTF-8. */
static struct str
decode(struct jfr_chunk *k, struct bytes *b, bool wide)
{
	struct buf text = { 0 };
	uint64_t n = jfr_chunk_int(b);
	struct str s;
	size_t i;

	if (wide) {
		put_units(&text, b, n);
	} else {
		s = bytes_take(b, n);
		if (is_ascii(s))
			return s;
		for (i = 0; i < s.n; i++)
			put_point(&text, (uint8_t)s.s[i]);
	}
	s = arena_str(&k->arena, buf_view(&text));
	buf_release(&text);
	return s;
}

/* How a string is written. */
enum { NONE, EMPTY, CONSTANT, UTF8, UTF16, LATIN1 };

struct str
jfr_chunk_string(struct jfr_chunk *k, struct bytes *b)
{
	const struct jfr_constant *c;
	struct bytes there;
	uint8_t kind = bytes_u8(b);

	switch (kind) {
	case NONE:
	case EMPTY: return (struct str){ 0 };
	case UTF8: return bytes_take(b, jfr_chunk_int(b));
	case UTF16:
	case LATIN1: return decode(k, b, kind == UTF16);
	case CONSTANT:
		c = jfr_chunk_constant(k, JFR_STRINGS, jfr_chunk_int(b));
		if (!c)
			return (struct str){ 0 };
		there = jfr_chunk_value(k, c);
		/* A constant cannot refer to another constant. */
		if (bytes_peek(&there) == CONSTANT)
			return (struct str){ 0 };
		return jfr_chunk_string(k, &there);
	default: bytes_fail(b); return (struct str){ 0 };
	}
}

/* Skips N compressed integers. */
static void
skip_ints(struct bytes *b, uint64_t n)
{
	struct str rest = bytes_rest(b);
	unsigned more = 0;
	size_t i;

	for (i = 0; n && i < rest.n; i++) {
		/* The ninth byte is the last. */
		more = rest.s[i] & 0x80 && more < 8 ? more + 1 : 0;
		n -= !more;
	}
	bytes_skip(b, i);
	if (n)
		bytes_fail(b);
}

static void
skip_string(struct bytes *b)
{
	switch (bytes_u8(b)) {
	case NONE:
	case EMPTY: break;
	case CONSTANT: (void)jfr_chunk_int(b); break;
	case UTF8:
	case LATIN1: bytes_skip(b, jfr_chunk_int(b)); break;
	case UTF16: skip_ints(b, jfr_chunk_int(b)); break;
	default: bytes_fail(b);
	}
}

static void skip_field(
	const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f);

/* Skips one value of T, whose depth was checked by settle. */
static void
skip_one(const struct jfr_chunk *k, struct bytes *b, const struct jfr_type *t)
{
	uint32_t i;

	switch (t->kind) {
	case JFR_BYTE: bytes_skip(b, 1); break;
	case JFR_INT: (void)jfr_chunk_int(b); break;
	case JFR_FLOAT: bytes_skip(b, 4); break;
	case JFR_DOUBLE: bytes_skip(b, 8); break;
	case JFR_STRING: skip_string(b); break;
	case JFR_STRUCT:
		/* Fields may take no bytes, so a value's cost may exceed its length. */
		budget_spend(BUDGET_STEPS, t->n);
		if (t->bad)
			bytes_fail(b);
		for (i = 0; i < t->n && !b->bad; i++)
			skip_field(k, b, &k->fields[t->first + i]);
	}
}

/* Skips a value of the field F. */
static void
skip_field(const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f)
{
	const struct jfr_type *t = &k->types[f->type];
	uint64_t n = f->array ? jfr_chunk_int(b) : 1;

	if (f->constant || t->kind == JFR_INT)
		skip_ints(b, n);
	else if (t->ints && n <= UINT32_MAX)
		skip_ints(b, n * t->n);
	else if (!t->empty)
		for (; n && !b->bad; n--)
			skip_one(k, b, t);
}

void
jfr_chunk_seek(const struct jfr_chunk *k, struct bytes *b, uint32_t type, uint32_t place)
{
	const struct jfr_type *t = &k->types[type];
	uint32_t i;

	if (place == JFR_NONE)
		bytes_fail(b);
	else
		budget_spend(BUDGET_STEPS, place < t->n ? place : t->n);
	for (i = 0; i < place && i < t->n; i++)
		skip_field(k, b, &k->fields[t->first + i]);
}

/* Returns VALUE rounded; 0 if it is negative or overflows 64 bits. */
static uint64_t
round_double(double value)
{
	return value >= 0 && value < 9e18 ? (uint64_t)(value + 0.5) : 0;
}

uint64_t
jfr_chunk_other(const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f)
{
	enum jfr_kind kind = k->types[f->type].kind;
	uint64_t bits;
	uint32_t half;
	double value;
	float narrow;

	if (f->array || (!f->constant && (kind == JFR_STRUCT || kind == JFR_STRING))) {
		skip_field(k, b, f);
		return 0;
	}
	if (kind == JFR_BYTE)
		return bytes_u8(b);
	if (kind == JFR_FLOAT) {
		half = (uint32_t)read_big(b, 4);
		memcpy(&narrow, &half, sizeof narrow);
		return round_double((double)narrow);
	}
	bits = read_big(b, 8);
	memcpy(&value, &bits, sizeof value);
	return round_double(value);
}

struct str
jfr_chunk_text(struct jfr_chunk *k, enum jfr_pool pool, uint64_t key, const char *name)
{
	const struct jfr_constant *c = jfr_chunk_constant(k, pool, key);
	const struct jfr_field *f;
	struct bytes b;
	uint32_t place;

	if (!c)
		return (struct str){ 0 };
	place = jfr_chunk_field(k, k->of[pool], name);
	b = jfr_chunk_value(k, c);
	jfr_chunk_seek(k, &b, k->of[pool], place);
	if (b.bad)
		return (struct str){ 0 };
	f = &k->fields[k->types[k->of[pool]].first + place];
	/* A symbol is a constant with a string. */
	if (f->constant && f->type == k->of[JFR_SYMBOLS] && pool != JFR_SYMBOLS)
		return jfr_chunk_text(k, JFR_SYMBOLS, jfr_chunk_int(&b), "string");
	if (f->constant || f->array || k->types[f->type].kind != JFR_STRING)
		return (struct str){ 0 };
	return jfr_chunk_string(k, &b);
}

/* Metadata: a tree of elements with attributes. */

/* An annotation of a field; its type is resolved once all types are known. */
struct annotation {
	size_t field;
	uint64_t type;
	struct str value;
};

struct metadata {
	struct jfr_chunk *k;
	struct bytes b;
	struct str *strings;
	size_t string_n;
	struct annotation *annotations;
	size_t annotation_n, annotation_cap;
	uint64_t *field_types; /* by field: id of its type */
	size_t field_cap;
};

/* An element and its known attributes. */
struct element {
	struct str tag, name, value;
	uint64_t id, type;
	bool array, constant;
};

static struct str
read_string(struct metadata *m)
{
	uint64_t i = jfr_chunk_int(&m->b);

	if (i >= m->string_n) {
		bytes_fail(&m->b);
		return (struct str){ 0 };
	}
	return m->strings[i];
}

/* Reads the tag and the attributes of an element. */
static struct element
read_element(struct metadata *m)
{
	struct element e = { .tag = read_string(m) };
	uint64_t n = jfr_chunk_int(&m->b);
	struct str key, value;

	for (; n && !m->b.bad; n--) {
		key = read_string(m);
		value = read_string(m);
		if (str_eq(key, STR("name")))
			e.name = value;
		else if (str_eq(key, STR("id")))
			(void)str_to_u64(value, &e.id);
		else if (str_eq(key, STR("class")))
			(void)str_to_u64(value, &e.type);
		else if (str_eq(key, STR("value")))
			e.value = value;
		else if (str_eq(key, STR("dimension")))
			e.array = !str_eq(value, STR("0"));
		else if (str_eq(key, STR("constantPool")))
			e.constant = str_eq(value, STR("true"));
	}
	return e;
}

static enum jfr_kind
kind_of(struct str name)
{
	static const struct {
		const char *name;
		enum jfr_kind kind;
	} kinds[] = { { "boolean", JFR_BYTE }, { "byte", JFR_BYTE }, { "char", JFR_INT },
		{ "short", JFR_INT }, { "int", JFR_INT }, { "long", JFR_INT },
		{ "float", JFR_FLOAT }, { "double", JFR_DOUBLE },
		{ "java.lang.String", JFR_STRING } };
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_eq(name, str_of(kinds[i].name)))
			return kinds[i].kind;
	return JFR_STRUCT;
}

static void
add_type(struct metadata *m, const struct element *e)
{
	struct jfr_chunk *k = m->k;

	*MEM_ADD(k->types, k->type_n, k->type_cap) = (struct jfr_type){
		.id = e->id,
		.name = e->name,
		.first = (uint32_t)k->field_n,
		.kind = kind_of(e->name),
	};
	*idmap_put(&k->type_ids, e->id, 0) = k->type_n;
}

static void
add_field(struct metadata *m, const struct element *e)
{
	struct jfr_chunk *k = m->k;

	k->fields = mem_grow(k->fields, &k->field_cap, k->field_n + 1, sizeof *k->fields);
	m->field_types = mem_grow(
		m->field_types, &m->field_cap, k->field_n + 1, sizeof *m->field_types);
	m->field_types[k->field_n] = e->type;
	k->fields[k->field_n++] = (struct jfr_field){
		.name = e->name,
		.array = e->array,
		.constant = e->constant,
	};
	k->types[k->type_n - 1].n++;
}

static void
add_annotation(struct metadata *m, const struct element *e)
{
	*MEM_ADD(m->annotations, m->annotation_n, m->annotation_cap) =
		(struct annotation){ m->k->field_n - 1, e->type, e->value };
}

/* Reads an element and its children. WITHIN: the parent's tag. */
static void
read_tree(struct metadata *m, unsigned depth, struct str within)
{
	struct element e = read_element(m);
	uint64_t n = jfr_chunk_int(&m->b);

	if (depth > DEEPEST_ELEMENT)
		bytes_fail(&m->b);
	if (m->b.bad)
		return;
	if (str_eq(e.tag, STR("class")) && str_eq(within, STR("metadata")))
		add_type(m, &e);
	else if (str_eq(e.tag, STR("field")) && str_eq(within, STR("class")) &&
		depth == 3 && m->k->type_n)
		add_field(m, &e);
	else if (str_eq(e.tag, STR("annotation")) && str_eq(within, STR("field")) &&
		m->k->field_n)
		add_annotation(m, &e);
	for (; n && !m->b.bad; n--)
		read_tree(m, depth + 1, e.tag);
}

static void
read_strings(struct metadata *m)
{
	uint64_t n = jfr_chunk_int(&m->b);
	size_t cap = 0;

	for (; n && !m->b.bad; n--)
		*MEM_ADD(m->strings, m->string_n, cap) = jfr_chunk_string(m->k, &m->b);
}

/* Resolves the types of fields. Returns false if one is missing. */
static bool
link_fields(struct metadata *m)
{
	struct jfr_chunk *k = m->k;
	size_t i;

	for (i = 0; i < k->field_n; i++) {
		k->fields[i].type = jfr_chunk_type(k, m->field_types[i]);
		if (k->fields[i].type == JFR_NONE)
			return false;
		k->fields[i].is_int = !k->fields[i].array &&
			(k->fields[i].constant ||
				k->types[k->fields[i].type].kind == JFR_INT);
	}
	return true;
}

/* Applies annotations with the unit of a field. */
static void
annotate(struct metadata *m)
{
	static const char *const spans[] = { [JFR_TICKS] = "TICKS",
		[JFR_NS] = "NANOSECONDS",
		[JFR_US] = "MICROSECONDS",
		[JFR_MS] = "MILLISECONDS",
		[JFR_SECONDS] = "SECONDS" };
	struct annotation *a = m->annotations, *end = a ? a + m->annotation_n : a;
	uint32_t type;
	size_t i;

	for (; a < end; a++) {
		type = jfr_chunk_type(m->k, a->type);
		if (type == JFR_NONE ||
			!str_eq(m->k->types[type].name, STR("jdk.jfr.Timespan")))
			continue;
		for (i = 0; i < sizeof spans / sizeof *spans; i++)
			if (str_eq(a->value, str_of(spans[i])))
				m->k->fields[a->field].span = (enum jfr_span)i;
	}
}

/* Sets the flags and the level of type I, whose own depth is DEPTH. */
static void
settle(struct jfr_chunk *k, uint32_t i, unsigned depth)
{
	enum { UNDER_WAY = UINT8_MAX };
	struct jfr_type *t = &k->types[i], *of;
	const struct jfr_field *f;
	unsigned level = 1;
	uint32_t at;

	t->bad |= t->level == UNDER_WAY || depth > DEEPEST_TYPE;
	if (t->level || t->bad)
		return;
	t->level = UNDER_WAY;
	t->empty = t->ints = t->kind == JFR_STRUCT;
	for (at = 0; at < t->n; at++) {
		f = &k->fields[t->first + at];
		of = &k->types[f->type];
		if (!f->constant) {
			settle(k, f->type, depth + 1);
			t->bad |= of->bad;
			level = of->level >= level ? of->level + 1u : level;
		}
		t->ints &= f->is_int;
		t->empty &= !f->array && !f->constant && of->empty;
	}
	t->ints &= t->n > 0;
	t->bad |= level > DEEPEST_TYPE;
	t->level = t->bad ? DEEPEST_TYPE + 1 : (uint8_t)level;
}

static void
find_pools(struct jfr_chunk *k)
{
	uint32_t i;
	int pool;

	for (i = 0; i < k->type_n; i++)
		for (pool = 0; pool < JFR_POOLS; pool++)
			if (str_eq(k->types[i].name, str_of(POOL_TYPES[pool]))) {
				k->of[pool] = i;
				k->has[pool] = true;
			}
}

static bool
read_metadata(struct jfr_chunk *k)
{
	struct metadata m = {
		.k = k,
		.b = bytes_of(str_from(k->bytes, k->header.metadata), false),
	};
	bool good;
	uint32_t i;

	for (i = 0; i < 5; i++) /* size, type, time, duration, id */
		(void)jfr_chunk_int(&m.b);
	read_strings(&m);
	read_tree(&m, 0, (struct str){ 0 });
	good = !m.b.bad && link_fields(&m);
	if (good) {
		annotate(&m);
		for (i = 0; i < k->type_n; i++)
			settle(k, i, 0);
		find_pools(k);
	}
	free(m.strings);
	free(m.annotations);
	free(m.field_types);
	return good;
}

/* Pools of constants. */

/* Adds the constant at AT as KEY of POOL, unless there is one: the newest is read first. */
static void
add_constant(struct jfr_chunk *k, enum jfr_pool pool, uint64_t key, size_t at)
{
	uint64_t *place = idmap_put(&k->keys, key, pool);

	if (*place)
		return;
	*MEM_ADD(k->constants, k->constant_n, k->constant_cap) =
		(struct jfr_constant){ (uint32_t)at, 0 };
	*place = k->constant_n;
}

/* Returns the pool of TYPE, or JFR_POOLS if it is not kept. */
static enum jfr_pool
pool_of(const struct jfr_chunk *k, uint32_t type)
{
	int pool = 0;

	while (pool < JFR_POOLS && !(k->has[pool] && k->of[pool] == type))
		pool++;
	return (enum jfr_pool)pool;
}

static void
read_pool(struct jfr_chunk *k, struct bytes *b)
{
	uint32_t type = jfr_chunk_type(k, jfr_chunk_int(b));
	uint64_t n = jfr_chunk_int(b), key;
	enum jfr_pool pool;

	if (type == JFR_NONE) {
		bytes_fail(b);
		return;
	}
	for (pool = pool_of(k, type); n && !b->bad; n--) {
		key = jfr_chunk_int(b);
		if (pool < JFR_POOLS)
			add_constant(k, pool, key, bytes_offset(b, k->bytes));
		skip_one(k, b, &k->types[type]);
	}
}

/* Reads the checkpoint EVENT. Returns false if it is damaged or another event. *NEXT is the offset
 * from EVENT to the next checkpoint, or 0. */
static bool
read_checkpoint(struct jfr_chunk *k, struct str event, int64_t *next)
{
	struct bytes b = bytes_of(event, false);
	uint64_t pools;

	(void)jfr_chunk_int(&b); /* size */
	if (jfr_chunk_int(&b) != 1)
		return false;
	(void)jfr_chunk_int(&b); /* time */
	(void)jfr_chunk_int(&b); /* duration */
	*next = (int64_t)jfr_chunk_int(&b);
	bytes_skip(&b, 1); /* type mask */
	for (pools = jfr_chunk_int(&b); pools && !b.bad; pools--)
		read_pool(k, &b);
	return !b.bad;
}

/* Reads all checkpoints, the last one first. Each must end before the one that leads to it begins,
 * so the chain cannot loop. Returns false if one is damaged. */
static bool
read_checkpoints(struct jfr_chunk *k)
{
	uint64_t at = k->header.checkpoint, end = k->bytes.n, size;
	struct bytes b;
	int64_t next;

	do {
		if (at < JFR_HEADER_SIZE || at >= end)
			return false;
		b = bytes_of(str_from(k->bytes, at), false);
		size = jfr_chunk_int(&b);
		if (size > end - at ||
			!read_checkpoint(
				k, str_head(str_from(k->bytes, at), size), &next))
			return false;
		end = at;
		at += (uint64_t)next;
	} while (next);
	return true;
}

/* Drops the previous chunk; keeps its memory. */
static void
begin(struct jfr_chunk *k, const struct jfr_header *h, struct str bytes)
{
	arena_release(&k->arena);
	idmap_release(&k->type_ids);
	idmap_release(&k->keys);
	k->type_n = k->field_n = k->constant_n = 0;
	memset(k->has, 0, sizeof k->has);
	k->header = *h;
	k->bytes = bytes;
	k->why = NULL;
}

bool
jfr_chunk_read(struct jfr_chunk *k, const struct jfr_header *h, struct str bytes)
{
	begin(k, h, bytes);
	if (h->metadata < JFR_HEADER_SIZE || h->metadata >= bytes.n || !read_metadata(k))
		k->why = "has damaged metadata";
	else if (!read_checkpoints(k))
		k->why = "has damaged constants";
	return !k->why;
}
