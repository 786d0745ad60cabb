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

static struct lane_chunk *
take_chunk(struct lane_pool *p)
{
	struct lane_chunk *c = p->free;

	if (c) {
		p->free = c->next;
	} else {
		c = mem_alloc(sizeof *c);
	}
	p->used++;
	c->users = 1;
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
	p->used--;
	c->next = p->free;
	p->free = c;
}

char *
lane_room(struct lane *l, uint64_t offset, size_t *room)
{
	struct lane_chunk *old = l->now;
	size_t left = lane_left(l);

	if (!old || sizeof old->data - l->n < LANE_LEAST) {
		l->now = take_chunk(l->pool);
		l->now->offset = l->packed ? offset : offset - left;
		l->now->packed = l->packed;
		if (left)
			memcpy(l->now->data, old->data + l->at, left);
		if (old)
			lane_drop(l->pool, old);
		l->at = 0;
		l->n = left;
	}
	*room = sizeof l->now->data - l->n;
	return l->now->data + l->n;
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
