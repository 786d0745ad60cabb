/* SPDX-License-Identifier: ISC */
/*
 * Numbers of JSON (RFC 8259, section 6), as they stand in the text. Most are whole and of few
 * digits: eight bytes are looked at in one step, without asking how many are digits, which
 * no processor could predict.
 */
#ifndef JSON_NUMBER_H
#define JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "bytes.h"
#include "str.h"

/* (-1)^negative * digits * 10^exponent, with more digits behind when IS_LONG. */
struct json_number {
	uint64_t digits;
	int exponent;
	bool negative, is_long;
	struct str text;
};

/* Bytes that must be there for json_number_short: a sign, the digits that it takes, a point,
 * digits, and what is read beyond them. */
enum { JSON_NUMBER_ROOM = 48 };

/* Sets N->text to the number that TEXT begins with, or what of it was understood; false when
 * that is not one. */
bool json_number_parse(struct str text, struct json_number *n);

/* Whether a number may have C. */
static inline bool
json_number_has(char c)
{
	return str_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' ||
		c == 'E';
}

/* The double nearest to N, as strtod gives it; SCRATCH is overwritten. */
double json_number_double(const struct json_number *n, struct buf *scratch);

/* The digits of N when they stand for a whole number within 64 bits. */
bool json_number_whole(const struct json_number *n, uint64_t *value);

/* Up to eight digits that stand at AT: how many, and what they are. There are eight bytes. */
static inline unsigned
json_number_eight(const char *at, uint64_t *value)
{
	const uint64_t ones = UINT64_MAX / 255;
	uint64_t w = str_eight(at), other;
	unsigned n;

	/* Digits are 0 to 9 now. A byte above them gets its highest bit; what it adds to those
	 * behind it does not matter, as the first one counts. */
	w ^= ones * '0';
	other = ((w + ones * (0x80 - 10)) | w) & ones * 0x80;
	n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	*value = 0;
	if (!n)
		return 0;
	/* The last digit is the highest byte. Pairs, fours and all eight are added up side by
	 * side. */
	w <<= 8 * (8 - n);
	w = (w * (1 + (10 << 8)) >> 8) & UINT64_MAX / 0x101;
	w = (w * (1 + (100 << 16)) >> 16) & UINT64_MAX / 0x10001;
	*value = w * (1 + (UINT64_C(10000) << 32)) >> 32;
	return n;
}

static const uint64_t JSON_NUMBER_POWERS[] = { 1, 10, 100, 1000, 10000, 100000, 1000000,
	10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
	10000000000000, 100000000000000, 1000000000000000, 10000000000000000 };

/* The end of the up to 16 digits at AT, which N gets; NULL when there are more. */
static inline const char *
json_number_digits(const char *at, uint64_t *digits)
{
	uint64_t more;
	unsigned n = json_number_eight(at, digits);

	at += n;
	if (n < 8)
		return at;
	n = json_number_eight(at, &more);
	*digits = *digits * JSON_NUMBER_POWERS[n] + more;
	at += n;
	return n == 8 && str_is_digit(*at) ? NULL : at;
}

/* The end of the number that begins AT, which N gets, when it is as most are: of few
 * digits, without an exponent. Else NULL. There are JSON_NUMBER_ROOM bytes at AT. */
static inline const char *
json_number_short(const char *at, struct json_number *n)
{
	enum { FIT = 19 };
	const char *from, *begin = at;
	uint64_t fraction;
	size_t whole;

	*n = (struct json_number){ .negative = *at == '-' };
	from = at += n->negative;
	at = json_number_digits(at, &n->digits);
	if (!at || at == from || (*from == '0' && at - from > 1))
		return NULL;
	whole = (size_t)(at - from);
	if (*at == '.') {
		from = ++at;
		at = json_number_digits(at, &fraction);
		if (!at || at == from || whole + (size_t)(at - from) > FIT)
			return NULL;
		n->digits = n->digits * JSON_NUMBER_POWERS[at - from] + fraction;
		n->exponent = (int)(from - at);
	}
	n->text = (struct str){ begin, (size_t)(at - begin) };
	return json_number_has(*at) ? NULL : at;
}

#endif
