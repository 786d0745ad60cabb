/* SPDX-License-Identifier: ISC */
/*
 * Symbols of generated code from a jitdump file (jit-PID.dump), which records when each
 * piece of code was loaded or moved.
 * (tools/perf/Documentation/jitdump-specification.txt.)
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

struct jitdump;

/* Parses BYTES, in either byte order, which must outlive the result. Returns NULL if
 * they are not a jitdump. Keeps the intact part of truncated and damaged files; *BAD
 * counts unreadable records. */
struct jitdump *jitdump_parse(struct str bytes, size_t *bad);
void jitdump_free(struct jitdump *j);

/* Code in [start, end), borrowed from the bytes. */
struct jitdump_code {
	uint64_t start, end;
	struct str name;
	struct str frames; /* its .eh_frame, or empty */
	bool swap;	   /* frames is not in this machine's byte order */
};

/* Sets *CODE to the code at ADDRESS at TIME (ns of the recording's clock; 0: the
 * latest). Returns false without any. */
bool jitdump_find(const struct jitdump *j, uint64_t address, uint64_t time,
	struct jitdump_code *code);

#endif
