/* SPDX-License-Identifier: ISC */
/*
 * The functions that were inlined at an address, from DWARF 2 to 5.
 *
 * Built in two steps, each as late as can be: which units cover which
 * addresses when the index is made, the tree of a unit's subprograms and
 * inlined subroutines when an address of it is first asked for.
 *
 * Why no library: a walk by elfutils' libdw takes 2.5 to 3 times as long, libbacktrace 5
 * to 11 times (docs/dependencies.md).
 */
#ifndef INLINES_H
#define INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "str.h"

struct inlines;

/* The index of DEBUG, an ELF file with .debug_info, whose supplementary file
 * (dwz, .gnu_debugaltlink) is ALT or NULL. Both must outlive it and are the
 * caller's. NULL when there is no DWARF in it, or DEBUG is relocatable (.o, .ko):
 * its DWARF has no addresses yet. */
struct inlines *inlines_new(struct elf *debug, struct elf *alt);
void inlines_free(struct inlines *x);

struct inlines_frame {
	/* The linkage name, mangled; without one the plain name, of C++ and Rust
	 * with the scopes it is in; empty when it has none. */
	struct str name;
	bool inlined; /* false: the function that ADDRESS is in */
};

/* The chain at ADDRESS, innermost first: the inlined functions and, last, the
 * one that they were inlined into. At most CAP frames are put at FRAMES;
 * returns how many, 0 when no function of the DWARF covers ADDRESS. Names are
 * borrowed for the life of X. */
size_t inlines_find(
	struct inlines *x, uint64_t address, struct inlines_frame *frames, size_t cap);

/* A place in a source. */
struct inlines_place {
	struct str file; /* the path as it was compiled */
	uint32_t line;	 /* 0: not known */
};

/* How many units have their content in split files (.dwo, .dwp), which are not
 * read: their functions have no inlined frames. */
size_t inlines_split(const struct inlines *x);

/* How many units could not be read, or not to their end, so far. */
size_t inlines_bad(const struct inlines *x);

/* The name of the dwz file that E points to and the build id it must have; false
 * when there is none. Borrowed for the life of E. */
bool inlines_alt_link(struct elf *e, struct str *path, struct str *build_id);

#endif
