/* SPDX-License-Identifier: ISC */
/*
 * What all profiles in JSON have in common: keys at the beginning, by which a format
 * is known, a run from the first byte to the report of damage, and objects whose keys have
 * functions that take their values.
 *
 *	static const struct json_key keys[] = { JSON_EACH("samples", take_sample),
 *		JSON_KEY("unit", take_unit) };
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

/* Whether HEAD, the beginning of a text, is JSON that has PATH as far as HEAD
 * goes: keys joined by '.', "[]" for any element of an array:
 * "meta.preprocessedProfileVersion", "threads[].samples.schema", "[].ph". */
bool json_has(struct str head, const char *path);

/* The same for the text value at PATH: whether it is VALUE. */
bool json_has_text(struct str head, const char *path, struct str value);

struct json_profile {
	struct json_reader p;
	struct collapse *c; /* not owned */
	uint64_t before;    /* samples in C at first */
};

/* Begins to read IN, whose samples go to C and may be nobody's. */
void json_profile_begin(struct json_profile *f, struct input *in, struct collapse *c);

/* Ends F. A text that is damaged or ends too soon is a loss; what came before is kept:
 * false only when nothing was folded. With STRICT values of the wrong kind are losses
 * too, for formats that need all that they ask for. */
bool json_profile_end(struct json_profile *f, bool strict);

/* Takes one value for the CONTEXT of json_walk. */
typedef void json_take(struct json_reader *p, void *context);

/* What takes the value of KEY, or each element of the array that it is. */
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

/* Takes an object, of which the N KEYS are wanted. */
void json_walk(
	struct json_reader *p, const struct json_key *keys, size_t n, void *context);

/* Takes an array: each of its elements with TAKE. */
void json_each(struct json_reader *p, json_take *take, void *context);

#endif
