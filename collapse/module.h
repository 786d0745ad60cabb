/* SPDX-License-Identifier: ISC */
/*
 * Where code came from, by the name that a profiler gives the file: a path,
 * "[kernel.kallsyms]", "[vdso]", "//anon", "/tmp/perf-123.map". An empty name
 * and "[unknown]" are a module not known.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>

#include "str.h"

/* The name for a frame of it: without folders, " (deleted)" and an offset.
 * Borrowed from MODULE. */
struct str module_base(struct str module);

/* The kernel, a module of it, or code in it. */
bool module_is_kernel(struct str module);

/* Generated code that has names: a perf map, or what perf inject makes. */
bool module_is_jit(struct str module);

/* A program or a library, which could have symbols. */
bool module_is_file(struct str module);

/* N when BASE, a name without folders, is the interpreter or the library of Python 3.N; else 0. */
unsigned module_python(struct str base);

#endif
