/* SPDX-License-Identifier: ISC */
/*
 * Function names as people read them: demangled text of C++, Rust, Go, Java
 * and others in, the same without what only tells overloads apart out.
 */
#ifndef NAME_H
#define NAME_H

#include <stddef.h>

#include "buf.h"
#include "str.h"

/* NAME without the argument list at its end and what follows that; argument
 * lists inside ("f(int)::{lambda(int)#1}"), "operator()", "(anonymous
 * namespace)" and Go's "pkg.(*T).f" stay. Borrowed from NAME. */
struct str name_cut_arguments(struct str name);

/* Adds NAME without the "::h" and 16 digits of old Rust symbols; a name that
 * has them also gets "$LT$" and ".." put right, which demanglers for C++ leave.
 * Other names are added as they are. */
void name_put_rust(struct buf *b, struct str name);

/* The place of the first "->" in NAME that joins two methods, as Java's perf
 * maps write inlining ("LA;::f->LB;::g"), or NAME.n. */
size_t name_find_arrow(struct str name);

#endif
