/* SPDX-License-Identifier: ISC */
/*
 * Records of the perf.data stream, put together in a buffer:
 *
 *	u32 type; u16 misc; u16 size;	size counts the header
 *	body				padded to 8 bytes
 */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

/* What a record can hold beyond its header: its size is of 16 bits, and a
 * multiple of 8. */
enum { PACKET_MOST = 65528 - 8 };

/* Types beyond those of the kernel (tools/lib/perf/include/perf/event.h). */
enum {
	PACKET_ATTR = 64,
	PACKET_BUILD_ID = 67,
	PACKET_FINISHED_ROUND = 68,
	PACKET_EVENT_UPDATE = 78,
	PACKET_FEATURE = 80
};

/* Begins a record at the end of B; what is added to B until packet_end is its
 * body. Returns what packet_end wants. */
size_t packet_begin(struct buf *b, uint32_t type, uint16_t misc);

/* Ends the record that began at START. False when it is too long for a record: it
 * is then taken out of B. */
bool packet_end(struct buf *b, size_t start);

void packet_u32(struct buf *b, uint32_t value);
void packet_u64(struct buf *b, uint64_t value);

/* Adds N bytes of 0. */
void packet_zeroes(struct buf *b, size_t n);

/* TEXT with a terminator, zeroes filling it up to a multiple of ALIGN bytes. */
void packet_text(struct buf *b, struct str text, size_t align);

/* A string as features have them: a 32-bit length, then the text, terminated and
 * filled up to that length, a multiple of 64. */
void packet_string(struct buf *b, struct str text);

#endif
