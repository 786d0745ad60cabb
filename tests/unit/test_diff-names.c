/* SPDX-License-Identifier: ISC */
/* Tests of diff-names: names are shortened, and stay distinct. */
#include "diff-names.h"
#include "unit.h"

static uint32_t
add(struct intern *names, const char *name)
{
	return intern_id(names, str_of(name));
}

/* Whether NAME alone is shown as SHOWN in COLUMNS. */
static bool
shows(const char *name, size_t columns, const char *shown)
{
	struct intern names = { .n = 0 };
	struct diff_names x;
	uint32_t id = add(&names, name);
	bool same;

	diff_names_init(&x, &names, &id, 1, columns);
	same = str_eq(buf_view(&diff_names_find(&x, id)->text), str_of(shown));
	diff_names_release(&x);
	intern_release(&names);
	return same;
}

UNIT(names_that_fit_are_whole)
{
	CHECK(shows("f(int)", 6, "f(int)"));
	CHECK(shows("", 6, "\"\""));
}

UNIT(arguments_go_first)
{
	CHECK(shows("a<std::map<int, int>>::f(int, char)", 20, "a<...>::f(...)"));
	CHECK(shows("a<b<c>>::f()", 11, "a<...>::f()"));
	CHECK(shows("Type::operator<(Type const&)", 20, "Type::operator<(...)"));
}

UNIT(then_the_middle)
{
	CHECK(shows("abcdefghijklmnop", 9, "abc...nop"));
	CHECK(shows("f<unclosed_and_long", 13, "f<unc..._long"));
	CHECK(shows("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 8,
		"\xe6\xbc\xa2...\xe6\xbc\xa2"));
}

UNIT(distinct_names_stay_distinct)
{
	struct intern names = { .n = 0 };
	uint32_t ids[] = { add(&names, "push<aaaaaaaaaaaaaaaaaa>(int)"),
		add(&names, "push<aaaaaaaaaaaaaaaaab>(int)"),
		add(&names, "push<...>(...)"), 0 };
	struct diff_names x;
	size_t i, j;

	diff_names_init(&x, &names, ids, 4, 16);
	CHECK_U64(x.n, 3);
	for (i = 0; i < x.n; i++)
		for (j = 0; j < i; j++)
			CHECK(!str_eq(
				buf_view(&x.all[i].text), buf_view(&x.all[j].text)));
	CHECK(!diff_names_find(&x, 99));
	diff_names_release(&x);
	intern_release(&names);
}

UNIT_MAIN
