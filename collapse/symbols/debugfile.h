/* SPDX-License-Identifier: ISC */
/*
 * The files of a program's code: the code itself, its debug information where that
 * was split off, and copies that tools keep by build id. A file counts only when
 * its build id agrees, where both have one. The network is used
 * only where the caller gives servers (debuginfod.h).
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include <stdbool.h>

#include "buf.h"
#include "debuginfod.h"
#include "elf.h"
#include "str.h"

/* Whether E has BUILD_ID, as far as both are known. */
bool debugfile_fits(const struct elf *e, struct str build_id);

/* Whether E has DWARF, and whether it has more than dynamic symbols. */
bool debugfile_has_dwarf(const struct elf *e);
bool debugfile_has_symbols(const struct elf *e);

/* The separate file with debug information for CODE (or NULL, when its file is
 * not here), which was opened as PATH (or NULL) and has BUILD_ID: by build id in
 * /usr/lib/debug and ~/.debug, by .gnu_debuglink, then in the local caches of
 * debuginfod. One with DWARF is taken before one with symbols alone. FOUND gets
 * its path. NULL when there is none; the caller closes the result. */
struct elf *debugfile_find(
	struct elf *code, const char *path, struct str build_id, struct buf *found);

/* A file of code that is looked for, as a recording has it. */
struct debugfile_code {
	struct str path;     /* absolute, or it is not looked at */
	struct str build_id; /* empty: the file at the path is believed to be the one */
	uint32_t root;	     /* a process that runs below another root, or 0 */
	bool local;	     /* the recording was made on this boot of this machine */
	struct buf *found;   /* gets the path of the file, when that has one */
	struct debuginfod *servers; /* asked at last, or NULL */

	const char *why; /* it was not found, or is another; NULL at first */
	uint64_t
		changed; /* when a file without a build id was written, seconds since 1970 */
};

/* The code W: at its path, by build id in perf's cache (~/.debug) or debuginfod's, below
 * the root of its process, from servers. It counts only with the recorded build id. NULL when
 * there is none; the caller closes the result. */
struct elf *debugfile_find_code(struct debugfile_code *w);

/* The same for the vdso: from perf's cache, or our own, which all processes of a kernel
 * share. */
struct elf *debugfile_find_vdso(struct debugfile_code *w);

/* The symbols that stripped CODE carries in compressed form (.gnu_debugdata),
 * NULL when there are none. The caller closes the result. */
struct elf *debugfile_mini(struct elf *code);

/* The file that DEBUG, opened as PATH, shares its DWARF with (dwz), from SERVERS (or NULL) if it
 * is not here; NULL when there is none. The caller closes the result. */
struct elf *debugfile_alt(
	struct elf *debug, const char *path, struct debuginfod *servers);

/* What debugfile_find did not find, from SERVERS: the debug information of CODE (or NULL), or
 * else with BUILD_ID. FOUND gets its path. NULL when there is none, or SERVERS is NULL; the caller
 * closes the result. */
struct elf *debugfile_fetch(struct debuginfod *servers, const struct elf *code,
	struct str build_id, struct buf *found);

/* Appends the path of what perf's cache has for NAME ("[vdso]",
 * "[kernel.kallsyms]") and BUILD_ID, called FILE; false without a home. */
bool debugfile_perf_cache(
	struct buf *b, struct str name, struct str build_id, const char *file);

#endif
