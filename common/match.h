/* SPDX-License-Identifier: ISC */
/*
 * Regular expressions that users write, Perl-compatible (by pcre2, which only match.c uses). They
 * are matched against any bytes: valid UTF-8 is read as characters, other bytes match nothing.
 * Calls share no state except a failure.
 *
 * An expression that would take too long on some text is given up, after MATCH_LIMIT backtracks
 * from one place of it or MATCH_STEPS from all: that text and all later ones count as not matching.
 * The same happens with a text longer than MATCH_LONGEST, in which even a simple search may take
 * quadratic time. A program checks match_failure at the end, or now and then, and reports it
 * instead of giving a result.
 */
#ifndef MATCH_H
#define MATCH_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

enum { MATCH_LIMIT = 10000000, MATCH_STEPS = 300000000, MATCH_LONGEST = 64 * 1024 };

/* Ignore case. */
enum { MATCH_ICASE = 1 };

struct match;

/* Compiles PATTERN, with any of the flags above. NULL when it is invalid: WHY then gets the error
 * and its place, "missing closing parenthesis at offset 4". The caller frees it. */
struct match *match_new(struct str pattern, unsigned flags, struct buf *why);
void match_free(struct match *m);

/* Whether TEXT has a match. */
bool match_has(struct match *m, struct str text);

/* The same from the byte START on; match_place gives the match until the next call. */
bool match_find(struct match *m, struct str text, size_t start);

/* The number of groups in M. */
size_t match_groups(const struct match *m);

/* A range of bytes in the text. With \K a match may end before it begins. */
struct match_place {
	size_t from, to;
};

/* The place of GROUP, 1 to match_groups, or 0 for the whole match, in the last match; empty if it
 * took no part. */
struct match_place match_place(const struct match *m, size_t group);

/* Why M gave up, to follow "giving up: "; NULL if it did not. Borrowed. */
const char *match_failure(const struct match *m);

#endif
