/* SPDX-License-Identifier: ISC */
/* Texts by their place; see string-table.h. */
#include "string-table.h"
#include "mem.h"

void
string_table_release(struct string_table *t)
{
	buf_release(&t->bytes);
	free(t->ends);
	*t = (struct string_table){ .n = 0 };
}

void
string_table_add(struct string_table *t, struct str s)
{
	buf_str(&t->bytes, s);
	t->ends = mem_grow(t->ends, &t->cap, t->n + 1, sizeof *t->ends);
	t->ends[t->n++] = t->bytes.n;
}

void
string_table_add_head(struct string_table *t, size_t i, size_t n)
{
	struct str s;

	/* Once there is room, what is copied does not move. */
	(void)buf_room(&t->bytes, n);
	if (string_table_get(t, (int64_t)i, &s))
		string_table_add(t, str_head(s, n));
}

bool
string_table_read(struct string_table *t, struct json_reader *p)
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
			string_table_add(t, s);
	}
	return !json_failed(p);
}

bool
string_table_get(const struct string_table *t, int64_t i, struct str *s)
{
	size_t from;

	if (i < 0 || (uint64_t)i >= t->n)
		return false;
	from = i > 0 ? t->ends[i - 1] : 0;
	*s = (struct str){ t->bytes.s ? t->bytes.s + from : NULL, t->ends[i] - from };
	return true;
}
