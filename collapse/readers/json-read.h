/* SPDX-License-Identifier: ISC */
/*
 * A streaming JSON reader (RFC 8259), which returns one value at a time and keeps none:
 *
 *	if (json_read_object(p))
 *		while (json_next_key(p, &key))
 *			if (str_eq(key, STR("samples")))
 *				read_samples(p);	one call reads one value
 *
 * A value that the caller does not read is skipped. So is a value of another kind than
 * requested, which counts in wrong. The first error ends the text: a message shows where,
 * all loops end, and json_failed is true. Bytes of strings are not changed; an escape of
 * half a surrogate pair becomes U+FFFD.
 *
 * Why not a library: profiles are large and mostly columns of numbers, which this reads
 * in bulk. For a Firefox profile of 60 MB, jansson and json-c take 5 times as long and
 * 480 to 920 MB of memory instead of 3 MB; yajl, value by value, is as fast
 * (docs/dependencies.md).
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

/* Limits, beyond which the text is malformed: nested containers, bytes of a string or
 * key. */
enum { JSON_DEEPEST = 8192, JSON_STRING_MOST = INPUT_LINE_LONGEST };

struct json_reader {
	struct input *in;
	const char *start, *at, *end; /* the window; skipped up to start */
	uint64_t before;	      /* bytes before start */
	struct buf text;	      /* a string with escapes */
	char key[32];		      /* the last key; a longer one is in long_key */
	struct buf long_key;
	unsigned depth;
	bool in_array[JSON_DEEPEST];
	bool first;   /* the innermost container has not had an entry */
	bool pending; /* a value has not been read yet */
	bool failed, cut;
	bool quiet; /* do not print errors */
	uint64_t wrong;
};

/* Begins to read IN, which must outlive P. */
void json_reader_init(struct json_reader *p, struct input *in);
void json_reader_release(struct json_reader *p);

/* Whether the text is malformed, after a message with the place; or truncated: then
 * p->cut is set too, without a message. */
bool json_failed(const struct json_reader *p);

/* Makes P fail with the message WHY at the current place. */
void json_fail(struct json_reader *p, const char *why);

/* Whether another top-level value follows, after blanks: some programs write one per
 * line. */
bool json_more(struct json_reader *p);

/* The kind of the next value, without reading it. */
enum json_kind json_peek(struct json_reader *p);

/* Opens an object or an array. Returns false if the next value is something else. */
bool json_read_object(struct json_reader *p);
bool json_read_array(struct json_reader *p);

/* The next key of the innermost object, valid until the next call of this function even
 * if reading fails. Returns false at its end, and closes it. */
bool json_next_key(struct json_reader *p, struct str *key);

/* Whether the innermost array has another element; if not, closes it. */
bool json_next_element(struct json_reader *p);

/* Reads a string, borrowed until the next call. Returns false, with *S empty, if the
 * value is not one. */
bool json_read_string(struct json_reader *p, struct str *s);

/* Reads a number: the double nearest to its digits, as strtod returns it. Returns false
 * if the value is not one. */
bool json_read_double(struct json_reader *p, double *value);

/* Reads an integer from 0 to 2^64-1, which may be written with a point or an exponent.
 * Returns false if the value is not one. */
bool json_read_u64(struct json_reader *p, uint64_t *value);

/* The same for a signed integer of 64 bits. */
bool json_read_i64(struct json_reader *p, int64_t *value);

/* If an element of an array is next: reads it and the following ones to TO, up to MOST,
 * as long as they are short integers followed by another element. Returns their number;
 * the element after them is next. */
size_t json_take_wholes(struct json_reader *p, int64_t *to, size_t most);

/* Reads an array of at most MOST plain numbers, without blanks, to TO. Returns their
 * number; 0 if the next value is something else, which then is still next. */
size_t json_take_row(struct json_reader *p, double *to, size_t most);

/* Reads a number with up to nine decimals, maybe in a string, without its sign, which
 * goes into *NEGATIVE. Returns false if the value is not one. */
bool json_read_weight(struct json_reader *p, struct weight *w, bool *negative);

/* Reads true or false. */
bool json_read_bool(struct json_reader *p, bool *value);

/* Sets TO to a string; to an empty one for null, and for values of another kind, which
 * count as wrong. */
void json_read_text(struct json_reader *p, struct buf *to);

/* Reads a null. Returns false if the next value is something else. */
bool json_read_null(struct json_reader *p);

/* Skips a value of any kind. */
void json_skip(struct json_reader *p);

#endif
