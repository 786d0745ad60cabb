/* SPDX-License-Identifier: ISC */
/*
 * Regular expressions that users write, Perl-compatible (pcre2, which only
 * match.c knows). They are matched against any bytes: those that are UTF-8 are
 * characters, the others match nothing. Nothing is remembered between calls
 * but a failure.
 *
 * An expression that would take too long on some text is given up, after
 * MATCH_LIMIT steps back from one place of it or MATCH_STEPS from all: the text counts
 * as not matching, and so does any other from then on. So it is with a text longer
 * than MATCH_LONGEST, in which even a simple search may take the square of its
 * length. A program looks at match_failure at the end, or now and then, and says
 * so instead of giving a result.
 */
#ifndef MATCH_H
#define MATCH_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

enum { MATCH_LIMIT = 10000000, MATCH_STEPS = 300000000, MATCH_LONGEST = 64 * 1024 };

/* Letters match both cases. */
enum { MATCH_ICASE = 1 };

struct match;

/* Compiles PATTERN, with any of the flags above. NULL when it is no expression:
 * WHY then gets what is wrong and where, "missing closing parenthesis at offset
 * 4". The caller frees it. */
struct match *match_new(struct str pattern, unsigned flags, struct buf *why);
void match_free(struct match *m);

/* Whether TEXT has a match. */
bool match_has(struct match *m, struct str text);

/* The same from the byte START on; where it is match_place says until the next call. */
bool match_find(struct match *m, struct str text, size_t start);

/* How many groups M has. */
size_t match_groups(const struct match *m);

/* Bytes of the text. With \K a match may end before it begins. */
struct match_place {
	size_t from, to;
};

/* What GROUP, one of match_groups or 0 for the whole, took part in the last match with; nothing
 * when it did not. */
struct match_place match_place(const struct match *m, size_t group);

/* What made M give up, to put behind "giving up: "; NULL when nothing did. Borrowed. */
const char *match_failure(const struct match *m);

#endif
