/* SPDX-License-Identifier: ISC */
/* Tests of svg-data: the stacks of valid and damaged pictures. */
#include "svg-data.h"
#include "buf.h"
#include "packed.h"
#include "unit.h"

/* A document with a table, in the layout of svg.c. */
static struct str
document_of(struct buf *b, const char *names, const char *frames)
{
	buf_clear(b);
	buf_fmt(b, "<svg><script class=\"fg-header\"><![CDATA[#fg columns=1]]></script>");
	buf_fmt(b, "<script class=\"fg-names\"><![CDATA[%s]]></script>", names);
	buf_fmt(b, "<script class=\"fg-frames\"><![CDATA[%s]]></script></svg>", frames);
	return buf_view(b);
}

/* The error for such a document, or NULL; its stacks go to LINES. */
static const char *
read_document(const char *names, const char *frames, struct buf *lines)
{
	struct buf b = { 0 };
	const char *wrong;

	buf_clear(lines);
	wrong = svg_data_read(document_of(&b, names, frames), 1, 0, append_line, lines);
	buf_release(&b);
	return wrong;
}

UNIT(stacks_are_read_back)
{
	struct buf lines = { 0 };

	/* a; a;b 3; a;c 1; the numbers by their digits: 0 '!', 1 '#', 2 '$', 3 '%' */
	CHECK(!read_document("!a\n!b\\x3b\n!c\\\\\n", "#!##%!%$#", &lines));
	CHECK_STR(buf_view(&lines), STR("a;b; 3\na;c\\ 1\n"));
	buf_release(&lines);
}

/* The error for a document of a;b 3 and a;c 4 with TIMES, or NULL; its stacks go to
 * LINES. */
static const char *
read_with_times(const char *times, struct buf *lines)
{
	struct buf b = { 0 };
	const char *wrong;

	buf_clear(lines);
	buf_fmt(&b, "<svg><script class=\"fg-names\"><![CDATA[!a\n!b\n!c\n]]></script>");
	buf_fmt(&b, "<script class=\"fg-frames\"><![CDATA[#!##%%!%%$']]></script>");
	buf_fmt(&b, "<script class=\"fg-times\"><![CDATA[%s]]></script></svg>", times);
	wrong = svg_data_read(buf_view(&b), 1, 0, append_line, lines);
	buf_release(&b);
	return wrong;
}

UNIT(stacks_have_times)
{
	struct buf lines = { 0 };

	/* tracks "T1;" and "T2;", times 0s and 1s: b is T1 at 1s once and T2 at 1s twice,
	 * c is T2 at 0s */
	CHECK(!read_with_times("rtx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n####!$", &lines));
	CHECK_STR(buf_view(&lines), STR("a;T1;1s;b 1\na;T2;1s;b 2\na;T2;0s;c 4\n"));
	CHECK(!read_with_times("xrt\n$$#!\n!T1;\n#2;\n!0s\n!1s\n####!$", &lines));
	CHECK_STR(buf_view(&lines), STR("1s;a;T1;b 1\n1s;a;T2;b 2\n0s;a;T2;c 4\n"));
	/* units of 2, and two of them without a frame */
	CHECK(!read_with_times("x\n#$$#\n!\n!0s\n!1s\n!#!!!#", &lines));
	CHECK_STR(buf_view(&lines), STR("1s 2\n0s;a;b 3\n1s;a;c 4\n"));
	buf_release(&lines);
}

UNIT(damaged_times_are_reported)
{
	static const char *const rows[] = { "rtx", "rtx\n", "rtx\n$$#!", "rtx\n$$!!\n",
		"rtx\n~~~~~!$#!\n!T1;\n", "rtx\n$$#!\n!T1;\n#2;\n!0s\n", "x\n!!#!\n!!!!",
		/* more bytes than in the previous line, a slot and a weight too many */
		"rtx\n$$#!\n!T1;\n'2;\n!0s\n!1s\n####!$",
		"rtx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n!%!'",
		"rtx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n#!'!",
		/* more dimensions than values or frames */
		"rttx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n####!$",
		"rrrrx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n####!$",
		"rtx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n#####",
		"rtx\n$$#!\n!T1;\n#2;\n!0s\n!1s\n####!$!" };
	struct buf lines = { 0 };
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(read_with_times(rows[i], &lines));
	buf_release(&lines);
}

UNIT(a_gap_is_a_line_of_its_parent)
{
	struct buf lines = { 0 };

	CHECK(!read_document("!a\n!b\n", "!#!#!###!%$$", &lines));
	CHECK_STR(buf_view(&lines), STR("a 1\na;b 1\na 2\n"));
	buf_release(&lines);
}

UNIT(a_damaged_table_is_reported)
{
	static const char *const rows[] = { "", "\"", "!", "!#", "!#!", "!$!", "'", "~",
		"!#~", "!#!~~~~~~~~~~~~~~~~~~~~~!", "!~~~~~~~~~~~~~~~~!" };
	struct buf lines = { 0 };
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(read_document("!a\n!b\n", rows[i], &lines));
	buf_release(&lines);
}

UNIT(a_colour_has_as_many_digits_as_it_needs)
{
	struct buf lines = { 0 };

	/* 56 is two digits, 4095 three; the name after them may begin with a digit */
	CHECK(!read_document("_!!a\nfe$~b\n", "#!###", &lines));
	CHECK_STR(buf_view(&lines), STR("!a;~b 1\n"));
	CHECK(read_document("!a\n\n", "#!###", &lines));
	CHECK(read_document("!a\n~\n", "#!###", &lines));
	CHECK_U64(lines.n, 0);
	buf_release(&lines);
}

UNIT(a_document_without_table_has_no_header)
{
	CHECK(!svg_data_header(STR("<svg><text>#fg columns=1</text></svg>")).n);
	CHECK(!svg_data_header(STR("<svg><script class=\"fg-header\"><![CDATA[#fg ")).n);
	CHECK(!svg_data_header(STR("class=\"fg-header")).n);
}

static bool
unpacks(struct str packed)
{
	struct buf b = { 0 }, lines = { 0 };
	bool good =
		!svg_data_read(packed_document(&b, packed), 1, 0, append_line, &lines) &&
		str_eq(buf_view(&lines), STR("a 3\n"));

	buf_release(&b);
	buf_release(&lines);
	return good;
}

UNIT(base64_is_read_as_browsers_do)
{
	CHECK(unpacks(STR("eNpTTOTiUlRWVAUABXkBIQ==")));
	CHECK(unpacks(STR("eNpTTOTiUlRWVAUABXkBIQ")));
	CHECK(unpacks(STR(" eNpT\nTOTi\r\nUlRWVAUABXkBIQ==\n")));
	CHECK(!unpacks(STR("eNpTTOTiUlRWVAUABXkBI")));
	CHECK(!unpacks(STR("eNpTTOTiUlRWVAUABXkBI!==")));
	CHECK(!unpacks(STR("eNpTTOTi=UlRWVAUABXkBIQ")));
	CHECK(!unpacks(STR("eNpTTOTiUlRWVAUABXkBIg==")));
	CHECK(!unpacks(STR("eNpTTOTiUlRWVAUA")));
	CHECK(!unpacks(STR("====")));
	CHECK(!unpacks((struct str){ 0 }));
}

UNIT_MAIN
