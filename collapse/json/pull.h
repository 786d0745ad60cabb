/* SPDX-License-Identifier: ISC */
/*
 * JSON (RFC 8259) read piece by piece, as the reader asks for it; nothing is
 * kept but what the reader keeps. For profiles, which are large and mostly
 * columns of numbers, libraries were measured on one of 168 MB with 26 million
 * values:
 *
 *	a prototype of this	 195 ms	 192 MB
 *	rapidjson, SAX (C++)	 350 ms
 *	yyjson 0.12		 444 ms	 725 MB	(not in Debian 12)
 *	simdjson, DOM (C++)	 445 ms	 770 MB
 *	yajl, SAX		1039 ms	 161 MB
 *	cJSON			3562 ms	2200 MB
 *	jansson			4490 ms	1200 MB
 *	json-c			4833 ms	2200 MB
 *
 *	if (pull_object(p))
 *		while (pull_key(p, &key))
 *			if (str_eq(key, STR("samples")))
 *				read_samples(p);	one call takes one value
 *
 * A value that is not taken is passed over. One of another kind than was asked
 * for is passed over too and counted in wrong. The first error in the text ends
 * it: from then on nothing more comes, all loops end, and pull_failed says so;
 * the message has been printed. Bytes of strings are taken as they are; an
 * escape that is half a surrogate pair becomes U+FFFD.
 */
#ifndef PULL_H
#define PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "input.h"
#include "str.h"

enum pull_kind {
	PULL_NOTHING, /* the end, or an error */
	PULL_OBJECT,
	PULL_ARRAY,
	PULL_STRING,
	PULL_NUMBER,
	PULL_BOOL,
	PULL_NULL
};

/* Limits, beyond which the text is in error: containers within one another, bytes of a
 * string or key. */
enum { PULL_DEPTH = 512, PULL_STRING_MOST = 16 << 20 };

struct pull {
	struct input *in;
	const char *start, *at, *end; /* the window; start has not been skipped */
	uint64_t before;	      /* bytes before start */
	struct buf text;	      /* a string whose escapes were undone */
	unsigned depth;
	bool in_array[PULL_DEPTH];
	bool first;   /* the container that was opened last has had no entry yet */
	bool pending; /* a value waits to be taken */
	bool failed, cut;
	bool quiet; /* errors are not printed */
	uint64_t wrong;
};

/* Begins to read IN, which must outlive P. */
void pull_init(struct pull *p, struct input *in);
void pull_release(struct pull *p);

/* Whether the text is damaged, after a message that says where. CUT is set as
 * well when it merely ends too soon, and no message is printed for that. */
bool pull_failed(const struct pull *p);

/* Makes P fail with WHY, at the place it has come to. */
void pull_fail(struct pull *p, const char *why);

/* Whether another value follows after those at the top, which blanks alone may
 * part: one a line, as some programs write. */
bool pull_more(struct pull *p);

/* What the next value is. It is not taken. */
enum pull_kind pull_peek(struct pull *p);

/* Takes the opening of an object or an array, when the next value is one. */
bool pull_object(struct pull *p);
bool pull_array(struct pull *p);

/* The next key of the object opened last, borrowed until the next call; false
 * at its end, which is taken. */
bool pull_key(struct pull *p, struct str *key);

/* Whether the array opened last has another element; false at its end, which is
 * taken. */
bool pull_element(struct pull *p);

/* Takes a string, borrowed until the next call. False, and *S is empty, when
 * the value is none. */
bool pull_string(struct pull *p, struct str *s);

/* Takes a number: the double that is nearest to its digits, as strtod gives it.
 * False when the value is none. */
bool pull_number(struct pull *p, double *value);

/* Takes a whole number from 0 to 2^64-1, which may be written with a point or
 * an exponent; false when the value is none. */
bool pull_u64(struct pull *p, uint64_t *value);

/* Takes a whole number within 64 bits and a sign, likewise. */
bool pull_i64(struct pull *p, int64_t *value);

/* Takes true or false. */
bool pull_bool(struct pull *p, bool *value);

/* Takes a null, when the next value is one; else nothing. */
bool pull_null(struct pull *p);

/* Takes a value of any kind. */
void pull_skip(struct pull *p);

/* Columns: arrays of numbers. */
struct pull_ints {
	int32_t *items;
	size_t n, cap;
};
struct pull_numbers {
	double *items;
	size_t n, cap;
};

/* Takes an array of numbers to the end of V. What is null or no whole number
 * of 32 bits becomes NONE; other kinds of value count as wrong too. */
bool pull_int_column(struct pull *p, struct pull_ints *v, int32_t none);
bool pull_number_column(struct pull *p, struct pull_numbers *v, double none);

void pull_ints_release(struct pull_ints *v);
void pull_numbers_release(struct pull_numbers *v);

#endif
