/* SPDX-License-Identifier: ISC */
/*
 * The mutator for libFuzzer: changes the structure of an input as often as its bytes,
 * so that the results pass the first checks. The structure is guessed for each input:
 * values and elements of JSON, tags of XML, lines and fields of text, fields of
 * protobuf, numbers with a fixed width or LEB128 of binary records.
 *
 * MUTATE=bytes disables structural changes.
 */
#include "mutate.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Overridden by targets with options before their input. */
__attribute__((weak)) const size_t fuzz_options_bytes = 0;

/* A text that is changed in place, with spare capacity. */
struct text {
	char *s;
	size_t n, most;
	uint32_t random;
};

/* A random number less than N. */
static size_t
choose(struct text *t, size_t n)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 17;
	t->random ^= t->random << 5;
	return n ? t->random % n : 0;
}

/* Boundary values, or one near 0. */
static uint64_t
odd_number(struct text *t)
{
	static const uint64_t odd[] = { 127, 128, 255, 256, 1000, 32767, 32768, 65535,
		65536, INT32_MAX, (uint64_t)INT32_MAX + 1, UINT32_MAX,
		(uint64_t)UINT32_MAX + 1, 999999999999999999, INT64_MAX,
		(uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX };

	if (choose(t, 2))
		return choose(t, 40);
	return odd[choose(t, sizeof odd / sizeof *odd)] - choose(t, 2);
}

/* Replaces the bytes from FROM to UNTIL by the N bytes of WITH, which may lie in T;
 * false without room. */
static bool
put(struct text *t, size_t from, size_t until, const char *with, size_t n)
{
	char *copy;

	if (t->n - (until - from) + n > t->most)
		return false;
	copy = malloc(n + 1);
	if (!copy)
		abort();
	memcpy(copy, with, n);
	memmove(t->s + from + n, t->s + until, t->n - until);
	memcpy(t->s + from, copy, n);
	t->n = t->n - (until - from) + n;
	free(copy);
	return true;
}

/* Changes the span from AT[0] to AT[1]: removes it, doubles it, or replaces or
 * precedes it by the one from AT[2] to AT[3]. */
static void
change_span(struct text *t, const size_t at[4])
{
	switch (choose(t, 4)) {
	case 0: put(t, at[0], at[1], "", 0); break;
	case 1: put(t, at[1], at[1], t->s + at[0], at[1] - at[0]); break;
	case 2: put(t, at[0], at[1], t->s + at[2], at[3] - at[2]); break;
	default: put(t, at[0], at[0], t->s + at[2], at[3] - at[2]);
	}
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Replaces a run of digits by another number. */
static void
change_digits(struct text *t)
{
	static const char *const before[] = { "", "-", "1e", "0x", "0.", "+" };
	static const char *const after[] = { "", ".5", "e9", "%", "k", " " };
	const size_t shapes = sizeof before / sizeof *before;
	size_t from = choose(t, t->n), until;
	char number[32];
	int n;

	while (from < t->n && !is_digit(t->s[from]))
		from++;
	for (until = from; until < t->n && is_digit(t->s[until]);)
		until++;
	if (from == until)
		return;
	n = snprintf(number, sizeof number, "%s%" PRIu64 "%s",
		before[choose(t, 3) ? 0 : choose(t, shapes)], odd_number(t),
		after[choose(t, 3) ? 0 : choose(t, shapes)]);
	put(t, from, until, number, (size_t)n);
}

/* The span around a position between two of the characters MARKS, including the
 * second. */
static void
find_span(struct text *t, const char *marks, size_t at[2])
{
	size_t from = choose(t, t->n), until = from;

	while (from && !strchr(marks, t->s[from - 1]))
		from--;
	while (until < t->n && !strchr(marks, t->s[until]))
		until++;
	at[0] = from;
	at[1] = until + (until < t->n);
}

static void
change_field(struct text *t, const char *marks)
{
	size_t at[4];

	find_span(t, marks, at);
	find_span(t, marks, at + 2);
	change_span(t, at);
}

/* The end of the JSON value that begins at FROM. */
static size_t
value_end(const struct text *t, size_t from)
{
	size_t at = from, depth = 0;
	bool text = false;

	for (; at < t->n; at++) {
		char c = t->s[at];

		if (text && c == '\\')
			at++;
		else if (c == '"')
			text = !text;
		else if (!text && (c == '{' || c == '['))
			depth++;
		else if (!text && depth && (c == '}' || c == ']'))
			depth--;
		else if (!text && !depth && strchr(",]}:", c))
			break;
	}
	return at < t->n ? at : t->n;
}

/* A value that begins behind a mark. */
static void
find_value(struct text *t, size_t at[2])
{
	size_t from = choose(t, t->n);

	while (from < t->n && !strchr("[{,:", t->s[from]))
		from++;
	at[0] = from + (from < t->n);
	at[1] = value_end(t, at[0]);
}

static void
change_json(struct text *t)
{
	static const char *const values[] = { "null", "true", "\"\"", "[]", "{}", "0",
		"-1", "1e300", "\"\\u0000\"", "[[]]", "-0.0", "\"a;b 1\"" };
	const char *value = values[choose(t, sizeof values / sizeof *values)];
	size_t at[4];

	find_value(t, at);
	find_value(t, at + 2);
	if (choose(t, 3) == 0)
		put(t, at[0], at[1], value, strlen(value));
	else
		change_span(t, at);
}

/* Writes a number of 1, 2, 4 or 8 bytes in either order, or adds to one. */
static void
change_word(struct text *t)
{
	size_t size = (size_t)1 << choose(t, 4), at = choose(t, t->n), i;
	uint64_t v = choose(t, 3) ? odd_number(t) : t->n - at - choose(t, 16);
	bool big = choose(t, 4) == 0, add = choose(t, 3) == 0;

	if (size > t->n - at)
		return;
	if (add)
		v = choose(t, 2) ? 1 : UINT64_MAX;
	for (i = 0; i < size; i++) {
		char *to = t->s + at + (big ? size - 1 - i : i);
		unsigned sum = (unsigned)(v & 255) + (add ? (unsigned char)*to : 0);

		*to = (char)sum;
		v = (v >> 8) + (sum >> 8);
	}
}

static size_t
put_varint(char *to, uint64_t v)
{
	size_t n = 0;

	for (; v > 127; v >>= 7)
		to[n++] = (char)(v | 128);
	to[n++] = (char)v;
	return n;
}

/* The length of the varint at S, which has N bytes; 0 if invalid. */
static size_t
read_varint(const char *s, size_t n, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < n && i < 10; i++) {
		*v |= (uint64_t)(s[i] & 127) << (7 * i);
		if (!(s[i] & 128))
			return i + 1;
	}
	return 0;
}

static void
change_varint(struct text *t)
{
	size_t at = choose(t, t->n), old;
	char number[10];
	uint64_t v;

	old = read_varint(t->s + at, t->n - at, &v);
	put(t, at, at + (old ? old : 1), number, put_varint(number, odd_number(t)));
}

/* A field of protobuf: its tag, its value or length, and their offsets. */
struct field {
	size_t value, body, end;
	unsigned type;
};

static bool
read_field(const struct text *t, size_t from, size_t end, struct field *f)
{
	uint64_t tag, v = 0;
	size_t n = read_varint(t->s + from, end - from, &tag);

	if (!n || tag < 8)
		return false;
	f->type = (unsigned)tag & 7;
	f->value = f->body = from + n;
	if (f->type == 0 || f->type == 2) {
		n = read_varint(t->s + f->value, end - f->value, &v);
		f->body += n;
		if (!n)
			return false;
		f->end = f->body + (f->type == 2 ? (size_t)v : 0);
		return f->type == 0 || v <= end - f->body;
	}
	f->end = f->body + (f->type == 1 ? 8 : 4);
	return (f->type == 1 || f->type == 5) && f->end <= end;
}

/* Lengthens the enclosing messages, whose lengths are at PLACES, by BY. */
static void
fix_lengths(struct text *t, const size_t *places, size_t n, size_t by)
{
	char number[10];
	size_t old, size;
	uint64_t v;

	while (n--) {
		old = read_varint(t->s + places[n], t->n - places[n], &v);
		size = put_varint(number, v + by);
		if (!put(t, places[n], places[n] + old, number, size))
			return;
		by += size - old;
	}
}

/* Changes one field, at any depth; false without fields. */
static bool
change_protobuf(struct text *t, size_t from)
{
	enum { DEEPEST = 8 };
	size_t places[DEEPEST], depth = 0, end = t->n, start = from, at, count,
				before = t->n;
	struct field f, found = { 0 };

	for (;;) {
		for (at = start, count = 0; at < end && read_field(t, at, end, &f);
			at = f.end)
			if (choose(t, ++count) == 0)
				found = f, from = at;
		if (!count)
			return false;
		if (found.type != 2 || depth == DEEPEST || choose(t, 4) == 0 ||
			!read_field(t, found.body, found.end, &f))
			break;
		places[depth++] = found.value;
		start = found.body;
		end = found.end;
	}
	if (found.type == 0 && choose(t, 3)) {
		char number[10];

		put(t, found.value, found.body, number,
			put_varint(number, odd_number(t)));
	} else {
		change_span(t, (size_t[4]){ from, found.end, start, found.end });
	}
	fix_lengths(t, places, depth, t->n - before);
	return true;
}

static void
change_binary(struct text *t)
{
	size_t at[4] = { choose(t, t->n), 0, choose(t, t->n), 0 };

	if (choose(t, 3) == 0 && change_protobuf(t, 0))
		return;
	switch (choose(t, 4)) {
	case 0: change_varint(t); break;
	case 1:
		at[1] = at[0] + choose(t, (t->n - at[0]) % 64 + 1);
		at[3] = at[2] + choose(t, (t->n - at[2]) % 64 + 1);
		change_span(t, at);
		break;
	default: change_word(t);
	}
}

/* Whether T seems to be text. */
static bool
is_text(const struct text *t)
{
	size_t i, strange = 0;

	for (i = 0; i < t->n && i < 512; i++)
		strange += (unsigned char)t->s[i] < 32 && !strchr("\t\n\r", t->s[i]);
	return strange * 16 <= i;
}

static void
change(struct text *t)
{
	size_t first = 0;

	while (first < t->n && strchr(" \t\n\r", t->s[first]))
		first++;
	if (!is_text(t))
		change_binary(t);
	else if (choose(t, 3) == 0)
		change_digits(t);
	else if (first < t->n && strchr("{[", t->s[first]))
		change_json(t);
	else if (first < t->n && t->s[first] == '<')
		change_field(t, choose(t, 2) ? ">" : "\"= ");
	else
		change_field(t, choose(t, 2) ? "\n" : " \t;:,()=");
}

/* The default, which a target may override. */
__attribute__((weak)) size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed)
{
	size_t head = fuzz_options_bytes, times;
	const char *how = getenv("MUTATE");
	struct text t;

	t.random = seed * 2654435761u | 1;
	t.s = (char *)data + head;
	t.n = n - head;
	t.most = most - head;
	if (n <= head || choose(&t, 4) == 0 || (how && strcmp(how, "bytes") == 0))
		return LLVMFuzzerMutate(data, n, most);
	for (times = 1 + choose(&t, 3); times && t.n; times--)
		change(&t);
	return head + t.n;
}
