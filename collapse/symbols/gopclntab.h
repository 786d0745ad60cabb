/* SPDX-License-Identifier: ISC */
/*
 * The table of functions in every Go program, for its own stack traces, which stripping
 * keeps: names, lines and frames since Go 1.2, inlined functions since 1.18. (Go:
 * src/runtime/symtab.go, src/runtime/runtime2.go struct _func, src/debug/gosym.)
 */
#ifndef GOPCLNTAB_H
#define GOPCLNTAB_H

#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "inlines.h"
#include "symtab.h"

struct gopclntab;

/* The table of the program E, which must outlive it, or NULL. The caller frees the
 * result. */
struct gopclntab *gopclntab_new(struct elf *e);
void gopclntab_free(struct gopclntab *g);

/* Adds all functions to T. Returns their number. */
size_t gopclntab_add(const struct gopclntab *g, struct symtab *t);

/* Like inlines_find, with the lines of the frames unless LINES is NULL: the innermost
 * at ADDRESS, the others at their calls. Files are borrowed for the life of G. */
size_t gopclntab_find(const struct gopclntab *g, uint64_t address,
	struct inlines_frame *frames, struct inlines_place *lines, size_t cap);

enum gopclntab_kind {
	GOPCLNTAB_CALLED,
	GOPCLNTAB_OUTERMOST, /* nothing called it */
	/* It switches to another stack: only the frame pointer leads back. */
	GOPCLNTAB_SWITCHED,
	/* A signal handler returns to it: its caller is the interrupted code. */
	GOPCLNTAB_SIGRETURN
};

struct gopclntab_frame {
	enum gopclntab_kind kind;
	uint32_t depth; /* bytes of stack that the function uses here */
};

/* Sets *FRAME for the function at ADDRESS, which is the place of a call except in the
 * innermost frame. Returns false without one. */
bool gopclntab_frame(
	const struct gopclntab *g, uint64_t address, struct gopclntab_frame *frame);

#endif
