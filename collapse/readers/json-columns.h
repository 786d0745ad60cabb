/* SPDX-License-Identifier: ISC */
/*
 * Columns of tables in JSON: arrays of numbers and of texts. Runs of plain numbers
 * separated by commas are read quickly.
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

/* Appends an array of numbers to V. Nulls and numbers that are not 32-bit integers become
 * NONE; other types of values also count as wrong. */
bool json_read_ints(struct json_reader *p, struct json_ints *v, int32_t none);
bool json_read_doubles(struct json_reader *p, struct json_doubles *v, double none);

void json_ints_add(struct json_ints *v, int32_t value);
void json_doubles_add(struct json_doubles *v, double value);

void json_ints_release(struct json_ints *v);
void json_doubles_release(struct json_doubles *v);

/*
 * A column of texts, to which a profile refers by index. Texts are stored contiguously,
 * so a million of them cost little more than their bytes. A zeroed struct json_texts is
 * empty.
 */
struct json_texts {
	struct buf bytes;
	size_t *ends; /* of each text, in bytes */
	size_t n, cap;
};

void json_texts_release(struct json_texts *t);

/* Adds a copy of S. */
void json_texts_add(struct json_texts *t, struct str s);

/* Adds a copy of the first N bytes of text I, which must exist. */
void json_texts_add_head(struct json_texts *t, size_t i, size_t n);

/* Appends an array of strings to T; other elements become empty texts. Returns false if
 * the value is not an array. */
bool json_read_texts(struct json_reader *p, struct json_texts *t);

/* Sets *S to text I of T, borrowed until the next one is added. Returns false if I is out
 * of range. */
bool json_texts_get(const struct json_texts *t, int64_t i, struct str *s);

#endif
