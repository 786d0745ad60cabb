/* SPDX-License-Identifier: ISC */
/*
 * Build ids: the hash by which a linker names what it made, in a note of the file.
 * Those of files that records name without one are collected, and follow at the end.
 */
#ifndef BUILDID_H
#define BUILDID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "intern.h"
#include "str.h"

enum { BUILDID_MOST = 20 };

struct buildid {
	unsigned char bytes[BUILDID_MOST];
	size_t n; /* 0: there is none */
};

/* A file that process PID has mapped: PATH may lead elsewhere in another root. */
struct buildid_file {
	struct str path;
	long pid;
	uint64_t major, minor, inode;
};

/* A cache of files, and those to be told of at the end. A zeroed one is empty. */
struct buildids {
	struct intern files; /* path, NUL, the rest */
	struct buildid_entry {
		struct buildid id;
		bool wanted;
	} * entries; /* by the file's number */
	size_t cap, known;
};

void buildid_release(struct buildids *t);

/* The build id in NOTES, the content of an ELF note section. */
struct buildid buildid_of_notes(struct str notes);

/* That of the running kernel, and of its module NAME, below ROOT. */
struct buildid buildid_of_kernel(const char *root);
struct buildid buildid_of_module(const char *root, struct str name);

/* That of FILE, borrowed until the next call. */
const struct buildid *buildid_of_file(
	struct buildids *t, const struct buildid_file *file);

/* Notes that FILE was named without a build id. */
void buildid_want(struct buildids *t, const struct buildid_file *file);

/* Adds a BUILD_ID record to B. MISC says whose: PERF_RECORD_MISC_KERNEL or _USER. */
void buildid_put(struct buf *b, const struct buildid *id, struct str path, uint16_t misc);

/* Adds records for all that were wanted and have one. */
void buildid_put_wanted(struct buf *b, const struct buildids *t);

#endif
