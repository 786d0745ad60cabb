/* SPDX-License-Identifier: ISC */
/* Well-formed XML from any bytes; see xml.h. */
#include "xml.h"
#include "utf8.h"

#include <assert.h>

#define REPLACEMENT STR("\xef\xbf\xbd") /* U+FFFD */

void
xml_init(struct xml *x, struct output *out)
{
	*x = (struct xml){ .out = out };
	output_str(out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
}

void
xml_release(struct xml *x)
{
	while (x->depth)
		xml_close(x);
	output_char(x->out, '\n');
	buf_release(&x->scratch);
}

/* The reference for C; n is 0 if C needs none. White space becomes references too, since
 * parsers normalise it in attributes. */
static struct str
reference(uint32_t c)
{
	switch (c) {
	case '&': return STR("&amp;");
	case '<': return STR("&lt;");
	case '>': return STR("&gt;");
	case '"': return STR("&quot;");
	case '\t': return STR("&#9;");
	case '\n': return STR("&#10;");
	case '\r': return STR("&#13;");
	default: return (struct str){ NULL, 0 };
	}
}

void
xml_escape(struct buf *b, struct str text)
{
	struct str special, as;
	uint32_t point;

	while (buf_plain(b, &text, &special, &point)) {
		as = reference(point);
		if (!as.n)
			as = utf8_is_visible(point) ? special : REPLACEMENT;
		buf_str(b, as);
	}
}

void
xml_put_tenths(struct buf *b, int64_t tenths)
{
	if (tenths < 0)
		buf_char(b, '-');
	tenths = tenths < 0 ? -tenths : tenths;
	buf_u64(b, (uint64_t)tenths / 10);
	if (tenths % 10) {
		buf_char(b, '.');
		buf_char(b, (char)('0' + tenths % 10));
	}
}

static void
end_tag(struct xml *x)
{
	if (x->in_tag)
		output_char(x->out, '>');
	x->in_tag = false;
}

void
xml_open(struct xml *x, const char *tag)
{
	assert(x->depth < XML_DEPTH);
	end_tag(x);
	output_str(x->out, STR("\n<"));
	output_str(x->out, str_of(tag));
	x->tags[x->depth++] = tag;
	x->in_tag = true;
}

static void
begin_attr(struct xml *x, const char *name)
{
	assert(x->in_tag);
	output_char(x->out, ' ');
	output_str(x->out, str_of(name));
	output_str(x->out, STR("=\""));
	buf_clear(&x->scratch);
}

static void
end_attr(struct xml *x)
{
	output_str(x->out, buf_view(&x->scratch));
	output_char(x->out, '"');
}

void
xml_attr(struct xml *x, const char *name, struct str value)
{
	begin_attr(x, name);
	xml_escape(&x->scratch, value);
	end_attr(x);
}

void
xml_attr_int(struct xml *x, const char *name, int64_t value)
{
	xml_attr_tenths(x, name, value * 10);
}

void
xml_attr_tenths(struct xml *x, const char *name, int64_t tenths)
{
	begin_attr(x, name);
	xml_put_tenths(&x->scratch, tenths);
	end_attr(x);
}

void
xml_text(struct xml *x, struct str text)
{
	end_tag(x);
	buf_clear(&x->scratch);
	xml_escape(&x->scratch, text);
	output_str(x->out, buf_view(&x->scratch));
}

void
xml_cdata(struct xml *x, struct str text)
{
	end_tag(x);
	output_str(x->out, STR("<![CDATA["));
	output_str(x->out, text);
	output_str(x->out, STR("]]>"));
}

void
xml_comment(struct xml *x, struct str text)
{
	uint32_t point;
	size_t n;

	end_tag(x);
	output_str(x->out, STR("\n<!-- "));
	for (; text.n; text = str_from(text, n)) {
		n = utf8_next(text, &point);
		output_str(x->out,
			utf8_is_visible(point) || point == '\n' || point == '\t'
				? str_head(text, n)
				: REPLACEMENT);
		if (str_starts(text, STR("--")))
			output_char(x->out, ' ');
	}
	output_str(x->out, STR(" -->"));
}

void
xml_close(struct xml *x)
{
	const char *tag = x->tags[--x->depth];

	if (x->in_tag) {
		output_str(x->out, STR("/>"));
		x->in_tag = false;
		return;
	}
	output_str(x->out, STR("</"));
	output_str(x->out, str_of(tag));
	output_char(x->out, '>');
}
