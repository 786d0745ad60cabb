/* SPDX-License-Identifier: ISC */
/*
 * Numbers in JSON text (RFC 8259, section 6). Most are short integers: eight bytes are
 * examined in one step, without branches on the number of digits, which are
 * unpredictable.
 */
#ifndef JSON_NUMBER_H
#define JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "bytes.h"
#include "str.h"

/* (-1)^negative * digits * 10^exponent; IS_LONG: with further digits. */
struct json_number {
	uint64_t digits;
	int exponent;
	bool negative, is_long;
	struct str text;
};

/* The bytes that json_number_short needs: a sign, digits, a point, digits, and what it
 * reads beyond them. */
enum { JSON_NUMBER_ROOM = 48 };

/* Parses the number at the start of TEXT; N->text is the part that was understood.
 * Returns false if that is not a number. */
bool json_number_parse(struct str text, struct json_number *n);

/* Whether C may be part of a number. */
static inline bool
json_number_has(char c)
{
	return str_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' ||
		c == 'E';
}

/* The double nearest to N, as strtod returns it; overwrites SCRATCH. */
double json_number_double(const struct json_number *n, struct buf *scratch);

/* Sets *VALUE to N's absolute value. Returns false unless it is an integer of 64 bits. */
bool json_number_whole(const struct json_number *n, uint64_t *value);

/* Sets *VALUE to the up to eight digits at AT, where eight bytes are readable. Returns
 * their number. */
static inline unsigned
json_number_eight(const char *at, uint64_t *value)
{
	const uint64_t ones = UINT64_MAX / 255;
	uint64_t w = str_eight(at), other;
	unsigned n;

	/* Digits are now 0 to 9. Bytes above them get their highest bit; carries into
	 * later bytes do not matter, as the first such byte counts. */
	w ^= ones * '0';
	other = ((w + ones * (0x80 - 10)) | w) & ones * 0x80;
	n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	*value = 0;
	if (!n)
		return 0;
	/* The last digit is in the highest byte. Sums pairs, then fours, then all eight
	 * in parallel. */
	w <<= 8 * (8 - n);
	w = (w * (1 + (10 << 8)) >> 8) & UINT64_MAX / 0x101;
	w = (w * (1 + (100 << 16)) >> 16) & UINT64_MAX / 0x10001;
	*value = w * (1 + (UINT64_C(10000) << 32)) >> 32;
	return n;
}

static const uint64_t JSON_NUMBER_POWERS[] = { 1, 10, 100, 1000, 10000, 100000, 1000000,
	10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
	10000000000000, 100000000000000, 1000000000000000, 10000000000000000 };

/* Parses up to 16 digits at AT. Returns their end, or NULL if there are more. */
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

/* Parses a number at AT into N. Returns its end, or NULL if it has many digits or an
 * exponent. JSON_NUMBER_ROOM bytes are readable at AT. */
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
