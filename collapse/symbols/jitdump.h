/* SPDX-License-Identifier: ISC */
/*
 * Symbols of code made at run time, from a jitdump file (jit-PID.dump), which
 * says when each piece of code was loaded or moved.
 * (tools/perf/Documentation/jitdump-specification.txt.)
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

struct jitdump;

/* Reads BYTES, in either byte order, which must outlive the result. NULL when
 * they are no jitdump. What a cut or damaged file still has is kept; records
 * that cannot be read are counted in *BAD. */
struct jitdump *jitdump_parse(struct str bytes, size_t *bad);
void jitdump_free(struct jitdump *j);

/* Code from start to before end. What it has is borrowed from the bytes. */
struct jitdump_code {
	uint64_t start, end;
	struct str name;
	struct str frames; /* its .eh_frame, or empty */
	bool swap;	   /* that is not in this machine's byte order */
};

/* The code at ADDRESS at TIME (ns of the recording's clock; 0: the latest); false
 * when there was none. */
bool jitdump_find(const struct jitdump *j, uint64_t address, uint64_t time,
	struct jitdump_code *code);

#endif
