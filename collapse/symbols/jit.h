/* SPDX-License-Identifier: ISC */
/*
 * Names of code that a process generated at run time. Runtimes write them to
 * /tmp/perf-PID.map (perfmap.h), under the PID in their own container, or to a jitdump
 * (jitdump.h), which they map so that the recording knows its path. Running processes
 * may add more, so addresses without a name make us read again, at growing intervals.
 *
 * In /tmp anyone may write the map of any process: a file is trusted only if the
 * process's user, root or our user owns it, unless the user accepts any.
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
	/* Set by the owner. */
	struct procfs *processes;
	uint32_t pid;	 /* 0: taken from the path */
	struct str path; /* as recorded: of the jitdump, or of a perf map, or "//anon" */
	bool is_jitdump;
	bool any; /* accept files of any user and machine */

	/* Found. */
	const char *why;  /* reason why there is no name, or NULL */
	uint64_t changed; /* when its file was last written, seconds since 1970, or 0 */
	struct buf file;  /* the path of the file; may be empty */
	struct buf bytes; /* its contents */
	struct symtab *map;
	struct jitdump *dump;
	bool loaded;	 /* the file was searched for */
	bool refreshed;	 /* read again at the end */
	uint64_t missed; /* addresses without a name */
};

void jit_release(struct jit *j);

/* A piece of generated code, as its runtime described it. */
struct jit_code {
	struct str name;
	uint64_t start, end;
	struct str frames; /* its .eh_frame, whose addresses are meaningless, or empty */
	bool swap;	   /* frames is not in this machine's byte order */
	bool lasts;	   /* valid at all times */
};

/* Sets *C to the code at ADDRESS of J at TIME (ns of the recording's clock, 0:
 * unknown). Returns false if no file describes it. Borrowed until the next call. */
bool jit_find(struct jit *j, uint64_t address, uint64_t time, struct jit_code *c);

/* Rereads the file of J if it has changed: after all programs have ended. The second
 * call does nothing. */
void jit_refresh(struct jit *j);

/* The usual reason why there is no name. */
extern const char jit_no_map[];

#endif
