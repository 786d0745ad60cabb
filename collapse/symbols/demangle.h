/* SPDX-License-Identifier: ISC */
/*
 * C++, Rust (both manglings) and D names for people, by libiberty, and OCaml's
 * by hand. The one door to libiberty; a build without it leaves C++, Rust and D
 * as they are.
 */
#ifndef DEMANGLE_H
#define DEMANGLE_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

/* Whether this build can demangle. */
bool demangle_works(void);

/* Appends NAME demangled to B. False, and nothing is added, when NAME is not
 * mangled, cannot be read, or would take more than 64 KiB or very long.
 *
 * Without FULL it is what fg-collapse makes of the text of perf script 6.1: no
 * argument lists, no hashes of Rust, and no compiler's suffixes (".cold",
 * ".isra.0", ".llvm.123") of mangled names. Those of C names ("f.cold"), which
 * are not mangled, stay, as they do in perf. FULL keeps argument lists, and
 * suffixes as "[clone .cold]". */
bool demangle(struct buf *b, struct str name, bool full);

/* The same as perf script 6.1 prints it, which still has argument lists within
 * names ("f(int)::{lambda()#1}"). */
bool demangle_as_perf(struct buf *b, struct str name);

#endif
