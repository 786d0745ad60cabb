/* SPDX-License-Identifier: ISC */
/*
 * The functions of one unit: which of them, and which function inlined into it,
 * each address belongs to.
 *
 *	0x1000 main          scope 0 main, outermost
 *	0x1010 parse         scope 1 parse, in main
 *	0x1024 skip_blanks   scope 2 skip_blanks, in parse
 *	0x1030 main
 *	0x1100 -
 */
#ifndef INLINES_UNIT_H
#define INLINES_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf.h"

#define INLINES_NONE UINT32_MAX

/* A function with code, or an instance of an inlined one. */
struct inlines_scope {
	uint64_t entry;	  /* its offset */
	const char *name; /* NULL: not looked for yet */
	uint32_t name_n;
	uint32_t parent; /* what it was inlined into; INLINES_NONE: a function */
};

/* From START to the next one. */
struct inlines_segment {
	uint64_t start;
	uint32_t scope; /* the innermost, or INLINES_NONE */
};

struct inlines_unit {
	struct dwarf_unit *unit;
	struct inlines_scope *scopes;
	struct inlines_segment *segments; /* by start; the last has no scope */
	size_t scope_n, scope_cap, segment_n, segment_cap;
	bool read, damaged;
	bool bare; /* does not say which addresses it has */
};

void inlines_unit_release(struct inlines_unit *u);

/* Fills U from its unit; damaged is set when that could not be read to its
 * end. */
void inlines_unit_read(struct inlines_unit *u);

/* The innermost scope at ADDRESS, or INLINES_NONE. */
uint32_t inlines_unit_find(const struct inlines_unit *u, uint64_t address);

#endif
