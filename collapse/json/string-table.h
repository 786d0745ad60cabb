/* SPDX-License-Identifier: ISC */
/*
 * A table of texts by their place, as JSON profiles have them: names are
 * numbers elsewhere in the file, which count in this table. Texts lie behind
 * one another, so that a million of them cost little more than their bytes. A
 * zeroed struct string_table is empty.
 */
#ifndef STRING_TABLE_H
#define STRING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "json-read.h"
#include "str.h"

struct string_table {
	struct buf bytes;
	size_t *ends; /* of text I in bytes */
	size_t n, cap;
};

void string_table_release(struct string_table *t);

/* Adds a copy of S. */
void string_table_add(struct string_table *t, struct str s);

/* Adds the first N bytes of text I, which must be there. */
void string_table_add_head(struct string_table *t, size_t i, size_t n);

/* Takes an array of strings to the end of T; what is no string is an empty text.
 * False when the value is no array. */
bool string_table_read(struct string_table *t, struct json_reader *p);

/* Whether I is a place in T; the text there, borrowed until the next is added. */
bool string_table_get(const struct string_table *t, int64_t i, struct str *s);

#endif
