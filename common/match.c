/* SPDX-License-Identifier: ISC */
/* Regular expressions through pcre2; see match.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "match.h"
#include "mem.h"
#include "utf8.h"

#include <pcre2.h>

/* What the compiled code may use for its stack: enough for MATCH_LONGEST. */
enum { STACK_LEAST = 32 * 1024, STACK_MOST = 8 * 1024 * 1024 };

struct match {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	int failure; /* a code of pcre2's, 0 for none */
	char text[120];
};

/* Expressions that are no UTF-8 themselves are matched byte by byte. */
static bool
is_utf8(struct str s)
{
	uint32_t point = 0;

	while (s.n && point != UTF8_INVALID)
		s = str_from(s, utf8_next(s, &point));
	return point != UTF8_INVALID;
}

static const unsigned char *
bytes_of(struct str s)
{
	return (const unsigned char *)(s.n ? s.s : "");
}

static void
put_error(struct buf *why, int code)
{
	unsigned char text[120];

	if (pcre2_get_error_message(code, text, sizeof text) < 0)
		buf_fmt(why, "error %d", code);
	else
		buf_str(why, str_of((const char *)text));
}

static pcre2_code *
compile(struct str pattern, unsigned flags, struct buf *why)
{
	uint32_t options = PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
	PCRE2_SIZE at;
	pcre2_code *code;
	int error;

	if (flags & MATCH_ICASE)
		options |= PCRE2_CASELESS;
	if (is_utf8(pattern))
		options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	code = pcre2_compile(bytes_of(pattern), pattern.n, options, &error, &at, NULL);
	if (!code) {
		put_error(why, error);
		buf_fmt(why, " at offset %zu", (size_t)at);
	}
	return code;
}

static void *
there(void *p)
{
	if (!p)
		msg_die("out of memory for an expression");
	return p;
}

struct match *
match_new(struct str pattern, unsigned flags, struct buf *why)
{
	pcre2_code *code = compile(pattern, flags, why);
	struct match *m;

	if (!code)
		return NULL;
	m = mem_zero(1, sizeof *m);
	m->code = code;
	m->data = there(pcre2_match_data_create_from_pattern(code, NULL));
	m->context = there(pcre2_match_context_create(NULL));
	/* Where code cannot be made at run time pcre2 interprets, to the same end. */
	if (pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0) {
		m->stack = there(pcre2_jit_stack_create(STACK_LEAST, STACK_MOST, NULL));
		pcre2_jit_stack_assign(m->context, NULL, m->stack);
	}
	return m;
}

void
match_free(struct match *m)
{
	if (!m)
		return;
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->context);
	pcre2_jit_stack_free(m->stack);
	pcre2_code_free(m->code);
	free(m);
}

static void
fail(struct match *m, int code)
{
	struct buf text = { 0 };

	put_error(&text, code);
	snprintf(m->text, sizeof m->text, "%s", buf_cstr(&text));
	buf_release(&text);
	m->failure = code;
}

static void
fail_of_length(struct match *m, size_t n)
{
	snprintf(m->text, sizeof m->text, "a text of %zu bytes is too long", n);
	m->failure = PCRE2_ERROR_BADDATA;
}

/* Looks in TEXT from START on; the places found are in M's data. */
static bool
find(struct match *m, struct str text, size_t start)
{
	size_t limit = text.n ? MATCH_STEPS / text.n : MATCH_STEPS;
	int n;

	if (m->failure)
		return false;
	if (text.n > MATCH_LONGEST) {
		fail_of_length(m, text.n);
		return false;
	}
	/* pcre2 counts anew for each place where a match could begin. */
	pcre2_set_match_limit(
		m->context, (uint32_t)(limit < MATCH_LIMIT ? limit : MATCH_LIMIT));
	n = pcre2_match(m->code, bytes_of(text), text.n, start, 0, m->data, m->context);
	if (n < 0 && n != PCRE2_ERROR_NOMATCH)
		fail(m, n);
	return n >= 0;
}

bool
match_has(struct match *m, struct str text)
{
	return find(m, text, 0);
}

/* What group GROUP has matched in TEXT; nothing when it took no part. */
static struct str
group_of(const struct match *m, struct str text, unsigned group)
{
	const PCRE2_SIZE *places = pcre2_get_ovector_pointer(m->data);
	size_t from = places[2 * (size_t)group], to = places[2 * (size_t)group + 1];

	/* With \K a match may end before it starts. */
	if (from == PCRE2_UNSET || from > to)
		return (struct str){ 0 };
	return str_from(str_head(text, to), from);
}

bool
match_find(struct match *m, struct str text, struct str *found)
{
	if (!find(m, text, 0))
		return false;
	*found = group_of(m, text, 0);
	return true;
}

const char *
match_failure(const struct match *m)
{
	return m->failure ? m->text : NULL;
}

/* A part of NEW: some text, then a group. */
struct piece {
	size_t from, to; /* in text */
	unsigned group;
	bool has_group;
};

struct match_edit {
	struct match *match;
	struct buf text; /* of all pieces */
	struct piece *pieces;
	size_t n, cap;
	bool every;
};

/* The place of the next DELIMITER in S that has no backslash before it. */
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

/* Cuts the digits at the start of *REST off, MOST at most. */
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

/* Cuts a group, as it stands after a '$', off *REST. */
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
end_piece(struct match_edit *e, bool has_group, unsigned group)
{
	size_t from = e->n ? e->pieces[e->n - 1].to : 0;

	e->pieces = mem_grow(e->pieces, &e->cap, e->n + 1, sizeof *e->pieces);
	e->pieces[e->n++] = (struct piece){ from, e->text.n, group, has_group };
}

static bool
has_group(const struct match_edit *e, unsigned group, struct buf *why)
{
	uint32_t most = 0;

	(void)pcre2_pattern_info(e->match->code, PCRE2_INFO_CAPTURECOUNT, &most);
	if (group <= most)
		return true;
	buf_fmt(why, "it has no group %u", group);
	return false;
}

/* Cuts NEW into pieces. */
static bool
take_new(struct match_edit *e, struct str rest, struct buf *why)
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
			buf_fmt(why, "\\%.*s means nothing in what is put in",
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
take_flags(struct match_edit *e, struct str letters, unsigned *flags, struct buf *why)
{
	for (; letters.n; letters = str_from(letters, 1)) {
		if (letters.s[0] == 'g') {
			e->every = true;
		} else if (letters.s[0] == 'i') {
			*flags |= MATCH_ICASE;
		} else {
			buf_fmt(why, "there is no flag '%c'", letters.s[0]);
			return false;
		}
	}
	return true;
}

/* The parts of "s/a/b/c". */
struct edit_parts {
	struct str pattern, replacement, flags;
};

static bool
cut_edit(struct str text, struct edit_parts *p, struct buf *why)
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

struct match_edit *
match_edit_new(struct str text, struct buf *why)
{
	struct match_edit *e;
	struct edit_parts p;
	unsigned flags = 0;

	if (!cut_edit(text, &p, why))
		return NULL;
	e = mem_zero(1, sizeof *e);
	if (take_flags(e, p.flags, &flags, why) &&
		(e->match = match_new(p.pattern, flags, why)) &&
		take_new(e, p.replacement, why))
		return e;
	match_edit_free(e);
	return NULL;
}

void
match_edit_free(struct match_edit *e)
{
	if (!e)
		return;
	match_free(e->match);
	buf_release(&e->text);
	free(e->pieces);
	free(e);
}

static void
put_new(const struct match_edit *e, struct str text, struct buf *out)
{
	const struct piece *p;

	for (p = e->pieces; p < e->pieces + e->n; p++) {
		buf_str(out, str_from(str_head(buf_view(&e->text), p->to), p->from));
		if (p->has_group)
			buf_str(out, group_of(e->match, text, p->group));
	}
}

/* Where to look on behind the match at PLACE: after one of nothing, a character
 * further. */
static size_t
next_start(struct str text, const PCRE2_SIZE *place)
{
	struct str rest = str_from(text, place[1]);
	uint32_t point;

	if (place[1] > place[0])
		return place[1];
	return place[1] + (rest.n ? utf8_next(rest, &point) : 1);
}

bool
match_edit_put(struct match_edit *e, struct str text, struct buf *out)
{
	const PCRE2_SIZE *place = pcre2_get_ovector_pointer(e->match->data);
	size_t at = 0, done = 0;
	bool any = false;

	while (at <= text.n && find(e->match, text, at)) {
		any = true;
		if (place[0] > done)
			buf_str(out, str_from(str_head(text, place[0]), done));
		put_new(e, text, out);
		done = place[1] > done ? place[1] : done;
		at = next_start(text, place);
		if (!e->every)
			break;
	}
	if (any)
		buf_str(out, str_from(text, done));
	return any;
}

const char *
match_edit_failure(const struct match_edit *e)
{
	return match_failure(e->match);
}
