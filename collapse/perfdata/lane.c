/* SPDX-License-Identifier: ISC */
/* Bytes of records in chunks; see lane.h. */
#include "lane.h"
#include "mem.h"

#include <string.h>

void
lane_pool_release(struct lane_pool *p)
{
	struct lane_chunk *next;

	for (; p->free; p->free = next) {
		next = p->free->next;
		free(p->free);
	}
}

static size_t
held_bytes(const struct lane_chunk *c)
{
	return c->piece.map.n ? c->piece.map.n : LANE_CHUNK;
}

static struct lane_chunk *
take_chunk(struct lane_pool *p)
{
	struct lane_chunk *c = p->free;

	if (c)
		p->free = c->next;
	else
		c = mem_alloc(sizeof *c + LANE_CHUNK);
	*c = (struct lane_chunk){ .users = 1, .data = c->own };
	p->used += held_bytes(c);
	return c;
}

void
lane_keep(struct lane_chunk *c)
{
	c->users++;
}

void
lane_drop(struct lane_pool *p, struct lane_chunk *c)
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
lane_room(struct lane *l, uint64_t offset, size_t *room)
{
	struct lane_chunk *old = l->now;
	size_t left = lane_left(l);

	if (!old || LANE_CHUNK - l->n < LANE_LEAST) {
		l->now = take_chunk(l->pool);
		l->now->offset = l->packed ? offset : offset - left;
		l->now->packed = l->packed;
		if (left)
			memcpy(l->now->own, old->data + l->at, left);
		if (old)
			lane_drop(l->pool, old);
		l->at = 0;
		l->n = left;
	}
	*room = LANE_CHUNK - l->n;
	return l->now->own + l->n;
}

size_t
lane_map(struct lane *l, struct input *in, uint64_t offset)
{
	size_t left = lane_left(l);
	struct input_piece piece;
	struct lane_chunk *c;

	/* What is left of the last piece is in this one again. */
	if (!input_map(in, offset - left, LANE_PIECE, &piece))
		return 0;
	if (piece.map.n <= left) {
		input_unmap(&piece);
		return 0;
	}
	c = mem_alloc(sizeof *c);
	*c = (struct lane_chunk){ .users = 1, .piece = piece, .data = piece.map.bytes };
	c->offset = offset - left;
	l->pool->used += held_bytes(c);
	if (l->now)
		lane_drop(l->pool, l->now);
	l->now = c;
	l->at = 0;
	l->n = piece.map.n;
	return piece.map.n - left;
}

void
lane_added(struct lane *l, size_t n)
{
	l->n += n;
}

void
lane_clear(struct lane *l)
{
	if (l->now)
		lane_drop(l->pool, l->now);
	l->now = NULL;
	l->at = l->n = 0;
}
