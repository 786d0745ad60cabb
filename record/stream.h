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

/* Writes all of it; false when this or an earlier write failed. */
bool stream_write(struct stream *s, const void *data, size_t n);

/* Writes what B holds, and empties it. */
bool stream_flush(struct stream *s, struct buf *b);

/* Warns when nobody reads any more; COMMAND goes on then, if it is not NULL. */
void stream_warn_left(const struct stream *s, const char *command);

/* Closes it. False, after a message, when anything could not be written. */
bool stream_close(struct stream *s);

/* Closes it and takes a file away that stream_open made, if nothing was written. */
void stream_abandon(struct stream *s);

#endif
