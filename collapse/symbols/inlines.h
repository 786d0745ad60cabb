/* SPDX-License-Identifier: ISC */
/*
 * The functions that were inlined at an address, and its lines, from DWARF 2 to 5.
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
 * caller's. NULL when there is no DWARF in it. Addresses in an object (.o, .ko) are those of
 * relocate.h. */
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

/* The places of the frames of inlines_find at ADDRESS: the line of the code, then those of
 * the calls that were inlined. At most CAP are put at PLACES; returns how many, which is
 * one where a table has lines of code without a function. Files are borrowed for the life
 * of X. */
size_t inlines_places(
	struct inlines *x, uint64_t address, struct inlines_place *places, size_t cap);

/* The code of X, or its debug information, is at PATH: units that are in split files (.dwo,
 * .dwp) are looked for beside it. */
void inlines_beside(struct inlines *x, const char *path);

/* Adds E, a split file that is X's then. */
void inlines_add_split(struct inlines *x, struct elf *e);

/* How many units' split files were not found, so far, and the name of the first one:
 * their functions have no inlined frames. Borrowed for the life of X. */
size_t inlines_missing(const struct inlines *x, struct str *first);

/* How many units could not be read, or not to their end, so far. */
size_t inlines_bad(const struct inlines *x);

/* The name of the dwz file that E points to and the build id it must have; false
 * when there is none. Borrowed for the life of E. */
bool inlines_alt_link(struct elf *e, struct str *path, struct str *build_id);

#endif
