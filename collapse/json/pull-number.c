/* SPDX-License-Identifier: ISC */
/*
 * JSON numbers, and columns of them; see pull.h. Most are whole numbers of few
 * digits. What has at most 19 digits and a small power of ten is worked out
 * exactly in doubles (W. Clinger, "How to read floating point numbers
 * accurately", 1990: both factors are exact, so one rounding is the right one);
 * the rest is strtod's.
 */
#include "pull-parts.h"
#include "mem.h"

#include <math.h>

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
gather(struct pull *p)
{
	const char *at = p->at;
	size_t n;

	for (;;) {
		while (at < p->end && is_part(*at))
			at++;
		n = (size_t)(at - p->at);
		if (at < p->end || n > LENGTH_MAX || !pull_fill(p, NULL))
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

/* Takes the number that P is at, by the grammar of RFC 8259, section 6. */
static bool
take_number(struct pull *p, struct number *n)
{
	const char *at, *whole;
	bool good;

	*n = (struct number){ 0 };
	if (!gather(p)) {
		pull_fail(p, "a number of too many digits");
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
		pull_cut(p);
		return false;
	}
	if (!good || (at < p->end && is_part(*at))) {
		pull_fail(p, "a number that is none");
		return false;
	}
	n->text = (struct str){ p->at, (size_t)(at - p->at) };
	p->at = at;
	p->pending = false;
	return true;
}

static double
double_of(struct pull *p, const struct number *n)
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
pull_number(struct pull *p, double *value)
{
	struct number n;

	if (!pull_is(p, PULL_NUMBER) || !take_number(p, &n))
		return false;
	*value = double_of(p, &n);
	return true;
}

bool
pull_u64(struct pull *p, uint64_t *value)
{
	struct number n;

	if (!pull_is(p, PULL_NUMBER) || !take_number(p, &n))
		return false;
	if (whole_of(&n, value) && !(n.negative && *value))
		return true;
	p->wrong++;
	return false;
}

bool
pull_i64(struct pull *p, int64_t *value)
{
	struct number n;
	uint64_t size;

	if (!pull_is(p, PULL_NUMBER) || !take_number(p, &n))
		return false;
	if (whole_of(&n, &size) && size <= (uint64_t)INT64_MAX + n.negative) {
		*value = n.negative ? (int64_t)(0 - size) : (int64_t)size;
		return true;
	}
	p->wrong++;
	return false;
}

void
pull_skip_number(struct pull *p)
{
	struct number n;

	(void)take_number(p, &n);
}

/* The elements of a column that are plain whole numbers, a comma behind each, as
 * most are: at once, as long as the window has room for the longest. Returns
 * whether the place it stopped at begins an element. */
static bool
take_plain_ints(struct pull *p, struct pull_ints *v)
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

static void
add_int(struct pull_ints *v, int32_t value)
{
	v->items = mem_grow(v->items, &v->cap, v->n + 1, sizeof *v->items);
	v->items[v->n++] = value;
}

/* Takes one element of a column of whole numbers. */
static void
take_int(struct pull *p, struct pull_ints *v, int32_t none)
{
	int64_t value;

	if (pull_peek(p) == PULL_NULL && pull_null(p)) {
		add_int(v, none);
		return;
	}
	if (!pull_i64(p, &value)) {
		if (!p->failed)
			add_int(v, none);
		return;
	}
	if (value < INT32_MIN || value > INT32_MAX) {
		p->wrong++;
		value = none;
	}
	add_int(v, (int32_t)value);
}

bool
pull_int_column(struct pull *p, struct pull_ints *v, int32_t none)
{
	if (!pull_array(p))
		return false;
	while (pull_element(p)) {
		/* After a plain one the comma is taken: an element must follow. */
		if (pull_peek(p) == PULL_NUMBER && !take_plain_ints(p, v) &&
			pull_peek(p) == PULL_NOTHING)
			break;
		take_int(p, v, none);
	}
	return !p->failed;
}

bool
pull_number_column(struct pull *p, struct pull_numbers *v, double none)
{
	double value;

	if (!pull_array(p))
		return false;
	while (pull_element(p)) {
		value = none;
		if (pull_peek(p) == PULL_NULL)
			(void)pull_null(p);
		else if (!pull_number(p, &value))
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
pull_ints_release(struct pull_ints *v)
{
	free(v->items);
	*v = (struct pull_ints){ 0 };
}

void
pull_numbers_release(struct pull_numbers *v)
{
	free(v->items);
	*v = (struct pull_numbers){ 0 };
}
