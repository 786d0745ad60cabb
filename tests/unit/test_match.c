/* SPDX-License-Identifier: ISC */
/* Tests of match: user-defined expressions, on names of any bytes. */
#include "unit.h"
#include "match.h"

static struct buf text;

/* The error for PATTERN; empty if it is valid. */
static struct str
refusal(struct str pattern)
{
	buf_clear(&text);
	match_free(match_new(pattern, 0, &text));
	return buf_view(&text);
}

static bool
has(const char *pattern, unsigned flags, struct str in)
{
	struct match *m = match_new(str_of(pattern), flags, &text);
	bool yes;

	if (!m)
		abort();
	yes = match_has(m, in);
	CHECK(!match_failure(m));
	match_free(m);
	return yes;
}

UNIT(an_expression_is_found_anywhere)
{
	CHECK(has("b+", 0, STR("abbc")));
	CHECK(!has("^b", 0, STR("abbc")));
	CHECK(!has("B", 0, STR("abbc")));
	CHECK(has("B", MATCH_ICASE, STR("abbc")));
	CHECK(has("", 0, STR("")));
	CHECK(!has(".", 0, (struct str){ NULL, 0 }));
}

UNIT(a_dollar_is_the_end_and_nothing_before_it)
{
	CHECK(!has("a$", 0, STR("a\n")));
	CHECK(has("a$", 0, STR("ba")));
}

UNIT(names_may_hold_nul_and_invalid_utf8)
{
	CHECK(has("b$", 0, STR("a\0b")));
	CHECK(has("b$", 0, STR("\xff\xfe b")));
	CHECK(!has("^.b", 0,
		STR("\xff"
		    "b")));
	CHECK(has("^.$", 0, STR("\xc3\xa9")));
	CHECK(has("\xc3\x89", MATCH_ICASE, STR("\xc3\xa9")));
	CHECK(has("\xff", 0, STR("a\xff")));
}

UNIT(matches_are_part_of_the_text)
{
	struct match *m = match_new(STR("o+"), 0, &text);
	struct str in = STR("foobooo");

	CHECK(match_find(m, in, 0));
	CHECK_U64(match_place(m, 0).from, 1);
	CHECK_U64(match_place(m, 0).to, 3);
	CHECK(match_find(m, in, 3));
	CHECK_U64(match_place(m, 0).from, 4);
	CHECK_U64(match_place(m, 0).to, 7);
	CHECK(!match_find(m, STR("x"), 0));
	match_free(m);
}

UNIT(groups_have_places)
{
	struct match *m = match_new(STR("(b)|(c)(d)"), 0, &text);

	CHECK_U64(match_groups(m), 3);
	CHECK(match_find(m, STR("acd"), 0));
	CHECK_U64(match_place(m, 1).to, 0);
	CHECK_U64(match_place(m, 3).from, 2);
	CHECK_U64(match_place(m, 3).to, 3);
	match_free(m);
}

UNIT(a_bad_expression_is_refused_with_its_place)
{
	CHECK_STR(refusal(STR("(abc")), STR("missing closing parenthesis at offset 4"));
	CHECK_STR(refusal(STR("a*b")), STR(""));
	/* Versions of pcre2 differ in the offset. */
	CHECK(str_starts(refusal(STR("x[b-a]")),
		STR("range out of order in character class at offset ")));
	CHECK(refusal(STR("a\\Cb")).n > 0);
}

UNIT(a_catastrophic_expression_gives_up)
{
	static char many[5000];
	struct match *m = match_new(STR("(a+)+$"), 0, &text);

	memset(many, 'a', sizeof many);
	many[sizeof many - 1] = '!';
	CHECK(!match_failure(m));
	CHECK(!match_has(m, (struct str){ many, sizeof many }));
	CHECK(match_failure(m) != NULL);
	CHECK(!match_has(m, STR("a")));
	match_free(m);
}

UNIT(a_long_name_is_matched)
{
	size_t n = 10000;
	char *name = malloc(n);

	memset(name, 'a', n);
	CHECK(has("(?:ab?)+$", 0, (struct str){ name, n }));
	CHECK(has("^(a|b)*$", 0, (struct str){ name, n }));
	free(name);
}

UNIT(no_text_takes_long)
{
	static const char *const slow[] = { "(?:ab?)+$", "a*a*a*[bc]", "(?:a[^b]*)+[bc]",
		"a[^b]*b" };
	static char name[MATCH_LONGEST + 1];
	struct match *m;
	size_t i;

	memset(name, 'a', sizeof name);
	name[MATCH_LONGEST - 1] = '!';
	for (i = 0; i < sizeof slow / sizeof *slow; i++) {
		m = match_new(str_of(slow[i]), 0, &text);
		CHECK(!match_has(m, (struct str){ name, MATCH_LONGEST }));
		match_free(m);
	}
	m = match_new(STR("a"), 0, &text);
	CHECK(match_has(m, (struct str){ name, MATCH_LONGEST }));
	CHECK(!match_has(m, (struct str){ name, sizeof name }));
	CHECK_STR(str_of(match_failure(m)), STR("a name of 65537 bytes is too long"));
	match_free(m);
}

UNIT_MAIN
