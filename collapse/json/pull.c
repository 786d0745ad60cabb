/* SPDX-License-Identifier: ISC */
/* JSON, structure and strings; see pull.h. Numbers are in pull-number.c. */
#include "pull.h"
#include "msg.h"
#include "pull-parts.h"
#include "utf8.h"

#include <inttypes.h>

void
pull_init(struct pull *p, struct input *in)
{
	*p = (struct pull){ .in = in, .pending = true };
}

void
pull_release(struct pull *p)
{
	buf_release(&p->text);
}

bool
pull_failed(const struct pull *p)
{
	return p->failed;
}

/* Ends everything: there is no more input, and no container is open. */
static void
stop(struct pull *p)
{
	p->failed = true;
	p->pending = false;
	p->start = p->at = p->end;
	p->depth = 0;
}

void
pull_fail(struct pull *p, const char *why)
{
	if (p->failed)
		return;
	if (!p->quiet)
		msg_error("%s: byte %" PRIu64 ": %s", input_name(p->in),
			p->before + (uint64_t)(p->at - p->start) + 1, why);
	stop(p);
}

bool
pull_fill(struct pull *p, const char **keep)
{
	const char *from = keep ? *keep : p->at;
	size_t held = (size_t)(p->end - from), at = (size_t)(p->at - from);
	struct str w;

	if (p->failed)
		return false;
	p->before += (uint64_t)(from - p->start);
	input_skip(p->in, (size_t)(from - p->start));
	w = input_window(p->in, held + 1);
	p->start = w.s;
	p->at = w.s + at;
	p->end = w.s + w.n;
	if (keep)
		*keep = w.s;
	return w.n > held;
}

void
pull_cut(struct pull *p)
{
	if (p->failed)
		return;
	p->cut = true;
	stop(p);
}

/* The next byte that is no blank, not taken; -1 at the end. */
static int
look(struct pull *p)
{
	for (;;) {
		for (; p->at < p->end; p->at++)
			if (*p->at != ' ' && *p->at != '\n' && *p->at != '\t' &&
				*p->at != '\r')
				return (unsigned char)*p->at;
		if (!pull_fill(p, NULL))
			return -1;
	}
}

bool
pull_expect(struct pull *p)
{
	if (p->failed || !p->pending)
		return false;
	if (look(p) < 0) {
		pull_cut(p);
		return false;
	}
	return true;
}

bool
pull_more(struct pull *p)
{
	if (p->failed || p->depth)
		return false;
	if (p->pending && p->before + (uint64_t)(p->at - p->start) > 0)
		pull_skip(p);
	p->pending = !p->failed && look(p) >= 0;
	return p->pending;
}

enum pull_kind
pull_peek(struct pull *p)
{
	if (!pull_expect(p))
		return PULL_NOTHING;
	switch (*p->at) {
	case '{': return PULL_OBJECT;
	case '[': return PULL_ARRAY;
	case '"': return PULL_STRING;
	case 't':
	case 'f': return PULL_BOOL;
	case 'n': return PULL_NULL;
	case '-': return PULL_NUMBER;
	default: break;
	}
	if (str_is_digit(*p->at))
		return PULL_NUMBER;
	pull_fail(p, "a value was expected");
	return PULL_NOTHING;
}

bool
pull_is(struct pull *p, enum pull_kind kind)
{
	enum pull_kind next = pull_peek(p);

	if (next == kind)
		return true;
	if (next != PULL_NOTHING) {
		p->wrong++;
		pull_skip(p);
	}
	return false;
}

/* Takes the opening bracket that P is at. */
static bool
open(struct pull *p, bool array)
{
	if (p->depth == PULL_DEPTH) {
		pull_fail(p, "nested too deep");
		return false;
	}
	p->at++;
	p->in_array[p->depth++] = array;
	p->first = true;
	p->pending = false;
	return true;
}

bool
pull_object(struct pull *p)
{
	return pull_is(p, PULL_OBJECT) && open(p, false);
}

bool
pull_array(struct pull *p)
{
	return pull_is(p, PULL_ARRAY) && open(p, true);
}

/* Goes to the next entry of the container opened last, which must be an array
 * when ARRAY; false at its end. */
static bool
next(struct pull *p, bool array)
{
	int c;

	if (p->pending)
		pull_skip(p);
	if (p->failed || !p->depth || p->in_array[p->depth - 1] != array)
		return false;
	c = look(p);
	if (c == (array ? ']' : '}')) {
		p->at++;
		p->depth--;
		p->first = false;
		return false;
	}
	if (c == ',' && !p->first) {
		p->at++;
		c = look(p);
	} else if (c >= 0 && !p->first) {
		pull_fail(p,
			array ? "a comma or ] was expected"
			      : "a comma or } was expected");
		return false;
	}
	p->first = false;
	if (c < 0)
		pull_cut(p);
	return !p->failed;
}

bool
pull_element(struct pull *p)
{
	p->pending = next(p, true);
	return p->pending;
}

/* Four hexadecimal digits after "\u"; -1 when they are none. */
static int32_t
take_hex(struct pull *p, const char **keep)
{
	uint64_t value;

	while (p->end - p->at < 4)
		if (!pull_fill(p, keep)) {
			p->at = p->end;
			return -1;
		}
	if (!str_hex_to_u64((struct str){ p->at, 4 }, &value))
		return -1;
	p->at += 4;
	return (int32_t)value;
}

static void
put_point(struct buf *b, int32_t point)
{
	b->n += utf8_put(buf_room(b, UTF8_LONGEST), (uint32_t)point);
}

/* What follows "\u": a point of Unicode, perhaps of two escapes. */
static bool
undo_unicode(struct pull *p, const char **keep)
{
	enum { HIGH = 0xd800, LOW = 0xdc00, LAST = 0xdfff, LOST = 0xfffd };
	int32_t point = take_hex(p, keep), low;

	if (point < 0)
		return false;
	while (point >= HIGH && point <= LAST) {
		while (p->end - p->at < 2 && pull_fill(p, keep))
			;
		if (point >= LOW || p->end - p->at < 2 || p->at[0] != '\\' ||
			p->at[1] != 'u') {
			point = LOST;
			break;
		}
		p->at += 2;
		low = take_hex(p, keep);
		if (low < 0)
			return false;
		if (low >= LOW && low <= LAST) {
			point = 0x10000 + (point - HIGH) * 0x400 + (low - LOW);
			break;
		}
		put_point(&p->text, LOST);
		point = low;
	}
	put_point(&p->text, point);
	return true;
}

/* Undoes the escape whose backslash has been taken. False when it is none. */
static bool
undo_escape(struct pull *p, const char **keep)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *known;

	if (p->at == p->end && !pull_fill(p, keep))
		return false;
	if (*p->at == 'u') {
		p->at++;
		return undo_unicode(p, keep);
	}
	known = *p->at ? strchr(from, *p->at) : NULL;
	if (!known)
		return false;
	p->at++;
	buf_char(&p->text, to[known - from]);
	return true;
}

/* The first byte from AT on that ends a string, begins an escape or may not
 * be there; END when there is none. Eight bytes at a time: a byte is one of
 * them when what it has in common with '"', '\\' or the upper bits of a
 * control byte leaves a zero. */
static const char *
find_special(const char *at, const char *end)
{
	const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
	uint64_t w, quote, slash, found;

	for (; end - at >= 8; at += 8) {
		memcpy(&w, at, sizeof w);
		quote = w ^ ones * '"';
		slash = w ^ ones * '\\';
		found = ((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
			((w - ones * 0x20) & ~w);
		if (found & high)
			break;
	}
	while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
		at++;
	return at;
}

/* Takes a string with its quotes. Borrowed from the window, or from text when
 * it has escapes. */
static bool
take_string(struct pull *p, struct str *s)
{
	const char *keep = ++p->at;
	bool escaped = false;

	*s = (struct str){ 0 };
	buf_clear(&p->text);
	for (;;) {
		p->at = find_special(p->at, p->end);
		if (p->text.n + (size_t)(p->at - keep) > PULL_STRING_MOST) {
			/* Where it has become too long, however much was read. */
			p->at = keep +
				(p->text.n < PULL_STRING_MOST
						? PULL_STRING_MOST - p->text.n
						: 0);
			pull_fail(p, "a string is longer than 16 MB");
			return false;
		}
		if (p->at == p->end) {
			if (pull_fill(p, &keep))
				continue;
			pull_cut(p);
			return false;
		}
		if (*p->at == '"')
			break;
		buf_str(&p->text, (struct str){ keep, (size_t)(p->at - keep) });
		if (*p->at++ != '\\' || !undo_escape(p, &keep)) {
			if (p->at == p->end && !pull_fill(p, NULL))
				pull_cut(p);
			else
				pull_fail(p,
					"a control byte or a wrong escape in a string");
			return false;
		}
		keep = p->at;
		escaped = true;
	}
	*s = (struct str){ keep, (size_t)(p->at++ - keep) };
	if (escaped) {
		buf_str(&p->text, *s);
		*s = buf_view(&p->text);
	}
	return true;
}

bool
pull_string(struct pull *p, struct str *s)
{
	*s = (struct str){ 0 };
	if (!pull_is(p, PULL_STRING))
		return false;
	p->pending = false;
	return take_string(p, s);
}

bool
pull_key(struct pull *p, struct str *key)
{
	if (!next(p, false))
		return false;
	if (*p->at != '"') {
		pull_fail(p, "a key was expected");
		return false;
	}
	if (!take_string(p, key))
		return false;
	/* What was borrowed from the window must outlive a look for the colon. */
	if (p->at == p->end || *p->at != ':') {
		if (key->s != p->text.s) {
			buf_clear(&p->text);
			buf_str(&p->text, *key);
			*key = buf_view(&p->text);
		}
		if (look(p) != ':') {
			if (p->at == p->end)
				pull_cut(p);
			else
				pull_fail(p, "a colon was expected");
			return false;
		}
	}
	p->at++;
	p->pending = true;
	return true;
}

/* Takes WORD, which the next value must be. */
static bool
take_word(struct pull *p, struct str word)
{
	while ((size_t)(p->end - p->at) < word.n)
		if (!pull_fill(p, NULL)) {
			pull_cut(p);
			return false;
		}
	if (memcmp(p->at, word.s, word.n) != 0) {
		pull_fail(p, "a value was expected");
		return false;
	}
	p->at += word.n;
	p->pending = false;
	return true;
}

bool
pull_bool(struct pull *p, bool *value)
{
	if (!pull_is(p, PULL_BOOL))
		return false;
	*value = *p->at == 't';
	return take_word(p, *value ? STR("true") : STR("false"));
}

bool
pull_null(struct pull *p)
{
	return pull_peek(p) == PULL_NULL && take_word(p, STR("null"));
}

/* Takes a value that is no container, or opens one. */
static void
skip_one(struct pull *p)
{
	struct str s;
	bool b;

	switch (pull_peek(p)) {
	case PULL_OBJECT: (void)pull_object(p); break;
	case PULL_ARRAY: (void)pull_array(p); break;
	case PULL_STRING: (void)pull_string(p, &s); break;
	case PULL_NUMBER: pull_skip_number(p); break;
	case PULL_BOOL: (void)pull_bool(p, &b); break;
	case PULL_NULL: (void)pull_null(p); break;
	default: break;
	}
}

void
pull_skip(struct pull *p)
{
	unsigned depth = p->depth;
	struct str key;

	skip_one(p);
	while (!p->failed && p->depth > depth)
		if (p->in_array[p->depth - 1] ? pull_element(p) : pull_key(p, &key))
			skip_one(p);
}
