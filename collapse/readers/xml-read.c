/* SPDX-License-Identifier: ISC */
/* XML, tag by tag; see xml-read.h. */
#include "xml-read.h"
#include "buf.h"
#include "markup.h"
#include "msg.h"

#include <inttypes.h>

#if HAVE_EXPAT
#include <expat.h>
/* expat 2.9 deprecates the functions for the parser's place that return a long, which has
 * 32 bits on some machines. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentByteIndex64  XML_GetCurrentByteIndex
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#endif
#endif

bool
xml_begins(struct str head, const char *name)
{
	struct str rest = str_trim(head);
	struct markup m;

	while (markup_next(&rest, &m)) {
		if (m.kind == MARKUP_OPEN)
			return str_eq(markup_name(m.body), str_of(name));
		if (m.kind != MARKUP_OTHER && str_trim(m.body).n)
			break;
	}
	return false;
}

struct str
xml_attr(const char **attrs, const char *name)
{
	for (; *attrs; attrs += 2)
		if (strcmp(*attrs, name) == 0)
			return str_of(attrs[1]);
	return (struct str){ 0 };
}

bool
xml_attr_u64(const char **attrs, const char *name, uint64_t *value)
{
	return str_to_u64(str_trim(xml_attr(attrs, name)), value);
}

#if HAVE_EXPAT

struct reader {
	XML_Parser parser;
	const struct xml_handler *handler;
	void *to;
	struct input *in;
	struct buf text;  /* since the last tag */
	struct str lines; /* the piece being parsed, from the last counted line on */
	uint64_t end;	  /* the end of lines, in the whole text */
	unsigned depth;
	const char *wrong; /* why parsing was stopped; static */
};

/* Stops parsing, and calling handlers. */
static void
stop(struct reader *r, const char *why)
{
	r->wrong = why;
	XML_StopParser(r->parser, XML_FALSE);
}

/* Counts lines up to the current place, for reports of losses. expat counts them only
 * byte by byte. */
static void
set_line(struct reader *r)
{
	uint64_t left = r->end - (uint64_t)XML_GetCurrentByteIndex64(r->parser);
	const char *line;

	while (r->lines.n > left &&
		(line = memchr(r->lines.s, '\n', r->lines.n - (size_t)left))) {
		r->lines = str_from(r->lines, (size_t)(line - r->lines.s) + 1);
		input_count_lines(r->in, 1);
	}
}

static void XMLCALL
handle_open(void *context, const XML_Char *name, const XML_Char **attrs)
{
	struct reader *r = context;

	if (r->depth++ >= XML_DEEPEST)
		stop(r, "has elements nested too deeply");
	if (r->wrong)
		return;
	buf_clear(&r->text);
	set_line(r);
	r->handler->open(r->to, str_of(name), attrs);
}

static void XMLCALL
handle_close(void *context, const XML_Char *name)
{
	struct reader *r = context;

	r->depth--;
	if (r->wrong)
		return;
	set_line(r);
	r->handler->close(r->to, str_of(name), buf_view(&r->text));
	buf_clear(&r->text);
}

static void XMLCALL
handle_text(void *context, const XML_Char *s, int n)
{
	struct reader *r = context;

	if (r->text.n + (size_t)n > XML_TEXT_LONGEST)
		stop(r, "has a text that is too long");
	else
		buf_str(&r->text, (struct str){ s, (size_t)n });
}

/* A document type may declare entities. */
static void XMLCALL
handle_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
	const XML_Char *public_id, int has_declarations)
{
	(void)name, (void)system_id, (void)public_id;
	if (has_declarations)
		stop(context,
			"has declarations, such as of entities, which no profiler writes");
}

/* UTF-16 has been converted to UTF-8 before, whatever the declaration says. */
static XML_Parser
make_parser(struct reader *r)
{
	struct str head = str_head(input_window(r->in, 1), 200);
	bool wide = str_search(head, STR("utf-16")) < head.n ||
		str_search(head, STR("UTF-16")) < head.n;
	XML_Parser parser = XML_ParserCreate(wide ? "UTF-8" : NULL);

	if (!parser)
		msg_die("out of memory");
	XML_SetUserData(parser, r);
	XML_SetElementHandler(parser, handle_open, handle_close);
	XML_SetCharacterDataHandler(parser, handle_text);
	XML_SetStartDoctypeDeclHandler(parser, handle_doctype);
	return parser;
}

/* Parses to the end, or to an error. expat parses an incomplete tag again with each
 * piece, so its length has to be limited. */
static bool
parse(struct reader *r)
{
	enum { PIECE = 64 * 1024 };
	struct str w;

	input_count_lines(r->in, 1);
	do {
		r->lines = w = str_head(input_window(r->in, 1), PIECE);
		r->end += w.n;
		if (XML_Parse(r->parser, w.s, (int)w.n, w.n == 0) != XML_STATUS_OK)
			return false;
		set_line(r);
		input_skip(r->in, w.n);
		if (w.n &&
			r->end - (uint64_t)XML_GetCurrentByteIndex64(r->parser) >
				XML_TAG_LONGEST) {
			r->wrong = "has a tag that is too long";
			return false;
		}
	} while (w.n);
	return true;
}

/* Whether the text is well-formed but truncated. */
static bool
is_cut(const struct reader *r)
{
	switch (XML_GetErrorCode(r->parser)) {
	case XML_ERROR_NO_ELEMENTS:
	case XML_ERROR_UNCLOSED_TOKEN:
	case XML_ERROR_PARTIAL_CHAR:
	case XML_ERROR_UNCLOSED_CDATA_SECTION: return !r->wrong;
	default: return false;
	}
}

bool
xml_fold(
	struct input *in, struct collapse *c, const struct xml_handler *handler, void *to)
{
	struct reader r = { .handler = handler, .to = to, .in = in };
	uint64_t before = collapse_samples(c);
	bool whole, cut;

	r.parser = make_parser(&r);
	whole = parse(&r);
	cut = !whole && is_cut(&r);
	if (!whole && !cut)
		msg_error("%s: line %" PRIu64 ": %s", input_name(in),
			(uint64_t)XML_GetCurrentLineNumber64(r.parser),
			r.wrong ? r.wrong : XML_ErrorString(XML_GetErrorCode(r.parser)));
	XML_ParserFree(r.parser);
	buf_release(&r.text);
	return whole || collapse_damage(c, before, cut);
}

#else

bool
xml_fold(
	struct input *in, struct collapse *c, const struct xml_handler *handler, void *to)
{
	(void)c, (void)handler, (void)to;
	msg_error(
		"%s: is XML, and fg was built without expat; build it where that is installed",
		input_name(in));
	return false;
}

#endif
