/* SPDX-License-Identifier: ISC */
/*
 * What kind of JSON a text is, by the keys at its beginning.
 */
#ifndef JSON_PROBE_H
#define JSON_PROBE_H

#include <stdbool.h>

#include "str.h"

/* Whether HEAD, the beginning of a text, is JSON that has PATH as far as HEAD
 * goes: keys joined by '.', "[]" for any element of an array:
 * "meta.preprocessedProfileVersion", "threads[].samples.schema", "[].ph". */
bool json_has(struct str head, const char *path);

/* The same for the text value at PATH: whether it is VALUE. */
bool json_has_text(struct str head, const char *path, struct str value);

#endif
