/* SPDX-License-Identifier: ISC */
/*
 * Where the recording goes: stdout, or a file. The first error is remembered, told
 * once, and ends all writing. SIGPIPE must be ignored.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "output.h"

struct stream {
	int fd;
	const char *path; /* NULL: stdout */
	struct output_file file;
	bool failed; /* nothing is written any more */
	bool left;   /* because the reader of a pipe has gone, which is no error */
	uint64_t bytes;
};

/* Opens PATH, or stdout for NULL, which must not be a terminal. What the file held
 * stays until the first write; a new one is for its owner alone, as recordings hold what
 * was in memory. False after a message. */
bool stream_open(struct stream *s, const char *path);

/* Writes what B holds, and empties it. */
void stream_flush(struct stream *s, struct buf *b);

/* Closes it. False, after a message, when anything could not be written. */
bool stream_close(struct stream *s);

/* Closes it and takes a file away that stream_open made, if nothing was written. */
void stream_abandon(struct stream *s);

#endif
