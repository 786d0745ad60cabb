/* SPDX-License-Identifier: ISC */
/*
 * Symbols of code made at run time, as runtimes write them to
 * /tmp/perf-PID.map: hexadecimal start and size, then a name with blanks.
 *
 *	7f0a3c001000 1a0 LazyCompile:~fib /app/fib.js:1
 *	0x7f0a3c002000 0x40 org.demo.Main::run
 *
 * (tools/perf/Documentation/jit-interface.txt.) A later line takes the place
 * of the earlier ones it overlaps, since runtimes use addresses again.
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include "str.h"
#include "symtab.h"

/* The symbols of TEXT, which must outlive the table; sealed. Lines that are no
 * symbol are counted in *BAD. */
struct symtab *perfmap_parse(struct str text, size_t *bad);

#endif
