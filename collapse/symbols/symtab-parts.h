/* SPDX-License-Identifier: ISC */
/* What the files of symtab share; see symtab.h. */
#ifndef SYMTAB_PARTS_H
#define SYMTAB_PARTS_H

#include "symtab.h"

/* Adds S, whose name goes on to the first NUL within its slice, or has no end
 * and does not count: to look for the ends of 100,000s of names takes longer
 * than all else. */
void symtab_add_uncut(struct symtab *t, const struct symtab_symbol *s);

/* Makes room for MORE symbols. */
void symtab_reserve(struct symtab *t, size_t more);

#endif
