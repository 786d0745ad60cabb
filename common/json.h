/* SPDX-License-Identifier: ISC */
/*
 * A JSON object, written to a buffer. Any bytes may go in as text. What comes
 * out is ASCII without '<', '>' and '&', so it can stand in XML, in CDATA and in
 * the script elements of HTML; invalid UTF-8 becomes U+FFFD.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>

#include "buf.h"

/* Begin and end an object. json_begin without a KEY begins an outermost one. */
void json_begin(struct buf *b, const char *key);
void json_end(struct buf *b);

void json_str(struct buf *b, const char *key, struct str value);

/* The same of a text that is shown to people as it is: U+FFFD stands for what is not visible. */
void json_shown(struct buf *b, const char *key, struct str value);
void json_u64(struct buf *b, const char *key, uint64_t value);
void json_bool(struct buf *b, const char *key, bool value);

/* A number that is written already, as JSON has them. */
void json_number(struct buf *b, const char *key, struct str digits);

/* A finite number, in as many digits as it takes to read it back. */
void json_double(struct buf *b, const char *key, double value);

/* An array of the N numbers of VALUES, as strings: scripts read numbers above
 * 2^53 wrong. */
void json_exact(struct buf *b, const char *key, const uint64_t *values, size_t n);

/* Begins an object that is an element of an array. */
void json_element_begin(struct buf *b);

/* Begin and end an array; between, an element each. json_element_array begins one
 * that is itself an element. */
void json_array(struct buf *b, const char *key);
void json_element_array(struct buf *b);
void json_array_end(struct buf *b);
void json_element_str(struct buf *b, struct str value);
void json_element_shown(struct buf *b, struct str value); /* as json_shown */
void json_element_double(struct buf *b, double value);
void json_element_u64(struct buf *b, uint64_t value);

/* One that is written already, as JSON has it: digits, or null. Empty: the caller adds it. */
void json_element_number(struct buf *b, struct str digits);

#endif
