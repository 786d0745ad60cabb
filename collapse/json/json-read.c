/* SPDX-License-Identifier: ISC */
/* JSON, read piece by piece; see json-read.h. */
#include "json-read.h"
#include "mem.h"
#include "msg.h"
#include "utf8.h"

#include <inttypes.h>
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
}

bool
json_failed(const struct json_reader *p)
{
	return p->failed;
}

/* Ends everything: there is no more input, and no container is open. */
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

/* Reads on, keeping what stands from *KEEP (or, with NULL, from the current
 * place) on. False at the end of the input. */
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

/* The text ends where more of it was needed. */
static void
cut(struct json_reader *p)
{
	if (p->failed)
		return;
	p->cut = true;
	stop(p);
}

/* The next byte that is no blank, not taken, where one comes first; -1 at the end. */
static int
look_behind_blanks(struct json_reader *p)
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

/* The next byte that is no blank, not taken; -1 at the end. */
static inline int
look(struct json_reader *p)
{
	if (p->at < p->end && (unsigned char)*p->at > ' ')
		return (unsigned char)*p->at;
	return look_behind_blanks(p);
}

enum json_kind
json_peek(struct json_reader *p)
{
	if (p->failed || !p->pending)
		return JSON_NOTHING;
	if (look(p) < 0) {
		cut(p);
		return JSON_NOTHING;
	}
	switch (*p->at) {
	case '{': return JSON_OBJECT;
	case '[': return JSON_ARRAY;
	case '"': return JSON_STRING;
	case 't':
	case 'f': return JSON_BOOL;
	case 'n': return JSON_NULL;
	case '-': return JSON_NUMBER;
	default: break;
	}
	if (str_is_digit(*p->at))
		return JSON_NUMBER;
	json_fail(p, "expected a value");
	return JSON_NOTHING;
}

/* Whether the next value is of KIND; one of another is passed over and counted. */
static bool
is_kind(struct json_reader *p, enum json_kind kind)
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

/* Takes the opening bracket that P is at. */
static bool
open(struct json_reader *p, bool array)
{
	if (p->depth == JSON_DEEPEST) {
		json_fail(p, "nested too deep");
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

/* Goes to the next entry of the container opened last, which must be an array
 * when ARRAY; false at its end. */
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

bool
json_next_element(struct json_reader *p)
{
	p->pending = next(p, true);
	return p->pending;
}

/* Four hexadecimal digits after "\u"; -1 when they are none. */
static int32_t
take_hex(struct json_reader *p, const char **keep)
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

/* What follows "\u": a point of Unicode, perhaps of two escapes. */
static bool
undo_unicode(struct json_reader *p, const char **keep)
{
	enum { HIGH = 0xd800, LOW = 0xdc00, LAST = 0xdfff, LOST = 0xfffd };
	int32_t point = take_hex(p, keep), low;

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
take_string(struct json_reader *p, struct str *s)
{
	const char *keep = ++p->at;
	bool escaped = false;

	*s = (struct str){ 0 };
	buf_clear(&p->text);
	for (;;) {
		p->at = find_special(p->at, p->end);
		if (p->text.n + (size_t)(p->at - keep) > JSON_STRING_MOST) {
			/* Where it has become too long, however much was read. */
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
	return take_string(p, s);
}

bool
json_next_key(struct json_reader *p, struct str *key)
{
	if (!next(p, false))
		return false;
	if (*p->at != '"') {
		json_fail(p, "expected a key");
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
				cut(p);
			else
				json_fail(p, "expected a colon");
			return false;
		}
	}
	p->at++;
	p->pending = true;
	return true;
}

/*
 * Numbers. Most are whole and of few digits. What has at most 19 digits and a small
 * power of ten is worked out exactly in doubles (W. Clinger, "How to read floating
 * point numbers accurately", 1990: both factors are exact, so one rounding is the
 * right one); the rest is strtod's.
 */

/* A number as it stands: (-1)^negative * digits * 10^exponent, with more behind
 * when LONG. */
struct number {
	uint64_t digits;
	int exponent;
	bool negative, is_long;
	struct str text;
};

/* Longer numbers are damage. */
enum { LENGTH_MAX = 4096, EXPONENT_MAX = 100000 };

static bool
is_part(char c)
{
	return str_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' ||
		c == 'E';
}

/* Makes sure that the whole number is in the window. */
static bool
gather(struct json_reader *p)
{
	const char *at = p->at;
	size_t n;

	for (;;) {
		while (at < p->end && is_part(*at))
			at++;
		n = (size_t)(at - p->at);
		if (at < p->end || n > LENGTH_MAX || !fill(p, NULL))
			return n <= LENGTH_MAX;
		at = p->at + n;
	}
}

/* Adds digits from *AT on to N; how many there were. */
static size_t
take_digits(const char **at, const char *end, struct number *n, bool fraction)
{
	const char *from = *at;

	for (; *at < end && str_is_digit(**at); ++*at) {
		if (n->digits > (UINT64_MAX - (uint64_t)(**at - '0')) / 10) {
			n->is_long = true;
			n->exponent += !fraction;
			continue;
		}
		n->digits = n->digits * 10 + (uint64_t)(**at - '0');
		n->exponent -= fraction;
	}
	return (size_t)(*at - from);
}

static bool
take_exponent(const char **at, const char *end, struct number *n)
{
	bool negative = false;
	int exponent = 0;
	const char *from;

	if (*at == end || (**at != 'e' && **at != 'E'))
		return true;
	++*at;
	if (*at < end && (**at == '-' || **at == '+'))
		negative = *(*at)++ == '-';
	for (from = *at; *at < end && str_is_digit(**at); ++*at)
		if (exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (**at - '0');
	n->exponent += negative ? -exponent : exponent;
	return *at > from;
}

/* Takes the number that P is at, by the grammar of RFC 8259, section 6, whatever it looks
 * like and wherever the window ends. */
static bool
take_any_number(struct json_reader *p, struct number *n)
{
	const char *at, *whole;
	bool good;

	*n = (struct number){ 0 };
	if (!gather(p)) {
		json_fail(p, "a number has too many digits");
		return false;
	}
	at = p->at;
	n->negative = at < p->end && *at == '-';
	at += n->negative;
	whole = at;
	good = take_digits(&at, p->end, n, false) > 0 &&
		!(at - whole > 1 && *whole == '0');
	if (good && at < p->end && *at == '.') {
		at++;
		good = take_digits(&at, p->end, n, true) > 0;
	}
	good = good && take_exponent(&at, p->end, n);
	/* At the end of the text, within something, more of it may be missing. */
	if (at == p->end && (!good || p->depth)) {
		cut(p);
		return false;
	}
	if (!good || (at < p->end && is_part(*at))) {
		json_fail(p, "invalid number");
		return false;
	}
	n->text = (struct str){ p->at, (size_t)(at - p->at) };
	p->at = at;
	p->pending = false;
	return true;
}

/* The end of the digits from AT on, which N gets, DIGITS of them at most. */
static inline const char *
take_few_digits(const char *at, size_t digits, struct number *n)
{
	for (; digits && str_is_digit(*at); at++, digits--)
		n->digits = n->digits * 10 + (uint64_t)(*at - '0');
	return at;
}

/* Bytes of a sign, FEW digits, a point and what follows, with some to spare. */
enum { SHORT = 24, FEW = 18 };

/* The end of the number that begins AT, which N gets, when it is as most are: of few
 * digits, without an exponent. Else NULL. There are SHORT bytes at AT. */
static inline const char *
take_short_number(const char *at, struct number *n)
{
	const char *from;
	size_t whole;

	*n = (struct number){ .negative = *at == '-', .text = { at, 0 } };
	from = at += n->negative;
	at = take_few_digits(at, FEW, n);
	whole = (size_t)(at - from);
	if (!whole || (*from == '0' && whole > 1))
		return NULL;
	if (*at == '.') {
		from = ++at;
		at = take_few_digits(at, FEW - whole, n);
		if (at == from)
			return NULL;
		n->exponent = (int)(from - at);
	}
	return is_part(*at) ? NULL : at;
}

/* Takes the number that P is at. */
static inline bool
take_number(struct json_reader *p, struct number *n)
{
	const char *end = p->end - p->at > SHORT ? take_short_number(p->at, n) : NULL;

	if (!end)
		return take_any_number(p, n);
	n->text.n = (size_t)(end - p->at);
	p->at = end;
	p->pending = false;
	return true;
}

static double
double_of(struct json_reader *p, const struct number *n)
{
	enum { EXACT = 22 };
	static const double powers[EXACT + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
		1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
		1e20, 1e21, 1e22 };
	double value = (double)n->digits;

	if (n->is_long || n->digits > (uint64_t)1 << 53 || n->exponent > EXACT ||
		n->exponent < -EXACT) {
		buf_clear(&p->text);
		buf_str(&p->text, n->text);
		return strtod(buf_cstr(&p->text), NULL);
	}
	value = n->exponent < 0 ? value / powers[-n->exponent]
				: value * powers[n->exponent];
	return n->negative ? -value : value;
}

/* The digits of N when they stand for a whole number within 64 bits. */
static bool
whole_of(const struct number *n, uint64_t *value)
{
	int exponent = n->exponent;

	*value = n->digits;
	if (n->is_long)
		return false;
	for (; exponent < 0 && *value; exponent++, *value /= 10)
		if (*value % 10)
			return false;
	for (; exponent > 0 && *value; exponent--, *value *= 10)
		if (*value > UINT64_MAX / 10)
			return false;
	return true;
}

bool
json_read_double(struct json_reader *p, double *value)
{
	struct number n;

	if (!is_kind(p, JSON_NUMBER) || !take_number(p, &n))
		return false;
	*value = double_of(p, &n);
	return true;
}

bool
json_read_u64(struct json_reader *p, uint64_t *value)
{
	struct number n;

	if (!is_kind(p, JSON_NUMBER) || !take_number(p, &n))
		return false;
	if (whole_of(&n, value) && !(n.negative && *value))
		return true;
	p->wrong++;
	return false;
}

bool
json_read_i64(struct json_reader *p, int64_t *value)
{
	struct number n;
	uint64_t size;

	if (!is_kind(p, JSON_NUMBER) || !take_number(p, &n))
		return false;
	if (whole_of(&n, &size) && size <= (uint64_t)INT64_MAX + n.negative) {
		*value = n.negative ? (int64_t)(0 - size) : (int64_t)size;
		return true;
	}
	p->wrong++;
	return false;
}

/* The number N, without its sign, when that is less than 2^63. */
static bool
weigh(struct json_reader *p, const struct number *n, struct weight *w)
{
	double value;

	*w = (struct weight){ 0 };
	if (whole_of(n, &w->whole))
		return true;
	value = fabs(double_of(p, n));
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
	struct number n;

	if (json_peek(p) == JSON_STRING && json_read_string(p, &text)) {
		*negative = str_starts(text, STR("-"));
		if (weight_read(str_from(text, *negative), w, &rounded))
			return true;
	} else if (is_kind(p, JSON_NUMBER) && take_number(p, &n)) {
		*negative = n.negative;
		if (weigh(p, &n, w))
			return true;
	} else {
		return false;
	}
	p->wrong++;
	return false;
}

/* Takes WORD, which the next value must be. */
static bool
take_word(struct json_reader *p, struct str word)
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
	return take_word(p, *value ? STR("true") : STR("false"));
}

bool
json_read_null(struct json_reader *p)
{
	return json_peek(p) == JSON_NULL && take_word(p, STR("null"));
}

void
json_read_text(struct json_reader *p, struct buf *to)
{
	struct str s;

	buf_clear(to);
	if (!json_read_null(p) && json_read_string(p, &s))
		buf_str(to, s);
}

/* Takes a value that is no container, or opens one. */
static void
skip_one(struct json_reader *p)
{
	struct number n;
	struct str s;
	bool b;

	switch (json_peek(p)) {
	case JSON_OBJECT: (void)json_read_object(p); break;
	case JSON_ARRAY: (void)json_read_array(p); break;
	case JSON_STRING: (void)json_read_string(p, &s); break;
	case JSON_NUMBER: (void)take_number(p, &n); break;
	case JSON_BOOL: (void)json_read_bool(p, &b); break;
	case JSON_NULL: (void)json_read_null(p); break;
	default: break;
	}
}

void
json_skip(struct json_reader *p)
{
	unsigned depth = p->depth;
	struct str key;

	skip_one(p);
	while (!p->failed && p->depth > depth)
		if (p->in_array[p->depth - 1] ? json_next_element(p)
					      : json_next_key(p, &key))
			skip_one(p);
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

/* The elements of a column that are plain whole numbers, a comma behind each, as
 * most are: at once, as long as the window has room for the longest. Returns
 * whether the place it stopped at begins an element. */
static bool
take_plain_ints(struct json_reader *p, struct json_ints *v)
{
	enum { LONGEST = 12, DIGITS = 9 };
	const char *at = p->at, *from;
	int32_t value;
	bool negative;

	while (p->end - at > LONGEST) {
		negative = *at == '-';
		from = at + negative;
		value = 0;
		for (at = from; str_is_digit(*at) && at - from < DIGITS; at++)
			value = value * 10 + (*at - '0');
		if (at == from || *at != ',' || (*from == '0' && at - from > 1)) {
			at = from - negative;
			break;
		}
		if (v->n == v->cap)
			v->items =
				mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
		v->items[v->n++] = negative ? -value : value;
		at++;
		if (*at == ' ')
			at++;
	}
	if (at == p->at)
		return true;
	p->at = at;
	return false;
}

void
json_ints_add(struct json_ints *v, int32_t value)
{
	v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

void
json_doubles_add(struct json_doubles *v, double value)
{
	v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

/* Takes one element of a column of whole numbers. */
static void
take_int(struct json_reader *p, struct json_ints *v, int32_t none)
{
	int64_t value;

	if (json_peek(p) == JSON_NULL && json_read_null(p)) {
		json_ints_add(v, none);
		return;
	}
	if (!json_read_i64(p, &value)) {
		if (!p->failed)
			json_ints_add(v, none);
		return;
	}
	if (value < INT32_MIN || value > INT32_MAX) {
		p->wrong++;
		value = none;
	}
	json_ints_add(v, (int32_t)value);
}

bool
json_read_ints(struct json_reader *p, struct json_ints *v, int32_t none)
{
	if (!json_read_array(p))
		return false;
	while (json_next_element(p)) {
		/* After a plain one the comma is taken: an element must follow. */
		if (json_peek(p) == JSON_NUMBER && !take_plain_ints(p, v) &&
			json_peek(p) == JSON_NOTHING)
			break;
		take_int(p, v, none);
	}
	return !p->failed;
}

bool
json_read_doubles(struct json_reader *p, struct json_doubles *v, double none)
{
	double value;

	if (!json_read_array(p))
		return false;
	while (json_next_element(p)) {
		value = none;
		if (json_peek(p) == JSON_NULL)
			(void)json_read_null(p);
		else if (!json_read_double(p, &value))
			value = none;
		if (p->failed)
			break;
		if (v->n == v->cap)
			v->items =
				mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
		v->items[v->n++] = value;
	}
	return !p->failed;
}

void
json_ints_release(struct json_ints *v)
{
	free(v->items);
	*v = (struct json_ints){ 0 };
}

void
json_doubles_release(struct json_doubles *v)
{
	free(v->items);
	*v = (struct json_doubles){ 0 };
}

void
json_texts_release(struct json_texts *t)
{
	buf_release(&t->bytes);
	free(t->ends);
	*t = (struct json_texts){ .n = 0 };
}

void
json_texts_add(struct json_texts *t, struct str s)
{
	buf_str(&t->bytes, s);
	t->ends = mem_grow(t->ends, &t->cap, t->n + 1, sizeof *t->ends);
	t->ends[t->n++] = t->bytes.n;
}

void
json_texts_add_head(struct json_texts *t, size_t i, size_t n)
{
	struct str s;

	/* Once there is room, what is copied does not move. */
	(void)buf_room(&t->bytes, n);
	if (json_texts_get(t, (int64_t)i, &s))
		json_texts_add(t, str_head(s, n));
}

bool
json_read_texts(struct json_reader *p, struct json_texts *t)
{
	struct str s;

	if (!json_read_array(p))
		return false;
	while (json_next_element(p)) {
		s = (struct str){ 0 };
		if (json_peek(p) == JSON_NULL)
			(void)json_read_null(p);
		else
			(void)json_read_string(p, &s);
		if (!json_failed(p))
			json_texts_add(t, s);
	}
	return !json_failed(p);
}

bool
json_texts_get(const struct json_texts *t, int64_t i, struct str *s)
{
	size_t from;

	if (i < 0 || (uint64_t)i >= t->n)
		return false;
	from = i > 0 ? t->ends[i - 1] : 0;
	*s = (struct str){ t->bytes.s ? t->bytes.s + from : NULL, t->ends[i] - from };
	return true;
}
