/* SPDX-License-Identifier: ISC */
/*
 * C++, Rust (both manglings) and D names for people, by libiberty. The one door
 * to it; a build without it leaves names as they are.
 */
#ifndef DEMANGLE_H
#define DEMANGLE_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

/* Whether this build can demangle. */
bool demangle_works(void);

/* Appends NAME demangled to B, without argument lists unless FULL. False, and
 * nothing is added, when NAME is not mangled or cannot be read. Names longer
 * than 64 KiB are never demangled. Suffixes of the compiler (".cold",
 * ".isra.0", ".llvm.123") are left out unless FULL. */
bool demangle(struct buf *b, struct str name, bool full);

#endif
