/* SPDX-License-Identifier: ISC */
/*
 * JSON numbers; see json-number.h. If the digits fit in 53 bits and the power of ten is
 * small, they are converted exactly in doubles (W. Clinger, "How to read floating point
 * numbers accurately", 1990: both factors are exact, so one rounding gives the correct
 * result); strtod converts the rest.
 */
#include "json-number.h"

#include <stdlib.h>

enum { EXPONENT_MAX = 100000 };

/* Adds the digits from *AT on to N. Returns their number. */
static size_t
parse_digits(const char **at, const char *end, struct json_number *n, bool fraction)
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
parse_exponent(const char **at, const char *end, struct json_number *n)
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

bool
json_number_parse(struct str text, struct json_number *n)
{
	const char *at = text.s, *end = text.s + text.n, *whole;
	bool good;

	*n = (struct json_number){ .negative = at < end && *at == '-' };
	at += n->negative;
	whole = at;
	good = parse_digits(&at, end, n, false) > 0 && !(at - whole > 1 && *whole == '0');
	if (good && at < end && *at == '.') {
		at++;
		good = parse_digits(&at, end, n, true) > 0;
	}
	good = good && parse_exponent(&at, end, n);
	n->text = str_head(text, (size_t)(at - text.s));
	return good;
}

double
json_number_double(const struct json_number *n, struct buf *scratch)
{
	enum { EXACT = 22 };
	static const double powers[EXACT + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
		1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
		1e20, 1e21, 1e22 };
	double value = (double)n->digits;

	if (n->is_long || n->digits > (uint64_t)1 << 53 || n->exponent > EXACT ||
		n->exponent < -EXACT) {
		buf_clear(scratch);
		buf_str(scratch, n->text);
		return strtod(buf_cstr(scratch), NULL);
	}
	value = n->exponent < 0 ? value / powers[-n->exponent]
				: value * powers[n->exponent];
	return n->negative ? -value : value;
}

bool
json_number_whole(const struct json_number *n, uint64_t *value)
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
