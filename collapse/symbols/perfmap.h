/* SPDX-License-Identifier: ISC */
/*
 * Symbols of generated code in /tmp/perf-PID.map: hexadecimal start and size, then a
 * name, which may have blanks.
 *
 *	7f0a3c001000 1a0 LazyCompile:~fib /app/fib.js:1
 *	0x7f0a3c002000 0x40 org.demo.Main::run
 *
 * (tools/perf/Documentation/jit-interface.txt.) A later line replaces earlier ones
 * where they overlap, since runtimes reuse addresses.
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include "str.h"
#include "symtab.h"

/* The symbols of TEXT, which must outlive the table; sealed. *BAD counts malformed
 * lines. */
struct symtab *perfmap_parse(struct str text, size_t *bad);

#endif
