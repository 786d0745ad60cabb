/* SPDX-License-Identifier: ISC */
/* Tables of rows; see gecko-rows.h. */
#include "gecko-rows.h"

/* Takes an entry of a row to column C. */
static void
take_entry(const struct gecko_column *c, struct json_reader *p)
{
	int64_t whole = -1;
	double number = 0;

	if (json_read_null(p)) {
		;
	} else if (c->numbers) {
		(void)json_read_double(p, &number);
	} else if (!json_read_i64(p, &whole) || whole < 0 || whole > INT32_MAX) {
		whole = -1;
	}
	if (json_failed(p))
		return;
	if (c->numbers)
		json_doubles_add(c->numbers, number);
	else
		json_ints_add(c->ints, (int32_t)whole);
}

/* Takes a row to the N columns C. */
static void
take_row(const struct gecko_column *c, size_t n, struct json_reader *p)
{
	bool taken[GECKO_COLUMNS] = { false };
	uint64_t place;
	size_t i;

	if (!json_read_array(p))
		return;
	for (place = 0; json_next_element(p); place++)
		for (i = 0; i < n; i++)
			if (c[i].place == place && !taken[i]) {
				take_entry(&c[i], p);
				taken[i] = true;
				break;
			}
	for (i = 0; i < n && !json_failed(p); i++)
		if (!taken[i] && c[i].numbers)
			json_doubles_add(c[i].numbers, 0);
		else if (!taken[i])
			json_ints_add(c[i].ints, -1);
}

/* Sets the places of the N columns C to what the schema says. */
static void
take_schema(struct gecko_column *c, size_t n, struct json_reader *p)
{
	struct str key;
	size_t i;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		for (i = 0; i < n; i++)
			if (str_eq(key, str_of(c[i].name))) {
				(void)json_read_u64(p, &c[i].place);
				break;
			}
}

void
gecko_rows_take(struct gecko_column *c, size_t n, struct json_reader *p)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("schema")))
			take_schema(c, n, p);
		else if (str_eq(key, STR("data")) && json_read_array(p))
			while (json_next_element(p))
				take_row(c, n, p);
}
