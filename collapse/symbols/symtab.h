/* SPDX-License-Identifier: ISC */
/*
 * Addresses to symbols: a sorted table, filled from an ELF file, from /proc/kallsyms or
 * from a perf map, with perf's choice where several symbols have one address
 * (tools/perf/util/symbol.c, choose_best_symbol).
 *
 * A library can have 100,000s of symbols of which a profile needs a few, so names are
 * read only for requested addresses.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "str.h"

/* size 0: up to the next symbol, if the table's source allows that. */
struct symtab_symbol {
	uint64_t start, size;
	struct str name;       /* as in the file, mangled; "NAME@plt" */
	unsigned char binding; /* ELF_LOCAL, ELF_GLOBAL, ELF_WEAK */
	struct str module;     /* "[ext4]", in kallsyms only */
	uint32_t note;	       /* for the caller; 0 at first */
};

struct symtab;

struct symtab *symtab_new(void);
void symtab_free(struct symtab *t);

/* Adds S; its slices must outlive T. */
void symtab_add(struct symtab *t, const struct symtab_symbol *s);

/* Adds S, called NAME and then SUFFIX, which are copied. */
void symtab_add_copy(struct symtab *t, const struct symtab_symbol *s, struct str name,
	struct str suffix);

/* Adds a mark: symbols without a size end at ADDRESS at the latest. */
void symtab_add_end(struct symtab *t, uint64_t address);

/* Adds the functions of the symbol tables of E (.symtab, otherwise .dynsym), by
 * address; E must outlive T. Clears ARM's Thumb bit, and leaves out mapping symbols
 * ($a, $d, $x) and .L labels. Returns the number of functions. */
size_t symtab_add_elf(struct symtab *t, struct elf *e);

/* Adds the functions of the PLT of E, which must be the file of the code, not of debug
 * information. Returns their number. */
size_t symtab_add_plt(struct symtab *t, struct elf *e);

/* The choice among several symbols at one address. */
enum symtab_choice {
	SYMTAB_BEST, /* with a size, not weak, global, fewer '_' in front, longest */
	SYMTAB_LAST  /* the one added last, as perf does for kallsyms */
};

/* Call this after the last symtab_add and before symtab_find. Sorts and, if OPEN, ends
 * symbols without a size where the next one starts. The last one of a module, and of
 * all, ends with the page after its own. */
void symtab_seal(struct symtab *t, enum symtab_choice choice, bool open);

/* The symbol that contains ADDRESS, or NULL; of nested ones the inner one. Owned by T;
 * the same symbol is the same pointer each time. */
struct symtab_symbol *symtab_find(struct symtab *t, uint64_t address);

#endif
