/* SPDX-License-Identifier: ISC */
/*
 * A reader of JSON (RFC 8259) that hands out one value at a time and keeps none:
 *
 *	if (json_read_object(p))
 *		while (json_next_key(p, &key))
 *			if (str_eq(key, STR("samples")))
 *				read_samples(p);	one call takes one value
 *
 * A value that the caller does not take is skipped. So is a value of another kind
 * than the caller asked for, which counts in wrong. The first error in the text ends
 * it: a message says where, nothing more comes, all loops end, json_failed is true.
 * Bytes of strings stay as they are; an escape that is half a surrogate pair becomes
 * U+FFFD.
 *
 * Why no library: profiles are large and mostly columns of numbers, which it reads at once.
 * For a Firefox profile of 60 MB, jansson and json-c take 5 times as long and 480 to 920 MB
 * of memory against 3 MB; yajl, value by value, is as fast (docs/dependencies.md).
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "input.h"
#include "str.h"
#include "weight.h"

enum json_kind {
	JSON_NOTHING, /* the end, or an error */
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL
};

/* Limits, beyond which the text is in error: containers within one another, bytes of a
 * string or key. */
enum { JSON_DEEPEST = 8192, JSON_STRING_MOST = INPUT_LINE_LONGEST };

struct json_reader {
	struct input *in;
	const char *start, *at, *end; /* the window; start has not been skipped */
	uint64_t before;	      /* bytes before start */
	struct buf text;	      /* a string whose escapes were undone */
	char key[32];		      /* the last key, or if it is longer: */
	struct buf long_key;
	unsigned depth;
	bool in_array[JSON_DEEPEST];
	bool first;   /* the container that was opened last has had no entry yet */
	bool pending; /* a value waits to be taken */
	bool failed, cut;
	bool quiet; /* errors are not printed */
	uint64_t wrong;
};

/* Begins to read IN, which must outlive P. */
void json_reader_init(struct json_reader *p, struct input *in);
void json_reader_release(struct json_reader *p);

/* Whether the text is damaged, after a message that says where. CUT is set as
 * well when it merely ends too soon, and no message is printed for that. */
bool json_failed(const struct json_reader *p);

/* Makes P fail with WHY, at the place it has come to. */
void json_fail(struct json_reader *p, const char *why);

/* Whether another value follows after those at the top, which blanks alone may
 * part: one a line, as some programs write. */
bool json_more(struct json_reader *p);

/* What the next value is. It is not taken. */
enum json_kind json_peek(struct json_reader *p);

/* Takes the opening of an object or an array, when the next value is one. */
bool json_read_object(struct json_reader *p);
bool json_read_array(struct json_reader *p);

/* The next key of the object opened last, borrowed until the next call of this function,
 * whatever is read or fails before; false at its end, which is taken. */
bool json_next_key(struct json_reader *p, struct str *key);

/* Whether the array opened last has another element; false at its end, which is
 * taken. */
bool json_next_element(struct json_reader *p);

/* Takes a string, borrowed until the next call. False, and *S is empty, when
 * the value is none. */
bool json_read_string(struct json_reader *p, struct str *s);

/* Takes a number: the double that is nearest to its digits, as strtod gives it.
 * False when the value is none. */
bool json_read_double(struct json_reader *p, double *value);

/* Takes a whole number from 0 to 2^64-1, which may be written with a point or
 * an exponent; false when the value is none. */
bool json_read_u64(struct json_reader *p, uint64_t *value);

/* Takes a whole number within 64 bits and a sign, likewise. */
bool json_read_i64(struct json_reader *p, int64_t *value);

/* When an element of an array is next: takes it and those behind it to TO, MOST of them, as long
 * as they are whole numbers of few digits, with another element behind each. How many those
 * were; the element behind them is next. */
size_t json_take_wholes(struct json_reader *p, int64_t *to, size_t most);

/* Takes an array of MOST plain numbers at most, without blanks, to TO, and returns how many. When
 * the next value is none: 0, and it is still next. */
size_t json_take_row(struct json_reader *p, double *to, size_t most);

/* Takes a number with up to nine decimals, or a string that is one, without its sign, which
 * *NEGATIVE gets; false when the value is none. */
bool json_read_weight(struct json_reader *p, struct weight *w, bool *negative);

/* Takes true or false. */
bool json_read_bool(struct json_reader *p, bool *value);

/* Replaces the contents of TO by a string; null gives an empty one, and so does a value
 * of another kind, which counts as wrong. */
void json_read_text(struct json_reader *p, struct buf *to);

/* Takes a null, when the next value is one; else nothing. */
bool json_read_null(struct json_reader *p);

/* Takes a value of any kind. */
void json_skip(struct json_reader *p);

#endif
