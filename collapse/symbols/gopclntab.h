/* SPDX-License-Identifier: ISC */
/*
 * The table of functions that every Go program carries for its own stack traces, and
 * that stripping leaves: names from Go 1.2 on, inlined functions from 1.18 on.
 * (Go: src/runtime/symtab.go, src/runtime/runtime2.go struct _func, src/debug/gosym.)
 */
#ifndef GOPCLNTAB_H
#define GOPCLNTAB_H

#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "inlines.h"
#include "symtab.h"

struct gopclntab;

/* The table of the program E, which must outlive it; NULL when it has none. The caller
 * frees the result. */
struct gopclntab *gopclntab_new(struct elf *e);
void gopclntab_free(struct gopclntab *g);

/* Adds all functions to T. Returns how many there were. */
size_t gopclntab_add(const struct gopclntab *g, struct symtab *t);

/* As inlines_find. */
size_t gopclntab_find(const struct gopclntab *g, uint64_t address,
	struct inlines_frame *frames, size_t cap);

#endif
