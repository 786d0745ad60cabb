/* SPDX-License-Identifier: ISC */
/*
 * A substitution, "s/EXPRESSION/NEW/FLAGS". Any character that is no letter,
 * digit, blank or backslash may stand for the '/'; behind a backslash it is
 * itself. In NEW, \1 and $1 are what the first group matched, $12 and ${12}
 * the twelfth; \0, $0 and $& the whole match; a backslash makes any other
 * character but a letter itself. Flags: g for every match rather than the first, i
 * for both cases.
 */
#ifndef EDIT_H
#define EDIT_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

struct edit;

/* Compiles TEXT. NULL when it is no substitution: WHY then gets what is wrong. The caller
 * frees it. */
struct edit *edit_new(struct str text, struct buf *why);
void edit_free(struct edit *e);

/* Adds TEXT with the substitution done to OUT, which is left alone when nothing
 * matches; returns whether something did. */
bool edit_put(struct edit *e, struct str text, struct buf *out);

/* As match_failure. */
const char *edit_failure(const struct edit *e);

#endif
