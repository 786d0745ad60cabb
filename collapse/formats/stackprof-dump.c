/* SPDX-License-Identifier: ISC */
/*
 * Results of stackprof, a sampling profiler for Ruby, from StackProf.run(out: FILE, raw:
 * true): Ruby's Marshal format, version 4.8, of the hash that stackprof --json prints.
 * stackprof-raw.h describes the hash.
 *
 *	04 08				the version
 *	7b 10				a hash of 11 pairs
 *	3a 09 "mode"  3a 08 "cpu"	symbols, with the length before the bytes
 *	69 02 e8 03			the number 1000
 *	6c 2b 08 50 dd 42 5c 95 7f	a larger one: its sign, and 4 * 2 bytes
 *	49 22 0a "sp.rb" 06 3b 13 54	a string and one variable of it, its encoding
 *	3b 13				symbol 14 again
 *	40 0c				object 7 again: not a symbol or small number
 *
 * A length or number from -123 to 122 is one byte, moved by 5 away from 0. Others are 1
 * to 4 bytes after their count, which is negative for a negative number. doc/marshal.rdoc
 * of ruby/ruby, and marshal.c.
 */
#include "bytes.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "intern.h"
#include "mem.h"
#include "msg.h"
#include "stackprof-raw.h"

/* The depth of values, of which stackprof needs 6; and bytes of a text. */
enum { DEEPEST = 64, LONGEST = 1 << 24 };

enum kind { NOTHING, NUMBER, TEXT, ARRAY, HASH, OTHER };

/* A value; or the beginning of one, whose N values follow. */
struct value {
	enum kind kind;
	uint64_t n; /* NUMBER: its value, STACKPROF_NONE if negative; else the number of
		    * values that follow */
	uint32_t text; /* id in texts */
};

/* A possible target of "@". */
struct object {
	uint64_t n; /* a number, or an id in texts */
	enum kind kind;
};

struct reader {
	struct input *in;
	struct stackprof_raw *raw;
	struct str window;
	struct bytes rest; /* unread part of window */
	struct intern texts;
	uint32_t *symbols; /* ids in texts */
	size_t symbol_n, symbol_cap;
	struct object *objects;
	size_t object_n, object_cap;
	bool failed, cut;
};

/* Stops reading: at the end of the input (WHY is NULL), or after the message WHY. */
static void
fail(struct reader *r, const char *why)
{
	if (!r->failed && why)
		msg_error("%s: %s; kept everything before it", input_name(r->in), why);
	r->cut |= !r->failed && !why;
	r->failed = true;
	bytes_fail(&r->rest);
}

/* Makes N bytes available in r->rest. Returns false if the input is shorter. */
static bool
fill(struct reader *r, size_t n)
{
	if (bytes_left(&r->rest) >= n)
		return true;
	if (r->failed)
		return false;
	input_skip(r->in, r->window.n - bytes_left(&r->rest));
	r->window = input_window(r->in, n);
	r->rest = bytes_of(r->window, false);
	if (r->window.n >= n)
		return true;
	fail(r, NULL);
	return false;
}

static inline unsigned char
read_byte(struct reader *r)
{
	return bytes_left(&r->rest) || fill(r, 1) ? bytes_u8(&r->rest) : 0;
}

/* The longest number of the short form, in bytes. */
enum { SHORT = 5 };

/* Reads a number of the short form. */
static inline int64_t
decode_short(struct bytes *b)
{
	int first = (int8_t)bytes_u8(b), i, bytes;
	uint32_t v = 0;

	if (first == 0)
		return 0;
	if (first > 4)
		return first - 5;
	if (first < -4)
		return first + 5;
	bytes = first < 0 ? -first : first;
	for (i = 0; i < bytes; i++)
		v |= (uint32_t)bytes_u8(b) << (8 * i);
	return first > 0 ? (int64_t)v : (int64_t)v - ((int64_t)1 << (8 * bytes));
}

static int64_t
read_short(struct reader *r)
{
	int bytes;

	if (bytes_left(&r->rest) < SHORT && fill(r, 1)) {
		/* Near the end of the window or of the input. */
		bytes = (int8_t)bytes_peek(&r->rest);
		bytes = bytes < 0 ? -bytes : bytes;
		if (!fill(r, bytes < SHORT ? 1 + (size_t)bytes : 1))
			return 0;
	}
	return decode_short(&r->rest);
}

/* Reads a length; 0 if invalid. */
static size_t
read_length(struct reader *r)
{
	int64_t n = read_short(r);

	if (n < 0 || n > INT32_MAX) {
		fail(r, "has a negative length");
		return 0;
	}
	return (size_t)n;
}

static uint32_t
read_text(struct reader *r)
{
	size_t n = read_length(r);
	struct str text = { 0 };

	if (n > LONGEST)
		fail(r, "has a text that is too long");
	else if (fill(r, n) && n) {
		text = bytes_take(&r->rest, n);
	}
	return intern_id(&r->texts, text);
}

/* Keeps V as the next object. Returns its index. */
static size_t
keep_object(struct reader *r, const struct value *v)
{
	r->objects =
		mem_grow(r->objects, &r->object_cap, r->object_n + 1, sizeof *r->objects);
	r->objects[r->object_n] =
		(struct object){ v->kind == TEXT ? v->text : v->n, v->kind };
	return r->object_n++;
}

static void
read_symbol(struct reader *r, struct value *v)
{
	v->kind = TEXT;
	v->text = read_text(r);
	*MEM_ADD(r->symbols, r->symbol_n, r->symbol_cap) = v->text;
}

static void
read_symbol_link(struct reader *r, struct value *v)
{
	size_t i = read_length(r);

	if (i >= r->symbol_n) {
		fail(r, "refers to a missing symbol");
		return;
	}
	v->kind = TEXT;
	v->text = r->symbols[i];
}

/* Hashes and arrays are not kept, so links to them yield OTHER. */
static void
read_link(struct reader *r, struct value *v)
{
	size_t i = read_length(r);

	if (i >= r->object_n) {
		fail(r, "refers to a missing object");
		return;
	}
	v->kind = OTHER;
	if (r->objects[i].kind == TEXT) {
		v->kind = TEXT;
		v->text = (uint32_t)r->objects[i].n;
	} else if (r->objects[i].kind == NUMBER) {
		v->kind = NUMBER;
		v->n = r->objects[i].n;
	}
}

static void
read_long(struct reader *r, struct value *v)
{
	bool negative = read_byte(r) == '-';
	size_t n = read_length(r) * 2, i;
	unsigned char byte;

	v->kind = NUMBER;
	if (n <= sizeof v->n)
		(void)fill(r, n);
	for (i = 0; i < n && !r->failed; i++) {
		byte = read_byte(r);
		if (i < sizeof v->n)
			v->n |= (uint64_t)byte << (8 * i);
		else
			negative |= byte != 0;
	}
	if (negative)
		v->n = STACKPROF_NONE;
	(void)keep_object(r, v);
}

static void read_value(struct reader *r, struct value *v, unsigned depth);

/* Skips N values. */
static void
skip(struct reader *r, uint64_t n, unsigned depth)
{
	struct value v;

	for (; n > 0 && !r->failed; n--) {
		read_value(r, &v, depth + 1);
		if (v.kind != NUMBER)
			skip(r, v.n, depth + 1);
	}
}

/* Reads the beginning of an object with a class, by TYPE. */
static void
read_instance(struct reader *r, struct value *v, char type, unsigned depth)
{
	v->kind = OTHER;
	(void)keep_object(r, v);
	skip(r, 1, depth); /* the class */
	if (type == 'u')
		(void)read_text(r);
	else if (type == 'o' || type == 'S')
		skip(r, 2 * (uint64_t)read_length(r), depth);
	else
		skip(r, 1, depth);
}

/* Reads a value that counts as an object, by TYPE. */
static void
read_object(struct reader *r, struct value *v, char type, unsigned depth)
{
	switch (type) {
	case '"':
	case '/':
	case 'c':
	case 'm':
	case 'M':
		v->kind = TEXT;
		v->text = read_text(r);
		if (type == '/')
			(void)read_byte(r);
		break;
	case 'f':
		(void)read_text(r);
		v->kind = OTHER;
		break;
	case '[':
		v->kind = ARRAY;
		v->n = read_length(r);
		break;
	case '{':
	case '}':
		v->kind = HASH;
		v->n = 2 * (uint64_t)read_length(r) + (type == '}');
		break;
	case 'o':
	case 'S':
	case 'u':
	case 'U': read_instance(r, v, type, depth); return;
	default: fail(r, "has a value of unknown type"); return;
	}
	(void)keep_object(r, v);
}

/* Reads a value, or the beginning of an array or hash; the caller then reads its N
 * values. */
static void
read_value(struct reader *r, struct value *v, unsigned depth)
{
	char type = (char)read_byte(r);
	int64_t number;

	*v = (struct value){ .kind = NOTHING };
	if (r->failed)
		return;
	if (depth > DEEPEST) {
		fail(r, "has values nested too deeply");
		return;
	}
	switch (type) {
	case '0':
	case 'T':
	case 'F': break;
	case 'i':
		number = read_short(r);
		v->kind = NUMBER;
		v->n = number < 0 ? STACKPROF_NONE : (uint64_t)number;
		break;
	case ':': read_symbol(r, v); break;
	case ';': read_symbol_link(r, v); break;
	case '@': read_link(r, v); break;
	case 'l': read_long(r, v); break;
	case 'e':
	case 'C':
		skip(r, 1, depth); /* the module or class */
		read_value(r, v, depth + 1);
		break;
	case 'I': /* with instance variables */
		read_value(r, v, depth + 1);
		if (v->kind == ARRAY || v->kind == HASH) {
			skip(r, v->n, depth);
			*v = (struct value){ .kind = OTHER };
		}
		skip(r, 2 * (uint64_t)read_length(r), depth);
		break;
	default: read_object(r, v, type, depth);
	}
}

static void
skip_value(struct reader *r)
{
	skip(r, 1, 0);
}

static struct str
text_of(const struct reader *r, const struct value *v)
{
	if (v->kind != TEXT)
		return (struct str){ 0 };
	return intern_str(&r->texts, v->text);
}

/* Reads a value; skips arrays and hashes. */
static struct value
read_plain(struct reader *r)
{
	struct value v;

	read_value(r, &v, 0);
	if (v.kind == ARRAY || v.kind == HASH) {
		skip(r, v.n, 0);
		v.kind = OTHER;
	}
	return v;
}

/* Reads the hash of the frame ID. */
static void
read_frame(struct reader *r, uint64_t id)
{
	struct frame_names_script f = { .line = 0 };
	struct value hash, key, value;
	uint64_t i;

	read_value(r, &hash, 0);
	for (i = 1; hash.kind == HASH && i < hash.n && !r->failed; i += 2) {
		key = read_plain(r);
		value = read_plain(r);
		if (str_eq(text_of(r, &key), STR("name")))
			f.name = text_of(r, &value);
		else if (str_eq(text_of(r, &key), STR("file")))
			f.file = text_of(r, &value);
		else if (str_eq(text_of(r, &key), STR("line")) && value.kind == NUMBER)
			f.line = value.n == STACKPROF_NONE ? 0 : value.n;
	}
	if (!r->failed)
		stackprof_raw_frame(r->raw, id, &f);
}

static void
read_frames(struct reader *r)
{
	struct value hash, key;
	uint64_t i;

	read_value(r, &hash, 0);
	if (hash.kind != HASH)
		return;
	for (i = 1; i < hash.n && !r->failed; i += 2) {
		key = read_plain(r);
		if (key.kind == NUMBER && key.n != STACKPROF_NONE) {
			read_frame(r, key.n);
		} else {
			skip_value(r);
			collapse_lose(r->raw->c, COLLAPSE_MALFORMED);
		}
	}
}

/* Reads up to MOST of the next values, while they are short numbers. Returns how many. */
static size_t
read_small(struct reader *r, uint64_t *to, uint64_t most)
{
	int64_t number;
	size_t n;

	for (n = 0;
		n < most && bytes_left(&r->rest) > SHORT && bytes_peek(&r->rest) == 'i';
		n++) {
		bytes_skip(&r->rest, 1);
		number = decode_short(&r->rest);
		to[n] = number < 0 ? STACKPROF_NONE : (uint64_t)number;
	}
	return n;
}

/* Reads an array of numbers; other values become STACKPROF_NONE. */
static void
read_numbers(struct reader *r, struct stackprof_numbers *to)
{
	enum { PIECE = 512 };
	uint64_t numbers[PIECE], i;
	struct value array, v;
	size_t n;

	read_value(r, &array, 0);
	if (array.kind != ARRAY)
		return;
	for (i = 0; i < array.n; i += n) {
		n = read_small(r, numbers, array.n - i < PIECE ? array.n - i : PIECE);
		if (!n) {
			v = read_plain(r);
			if (r->failed)
				return;
			numbers[n++] = v.kind == NUMBER ? v.n : STACKPROF_NONE;
		}
		stackprof_raw_add(r->raw, to, numbers, n);
	}
}

/* Reads the value of KEY. */
static void
read_key(struct reader *r, struct str key)
{
	struct stackprof_numbers *column = stackprof_raw_column(r->raw, key);
	struct value v;

	if (column) {
		read_numbers(r, column);
	} else if (str_eq(key, STR("frames"))) {
		read_frames(r);
	} else {
		v = read_plain(r);
		if (str_eq(key, STR("mode")))
			stackprof_raw_set_mode(r->raw, text_of(r, &v));
		else if (str_eq(key, STR("interval")) && v.kind == NUMBER)
			r->raw->interval = v.n;
		else if (str_eq(key, STR("missed_samples")) && v.kind == NUMBER)
			r->raw->missed = v.n == STACKPROF_NONE ? 0 : v.n;
	}
}

static void
read_file(struct reader *r)
{
	struct value hash, key;
	uint64_t i;

	(void)read_byte(r);
	(void)read_byte(r);
	read_value(r, &hash, 0);
	if (hash.kind != HASH && !r->failed)
		fail(r, "is not a hash of stackprof");
	for (i = 1; i < hash.n && !r->failed; i += 2) {
		key = read_plain(r);
		if (!r->failed)
			read_key(r, text_of(r, &key));
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct stackprof_raw raw;
	struct reader r = { .in = in, .raw = &raw };
	uint64_t before = collapse_samples(c);
	bool good;

	collapse_threadless(c);
	stackprof_raw_init(&raw, c);
	read_file(&r);
	good = stackprof_raw_fold(&raw, in, !r.failed);
	if (r.failed)
		good = collapse_damage(c, before, r.cut);
	stackprof_raw_release(&raw);
	intern_release(&r.texts);
	free(r.symbols);
	free(r.objects);
	return good;
}

static int
probe(struct str head)
{
	return str_search(head, STR(":\tmode")) < head.n ? 100 : 0;
}

const struct collapse_format collapse_stackprof_dump = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "\x04\x08{")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
