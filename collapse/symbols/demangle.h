/* SPDX-License-Identifier: ISC */
/*
 * Demangles C++, Rust (both manglings) and D names by libiberty, and OCaml names by
 * itself. Only this module uses libiberty; a build without it leaves C++, Rust and D
 * names as they are.
 */
#ifndef DEMANGLE_H
#define DEMANGLE_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

/* Whether this build can demangle. */
bool demangle_works(void);

/* Appends NAME demangled to B. Returns false and adds nothing if NAME is not mangled,
 * is invalid, or would take more than 64 KiB or very long.
 *
 * Without FULL, the result is the same as from the text of perf script 6.1: without
 * argument lists, Rust hashes, and compilers' suffixes (".cold", ".isra.0",
 * ".llvm.123") of mangled names. C names ("f.cold"), which are not mangled, keep their
 * suffixes, as in perf. FULL keeps argument lists, and suffixes as "[clone .cold]". */
bool demangle(struct buf *b, struct str name, bool full);

/* The same as perf script 6.1 prints it, with argument lists left within names
 * ("f(int)::{lambda()#1}"). */
bool demangle_as_perf(struct buf *b, struct str name);

#endif
