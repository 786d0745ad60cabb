/* SPDX-License-Identifier: ISC */
/* Tests of string-table. */
#include "unit.h"
#include "string-table.h"

UNIT(texts_are_kept_by_place)
{
	struct string_table t = { .n = 0 };
	struct str s;

	string_table_add(&t, STR("main"));
	string_table_add(&t, STR(""));
	string_table_add(&t, STR("f (in x)"));
	string_table_add_head(&t, 2, 1);
	string_table_add_head(&t, 2, 100);
	CHECK(string_table_get(&t, 0, &s));
	CHECK_STR(s, STR("main"));
	CHECK(string_table_get(&t, 1, &s));
	CHECK_STR(s, STR(""));
	CHECK(string_table_get(&t, 3, &s));
	CHECK_STR(s, STR("f"));
	CHECK(string_table_get(&t, 4, &s));
	CHECK_STR(s, STR("f (in x)"));
	CHECK(!string_table_get(&t, 5, &s));
	CHECK(!string_table_get(&t, -1, &s));
	string_table_release(&t);
}

UNIT_MAIN
