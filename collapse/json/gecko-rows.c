/* SPDX-License-Identifier: ISC */
/* Tables of rows; see gecko-rows.h. */
#include "gecko-rows.h"
#include "mem.h"

void
gecko_rows_add_int(struct pull_ints *v, int32_t value)
{
	v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

void
gecko_rows_add_number(struct pull_numbers *v, double value)
{
	v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

/* Takes an entry of a row to column C. */
static void
take_entry(const struct gecko_column *c, struct pull *p)
{
	int64_t whole = -1;
	double number = 0;

	if (pull_null(p)) {
		;
	} else if (c->numbers) {
		(void)pull_number(p, &number);
	} else if (!pull_i64(p, &whole) || whole < 0 || whole > INT32_MAX) {
		whole = -1;
	}
	if (pull_failed(p))
		return;
	if (c->numbers)
		gecko_rows_add_number(c->numbers, number);
	else
		gecko_rows_add_int(c->ints, (int32_t)whole);
}

/* Takes a row to the N columns C. */
static void
take_row(const struct gecko_column *c, size_t n, struct pull *p)
{
	bool taken[GECKO_COLUMNS] = { false };
	uint64_t place;
	size_t i;

	if (!pull_array(p))
		return;
	for (place = 0; pull_element(p); place++)
		for (i = 0; i < n; i++)
			if (c[i].place == place && !taken[i]) {
				take_entry(&c[i], p);
				taken[i] = true;
				break;
			}
	for (i = 0; i < n && !pull_failed(p); i++)
		if (!taken[i] && c[i].numbers)
			gecko_rows_add_number(c[i].numbers, 0);
		else if (!taken[i])
			gecko_rows_add_int(c[i].ints, -1);
}

/* Sets the places of the N columns C to what the schema says. */
static void
take_schema(struct gecko_column *c, size_t n, struct pull *p)
{
	struct str key;
	size_t i;

	if (!pull_object(p))
		return;
	while (pull_key(p, &key))
		for (i = 0; i < n; i++)
			if (str_eq(key, str_of(c[i].name))) {
				(void)pull_u64(p, &c[i].place);
				break;
			}
}

void
gecko_rows_take(struct gecko_column *c, size_t n, struct pull *p)
{
	struct str key;

	if (!pull_object(p))
		return;
	while (pull_key(p, &key))
		if (str_eq(key, STR("schema")))
			take_schema(c, n, p);
		else if (str_eq(key, STR("data")) && pull_array(p))
			while (pull_element(p))
				take_row(c, n, p);
}
