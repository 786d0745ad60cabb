/* SPDX-License-Identifier: ISC */
/*
 * Copies of binaries that may be gone when the recording is read, in perf's cache
 * (perf-buildid-cache(1)), where fg-collapse and perf find them by build id:
 *
 *	~/.debug/tmp/prog/7c9d1a...e4/elf
 *	~/.debug/.build-id/7c/9d1a...e4 -> ../../tmp/prog/7c9d1a...e4
 *
 * Files are copied at once if they were deleted already, lie in a folder for temporary
 * files, or differ from the file of that name here, as in a container. Others are
 * copied at the end if they were deleted after they were mapped.
 */
#ifndef COPIES_H
#define COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "intern.h"
#include "str.h"

/* Limits, in bytes, of one file and of all copies. Files beyond them are not copied. */
#define COPIES_FILE_MOST ((uint64_t)1 << 30)
#define COPIES_SUM_MOST	 ((uint64_t)4 << 30)

/* A file that process PID has mapped at [START, END): PATH as the process sees it. Its
 * build id identifies the file or, without one, its INODE. */
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

/* A zeroed struct copies nothing. copies_begin leaves the other fields 0. */
struct copies {
	struct buf folder; /* of the cache; empty: nothing is copied */
	uint64_t file_most, sum_most;
	struct intern seen; /* files, by path and build id or inode */
	struct copies_open {
		int fd;
		struct str path; /* of seen */
	} * open;		 /* files that may yet be deleted */
	size_t open_n, open_cap;
	size_t copied, present; /* files copied, and files in the cache already */
	uint64_t bytes;
	size_t failed[COPIES_REASONS];
	struct buf first[COPIES_REASONS]; /* the first file of each */
	int error;			  /* the first of COPIES_UNWRITTEN */
};

/* Copies go to perf's cache in the home folder. Returns false without a home folder. */
bool copies_begin(struct copies *c);
void copies_release(struct copies *c);

/* Copies the file of M if it is new and needs a copy now, or keeps it for copies_end. */
void copies_add(struct copies *c, const struct copies_map *m);

/* Copies files that were deleted since copies_add. Appends lines to B: the copies, and
 * the files that could not be copied. */
void copies_end(struct copies *c, struct buf *b);

#endif
