/* SPDX-License-Identifier: ISC */
/*
 * Bytes of records as they come in, in chunks. They are added at the end
 * and cut into records at the front; a record never lies across two chunks, and
 * stays where it is for as long as somebody keeps its chunk. So waiting
 * records are not copied. The chunks of a file are mapped: most bytes of a
 * stack snapshot are never read.
 *
 * A recording has two of these, for its bytes and for decompressed bytes; they share
 * a pool, so chunks are reused and stay in the processor's cache.
 */
#ifndef CHUNKS_H
#define CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"

/* Enough for any record, whose size has 16 bits. */
enum {
	CHUNKS_LEAST = 64 * 1024,
	CHUNKS_CHUNK = 512 * 1024,
	CHUNKS_PIECE = 4 * CHUNKS_CHUNK
};

struct chunks_chunk {
	struct chunks_chunk *next; /* in the pool, when free */
	uint64_t offset;	   /* in the input, of data[0] */
	uint32_t users;
	bool packed;		  /* all of it comes from one compressed place, offset */
	struct input_piece piece; /* what is mapped, if anything is; else */
	const char *data;	  /* is own, which has CHUNKS_CHUNK bytes */
	_Alignas(16) char own[];
};

struct chunks_pool {
	struct chunks_chunk *free;
	size_t used; /* bytes of chunks that are not free */
};

struct chunks {
	struct chunks_pool *pool;
	struct chunks_chunk *now; /* NULL at first */
	bool packed;		  /* holds what was unpacked */
	size_t at, n;		  /* data[at..n) has not been cut yet */
};

void chunks_pool_release(struct chunks_pool *p);

void chunks_keep(struct chunks_chunk *c);
void chunks_drop(struct chunks_pool *p, struct chunks_chunk *c);

/* Where CHUNKS_LEAST bytes or more may be added; *ROOM says how many. OFFSET is
 * the place in the input of what will be added. */
char *chunks_room(struct chunks *l, uint64_t offset, size_t *room);

/* Adds what is in the file IN at OFFSET; returns how many bytes, 0 when it cannot be
 * mapped or is at its end. Bytes are added in one of the two ways. */
size_t chunks_map(struct chunks *l, struct input *in, uint64_t offset);

/* N bytes have been added there. */
void chunks_added(struct chunks *l, size_t n);

static inline size_t
chunks_left(const struct chunks *l)
{
	return l->n - l->at;
}

static inline const char *
chunks_front(const struct chunks *l)
{
	return l->now ? l->now->data + l->at : NULL;
}

/* The place in the input of RECORD, which lies in C; of what was unpacked, about
 * where it came from. */
static inline uint64_t
chunks_offset(const struct chunks_chunk *c, const char *record)
{
	return c->packed ? c->offset : c->offset + (uint64_t)(record - c->data);
}

/* Forgets the last N bytes, chunks_left at most. */
static inline void
chunks_cut(struct chunks *l, size_t n)
{
	l->n -= n;
}

/* Goes forward N bytes, chunks_left at most. */
static inline void
chunks_skip(struct chunks *l, size_t n)
{
	l->at += n;
}

/* Whether what L holds was truncated while it was read. */
static inline bool
chunks_was_cut(const struct chunks *l)
{
	return l->now && map_was_cut(&l->now->piece.map);
}

/* Forgets what has not been cut, and its chunk. */
void chunks_clear(struct chunks *l);

#endif
