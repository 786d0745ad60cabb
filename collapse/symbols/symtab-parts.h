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

/* Addresses in order, each once, fewer than 2^32 (symtab-starts.c). */
struct symtab_starts {
	uint64_t *at;
	size_t n;
	unsigned shift;
	size_t parts;
	uint32_t *before; /* by part; one more is n */
};

/* To be called when AT and N are set. */
void symtab_starts_index(struct symtab_starts *s);
void symtab_starts_release(struct symtab_starts *s);

/* How many are ADDRESS or before it. */
size_t symtab_starts_count(const struct symtab_starts *s, uint64_t address);

#endif
