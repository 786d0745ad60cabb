/* SPDX-License-Identifier: ISC */
/* Splits XML into pieces; see markup.h. */
#include "markup.h"

/* The delimiters of pieces; the first match counts. */
static const struct {
	struct str open, close;
	enum markup_kind kind;
} PIECES[] = {
	{ { "<!--", 4 }, { "-->", 3 }, MARKUP_OTHER },
	{ { "<![CDATA[", 9 }, { "]]>", 3 }, MARKUP_CDATA },
	{ { "<?", 2 }, { "?>", 2 }, MARKUP_OTHER },
	{ { "<!", 2 }, { ">", 1 }, MARKUP_OTHER },
	{ { "</", 2 }, { ">", 1 }, MARKUP_CLOSE },
};

/* The length of TAG up to the '>' that ends it, which is outside quotes. */
static size_t
tag_length(struct str tag)
{
	char quote = 0;
	size_t i;

	for (i = 0; i < tag.n; i++) {
		if (quote)
			quote = tag.s[i] == quote ? 0 : quote;
		else if (tag.s[i] == '"' || tag.s[i] == '\'')
			quote = tag.s[i];
		else if (tag.s[i] == '>')
			break;
	}
	return i;
}

bool
markup_next(struct str *rest, struct markup *m)
{
	size_t i, end = 1;

	if (!rest->n)
		return false;
	if (rest->s[0] != '<') {
		*m = (struct markup){ MARKUP_TEXT,
			str_head(*rest, str_find(*rest, '<')) };
		*rest = str_from(*rest, m->body.n);
		return true;
	}
	for (i = 0; i < sizeof PIECES / sizeof *PIECES; i++)
		if (str_starts(*rest, PIECES[i].open))
			break;
	if (i < sizeof PIECES / sizeof *PIECES) {
		*rest = str_from(*rest, PIECES[i].open.n);
		m->kind = PIECES[i].kind;
		m->body = str_head(*rest, str_search(*rest, PIECES[i].close));
		end = PIECES[i].close.n;
	} else {
		*rest = str_from(*rest, 1);
		m->kind = MARKUP_OPEN;
		m->body = str_head(*rest, tag_length(*rest));
	}
	*rest = str_from(*rest, m->body.n);
	if (!rest->n)
		return false;
	*rest = str_from(*rest, end);
	return true;
}

static bool
is_space(char c)
{
	return str_is_blank(c) || c == '\n' || c == '\r';
}

/* Cuts a word up to the first space, '=' or '/' off *REST, without leading spaces. */
static struct str
cut_name(struct str *rest)
{
	struct str name;
	size_t i = 0;

	while (rest->n && (is_space(rest->s[0]) || rest->s[0] == '/'))
		*rest = str_from(*rest, 1);
	while (i < rest->n && !is_space(rest->s[i]) && rest->s[i] != '=' &&
		rest->s[i] != '/')
		i++;
	name = str_head(*rest, i);
	*rest = str_from(*rest, i);
	return name;
}

struct str
markup_name(struct str tag)
{
	return cut_name(&tag);
}

struct str
markup_attr(struct str tag, struct str name)
{
	struct str found, value;
	char quote;

	(void)cut_name(&tag);
	while ((found = cut_name(&tag)).n) {
		while (tag.n && is_space(tag.s[0]))
			tag = str_from(tag, 1);
		if (!tag.n || tag.s[0] != '=')
			continue;
		tag = str_from(tag, 1);
		while (tag.n && is_space(tag.s[0]))
			tag = str_from(tag, 1);
		quote = tag.n ? tag.s[0] : 0;
		if (quote != '"' && quote != '\'')
			break;
		tag = str_from(tag, 1);
		value = str_cut(&tag, quote);
		if (str_eq(found, name))
			return value;
	}
	return (struct str){ 0 };
}
