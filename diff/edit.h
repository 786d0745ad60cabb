/* SPDX-License-Identifier: ISC */
/*
 * A substitution, "s/EXPRESSION/NEW/FLAGS". Any character except letters,
 * digits, blanks and the backslash may replace the '/'; after a backslash it is
 * literal. In NEW, \1 and $1 stand for the first group, $12 and ${12} for the
 * twelfth; \0, $0 and $& for the whole match; a backslash makes any other
 * character except a letter literal. Flags: g for every match rather than the first, i
 * for both cases.
 */
#ifndef EDIT_H
#define EDIT_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

struct edit;

/* Compiles TEXT. NULL when it is not a valid substitution: WHY then gets the reason. The caller
 * frees it. */
struct edit *edit_new(struct str text, struct buf *why);
void edit_free(struct edit *e);

/* Adds TEXT with the substitution applied to OUT; returns false, with OUT unchanged, if nothing
 * matches. */
bool edit_put(struct edit *e, struct str text, struct buf *out);

/* As match_failure. */
const char *edit_failure(const struct edit *e);

#endif
