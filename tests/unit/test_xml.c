/* SPDX-License-Identifier: ISC */
/* Tests of xml: the output is well formed for any input. */
#include "unit.h"
#include "utf8.h"
#include "xml.h"

#include "buf.h"

static struct buf escaped;

static struct str
escape(struct str text)
{
	buf_clear(&escaped);
	xml_escape(&escaped, text);
	return buf_view(&escaped);
}

UNIT(markup_is_escaped)
{
	CHECK_STR(escape(STR("a<b>&\"'c]]>")), STR("a&lt;b&gt;&amp;&quot;'c]]&gt;"));
	CHECK_STR(escape(STR("a\tb\nc\rd")), STR("a&#9;b&#10;c&#13;d"));
	CHECK_STR(escape(STR("")), STR(""));
}

UNIT(invalid_xml_characters_are_replaced)
{
	CHECK_STR(escape(STR("a\0b")),
		STR("a\xef\xbf\xbd"
		    "b"));
	CHECK_STR(escape(STR("\x1b[0m")), STR("\xef\xbf\xbd[0m"));
	CHECK_STR(escape(STR("\xef\xbf\xbe")), STR("\xef\xbf\xbd"));
	CHECK_STR(escape(STR("\xff")), STR("\xef\xbf\xbd"));
	CHECK_STR(escape(STR("\xc3")), STR("\xef\xbf\xbd"));
}

UNIT(characters_stay_themselves)
{
	CHECK_STR(escape(STR("caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x94\xa5")),
		STR("caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x94\xa5"));
	CHECK_STR(escape(STR("\x7f|\xc2\x85|\xe2\x80\xa8|\xe2\x80\xae")),
		STR("\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd"));
}

/* Every sequence of three bytes becomes visible, valid UTF-8. */
UNIT(any_bytes_come_out_as_xml)
{
	char text[3];
	struct str out;
	uint32_t i, point;
	size_t n;

	for (i = 0; i < 1U << 24; i += 7) {
		text[0] = (char)(i >> 16);
		text[1] = (char)(i >> 8);
		text[2] = (char)i;
		for (out = escape((struct str){ text, 3 }); out.n;
			out = str_from(out, n)) {
			n = utf8_next(out, &point);
			if (utf8_is_visible(point) && point != '<')
				continue;
			CHECK(!"a character that nobody sees");
			return;
		}
	}
}

static struct str
tenths(int64_t value)
{
	buf_clear(&escaped);
	xml_put_tenths(&escaped, value);
	return buf_view(&escaped);
}

UNIT(tenths_are_short_decimals)
{
	CHECK_STR(tenths(0), STR("0"));
	CHECK_STR(tenths(5), STR("0.5"));
	CHECK_STR(tenths(120), STR("12"));
	CHECK_STR(tenths(-123), STR("-12.3"));
}

/* The result of WRITE on a document, read back. */
static struct str
document(void (*write)(struct xml *x), char *text, size_t size)
{
	FILE *f = tmpfile();
	struct output out;
	struct xml x;
	size_t n;

	output_init(&out, fileno(f), "test");
	xml_init(&x, &out);
	write(&x);
	xml_release(&x);
	output_close(&out);
	rewind(f);
	n = fread(text, 1, size, f);
	fclose(f);
	return (struct str){ text, n };
}

static void
write_all(struct xml *x)
{
	xml_open(x, "a");
	xml_attr(x, "k", STR("\"v\""));
	xml_attr_int(x, "n", -3);
	xml_open(x, "b");
	xml_text(x, STR("1<2"));
	xml_close(x);
	xml_comment(x, STR("-- x --- y -"));
	xml_open(x, "c");
}

UNIT(documents_close_open_elements)
{
	char text[1000];

	CHECK_STR(document(write_all, text, sizeof text),
		STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<a k=\"&quot;v&quot;\" n=\"-3\">\n<b>1&lt;2</b>\n"
		    "<!-- - - x - - - y - -->\n<c/></a>\n"));
}

UNIT_MAIN
