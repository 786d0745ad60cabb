/* SPDX-License-Identifier: ISC */
/* Tests of match: expressions that users write, on names of any bytes. */
#include "unit.h"
#include "match.h"

static struct buf text;

/* Why PATTERN is refused; empty when it is not. */
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

/* What the substitution EDIT makes of IN; "-" when nothing matches. */
static struct str
edited(const char *edit, struct str in)
{
	struct match_edit *e = match_edit_new(str_of(edit), &text);

	buf_clear(&text);
	if (!e || !match_edit_put(e, in, &text))
		buf_char(&text, '-');
	CHECK(e && !match_edit_failure(e));
	match_edit_free(e);
	return buf_view(&text);
}

static struct str
edit_refusal(const char *edit)
{
	buf_clear(&text);
	match_edit_free(match_edit_new(str_of(edit), &text));
	return buf_view(&text);
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

UNIT(names_may_hold_nul_and_bytes_that_are_no_utf8)
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

UNIT(what_is_found_is_a_part_of_the_text)
{
	struct match *m = match_new(STR("o+"), 0, &text);
	struct str in = STR("foobooo"), found;

	CHECK(match_find(m, in, &found));
	CHECK_U64((uint64_t)(found.s - in.s), 1);
	CHECK_U64(found.n, 2);
	CHECK(!match_find(m, STR("x"), &found));
	match_free(m);
}

UNIT(a_bad_expression_is_refused_with_its_place)
{
	CHECK_STR(refusal(STR("(abc")), STR("missing closing parenthesis at offset 4"));
	CHECK_STR(refusal(STR("a*b")), STR(""));
	CHECK_STR(refusal(STR("x[b-a]")),
		STR("range out of order in character class at offset 4"));
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
	CHECK_STR(str_of(match_failure(m)), STR("a text of 65537 bytes is too long"));
	match_free(m);
}

UNIT(a_substitution_replaces_the_first_or_every_match)
{
	CHECK_STR(edited("s/o/0/", STR("foo boo")), STR("f0o boo"));
	CHECK_STR(edited("s/o/0/g", STR("foo boo")), STR("f00 b00"));
	CHECK_STR(edited("s/O/0/gi", STR("foo")), STR("f00"));
	CHECK_STR(edited("s/x/y/g", STR("foo")), STR("-"));
	CHECK_STR(edited("s/o//g", STR("oo")), STR(""));
	CHECK_STR(edited("s,/,:,g", STR("a/b/c")), STR("a:b:c"));
}

UNIT(empty_matches_go_on)
{
	CHECK_STR(edited("s/x*/-/g", STR("abxc")), STR("-a-b--c-"));
	CHECK_STR(edited("s/$/!/g", STR("ab")), STR("ab!"));
	CHECK_STR(edited("s/^/./", STR("")), STR("."));
	CHECK_STR(edited("s//|/g", STR("\xc3\xa9\xff")), STR("|\xc3\xa9|\xff|"));
	CHECK_STR(edited("s/a\\Kb*/-/g", STR("abbac")), STR("a-a-c"));
}

UNIT(groups_are_put_in)
{
	CHECK_STR(edited("s/(.*)::(.*)/$2 of \\1/", STR("A::f")), STR("f of A"));
	CHECK_STR(edited("s/b/<$&\\0${0}>/", STR("abc")), STR("a<bbb>c"));
	CHECK_STR(edited("s/(a)|(b)/[$1|$2]/g", STR("ab")), STR("[a|][|b]"));
	CHECK_STR(edited("s/(a)/${1}1/", STR("a")), STR("a1"));
	CHECK_STR(edited("s/a/\\$1 \\\\ \\/ $x $/", STR("a")), STR("$1 \\ / $x $"));
	CHECK_STR(edited("s/\\//-/", STR("a/b")), STR("a-b"));
	CHECK_STR(edited("s/(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)/$10\\10/", STR("abcdefghij")),
		STR("ja0"));
}

UNIT(a_bad_substitution_is_refused)
{
	CHECK_STR(edit_refusal("a/b/c/"), STR("it does not begin with s/"));
	CHECK_STR(edit_refusal("s"), STR("it does not begin with s/"));
	CHECK_STR(edit_refusal("saba"), STR("it does not begin with s/"));
	CHECK_STR(edit_refusal("s/a"), STR("it has one '/' where three are needed"));
	CHECK_STR(edit_refusal("s/a/b"), STR("it has two '/' where three are needed"));
	CHECK_STR(edit_refusal("s/a/b\\/"), STR("it has two '/' where three are needed"));
	CHECK_STR(edit_refusal("s/a/b/x"), STR("there is no flag 'x'"));
	CHECK_STR(edit_refusal("s/(a)/$2/"), STR("it has no group 2"));
	CHECK_STR(edit_refusal("s/a/\\n/"), STR("\\n means nothing in what is put in"));
	CHECK_STR(edit_refusal("s/(/b/"), STR("missing closing parenthesis at offset 1"));
}

UNIT_MAIN
