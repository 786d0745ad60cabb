/* SPDX-License-Identifier: ISC */
/*
 * The files of a program's code: the code itself, its debug information if that was
 * split off, and copies that tools keep by build id. A file is accepted only if its
 * build id agrees, when both are known. The network is used only if the caller gives
 * servers (debuginfod.h).
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

/* Whether E has DWARF, and whether it has a full symbol table. */
bool debugfile_has_dwarf(const struct elf *e);
bool debugfile_has_symbols(const struct elf *e);

/* Finds the separate debug information of CODE (or NULL if its file is missing), which
 * was opened as PATH (or NULL) and has BUILD_ID: by build id in /usr/lib/debug and
 * ~/.debug, by .gnu_debuglink, then in the local caches of debuginfod. Prefers DWARF to
 * symbols alone. FOUND gets its path. Returns NULL without one; the caller closes the
 * result. */
struct elf *debugfile_find(
	struct elf *code, const char *path, struct str build_id, struct buf *found);

/* A file of code to be found, as recorded. */
struct debugfile_code {
	struct str path;     /* absolute, or ignored */
	struct str build_id; /* empty: the file at the path is trusted */
	uint32_t root;	     /* a process with another root, or 0 */
	bool local;	     /* the recording was made on this boot of this machine */
	struct buf *found;   /* gets the path of the file, if it has one */
	struct debuginfod *servers; /* the last resort, or NULL */

	const char *why;  /* reason for not finding it; NULL at first */
	uint64_t changed; /* a file without a build id: when written, s since 1970 */
};

/* Finds the code W: at its path, by build id in perf's cache (~/.debug) or
 * debuginfod's, below the root of its process, from servers. Only the recorded build id
 * is accepted. Returns NULL without one; the caller closes the result. */
struct elf *debugfile_find_code(struct debugfile_code *w);

/* The same for the vdso: from perf's cache, or our own, as all processes of a kernel
 * share it. */
struct elf *debugfile_find_vdso(struct debugfile_code *w);

/* The compressed symbols in stripped CODE (.gnu_debugdata), or NULL. The caller closes
 * the result. */
struct elf *debugfile_mini(struct elf *code);

/* The file with which DEBUG, opened as PATH, shares its DWARF (dwz), from SERVERS (or
 * NULL) if it is not local; or NULL. The caller closes the result. */
struct elf *debugfile_alt(
	struct elf *debug, const char *path, struct debuginfod *servers);

/* Fetches from SERVERS the debug information that debugfile_find did not find: of CODE
 * (or NULL), otherwise with BUILD_ID. FOUND gets its path. Returns NULL without one or
 * if SERVERS is NULL; the caller closes the result. */
struct elf *debugfile_fetch(struct debuginfod *servers, const struct elf *code,
	struct str build_id, struct buf *found);

/* Appends the path of FILE in perf's cache for NAME ("[vdso]", "[kernel.kallsyms]") and
 * BUILD_ID. Returns false without a home folder. */
bool debugfile_perf_cache(
	struct buf *b, struct str name, struct str build_id, const char *file);

#endif
