/* SPDX-License-Identifier: ISC */
/* Tests of edit: user-defined substitutions, on names of any bytes. */
#include "edit.h"
#include "unit.h"

static struct buf text;

/* The result of the substitution EDIT on IN; "-" without a match. */
static struct str
edited(const char *edit, struct str in)
{
	struct edit *e = edit_new(str_of(edit), &text);

	buf_clear(&text);
	if (!e || !edit_put(e, in, &text))
		buf_char(&text, '-');
	CHECK(e && !edit_failure(e));
	edit_free(e);
	return buf_view(&text);
}

static struct str
edit_refusal(const char *edit)
{
	buf_clear(&text);
	edit_free(edit_new(str_of(edit), &text));
	return buf_view(&text);
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
	CHECK_STR(edit_refusal("s/a/b/x"), STR("'x' is not a flag"));
	CHECK_STR(edit_refusal("s/(a)/$2/"), STR("it has no group 2"));
	CHECK_STR(edit_refusal("s/a/\\n/"), STR("\\n has no meaning in the replacement"));
	CHECK_STR(edit_refusal("s/(/b/"), STR("missing closing parenthesis at offset 1"));
}

UNIT_MAIN
