/* SPDX-License-Identifier: ISC */
/* A streaming JSON reader; see json-read.h. */
#include "json-read.h"
#include "json-number.h"
#include "mem.h"
#include "msg.h"
#include "utf8.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

void
json_reader_init(struct json_reader *p, struct input *in)
{
	*p = (struct json_reader){ .in = in, .pending = true };
}

void
json_reader_release(struct json_reader *p)
{
	buf_release(&p->text);
	buf_release(&p->long_key);
}

bool
json_failed(const struct json_reader *p)
{
	return p->failed;
}

/* Ends all input, and closes all containers. */
static void
stop(struct json_reader *p)
{
	p->failed = true;
	p->pending = false;
	p->start = p->at = p->end;
	p->depth = 0;
}

void
json_fail(struct json_reader *p, const char *why)
{
	if (p->failed)
		return;
	if (!p->quiet)
		msg_error("%s: byte %" PRIu64 ": %s", input_name(p->in),
			p->before + (uint64_t)(p->at - p->start) + 1, why);
	stop(p);
}

/* Reads more input; keeps the text from *KEEP on, or with NULL from the current place.
 * Returns false at the end of the input. */
static bool
fill(struct json_reader *p, const char **keep)
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

/* Marks the text as truncated. */
static void
cut(struct json_reader *p)
{
	if (p->failed)
		return;
	p->cut = true;
	stop(p);
}

/* The next byte after blanks, without consuming it; -1 at the end. */
static int
look_after_blanks(struct json_reader *p)
{
	for (;;) {
		for (; p->at < p->end; p->at++)
			if (*p->at != ' ' && *p->at != '\n' && *p->at != '\t' &&
				*p->at != '\r')
				return (unsigned char)*p->at;
		if (!fill(p, NULL))
			return -1;
	}
}

/* The same, fast without blanks. */
static inline int
look(struct json_reader *p)
{
	if (p->at < p->end && (unsigned char)*p->at > ' ')
		return (unsigned char)*p->at;
	return look_after_blanks(p);
}

/* The kind of a value, by its first byte. */
static const unsigned char KINDS[UCHAR_MAX + 1] = { ['{'] = JSON_OBJECT,
	['['] = JSON_ARRAY,
	['"'] = JSON_STRING,
	['t'] = JSON_BOOL,
	['f'] = JSON_BOOL,
	['n'] = JSON_NULL,
	['-'] = JSON_NUMBER,
	['0'] = JSON_NUMBER,
	['1'] = JSON_NUMBER,
	['2'] = JSON_NUMBER,
	['3'] = JSON_NUMBER,
	['4'] = JSON_NUMBER,
	['5'] = JSON_NUMBER,
	['6'] = JSON_NUMBER,
	['7'] = JSON_NUMBER,
	['8'] = JSON_NUMBER,
	['9'] = JSON_NUMBER };

enum json_kind
json_peek(struct json_reader *p)
{
	enum json_kind kind;
	int c;

	if (!p->pending)
		return JSON_NOTHING;
	c = look(p);
	if (c < 0) {
		cut(p);
		return JSON_NOTHING;
	}
	kind = KINDS[c];
	if (kind == JSON_NOTHING)
		json_fail(p, "expected a value");
	return kind;
}

/* Skips the next value if it is not of KIND, and counts it as wrong. */
static bool
refuse(struct json_reader *p, enum json_kind kind)
{
	enum json_kind next = json_peek(p);

	if (next == kind)
		return true;
	if (next != JSON_NOTHING) {
		p->wrong++;
		json_skip(p);
	}
	return false;
}

/* Whether the next value is of KIND; if not, skips and counts it. */
static inline bool
is_kind(struct json_reader *p, enum json_kind kind)
{
	return (p->pending && p->at < p->end && KINDS[(unsigned char)*p->at] == kind) ||
		refuse(p, kind);
}

/* Consumes the opening bracket. */
static bool
open(struct json_reader *p, bool array)
{
	if (p->depth == JSON_DEEPEST) {
		json_fail(p, "nested too deeply");
		return false;
	}
	p->at++;
	p->in_array[p->depth++] = array;
	p->first = true;
	p->pending = false;
	return true;
}

bool
json_read_object(struct json_reader *p)
{
	return is_kind(p, JSON_OBJECT) && open(p, false);
}

bool
json_read_array(struct json_reader *p)
{
	return is_kind(p, JSON_ARRAY) && open(p, true);
}

/* Goes to the next entry of the innermost container, which must be an array if ARRAY.
 * Returns false at its end. */
static bool
next(struct json_reader *p, bool array)
{
	int c;

	if (p->pending)
		json_skip(p);
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
		json_fail(p, array ? "expected a comma or ]" : "expected a comma or }");
		return false;
	}
	p->first = false;
	if (c < 0)
		cut(p);
	return !p->failed;
}

/* The same, fast in the usual case of a comma and an entry. */
static inline bool
next_entry(struct json_reader *p, bool array)
{
	if (p->pending || p->end - p->at < 2 || *p->at != ',' ||
		(unsigned char)p->at[1] <= ' ' || p->first || !p->depth ||
		p->in_array[p->depth - 1] != array)
		return next(p, array);
	p->at++;
	return true;
}

bool
json_next_element(struct json_reader *p)
{
	p->pending = next_entry(p, true);
	return p->pending;
}

/* Parses four hexadecimal digits after "\u"; -1 if malformed. */
static int32_t
parse_hex(struct json_reader *p, const char **keep)
{
	uint64_t value;

	while (p->end - p->at < 4)
		if (!fill(p, keep)) {
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

/* Parses the rest of "\u": a Unicode code point, maybe of two escapes. */
static bool
undo_unicode(struct json_reader *p, const char **keep)
{
	enum { HIGH = 0xd800, LOW = 0xdc00, LAST = 0xdfff, LOST = 0xfffd };
	int32_t point = parse_hex(p, keep), low;

	if (point < 0)
		return false;
	while (point >= HIGH && point <= LAST) {
		while (p->end - p->at < 2 && fill(p, keep))
			;
		if (point >= LOW || p->end - p->at < 2 || p->at[0] != '\\' ||
			p->at[1] != 'u') {
			point = LOST;
			break;
		}
		p->at += 2;
		low = parse_hex(p, keep);
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

/* Parses an escape after its backslash. Returns false if malformed. */
static bool
undo_escape(struct json_reader *p, const char **keep)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *known;

	if (p->at == p->end && !fill(p, keep))
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

/* The first byte from AT on that ends a string, begins an escape or is invalid; END
 * without one. Examines eight bytes at a time: such a byte shows when XOR with '"' or
 * '\\', or the upper bits of a control byte, leaves zero. */
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

/* Parses a string with its quotes. Borrowed from the window, or with escapes from
 * p->text. */
static bool
parse_string(struct json_reader *p, struct str *s)
{
	const char *keep = ++p->at;
	bool escaped = false;

	*s = (struct str){ 0 };
	buf_clear(&p->text);
	for (;;) {
		p->at = find_special(p->at, p->end);
		if (p->text.n + (size_t)(p->at - keep) > JSON_STRING_MOST) {
			/* Report the place where it became too long, regardless of how
			 * much was read. */
			p->at = keep +
				(p->text.n < JSON_STRING_MOST
						? JSON_STRING_MOST - p->text.n
						: 0);
			json_fail(p, "a string is longer than 16 MB");
			return false;
		}
		if (p->at == p->end) {
			if (fill(p, &keep))
				continue;
			cut(p);
			return false;
		}
		if (*p->at == '"')
			break;
		buf_str(&p->text, (struct str){ keep, (size_t)(p->at - keep) });
		if (*p->at++ != '\\' || !undo_escape(p, &keep)) {
			if (p->at == p->end && !fill(p, NULL))
				cut(p);
			else
				json_fail(
					p, "control byte or invalid escape in a string");
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
json_read_string(struct json_reader *p, struct str *s)
{
	*s = (struct str){ 0 };
	if (!is_kind(p, JSON_STRING))
		return false;
	p->pending = false;
	return parse_string(p, s);
}

/* Copies KEY, which is in the window or in p->text, so that reading its value does not
 * change it. */
static void
keep_key(struct json_reader *p, struct str *key)
{
	if (key->n > sizeof p->key) {
		buf_clear(&p->long_key);
		buf_str(&p->long_key, *key);
		*key = buf_view(&p->long_key);
		return;
	}
	/* With a constant size this is not a call. */
	if (key->s >= p->start && key->s < p->end &&
		(size_t)(p->end - key->s) >= sizeof p->key)
		memcpy(p->key, key->s, sizeof p->key);
	else if (key->n)
		memcpy(p->key, key->s, key->n);
	key->s = p->key;
}

bool
json_next_key(struct json_reader *p, struct str *key)
{
	if (!next_entry(p, false))
		return false;
	if (*p->at != '"') {
		json_fail(p, "expected a key");
		return false;
	}
	if (!parse_string(p, key))
		return false;
	keep_key(p, key);
	if ((p->at == p->end || *p->at != ':') && look(p) != ':') {
		if (p->at == p->end)
			cut(p);
		else
			json_fail(p, "expected a colon");
		return false;
	}
	p->at++;
	p->pending = true;
	return true;
}

/* Longer numbers are malformed. */
enum { LENGTH_MAX = 4096 };

/* Makes the whole number available in the window. */
static bool
gather(struct json_reader *p)
{
	const char *at = p->at;
	size_t n;

	for (;;) {
		while (at < p->end && json_number_has(*at))
			at++;
		n = (size_t)(at - p->at);
		if (at < p->end || n > LENGTH_MAX || !fill(p, NULL))
			return n <= LENGTH_MAX;
		at = p->at + n;
	}
}

/* Parses any number, in any part of the window. */
static bool
parse_any_number(struct json_reader *p, struct json_number *n)
{
	bool good;

	*n = (struct json_number){ 0 };
	if (!gather(p)) {
		json_fail(p, "a number has too many digits");
		return false;
	}
	good = json_number_parse((struct str){ p->at, (size_t)(p->end - p->at) }, n);
	/* At the end of the text, within a container, the number may be truncated. */
	if (str_end(n->text) == p->end && (!good || p->depth)) {
		cut(p);
		return false;
	}
	if (!good || (str_end(n->text) < p->end && json_number_has(*str_end(n->text)))) {
		json_fail(p, "invalid number");
		return false;
	}
	p->at = str_end(n->text);
	p->pending = false;
	return true;
}

static inline bool
parse_number(struct json_reader *p, struct json_number *n)
{
	const char *end =
		p->end - p->at > JSON_NUMBER_ROOM ? json_number_short(p->at, n) : NULL;

	if (!end)
		return parse_any_number(p, n);
	p->at = end;
	p->pending = false;
	return true;
}

bool
json_read_double(struct json_reader *p, double *value)
{
	struct json_number n;

	if (!is_kind(p, JSON_NUMBER) || !parse_number(p, &n))
		return false;
	*value = json_number_double(&n, &p->text);
	return true;
}

bool
json_read_u64(struct json_reader *p, uint64_t *value)
{
	struct json_number n;

	if (!is_kind(p, JSON_NUMBER) || !parse_number(p, &n))
		return false;
	if (json_number_whole(&n, value) && !(n.negative && *value))
		return true;
	p->wrong++;
	return false;
}

bool
json_read_i64(struct json_reader *p, int64_t *value)
{
	struct json_number n;
	uint64_t size;

	if (!is_kind(p, JSON_NUMBER) || !parse_number(p, &n))
		return false;
	if (json_number_whole(&n, &size) && size <= (uint64_t)INT64_MAX + n.negative) {
		*value = n.negative ? (int64_t)(0 - size) : (int64_t)size;
		return true;
	}
	p->wrong++;
	return false;
}

/* Sets *W to the absolute value of N. Returns false from 2^63 on. */
static bool
weigh(struct json_reader *p, const struct json_number *n, struct weight *w)
{
	double value;

	*w = (struct weight){ 0 };
	if (json_number_whole(n, &w->whole))
		return true;
	value = fabs(json_number_double(n, &p->text));
	if (!(value < 0x1p63))
		return false;
	w->whole = (uint64_t)value;
	w->nano = (uint32_t)((value - (double)w->whole) * WEIGHT_NANO + 0.5);
	if (w->nano == WEIGHT_NANO)
		*w = (struct weight){ w->whole + 1, 0 };
	return true;
}

bool
json_read_weight(struct json_reader *p, struct weight *w, bool *negative)
{
	bool rounded = false;
	struct str text;
	struct json_number n;

	if (json_peek(p) == JSON_STRING && json_read_string(p, &text)) {
		*negative = str_starts(text, STR("-"));
		if (weight_read(str_from(text, *negative), w, &rounded))
			return true;
	} else if (is_kind(p, JSON_NUMBER) && parse_number(p, &n)) {
		*negative = n.negative;
		if (weigh(p, &n, w))
			return true;
	} else {
		return false;
	}
	p->wrong++;
	return false;
}

size_t
json_take_wholes(struct json_reader *p, int64_t *to, size_t most)
{
	const char *at = p->at, *from;
	bool negative = false;
	uint64_t digits;
	size_t n;

	for (n = 0; n < most && p->end - at > JSON_NUMBER_ROOM; n++) {
		from = at;
		at = json_number_digits(from, &digits);
		/* Test for a sign only now, so that most numbers do not wait for it. */
		if (at == from) {
			from += *from == ' ';
			negative = *from == '-';
			from += negative;
			at = json_number_digits(from, &digits);
		}
		if (!at || at == from || *at != ',' || (*from == '0' && at - from > 1))
			break;
		to[n] = negative ? -(int64_t)digits : (int64_t)digits;
		negative = false;
		p->at = ++at;
	}
	return n;
}

size_t
json_take_row(struct json_reader *p, double *to, size_t most)
{
	const char *at = p->at;
	struct json_number number;
	size_t n = 0;

	if (!p->pending || at == p->end || *at != '[')
		return 0;
	do {
		at++;
		if (n == most || p->end - at <= JSON_NUMBER_ROOM)
			return 0;
		at = json_number_short(at, &number);
		if (!at)
			return 0;
		to[n++] = json_number_double(&number, &p->text);
	} while (*at == ',');
	if (*at != ']')
		return 0;
	p->at = at + 1;
	p->pending = false;
	return n;
}

/* Parses WORD, which must come next. */
static bool
parse_word(struct json_reader *p, struct str word)
{
	while ((size_t)(p->end - p->at) < word.n)
		if (!fill(p, NULL)) {
			cut(p);
			return false;
		}
	if (memcmp(p->at, word.s, word.n) != 0) {
		json_fail(p, "expected a value");
		return false;
	}
	p->at += word.n;
	p->pending = false;
	return true;
}

bool
json_read_bool(struct json_reader *p, bool *value)
{
	if (!is_kind(p, JSON_BOOL))
		return false;
	*value = *p->at == 't';
	return parse_word(p, *value ? STR("true") : STR("false"));
}

bool
json_read_null(struct json_reader *p)
{
	return json_peek(p) == JSON_NULL && parse_word(p, STR("null"));
}

void
json_read_text(struct json_reader *p, struct buf *to)
{
	struct str s;

	buf_clear(to);
	if (!json_read_null(p) && json_read_string(p, &s))
		buf_str(to, s);
}

/* Reads a scalar value, or opens a container. */
static void
skip_one(struct json_reader *p)
{
	struct json_number n;
	struct str s;
	bool b;

	switch (json_peek(p)) {
	case JSON_OBJECT: (void)json_read_object(p); break;
	case JSON_ARRAY: (void)json_read_array(p); break;
	case JSON_STRING: (void)json_read_string(p, &s); break;
	case JSON_NUMBER: (void)parse_number(p, &n); break;
	case JSON_BOOL: (void)json_read_bool(p, &b); break;
	case JSON_NULL: (void)json_read_null(p); break;
	default: break;
	}
}

void
json_skip(struct json_reader *p)
{
	enum { PIECE = 128 };
	unsigned depth = p->depth;
	int64_t numbers[PIECE];
	struct str key;

	skip_one(p);
	while (!p->failed && p->depth > depth)
		if (!p->in_array[p->depth - 1]) {
			if (json_next_key(p, &key))
				skip_one(p);
		} else if (json_next_element(p)) {
			while (json_take_wholes(p, numbers, PIECE) == PIECE)
				;
			skip_one(p);
		}
}

bool
json_more(struct json_reader *p)
{
	if (p->failed || p->depth)
		return false;
	if (p->pending && p->before + (uint64_t)(p->at - p->start) > 0)
		json_skip(p);
	p->pending = !p->failed && look(p) >= 0;
	return p->pending;
}
