/* SPDX-License-Identifier: ISC */
/*
 * Writes JSON to a buffer. Text may hold any bytes. The output is ASCII without '<', '>' and '&',
 * so it can stand in XML, in CDATA and in the script elements of HTML; invalid UTF-8 becomes
 * U+FFFD.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>

#include "buf.h"

/* Begin and end an object. json_begin without a KEY begins an outermost one. */
void json_begin(struct buf *b, const char *key);
void json_end(struct buf *b);

void json_str(struct buf *b, const char *key, struct str value);

/* The same for text that people see unprocessed: U+FFFD replaces invisible characters. */
void json_shown(struct buf *b, const char *key, struct str value);
void json_u64(struct buf *b, const char *key, uint64_t value);
void json_bool(struct buf *b, const char *key, bool value);

/* A number in JSON syntax. */
void json_number(struct buf *b, const char *key, struct str digits);

/* A finite number, with the digits needed to read it back. */
void json_double(struct buf *b, const char *key, double value);

/* An array of the N numbers of VALUES, as strings: scripts misread numbers above 2^53. */
void json_exact(struct buf *b, const char *key, const uint64_t *values, size_t n);

/* Begins an object that is an element of an array. */
void json_element_begin(struct buf *b);

/* Begin and end an array; json_element_* in between add its elements. json_element_array begins an
 * array in an array. */
void json_array(struct buf *b, const char *key);
void json_element_array(struct buf *b);
void json_array_end(struct buf *b);
void json_element_str(struct buf *b, struct str value);
void json_element_shown(struct buf *b, struct str value); /* as json_shown */
void json_element_double(struct buf *b, double value);
void json_element_u64(struct buf *b, uint64_t value);

/* An element in JSON syntax: digits, or null. Empty: the caller adds it. */
void json_element_number(struct buf *b, struct str digits);

#endif
