/* SPDX-License-Identifier: ISC */
/*
 * Columns of JSON: arrays of numbers and of texts, which tables of profiles are made of. Plain
 * numbers, a comma behind each, are read in one go.
 */
#ifndef JSON_COLUMNS_H
#define JSON_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

struct json_reader;

struct json_ints {
	int32_t *items;
	size_t n, cap;
};
struct json_doubles {
	double *items;
	size_t n, cap;
};

/* Takes an array of numbers to the end of V. What is null or no whole number
 * of 32 bits becomes NONE; other kinds of value count as wrong too. */
bool json_read_ints(struct json_reader *p, struct json_ints *v, int32_t none);
bool json_read_doubles(struct json_reader *p, struct json_doubles *v, double none);

/* Adds one entry. */
void json_ints_add(struct json_ints *v, int32_t value);
void json_doubles_add(struct json_doubles *v, double value);

void json_ints_release(struct json_ints *v);
void json_doubles_release(struct json_doubles *v);

/*
 * A column of texts: names are numbers elsewhere in a profile, which count in this table.
 * Texts lie behind one another, so that a million of them cost little more than their
 * bytes. A zeroed struct json_texts is empty.
 */
struct json_texts {
	struct buf bytes;
	size_t *ends; /* of text I in bytes */
	size_t n, cap;
};

void json_texts_release(struct json_texts *t);

/* Adds a copy of S. */
void json_texts_add(struct json_texts *t, struct str s);

/* Adds the first N bytes of text I, which must be there. */
void json_texts_add_head(struct json_texts *t, size_t i, size_t n);

/* Takes an array of strings to the end of T; what is no string is an empty text.
 * False when the value is no array. */
bool json_read_texts(struct json_reader *p, struct json_texts *t);

/* Whether I is a place in T; the text there, borrowed until the next is added. */
bool json_texts_get(const struct json_texts *t, int64_t i, struct str *s);

#endif
