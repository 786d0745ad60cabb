/* SPDX-License-Identifier: ISC */
/*
 * A table of texts by their place, as JSON profiles have them: names are
 * numbers elsewhere in the file, which count in this table. Texts lie behind
 * one another, so that a million of them cost little more than their bytes. A
 * zeroed struct texts is empty.
 */
#ifndef TEXTS_H
#define TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "pull.h"
#include "str.h"

struct texts {
	struct buf bytes;
	size_t *ends; /* of text I in bytes */
	size_t n, cap;
};

void texts_release(struct texts *t);

/* Adds a copy of S. */
void texts_add(struct texts *t, struct str s);

/* Adds the first N bytes of text I, which must be there. */
void texts_add_head(struct texts *t, size_t i, size_t n);

/* Takes an array of strings to the end of T; what is no string is an empty text.
 * False when the value is no array. */
bool texts_take(struct texts *t, struct pull *p);

/* Whether I is a place in T; the text there, borrowed until the next is added. */
bool texts_get(const struct texts *t, int64_t i, struct str *s);

#endif
