/* SPDX-License-Identifier: ISC */
/* Tests of markup: parts within a piece are not mistaken for another piece. */
#include "markup.h"
#include "unit.h"

static void
check_next(struct str *rest, enum markup_kind kind, struct str body)
{
	struct markup m;

	CHECK(markup_next(rest, &m));
	CHECK(m.kind == kind);
	CHECK_STR(m.body, body);
}

UNIT(a_document_is_cut_into_its_pieces)
{
	struct str rest = STR("<?xml a>b?><!-- <a> --><!DOCTYPE svg>\n<a b='>' c>x]]>"
			      "<![CDATA[<a>]]></a>");
	struct markup m;

	check_next(&rest, MARKUP_OTHER, STR("xml a>b"));
	check_next(&rest, MARKUP_OTHER, STR(" <a> "));
	check_next(&rest, MARKUP_OTHER, STR("DOCTYPE svg"));
	check_next(&rest, MARKUP_TEXT, STR("\n"));
	check_next(&rest, MARKUP_OPEN, STR("a b='>' c"));
	check_next(&rest, MARKUP_TEXT, STR("x]]>"));
	check_next(&rest, MARKUP_CDATA, STR("<a>"));
	check_next(&rest, MARKUP_CLOSE, STR("a"));
	CHECK(!markup_next(&rest, &m));
}

UNIT(a_piece_without_an_end_is_ignored)
{
	static const char *const open[] = { "<", "<a", "<a b='>", "<!", "<!--", "<!-- ->",
		"<![CDATA[]]", "<?x", "</a" };
	struct markup m;
	struct str rest;
	size_t i;

	for (i = 0; i < sizeof open / sizeof *open; i++) {
		rest = str_of(open[i]);
		CHECK(!markup_next(&rest, &m));
	}
}

UNIT(attributes_are_found_by_their_names)
{
	struct str tag = STR("script  x='class=\"no\"' y = \"1\"\tclass=\"fg-names\" z/");

	CHECK_STR(markup_name(tag), STR("script"));
	CHECK_STR(markup_attr(tag, STR("class")), STR("fg-names"));
	CHECK_STR(markup_attr(tag, STR("y")), STR("1"));
	CHECK_STR(markup_attr(tag, STR("x")), STR("class=\"no\""));
	CHECK_U64(markup_attr(tag, STR("z")).n, 0);
	CHECK_U64(markup_attr(tag, STR("script")).n, 0);
	CHECK_U64(markup_attr(STR("a b=c class='x'"), STR("class")).n, 0);
	CHECK_U64(markup_attr(STR("a class='x"), STR("none")).n, 0);
}

UNIT_MAIN
