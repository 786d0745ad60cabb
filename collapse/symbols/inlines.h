/* SPDX-License-Identifier: ISC */
/*
 * The functions that were inlined at an address, and its lines, from DWARF 2 to 5.
 *
 * Built in two steps, each as late as possible: the addresses of units when the index
 * is made, the tree of a unit's subprograms and inlined subroutines when one of its
 * addresses is first needed.
 *
 * Libraries are slower: a walk by elfutils' libdw takes 2.5 to 3 times as long,
 * libbacktrace 5 to 11 times (docs/dependencies.md).
 */
#ifndef INLINES_H
#define INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "str.h"

struct inlines;

/* The index of DEBUG, an ELF file with .debug_info, whose supplementary file (dwz,
 * .gnu_debugaltlink) is ALT or NULL. The caller owns both, and they must outlive it.
 * NULL without DWARF. Addresses in an object (.o, .ko) are as in relocate.h. */
struct inlines *inlines_new(struct elf *debug, struct elf *alt);
void inlines_free(struct inlines *x);

struct inlines_frame {
	/* The linkage name, mangled; without one the plain name, in C++ and Rust with
	 * its scopes; may be empty. */
	struct str name;
	bool inlined; /* false: the function that ADDRESS is in */
};

/* The chain at ADDRESS, innermost first: the inlined functions and, last, the function
 * that contains them. Puts at most CAP frames at FRAMES and returns their number, 0 if
 * no function in the DWARF covers ADDRESS. Names are borrowed for the life of X. */
size_t inlines_find(
	struct inlines *x, uint64_t address, struct inlines_frame *frames, size_t cap);

/* A place in a source. */
struct inlines_place {
	struct str file; /* the path given to the compiler */
	uint32_t line;	 /* 0: unknown */
};

/* The places of the frames of inlines_find at ADDRESS: the line of the code, then the
 * lines of the inlined calls. Puts at most CAP at PLACES and returns their number: one
 * if a table has lines of code without a function. Files are borrowed for the life of
 * X. */
size_t inlines_places(
	struct inlines *x, uint64_t address, struct inlines_place *places, size_t cap);

/* The code of X, or its debug information, is at PATH: split files (.dwo, .dwp) are
 * searched for beside it. */
void inlines_beside(struct inlines *x, const char *path);

/* Adds E, a split file, which X then owns. */
void inlines_add_split(struct inlines *x, struct elf *e);

/* The number of units whose split files were not found so far, and the name of the
 * first one: their functions lack inlined frames. Borrowed for the life of X. */
size_t inlines_missing(const struct inlines *x, struct str *first);

/* The number of units so far that could not be read, or not to their end. */
size_t inlines_bad(const struct inlines *x);

/* The name of the dwz file that E points to, and the build id it must have. Returns
 * false without one. Borrowed for the life of E. */
bool inlines_alt_link(struct elf *e, struct str *path, struct str *build_id);

#endif
