/* SPDX-License-Identifier: ISC */
/*
 * Common parts of JSON formats: detection by keys near the beginning, reading from the
 * first byte to the report of damage, and objects with a function per key that reads its
 * value.
 *
 *	static const struct json_key keys[] = { JSON_EACH("samples", read_sample),
 *		JSON_KEY("unit", read_unit) };
 *
 *	json_profile_begin(&f, in, c);
 *	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &reader);
 *	fold(&reader);
 *	return json_profile_end(&f, true);
 */
#ifndef JSON_PROFILE_H
#define JSON_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "json-read.h"
#include "str.h"

/* Whether HEAD, the beginning of a text, is JSON that contains PATH, as far as HEAD goes:
 * keys joined by '.', "[]" for any element of an array:
 * "meta.preprocessedProfileVersion", "threads[].samples.schema", "[].ph". */
bool json_has(struct str head, const char *path);

/* Whether the string at PATH is VALUE. */
bool json_has_text(struct str head, const char *path, struct str value);

struct json_profile {
	struct json_reader p;
	struct collapse *c; /* not owned */
	uint64_t before;    /* samples in C at the beginning */
};

/* Begins to read IN, whose samples go to C and may lack a thread. */
void json_profile_begin(struct json_profile *f, struct input *in, struct collapse *c);

/* Ends F. Damaged or truncated text is a loss; samples before it are kept. Returns false
 * only if nothing was folded. With STRICT, values of the wrong type are losses too, for
 * formats that need every value they ask for. */
bool json_profile_end(struct json_profile *f, bool strict);

/* Reads one value; CONTEXT is json_walk's. */
typedef void json_take(struct json_reader *p, void *context);

/* How to read the value of KEY; if EACH, each element of that array. */
struct json_key {
	struct str key;
	json_take *take;
	bool each;
};

#define JSON_KEY(key, take)                           \
	{                                             \
		{ key, sizeof(key) - 1 }, take, false \
	}
#define JSON_EACH(key, take)                         \
	{                                            \
		{ key, sizeof(key) - 1 }, take, true \
	}

/* Reads an object, calling the functions of the N KEYS; other values are skipped. */
void json_walk(
	struct json_reader *p, const struct json_key *keys, size_t n, void *context);

/* Reads an array, calling TAKE for each element. */
void json_each(struct json_reader *p, json_take *take, void *context);

#endif
