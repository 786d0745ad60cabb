/* SPDX-License-Identifier: ISC */
/*
 * The recording as a perf.data stream: records, the header before them, and the file or
 * pipe that they go to. Records are built in a buffer:
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

/* The most bytes of a record behind its header: its size has 16 bits, and is a multiple
 * of 8. */
enum { STREAM_MOST = 65528 - 8 };

/* perf's types beyond the kernel's (tools/lib/perf/include/perf/event.h). */
enum {
	STREAM_ATTR = 64,
	STREAM_BUILD_ID = 67,
	STREAM_FINISHED_ROUND = 68,
	STREAM_EVENT_UPDATE = 78,
	STREAM_FEATURE = 80
};

/* Flags that are missing from older headers: of FORK, of MMAP2 (Linux 5.12), and perf's
 * own for BUILD_ID, which marks a byte behind the id with its length. */
enum {
	STREAM_FORK_EXEC = 1 << 13,
	STREAM_HAS_BUILD_ID = 1 << 14,
	STREAM_HAS_SIZE = 1 << 15
};

/* The time, in ns, of the clock in records. */
uint64_t stream_now(void);

/* Begins a record at the end of B, whose body is everything added to B until
 * stream_put_end. Returns the argument for stream_put_end. */
size_t stream_put_begin(struct buf *b, uint32_t type, uint16_t misc);

/* Ends the record that began at START. If it is too long, removes it from B and returns
 * false. */
bool stream_put_end(struct buf *b, size_t start);

/* Adds the mark behind which earlier records may be sorted by time: no record after the
 * next mark is older. */
void stream_put_round(struct buf *b);

void stream_put_u32(struct buf *b, uint32_t value);
void stream_put_u64(struct buf *b, uint64_t value);
void stream_put_bytes(struct buf *b, const void *bytes, size_t n);

/* Adds N bytes of 0. */
void stream_put_zeroes(struct buf *b, size_t n);

/* Adds TEXT with a terminator, padded with zeroes to a multiple of ALIGN bytes. */
void stream_put_text(struct buf *b, struct str text, size_t align);

/* An event of a recording; all of it is borrowed. */
struct stream_event {
	const struct perf_event_attr *attr;
	struct str name;
	const uint64_t *ids;
	size_t n;
	size_t members; /* of the group that it leads, itself included; otherwise 0 */
};

struct stream_header {
	const struct stream_event *events;
	size_t n;
	const char *const *argv; /* the command line */
	int argc;
};

/* Adds the part before the records: the magic of pipe mode, the events with their ids
 * and names, and features of the machine and the command. */
void stream_put_header(struct buf *b, const struct stream_header *h);

/* The destination of a recording: stdout, or a file. The first error is reported, and
 * ends all writing. SIGPIPE must be ignored. */
struct stream {
	int fd;
	const char *path; /* NULL: stdout */
	struct output_file file;
	bool failed; /* nothing is written any more */
	bool left;   /* because the reader has closed the pipe, which is not an error */
	uint64_t bytes;
};

/* Opens PATH, or for NULL stdout, which must not be a terminal. An existing file keeps
 * its contents until the first write. Only the owner may read a new one, as recordings
 * contain memory of the program. Returns false after a message. */
bool stream_open(struct stream *s, const char *path);

/* Writes the contents of B, and empties it. */
void stream_flush(struct stream *s, struct buf *b);

/* Closes S. Returns false, after a message, if anything could not be written. */
bool stream_close(struct stream *s);

/* Closes S, and removes a file created by stream_open if nothing was written. */
void stream_abandon(struct stream *s);

#endif
