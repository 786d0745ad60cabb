/* SPDX-License-Identifier: ISC */
/*
 * The table of functions that every Go program carries for its own stack traces, and
 * that stripping leaves: names, lines and frames from Go 1.2 on, inlined functions from
 * 1.18 on.
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

/* As inlines_find, and the lines of the frames if LINES is not NULL: of the innermost where
 * ADDRESS is, of the others where they call. Files are borrowed for the life of G. */
size_t gopclntab_find(const struct gopclntab *g, uint64_t address,
	struct inlines_frame *frames, struct inlines_place *lines, size_t cap);

enum gopclntab_kind {
	GOPCLNTAB_CALLED,
	GOPCLNTAB_OUTERMOST, /* nothing called it */
	/* It goes to another stack: only the frame pointer says where it came from. */
	GOPCLNTAB_SWITCHED,
	/* A signal handler returns to it: its caller is what the signal interrupted. */
	GOPCLNTAB_SIGRETURN
};

struct gopclntab_frame {
	enum gopclntab_kind kind;
	uint32_t depth; /* bytes that the function has put on the stack so far */
};

/* Sets *FRAME to that of the function at ADDRESS, the place of a call where that is not of the
 * innermost frame; false when there is none. */
bool gopclntab_frame(
	const struct gopclntab *g, uint64_t address, struct gopclntab_frame *frame);

#endif
