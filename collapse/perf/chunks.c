/* SPDX-License-Identifier: ISC */
/* Bytes of records in chunks; see chunks.h. */
#include "chunks.h"
#include "mem.h"

#include <string.h>

void
chunks_pool_release(struct chunks_pool *p)
{
	struct chunks_chunk *next;

	for (; p->free; p->free = next) {
		next = p->free->next;
		free(p->free);
	}
}

static size_t
held_bytes(const struct chunks_chunk *c)
{
	return c->piece.map.n ? c->piece.map.n : CHUNKS_CHUNK;
}

static struct chunks_chunk *
new_chunk(struct chunks_pool *p)
{
	struct chunks_chunk *c = p->free;

	if (c)
		p->free = c->next;
	else
		c = mem_alloc(sizeof *c + CHUNKS_CHUNK);
	*c = (struct chunks_chunk){ .users = 1, .data = c->own };
	p->used += held_bytes(c);
	return c;
}

void
chunks_keep(struct chunks_chunk *c)
{
	c->users++;
}

void
chunks_drop(struct chunks_pool *p, struct chunks_chunk *c)
{
	if (--c->users)
		return;
	p->used -= held_bytes(c);
	if (c->piece.map.n) {
		input_unmap(&c->piece);
		free(c);
		return;
	}
	c->next = p->free;
	p->free = c;
}

char *
chunks_room(struct chunks *l, uint64_t offset, size_t *room)
{
	struct chunks_chunk *old = l->now;
	size_t left = chunks_left(l);

	if (!old || CHUNKS_CHUNK - l->n < CHUNKS_LEAST) {
		l->now = new_chunk(l->pool);
		l->now->offset = l->packed ? offset : offset - left;
		l->now->packed = l->packed;
		if (left)
			memcpy(l->now->own, old->data + l->at, left);
		if (old)
			chunks_drop(l->pool, old);
		l->at = 0;
		l->n = left;
	}
	*room = CHUNKS_CHUNK - l->n;
	return l->now->own + l->n;
}

size_t
chunks_map(struct chunks *l, struct input *in, uint64_t offset)
{
	size_t left = chunks_left(l);
	struct input_piece piece;
	struct chunks_chunk *c;

	/* The new piece contains the rest of the last one again. */
	if (!input_map(in, offset - left, CHUNKS_PIECE, &piece))
		return 0;
	if (piece.map.n <= left) {
		input_unmap(&piece);
		return 0;
	}
	c = mem_alloc(sizeof *c);
	*c = (struct chunks_chunk){ .users = 1, .piece = piece, .data = piece.map.bytes };
	c->offset = offset - left;
	l->pool->used += held_bytes(c);
	if (l->now)
		chunks_drop(l->pool, l->now);
	l->now = c;
	l->at = 0;
	l->n = piece.map.n;
	return piece.map.n - left;
}

void
chunks_added(struct chunks *l, size_t n)
{
	l->n += n;
}

void
chunks_clear(struct chunks *l)
{
	if (l->now)
		chunks_drop(l->pool, l->now);
	l->now = NULL;
	l->at = l->n = 0;
}
