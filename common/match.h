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

/* The same; *FOUND is the first match, a part of TEXT. */
bool match_find(struct match *m, struct str text, struct str *found);

/* What made M give up, to put behind "giving up: "; NULL when nothing did. Borrowed. */
const char *match_failure(const struct match *m);

/*
 * A substitution, "s/EXPRESSION/NEW/FLAGS". Any character that is no letter,
 * digit, blank or backslash may stand for the '/'; behind a backslash it is
 * itself. In NEW, \1 and $1 are what the first group matched, $12 and ${12}
 * the twelfth; \0, $0 and $& the whole match; a backslash makes any other
 * character but a letter itself. Flags: g for every match rather than the first, i
 * for both cases.
 */
struct match_edit;

/* As match_new. */
struct match_edit *match_edit_new(struct str text, struct buf *why);
void match_edit_free(struct match_edit *e);

/* Adds TEXT with the substitution done to OUT, which is left alone when nothing
 * matches; returns whether something did. */
bool match_edit_put(struct match_edit *e, struct str text, struct buf *out);

/* As match_failure. */
const char *match_edit_failure(const struct match_edit *e);

#endif
