/* SPDX-License-Identifier: ISC */
/*
 * Records of the perf.data stream, put together in a buffer:
 *
 *	u32 type; u16 misc; u16 size;	size counts the header
 *	body				padded to 8 bytes
 */
#ifndef RECORD_PUT_H
#define RECORD_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

/* What a record can hold beyond its header: its size is of 16 bits, and a
 * multiple of 8. */
enum { RECORD_PUT_MOST = 65528 - 8 };

/* Types beyond those of the kernel (tools/lib/perf/include/perf/event.h). */
enum {
	RECORD_PUT_ATTR = 64,
	RECORD_PUT_BUILD_ID = 67,
	RECORD_PUT_FINISHED_ROUND = 68,
	RECORD_PUT_EVENT_UPDATE = 78,
	RECORD_PUT_FEATURE = 80
};

/* Flags that are later than the headers that this may be built with: of FORK, of MMAP2
 * (Linux 5.12), and perf's own of BUILD_ID, that a byte behind the id has its length. */
enum {
	RECORD_PUT_FORK_EXEC = 1 << 13,
	RECORD_PUT_HAS_BUILD_ID = 1 << 14,
	RECORD_PUT_HAS_SIZE = 1 << 15
};

/* The time of the clock that records have, in ns. */
uint64_t record_now(void);

/* Begins a record at the end of B; what is added to B until record_put_end is its
 * body. Returns what record_put_end wants. */
size_t record_put_begin(struct buf *b, uint32_t type, uint16_t misc);

/* Ends the record that began at START. False when it is too long for a record: it
 * is then taken out of B. */
bool record_put_end(struct buf *b, size_t start);

/* Adds the mark that all records before it may be put in order of time: none of those
 * after the next one are older. */
void record_put_round(struct buf *b);

void record_put_u32(struct buf *b, uint32_t value);
void record_put_u64(struct buf *b, uint64_t value);
void record_put_bytes(struct buf *b, const void *bytes, size_t n);

/* Adds N bytes of 0. */
void record_put_zeroes(struct buf *b, size_t n);

/* TEXT with a terminator, zeroes filling it up to a multiple of ALIGN bytes. */
void record_put_text(struct buf *b, struct str text, size_t align);

/* A string as features have them: a 32-bit length, then the text, terminated and
 * filled up to that length, a multiple of 64. */
void record_put_string(struct buf *b, struct str text);

#endif
