/* SPDX-License-Identifier: ISC */
/*
 * Names of code that a process made at run time. Runtimes write them to /tmp/perf-PID.map
 * (perfmap.h), by the number that they have in their own container, or to a jitdump
 * (jitdump.h), which they map so that the recording knows its path. While they run more may
 * come, so an address without a name makes us look again, ever more seldom.
 *
 * In /tmp anybody may write the map of any process: a file counts only when who ran the
 * process, root or we own it, unless the user wants any.
 */
#ifndef JIT_H
#define JIT_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "jitdump.h"
#include "procfs.h"
#include "str.h"
#include "symtab.h"

struct jit {
	/* What its owner sets. */
	struct procfs *processes;
	uint32_t pid;	 /* 0: as the path says */
	struct str path; /* as recorded: of the jitdump, or of a perf map, or "//anon" */
	bool is_jitdump;
	bool any; /* files of any user and machine do */

	/* What was found. */
	const char *why;  /* there is no name, or NULL */
	uint64_t changed; /* when its file was written last, seconds since 1970, or 0 */
	struct buf file;  /* the path of what was read, maybe empty */
	struct buf bytes; /* all of it */
	struct symtab *map;
	struct jitdump *dump;
	bool loaded;	 /* it was looked for */
	bool refreshed;	 /* it was read once more at the end */
	uint64_t missed; /* addresses that had no name */
};

void jit_release(struct jit *j);

/* A piece of code made at run time, as its runtime described it. */
struct jit_code {
	struct str name;
	uint64_t start, end;
	struct str frames; /* its .eh_frame, whose addresses mean nothing, or empty */
	bool swap;	   /* that is not in this machine's byte order */
	bool lasts;	   /* it is there at all times */
};

/* Sets *C to the code at ADDRESS of J at TIME (ns of the recording's clock, 0: not known);
 * false when nobody described it. Borrowed until the next call. */
bool jit_find(struct jit *j, uint64_t address, uint64_t time, struct jit_code *c);

/* Reads the file of J once more if it has changed: for when everything that ran has ended.
 * The second call does nothing. */
void jit_refresh(struct jit *j);

/* Why there is no name, when that is all there is to say. */
extern const char jit_no_map[];

#endif
