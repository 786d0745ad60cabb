/* SPDX-License-Identifier: ISC */
/*
 * Bytes of records as they arrive, in chunks. They are added at the end and cut into
 * records at the front. A record never crosses two chunks, and stays in place while its
 * chunk is kept: waiting records are not copied. The chunks of a file are mapped: most
 * bytes of a stack snapshot are never read.
 *
 * A recording has two of these, for its bytes and for decompressed bytes; they share a
 * pool, so chunks are reused and stay in the processor's cache.
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
	bool packed;		  /* decompressed from the record at offset */
	struct input_piece piece; /* the mapping, if any */
	const char *data;	  /* of piece or own, which has CHUNKS_CHUNK bytes */
	_Alignas(16) char own[];
};

struct chunks_pool {
	struct chunks_chunk *free;
	size_t used; /* bytes of chunks that are not free */
};

struct chunks {
	struct chunks_pool *pool;
	struct chunks_chunk *now; /* NULL at first */
	bool packed;		  /* holds decompressed bytes */
	size_t at, n;		  /* data[at..n) has not been cut yet */
};

void chunks_pool_release(struct chunks_pool *p);

void chunks_keep(struct chunks_chunk *c);
void chunks_drop(struct chunks_pool *p, struct chunks_chunk *c);

/* Returns room for at least CHUNKS_LEAST bytes, *ROOM in all. OFFSET is the place in
 * the input of the bytes that will be added. */
char *chunks_room(struct chunks *l, uint64_t offset, size_t *room);

/* Maps and adds the bytes of the file IN at OFFSET. Returns their number, 0 at the end
 * or if mapping fails. Bytes are added either by this or to chunks_room. */
size_t chunks_map(struct chunks *l, struct input *in, uint64_t offset);

/* Adds the N bytes written to chunks_room. */
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

/* The place in the input of RECORD in C; for decompressed bytes, of the compressed
 * record. */
static inline uint64_t
chunks_offset(const struct chunks_chunk *c, const char *record)
{
	return c->packed ? c->offset : c->offset + (uint64_t)(record - c->data);
}

/* Removes the last N bytes, at most chunks_left. */
static inline void
chunks_cut(struct chunks *l, size_t n)
{
	l->n -= n;
}

/* Skips N bytes, at most chunks_left. */
static inline void
chunks_skip(struct chunks *l, size_t n)
{
	l->at += n;
}

/* Whether the file was truncated while it was read. */
static inline bool
chunks_was_cut(const struct chunks *l)
{
	return l->now && map_was_cut(&l->now->piece.map);
}

/* Drops the bytes that are left, and their chunk. */
void chunks_clear(struct chunks *l);

#endif
