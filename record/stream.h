/* SPDX-License-Identifier: ISC */
/*
 * The recording as a perf.data stream: records, the header that stands before them, and
 * the file or pipe that they go to. Records are put together in a buffer:
 *
 *	u32 type; u16 misc; u16 size;	size counts the header
 *	body				padded to 8 bytes
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "buf.h"
#include "output.h"

/* What a record can hold beyond its header: its size is of 16 bits, and a
 * multiple of 8. */
enum { STREAM_MOST = 65528 - 8 };

/* Types beyond those of the kernel (tools/lib/perf/include/perf/event.h). */
enum {
	STREAM_ATTR = 64,
	STREAM_BUILD_ID = 67,
	STREAM_FINISHED_ROUND = 68,
	STREAM_EVENT_UPDATE = 78,
	STREAM_FEATURE = 80
};

/* Flags that are later than the headers that this may be built with: of FORK, of MMAP2
 * (Linux 5.12), and perf's own of BUILD_ID, that a byte behind the id has its length. */
enum {
	STREAM_FORK_EXEC = 1 << 13,
	STREAM_HAS_BUILD_ID = 1 << 14,
	STREAM_HAS_SIZE = 1 << 15
};

/* The time of the clock that records have, in ns. */
uint64_t stream_now(void);

/* Begins a record at the end of B; what is added to B until stream_put_end is its
 * body. Returns what stream_put_end wants. */
size_t stream_put_begin(struct buf *b, uint32_t type, uint16_t misc);

/* Ends the record that began at START. False when it is too long for a record: it
 * is then taken out of B. */
bool stream_put_end(struct buf *b, size_t start);

/* Adds the mark that all records before it may be put in order of time: none of those
 * after the next one are older. */
void stream_put_round(struct buf *b);

void stream_put_u32(struct buf *b, uint32_t value);
void stream_put_u64(struct buf *b, uint64_t value);
void stream_put_bytes(struct buf *b, const void *bytes, size_t n);

/* Adds N bytes of 0. */
void stream_put_zeroes(struct buf *b, size_t n);

/* TEXT with a terminator, zeroes filling it up to a multiple of ALIGN bytes. */
void stream_put_text(struct buf *b, struct str text, size_t align);

/* An event of a recording; all of it is borrowed. */
struct stream_event {
	const struct perf_event_attr *attr;
	struct str name;
	const uint64_t *ids;
	size_t n;
	size_t members; /* of the group that it leads, itself included; else 0 */
};

struct stream_header {
	const struct stream_event *events;
	size_t n;
	const char *const *argv; /* the command line */
	int argc;
};

/* Adds what stands before the records: the magic of pipe mode, the events with their ids
 * and names, and what is known of the machine and the command. */
void stream_put_header(struct buf *b, const struct stream_header *h);

/* Where the recording goes: stdout, or a file. The first error is remembered, told
 * once, and ends all writing. SIGPIPE must be ignored. */
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
