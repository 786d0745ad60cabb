/* SPDX-License-Identifier: ISC */
/* Arrays of numbers and texts in JSON; see json-columns.h. */
#include "json-columns.h"
#include "json-read.h"
#include "mem.h"

/* Elements read at a time. */
enum { PIECE = 512 };

void
json_ints_add(struct json_ints *v, int32_t value)
{
	if (v->n == v->cap)
		v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

void
json_doubles_add(struct json_doubles *v, double value)
{
	if (v->n == v->cap)
		v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

/* Reads an integer element. */
static void
read_int(struct json_reader *p, struct json_ints *v, int32_t none)
{
	int64_t value;

	if (json_peek(p) == JSON_NULL && json_read_null(p)) {
		json_ints_add(v, none);
		return;
	}
	if (!json_read_i64(p, &value)) {
		if (!json_failed(p))
			json_ints_add(v, none);
		return;
	}
	if (value < INT32_MIN || value > INT32_MAX) {
		p->wrong++;
		value = none;
	}
	json_ints_add(v, (int32_t)value);
}

/* Reads elements as long as they are plain integers. */
static void
read_plain_ints(struct json_reader *p, struct json_ints *v, int32_t none)
{
	int64_t plain[PIECE];
	size_t n, i;

	do {
		n = json_take_wholes(p, plain, PIECE);
		v->items = mem_grow(v->items, &v->cap, v->n + n, sizeof *v->items);
		for (i = 0; i < n; i++) {
			bool fits = plain[i] >= INT32_MIN && plain[i] <= INT32_MAX;

			v->items[v->n++] = fits ? (int32_t)plain[i] : none;
			p->wrong += !fits;
		}
	} while (n == PIECE);
}

/* As read_plain_ints, for doubles. */
static void
read_plain_doubles(struct json_reader *p, struct json_doubles *v)
{
	int64_t plain[PIECE];
	size_t n, i;

	do {
		n = json_take_wholes(p, plain, PIECE);
		v->items = mem_grow(v->items, &v->cap, v->n + n, sizeof *v->items);
		for (i = 0; i < n; i++)
			v->items[v->n++] = (double)plain[i];
	} while (n == PIECE);
}

bool
json_read_ints(struct json_reader *p, struct json_ints *v, int32_t none)
{
	if (!json_read_array(p))
		return false;
	while (json_next_element(p)) {
		read_plain_ints(p, v, none);
		read_int(p, v, none);
	}
	return !json_failed(p);
}

bool
json_read_doubles(struct json_reader *p, struct json_doubles *v, double none)
{
	double value;

	if (!json_read_array(p))
		return false;
	while (json_next_element(p)) {
		read_plain_doubles(p, v);
		value = none;
		if (json_peek(p) == JSON_NULL)
			(void)json_read_null(p);
		else if (!json_read_double(p, &value))
			value = none;
		if (json_failed(p))
			break;
		json_doubles_add(v, value);
	}
	return !json_failed(p);
}

void
json_ints_release(struct json_ints *v)
{
	free(v->items);
	*v = (struct json_ints){ 0 };
}

void
json_doubles_release(struct json_doubles *v)
{
	free(v->items);
	*v = (struct json_doubles){ 0 };
}

void
json_texts_release(struct json_texts *t)
{
	buf_release(&t->bytes);
	free(t->ends);
	*t = (struct json_texts){ .n = 0 };
}

void
json_texts_add(struct json_texts *t, struct str s)
{
	buf_str(&t->bytes, s);
	*MEM_ADD(t->ends, t->n, t->cap) = t->bytes.n;
}

void
json_texts_add_head(struct json_texts *t, size_t i, size_t n)
{
	struct str s;

	/* With room reserved, the source of the copy does not move. */
	(void)buf_room(&t->bytes, n);
	if (json_texts_get(t, (int64_t)i, &s))
		json_texts_add(t, str_head(s, n));
}

bool
json_read_texts(struct json_reader *p, struct json_texts *t)
{
	struct str s;

	if (!json_read_array(p))
		return false;
	while (json_next_element(p)) {
		s = (struct str){ 0 };
		if (json_peek(p) == JSON_NULL)
			(void)json_read_null(p);
		else
			(void)json_read_string(p, &s);
		if (!json_failed(p))
			json_texts_add(t, s);
	}
	return !json_failed(p);
}

bool
json_texts_get(const struct json_texts *t, int64_t i, struct str *s)
{
	size_t from;

	if (i < 0 || (uint64_t)i >= t->n)
		return false;
	from = i > 0 ? t->ends[i - 1] : 0;
	*s = (struct str){ t->bytes.s ? t->bytes.s + from : NULL, t->ends[i] - from };
	return true;
}
