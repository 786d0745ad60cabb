/* SPDX-License-Identifier: ISC */
/* Substitutions as in sed; see edit.h. */
#include "edit.h"
#include "match.h"
#include "mem.h"
#include "utf8.h"

/* A piece of NEW: some text, then a group. */
struct piece {
	size_t from, to; /* in text */
	unsigned group;
	bool has_group;
};

struct edit {
	struct match *match;
	struct buf text; /* for all pieces */
	struct piece *pieces;
	size_t n, cap;
	bool every;
};

/* The next DELIMITER in S without a backslash before it. */
static size_t
find_delimiter(struct str s, char delimiter)
{
	size_t i;

	for (i = 0; i < s.n && s.s[i] != delimiter; i++)
		if (s.s[i] == '\\' && i + 1 < s.n)
			i++;
	return i < s.n ? i : s.n;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Cuts up to MOST digits off the start of *REST. */
static bool
cut_number(struct str *rest, size_t most, unsigned *number)
{
	uint64_t value;
	size_t i = 0;

	while (i < rest->n && i < most && str_is_digit(rest->s[i]))
		i++;
	if (!i || !str_to_u64(str_head(*rest, i), &value))
		return false;
	*number = (unsigned)value;
	*rest = str_from(*rest, i);
	return true;
}

/* Cuts a group reference after a '$' off *REST. */
static bool
cut_group(struct str *rest, unsigned *group)
{
	struct str inside = *rest;

	*group = 0;
	if (str_starts(*rest, STR("&"))) {
		*rest = str_from(*rest, 1);
		return true;
	}
	if (!str_starts(*rest, STR("{")))
		return cut_number(rest, 5, group);
	inside = str_from(*rest, 1);
	if (!cut_number(&inside, 5, group) || !str_starts(inside, STR("}")))
		return false;
	*rest = str_from(inside, 1);
	return true;
}

static void
end_piece(struct edit *e, bool has_group, unsigned group)
{
	size_t from = e->n ? e->pieces[e->n - 1].to : 0;

	e->pieces = mem_grow(e->pieces, &e->cap, e->n + 1, sizeof *e->pieces);
	e->pieces[e->n++] = (struct piece){ from, e->text.n, group, has_group };
}

static bool
has_group(const struct edit *e, unsigned group, struct buf *why)
{
	if (group <= match_groups(e->match))
		return true;
	buf_fmt(why, "it has no group %u", group);
	return false;
}

/* Splits NEW into pieces. */
static bool
parse_new(struct edit *e, struct str rest, struct buf *why)
{
	unsigned group;
	char c;

	while (rest.n) {
		c = rest.s[0];
		rest = str_from(rest, 1);
		if ((c == '$' && cut_group(&rest, &group)) ||
			(c == '\\' && cut_number(&rest, 1, &group))) {
			if (!has_group(e, group, why))
				return false;
			end_piece(e, true, group);
			continue;
		}
		if (c == '\\' && (!rest.n || is_letter(rest.s[0]))) {
			buf_fmt(why, "\\%.*s has no meaning in the replacement",
				rest.n ? 1 : 0, rest.n ? rest.s : "");
			return false;
		}
		if (c == '\\') {
			c = rest.s[0];
			rest = str_from(rest, 1);
		}
		buf_char(&e->text, c);
	}
	end_piece(e, false, 0);
	return true;
}

static bool
parse_flags(struct edit *e, struct str letters, unsigned *flags, struct buf *why)
{
	for (; letters.n; letters = str_from(letters, 1)) {
		if (letters.s[0] == 'g') {
			e->every = true;
		} else if (letters.s[0] == 'i') {
			*flags |= MATCH_ICASE;
		} else {
			buf_fmt(why, "'%c' is not a flag", letters.s[0]);
			return false;
		}
	}
	return true;
}

/* The parts of "s/a/b/c". */
struct parts {
	struct str pattern, replacement, flags;
};

static bool
cut_parts(struct str text, struct parts *p, struct buf *why)
{
	struct str rest = str_from(text, 2);
	char delimiter = text.n > 1 ? text.s[1] : 'a';
	size_t i, j;

	if (text.n < 2 || text.s[0] != 's' || is_letter(delimiter) ||
		str_is_digit(delimiter) || str_is_blank(delimiter) || delimiter == '\\') {
		buf_str(why, STR("it does not begin with s/"));
		return false;
	}
	i = find_delimiter(rest, delimiter);
	j = i < rest.n ? find_delimiter(str_from(rest, i + 1), delimiter) : 0;
	if (i == rest.n || i + 1 + j == rest.n) {
		buf_fmt(why, "it has %s '%c'", i == rest.n ? "one" : "two", delimiter);
		buf_str(why, STR(" where three are needed"));
		return false;
	}
	p->pattern = str_head(rest, i);
	p->replacement = str_head(str_from(rest, i + 1), j);
	p->flags = str_from(rest, i + j + 2);
	return true;
}

struct edit *
edit_new(struct str text, struct buf *why)
{
	struct edit *e;
	struct parts p;
	unsigned flags = 0;

	if (!cut_parts(text, &p, why))
		return NULL;
	e = mem_zero(1, sizeof *e);
	if (parse_flags(e, p.flags, &flags, why) &&
		(e->match = match_new(p.pattern, flags, why)) &&
		parse_new(e, p.replacement, why))
		return e;
	edit_free(e);
	return NULL;
}

void
edit_free(struct edit *e)
{
	if (!e)
		return;
	match_free(e->match);
	buf_release(&e->text);
	free(e->pieces);
	free(e);
}

/* The bytes of TEXT in PLACE. */
static struct str
text_at(struct str text, struct match_place place)
{
	return place.from > place.to ? (struct str){ 0 }
				     : str_from(str_head(text, place.to), place.from);
}

static void
put_new(const struct edit *e, struct str text, struct buf *out)
{
	const struct piece *p;

	for (p = e->pieces; p < e->pieces + e->n; p++) {
		buf_str(out, str_from(str_head(buf_view(&e->text), p->to), p->from));
		if (p->has_group)
			buf_str(out, text_at(text, match_place(e->match, p->group)));
	}
}

/* Where to continue after the match at PLACE: one character further if it was empty. */
static size_t
next_start(struct str text, struct match_place place)
{
	struct str rest = str_from(text, place.to);
	uint32_t point;

	if (place.to > place.from)
		return place.to;
	return place.to + (rest.n ? utf8_next(rest, &point) : 1);
}

bool
edit_put(struct edit *e, struct str text, struct buf *out)
{
	size_t at = 0, done = 0;
	struct match_place place;
	bool any = false;

	while (at <= text.n && match_find(e->match, text, at)) {
		any = true;
		place = match_place(e->match, 0);
		if (place.from > done)
			buf_str(out, str_from(str_head(text, place.from), done));
		put_new(e, text, out);
		done = place.to > done ? place.to : done;
		at = next_start(text, place);
		if (!e->every)
			break;
	}
	if (any)
		buf_str(out, str_from(text, done));
	return any;
}

const char *
edit_failure(const struct edit *e)
{
	return match_failure(e->match);
}
