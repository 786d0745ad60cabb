/* SPDX-License-Identifier: ISC */
/*
 * Fetches files by build ID from the servers in DEBUGINFOD_URLS, through elfutils' libdebuginfod
 * (debuginfod_find_debuginfo(3)), which keeps them in its cache.
 *
 * The library is loaded on the first request: it brings in libcurl and TLS, which would add some
 * milliseconds to every program start.
 *
 * A file that a server does not have is not an error. After any other failure, such as a server
 * that does not answer, a warning is printed and no more requests are made.
 */
#ifndef DEBUGINFOD_H
#define DEBUGINFOD_H

#include <stdbool.h>

#include "buf.h"
#include "elf.h"
#include "str.h"

struct debuginfod;

/* Makes no request yet. */
struct debuginfod *debuginfod_new(void);

/* Reports how much was fetched, if anything. D may be NULL. */
void debuginfod_free(struct debuginfod *d);

enum debuginfod_kind { DEBUGINFOD_DEBUG, DEBUGINFOD_CODE };

/* The debug information or the program with BUILD_ID, in hexadecimal digits; a file with another
 * build ID is refused with a warning. PATH gets its place in the cache. NULL when it is not
 * available, or D is NULL; the caller closes the result. */
struct elf *debuginfod_elf(struct debuginfod *d, enum debuginfod_kind kind,
	struct str build_id, struct buf *path);

/* Whether a server has the source that the program with BUILD_ID was compiled from as NAME, an
 * absolute path. PATH gets its place in the cache. */
bool debuginfod_source(
	struct debuginfod *d, struct str build_id, struct str name, struct buf *path);

#endif
