/* SPDX-License-Identifier: ISC */
/*
 * Copies of binaries that may be gone when the recording is read, in perf's cache
 * (perf-buildid-cache(1)), where fg-collapse and perf find them by build id:
 *
 *	~/.debug/tmp/prog/7c9d1a...e4/elf
 *	~/.debug/.build-id/7c/9d1a...e4 -> ../../tmp/prog/7c9d1a...e4
 *
 * Copied at once is what was deleted already, lies in a folder for temporary files, or is
 * another file where the process sees it than here, as in a container; at the end
 * what was deleted since it was mapped.
 */
#ifndef COPIES_H
#define COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "intern.h"
#include "str.h"

/* What is not copied: larger files, files beyond this sum. */
#define COPIES_FILE_MOST ((uint64_t)1 << 30)
#define COPIES_SUM_MOST	 ((uint64_t)4 << 30)

/* What process PID has mapped at [START, END): PATH as the process sees it. ID identifies
 * the file: its build id, or else its INODE does. */
struct copies_map {
	struct str path;
	long pid;
	uint64_t start, end, inode;
	struct str build_id; /* its bytes, or empty */
};

/* Why a file was not copied. */
enum copies_why {
	COPIES_GONE,
	COPIES_NO_ID,
	COPIES_LARGE,
	COPIES_MUCH,
	COPIES_UNWRITTEN,
	COPIES_REASONS
};

/* A zeroed one copies nothing; all that copies_begin does not set stays 0 then. */
struct copies {
	struct buf folder; /* of the cache; empty: nothing is copied */
	uint64_t file_most, sum_most;
	struct intern seen; /* files, by name and what identifies them */
	struct copies_open {
		int fd;
		struct str path; /* of seen */
	} * open;		 /* files that may yet be deleted */
	size_t open_n, open_cap;
	size_t copied, present; /* files that were copied, that the cache had already */
	uint64_t bytes;
	size_t failed[COPIES_REASONS];
	struct buf first[COPIES_REASONS]; /* the first file of each */
	int error;			  /* the first of COPIES_UNWRITTEN */
};

/* Copies go to perf's cache in the home folder. False when there is none. */
bool copies_begin(struct copies *c);
void copies_release(struct copies *c);

/* Copies the file of M if it needs that and is new, or notes it. */
void copies_add(struct copies *c, const struct copies_map *m);

/* Copies what was deleted since it was noted; adds what was copied and what could not be
 * to B, a line each. */
void copies_end(struct copies *c, struct buf *b);

#endif
