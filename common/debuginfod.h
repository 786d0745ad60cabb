/* SPDX-License-Identifier: ISC */
/*
 * Files by build id from the servers that DEBUGINFOD_URLS names, through elfutils' libdebuginfod
 * (debuginfod_find_debuginfo(3)), which keeps them in its cache.
 *
 * The library is loaded when the first file is asked for: it brings libcurl and its TLS with it,
 * which would cost every start of a program some milliseconds.
 *
 * That a server does not have a file is no trouble. After anything else, such as a server that
 * does not answer, a warning says so, and nothing more is asked.
 */
#ifndef DEBUGINFOD_H
#define DEBUGINFOD_H

#include <stdbool.h>

#include "buf.h"
#include "elf.h"
#include "str.h"

struct debuginfod;

/* One that has asked nothing yet. */
struct debuginfod *debuginfod_new(void);

/* Says how much was fetched, if anything. D may be NULL. */
void debuginfod_free(struct debuginfod *d);

enum debuginfod_kind { DEBUGINFOD_DEBUG, DEBUGINFOD_CODE };

/* The debug information or the program with BUILD_ID, in hexadecimal digits; a file with another
 * build id is refused with a warning. PATH gets where it is now. NULL when there is none, or D is
 * NULL; the caller closes the result. */
struct elf *debuginfod_elf(struct debuginfod *d, enum debuginfod_kind kind,
	struct str build_id, struct buf *path);

/* Whether there is a source that the program with BUILD_ID was compiled from as NAME, an absolute
 * path. PATH gets where it is now. */
bool debuginfod_source(
	struct debuginfod *d, struct str build_id, struct str name, struct buf *path);

#endif
