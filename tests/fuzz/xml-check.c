/* SPDX-License-Identifier: ISC */
/* A small XML checker; see xml-check.h. */
#include "xml-check.h"

enum { DEEPEST = 64, MOST_ATTRIBUTES = 64 };

/* The length of the UTF-8 character at the start of S if XML allows it; else 0. */
static size_t
character(struct str s)
{
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)s.s[0];
	size_t n = c < 0x80    ? 1
		: c >> 5 == 6  ? 2
		: c >> 4 == 14 ? 3
		: c >> 3 == 30 ? 4
			       : 0;
	unsigned long code = n == 1 ? c : n ? c & (0x7fu >> n) : 0;

	if (!n || s.n < n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s.s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s.s[i] & 0x3f);
	}
	if (code < least[n] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
		code == 0xfffe || code == 0xffff)
		return 0;
	return code >= ' ' || code == '\t' || code == '\n' || code == '\r' ? n : 0;
}

static const char *
check_characters(struct str s)
{
	size_t n;

	for (; s.n; s = str_from(s, n)) {
		n = character(s);
		if (!n)
			return "a byte that XML does not allow";
	}
	return NULL;
}

/* Text or an attribute's value: without '<', and '&' only in known entities. */
static const char *
check_text(struct str s)
{
	static const struct str entities[] = { { "lt;", 3 }, { "gt;", 3 }, { "amp;", 4 },
		{ "quot;", 5 }, { "apos;", 5 }, { "#39;", 4 }, { "#34;", 4 },
		{ "#10;", 4 }, { "#9;", 3 }, { "#13;", 4 } };
	size_t i;

	if (str_find(s, '<') < s.n)
		return "a '<' in a value";
	if (str_search(s, STR("]]>")) < s.n)
		return "a ']]>' in text";
	while (str_find(s, '&') < s.n) {
		str_cut(&s, '&');
		for (i = 0; i < sizeof entities / sizeof *entities; i++)
			if (str_starts(s, entities[i]))
				break;
		if (i == sizeof entities / sizeof *entities)
			return "an '&' that begins no entity";
	}
	return NULL;
}

static bool
is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!((s.s[i] | 0x20) >= 'a' && (s.s[i] | 0x20) <= 'z') &&
			(!i || !(str_is_digit(s.s[i]) || s.s[i] == '-' || s.s[i] == ':')))
			return false;
	return s.n > 0;
}

/* The attributes of a tag: name="value" with one blank before each. */
static const char *
check_attributes(struct str s)
{
	struct str names[MOST_ATTRIBUTES], value;
	size_t n = 0, i;
	char quote;

	while (s.n) {
		if ((!str_is_blank(s.s[0]) && s.s[0] != '\n') || n == MOST_ATTRIBUTES)
			return "something odd between attributes";
		s = str_from(s, 1);
		names[n] = str_cut(&s, '=');
		if (!is_name(names[n]) || !s.n || (s.s[0] != '"' && s.s[0] != '\''))
			return "something that is no attribute";
		quote = s.s[0];
		s = str_from(s, 1);
		value = str_head(s, str_find(s, quote));
		if (value.n == s.n)
			return "a value without its end";
		s = str_from(s, value.n + 1);
		for (i = 0; i < n; i++)
			if (str_eq(names[i], names[n]))
				return "an attribute twice";
		if (check_text(value))
			return check_text(value);
		n++;
	}
	return NULL;
}

/* Cuts the text before END, and END itself, off *REST. False if END is missing. */
static bool
cut_at(struct str *rest, struct str end, struct str *before)
{
	size_t i = str_search(*rest, end);

	if (i == rest->n)
		return false;
	*before = str_head(*rest, i);
	*rest = str_from(*rest, i + end.n);
	return true;
}

/* The end of the tag that begins S: the first '>' outside of quotes. */
static size_t
tag_end(struct str s)
{
	char quote = 0;
	size_t i;

	for (i = 0; i < s.n && (quote || s.s[i] != '>'); i++)
		if (quote ? s.s[i] == quote : s.s[i] == '"' || s.s[i] == '\'')
			quote = quote ? 0 : s.s[i];
	return i;
}

/* Open elements, and whether the root element has been seen. */
struct open {
	struct str names[DEEPEST];
	size_t depth;
	bool seen;
};

static const char *
parse_tag(struct open *open, struct str tag)
{
	size_t n = 0;
	bool closes = str_starts(tag, STR("/")), empty = str_ends(tag, STR("/"));
	struct str name;

	tag = str_from(tag, closes);
	if (empty)
		tag.n--;
	while (n < tag.n && !str_is_blank(tag.s[n]) && tag.s[n] != '\n')
		n++;
	name = str_head(tag, n);
	if (!is_name(name))
		return "a tag without a name";
	if (closes)
		return n == tag.n && open->depth &&
				str_eq(open->names[--open->depth], name)
			? NULL
			: "an end tag that ends nothing";
	if ((!open->depth && open->seen) || open->depth == DEEPEST)
		return "a second document or too deep a one";
	open->seen = true;
	if (!empty)
		open->names[open->depth++] = name;
	return check_attributes(str_from(tag, n));
}

/* Checks the markup behind a '<'. */
static const char *
parse_markup(struct open *open, struct str *rest)
{
	struct str inner;
	size_t n;

	if (str_starts(*rest, STR("!--"))) {
		*rest = str_from(*rest, 3);
		return cut_at(rest, STR("--"), &inner) && rest->n && rest->s[0] == '>'
			? (*rest = str_from(*rest, 1), NULL)
			: "a comment with '--' in it";
	}
	if (str_starts(*rest, STR("![CDATA[")))
		return open->depth && cut_at(rest, STR("]]>"), &inner)
			? NULL
			: "CDATA without end";
	n = tag_end(*rest);
	if (n == rest->n)
		return "a tag without its end";
	inner = str_head(*rest, n);
	*rest = str_from(*rest, n + 1);
	return parse_tag(open, inner);
}

const char *
xml_check(struct str text)
{
	struct open open = { .depth = 0 };
	const char *wrong = check_characters(text);
	struct str before;
	bool markup;

	if (str_starts(text, STR("<?xml ")) && !cut_at(&text, STR("?>"), &before))
		return "a declaration without its end";
	while (!wrong && text.n) {
		before = str_head(text, str_find(text, '<'));
		markup = before.n < text.n;
		text = str_from(text, before.n + 1);
		wrong = check_text(before);
		if (!wrong && !open.depth && str_trim(before).n)
			wrong = "text outside of the document";
		if (!wrong && markup)
			wrong = parse_markup(&open, &text);
	}
	if (!wrong && (open.depth || !open.seen))
		wrong = "an element without its end";
	return wrong;
}
