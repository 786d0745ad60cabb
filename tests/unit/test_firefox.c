/* SPDX-License-Identifier: ISC */
/* Tables of stacks: which rows lead to a root. */
#include "unit.h"
#include "firefox-stacks.h"
#include "mem.h"
#include "string-table.h"

/* A table of N rows of frame 0 whose callers are PREFIX. */
static struct firefox_stacks
table(const int32_t *prefix, size_t n, bool by_offset)
{
	struct firefox_stacks s = { .by_offset = by_offset };
	size_t i;

	for (i = 0; i < n; i++) {
		json_ints_add(&s.prefix, prefix[i]);
		json_ints_add(&s.frame, 0);
	}
	firefox_stacks_settle(&s);
	return s;
}

UNIT(a_row_leads_to_the_root_or_nowhere)
{
	static const int32_t prefix[] = { -1, 0, 1, 7, -2, 4, 5, 3, INT32_MAX, 10, -1 };
	static const bool has[] = { true, true, true, false, false, false, false, false,
		false, true, true };
	struct firefox_stacks s = table(prefix, 11, false);
	int32_t i;

	for (i = 0; i < 11; i++)
		CHECK(firefox_stacks_has(&s, i) == has[i]);
	CHECK(!firefox_stacks_has(&s, -1));
	CHECK(!firefox_stacks_has(&s, 11));
	CHECK(firefox_stacks_caller(&s, 9) == 10);
	CHECK(firefox_stacks_caller(&s, 10) == -1);
	firefox_stacks_release(&s);
}

UNIT(offsets_count_back)
{
	static const int32_t offset[] = { 0, 1, 2, 4, -1, 0, INT32_MIN };
	static const bool has[] = { true, true, true, false, true, true, false };
	struct firefox_stacks s = table(offset, 7, true);
	int32_t i;

	for (i = 0; i < 7; i++)
		CHECK(firefox_stacks_has(&s, i) == has[i]);
	CHECK(firefox_stacks_caller(&s, 2) == 0);
	CHECK(firefox_stacks_caller(&s, 5) == -1);
	firefox_stacks_release(&s);
}

UNIT(a_circle_takes_with_it_what_leads_there)
{
	static const int32_t prefix[] = { 1, 2, 0, 2, 3, -1, 6 };
	struct firefox_stacks s = table(prefix, 7, false);
	int32_t i;

	for (i = 0; i < 7; i++)
		CHECK(firefox_stacks_has(&s, i) == (i == 5));
	firefox_stacks_release(&s);
}

UNIT(stacks_are_no_deeper_than_the_limit)
{
	enum { N = FIREFOX_DEEPEST + 3 };
	struct firefox_stacks s = { .given = true };
	int32_t i;

	for (i = N; i > 0; i--) {
		json_ints_add(&s.prefix, i == 1 ? -1 : N - i + 1);
		json_ints_add(&s.frame, 0);
	}
	firefox_stacks_settle(&s);
	CHECK(firefox_stacks_has(&s, N - 1));
	CHECK(firefox_stacks_has(&s, N - FIREFOX_DEEPEST));
	CHECK(!firefox_stacks_has(&s, N - FIREFOX_DEEPEST - 1));
	CHECK(!firefox_stacks_has(&s, 0));
	firefox_stacks_release(&s);
}

UNIT(a_shorter_column_is_the_end_of_the_table)
{
	struct firefox_stacks s = { .given = true };

	json_ints_add(&s.prefix, -1);
	json_ints_add(&s.prefix, 0);
	json_ints_add(&s.frame, 0);
	firefox_stacks_settle(&s);
	CHECK(firefox_stacks_has(&s, 0));
	CHECK(!firefox_stacks_has(&s, 1));
	firefox_stacks_release(&s);
}

UNIT(notes_are_forgotten_at_once)
{
	struct firefox_memo m = { .n = 0 };
	uint32_t value;

	firefox_memo_forget(&m, 2);
	CHECK(!firefox_memo_get(&m, 1, &value));
	firefox_memo_set(&m, 1, 7);
	CHECK(firefox_memo_get(&m, 1, &value));
	CHECK_U64(value, 7);
	CHECK(!firefox_memo_get(&m, 0, &value));
	firefox_memo_forget(&m, 2);
	CHECK(!firefox_memo_get(&m, 1, &value));
	firefox_memo_forget(&m, 1000);
	CHECK(!firefox_memo_get(&m, 999, &value));
	firefox_memo_release(&m);
}

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
