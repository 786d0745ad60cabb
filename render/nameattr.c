/* SPDX-License-Identifier: ISC */
/* Attributes of names; see nameattr.h. */
#include "nameattr.h"
#include "input.h"
#include "mem.h"
#include "msg.h"

#include <ctype.h>
#include <strings.h>

/* The place of a message. */
struct reader {
	struct nameattr_list *list;
	const char *file;
	uint64_t line;
};

static void
warn_skipped(const struct reader *r, const char *what, struct str about)
{
	msg_warn_at(r->file, r->line, "skipping %s '%.*s'", what,
		(int)(about.n < 100 ? about.n : 100), about.n ? about.s : "");
}

static struct str
without_quotes(struct str s)
{
	s = str_trim(s);
	if (s.n >= 2 && (s.s[0] == '"' || s.s[0] == '\'') && s.s[s.n - 1] == s.s[0])
		return (struct str){ s.s + 1, s.n - 2 };
	return s;
}

static bool
is_in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) ||
		c == '_' || c == '-' || c == '.';
}

/* Whether TEXT is WORD, ignoring case. */
static bool
is_word(struct str text, const char *word)
{
	return text.n == strlen(word) && strncasecmp(text.s, word, text.n) == 0;
}

/* Whether NAME is allowed as an attribute: letters without a prefix, as prefixes must be
 * declared, and neither an event handler nor one that fg-svg writes itself. */
static bool
is_good_name(struct str name)
{
	size_t i;

	for (i = 0; i < name.n; i++)
		if (!is_in_name(name.s[i]))
			return false;
	return name.n > 0 && (isalpha((unsigned char)name.s[0]) || name.s[0] == '_') &&
		!(name.n > 2 && tolower((unsigned char)name.s[0]) == 'o' &&
			tolower((unsigned char)name.s[1]) == 'n') &&
		!is_word(name, "href") && !is_word(name, "target") &&
		!is_word(name, "xmlns");
}

/* Whether VALUE is free of references that a viewer would fetch, as in style and many other
 * attributes of SVG. CSS can hide words behind backslashes and comments. */
static bool
is_good_value(struct str value)
{
	static const char *const fetches[] = { "url(", "image(", "image-set(", "src(",
		"@import", "expression(", "\\", "/*" };
	size_t i, at;

	for (at = 0; at < value.n; at++)
		for (i = 0; i < sizeof fetches / sizeof *fetches; i++)
			if (is_word(str_head(str_from(value, at), strlen(fetches[i])),
				    fetches[i]))
				return false;
	return true;
}

static void
add_pair(const struct reader *r, struct nameattr_pairs *to, struct str name,
	struct str value)
{
	char *copy;
	size_t i;

	for (i = 0; i < to->n; i++)
		if (str_eq(str_of(to->items[i].name), name)) {
			warn_skipped(r, "duplicate attribute", name);
			return;
		}
	copy = arena_alloc(&r->list->texts, name.n + 1);
	memcpy(copy, name.s, name.n);
	copy[name.n] = 0;
	to->items = mem_grow(to->items, &to->cap, to->n + 1, sizeof *to->items);
	to->items[to->n++] =
		(struct nameattr_pair){ copy, arena_str(&r->list->texts, value) };
}

/* Cuts a value off *REST: quoted, or up to a blank. */
static struct str
cut_value(struct str *rest)
{
	char quote = rest->n ? rest->s[0] : 0;
	struct str value;

	if (quote == '"' || quote == '\'') {
		*rest = str_from(*rest, 1);
		return str_cut(rest, quote);
	}
	value = str_head(*rest, str_find(*rest, ' '));
	*rest = str_from(*rest, value.n);
	return value;
}

/* Adds the attributes of TEXT, "name='value' other=value". */
static void
add_extra(const struct reader *r, struct nameattr_pairs *to, struct str text)
{
	struct str name, value;

	for (text = str_trim(text); text.n; text = str_trim(text)) {
		if (str_find(text, '=') == text.n) {
			warn_skipped(r, "key without a value", text);
			return;
		}
		name = str_trim(str_cut(&text, '='));
		text = str_trim(text);
		value = cut_value(&text);
		if (!is_good_name(name))
			warn_skipped(r, "forbidden attribute", name);
		else if (!is_good_value(value))
			warn_skipped(r, "attribute that would fetch a file,", name);
		else
			add_pair(r, to, name, value);
	}
}

/* Whether HREF is a location and not a script: without a scheme, or with one of the web's. */
static bool
is_place(struct str href)
{
	static const struct str schemes[] = { { "http", 4 }, { "https", 5 },
		{ "file", 4 }, { "ftp", 3 }, { "mailto", 6 } };
	size_t colon = str_find(href, ':'), i;
	struct str scheme = str_head(href, colon);

	if (colon == href.n || str_find(scheme, '/') < scheme.n ||
		str_find(scheme, '?') < scheme.n || str_find(scheme, '#') < scheme.n)
		return true;
	for (i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
		if (str_eq(schemes[i], scheme))
			return true;
	return false;
}

static void
set_text(const struct reader *r, struct str *to, struct str key, struct str value)
{
	if (to->n)
		warn_skipped(r, "duplicate key", key);
	else
		*to = arena_str(&r->list->texts, value);
}

static void
parse_pair(const struct reader *r, struct nameattr *attr, struct str pair)
{
	struct str value = pair, key = str_trim(str_cut(&value, '=')),
		   bare = without_quotes(value),
		   extra = value.n && is_in_name(value.s[0]) ? value : bare;

	if (str_eq(key, STR("title")))
		set_text(r, &attr->title, key, bare);
	else if (str_eq(key, STR("href")) && !is_place(bare))
		warn_skipped(r, "unsafe link", bare);
	else if (str_eq(key, STR("href")))
		set_text(r, &attr->href, key, bare);
	else if (str_eq(key, STR("target")))
		set_text(r, &attr->target, key, bare);
	else if (str_eq(key, STR("id")) || str_eq(key, STR("class")))
		add_pair(r, &attr->box, key, bare);
	else if (str_eq(key, STR("g_extra")))
		add_extra(r, &attr->box, extra);
	else if (str_eq(key, STR("a_extra")))
		add_extra(r, &attr->link, extra);
	else
		warn_skipped(r, "unknown key", key);
}

static struct nameattr *
nameattr_of(struct nameattr_list *l, struct str name)
{
	uint32_t id = intern_id(&l->names, name);

	if (id >= l->n) {
		l->attrs = mem_grow(l->attrs, &l->cap, (size_t)id + 1, sizeof *l->attrs);
		l->attrs[id] = (struct nameattr){ 0 };
		l->n = (size_t)id + 1;
	}
	return &l->attrs[id];
}

static void
read_line(const struct reader *r, struct str line)
{
	struct str name = str_cut(&line, '\t'), pair;
	struct nameattr *attr = nameattr_of(r->list, name);

	if (attr->is_given) {
		warn_skipped(r, "duplicate name", name);
		return;
	}
	attr->is_given = true;
	while (line.n) {
		pair = str_cut(&line, '\t');
		if (pair.n)
			parse_pair(r, attr, pair);
	}
}

bool
nameattr_list_init(struct nameattr_list *l, const char *path)
{
	struct input *in = input_open(path);
	struct reader r = { .list = l, .file = path };
	struct str line;
	bool good;

	*l = (struct nameattr_list){ .n = 0 };
	if (!in)
		return false;
	while (input_line(in, &line)) {
		r.line = input_line_number(in);
		if (line.n)
			read_line(&r, line);
	}
	good = !input_failed(in);
	input_close(in);
	return good;
}

void
nameattr_list_release(struct nameattr_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		free(l->attrs[i].box.items);
		free(l->attrs[i].link.items);
	}
	free(l->attrs);
	intern_release(&l->names);
	arena_release(&l->texts);
}

const struct nameattr *
nameattr_list_find(struct nameattr_list *l, struct str name)
{
	uint32_t id = intern_id(&l->names, name);

	/* A name without attributes gets no entry: entries must not move. */
	return id < l->n && l->attrs[id].is_given ? &l->attrs[id] : NULL;
}
