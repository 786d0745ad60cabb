/* SPDX-License-Identifier: ISC */
/* Compressed records; see packed.h. */
#include "packed.h"

bool
packed_can(void)
{
	return unpack_knows(UNPACK_ZSTD);
}

void
packed_init(struct packed *p, struct lane_pool *pool)
{
	*p = (struct packed){ .lane = { .pool = pool, .packed = true } };
}

void
packed_release(struct packed *p)
{
	lane_clear(&p->lane);
	unpack_free(p->u);
	p->u = NULL;
}

enum packed_state
packed_run(struct packed *p, struct str *data, uint64_t offset)
{
	size_t before = data->n, room, got = 0;
	char *to = lane_room(&p->lane, offset, &room);

	if (!p->u)
		p->u = unpack_new(UNPACK_ZSTD);
	if (unpack_run(p->u, data, to, room, &got) == UNPACK_BAD)
		return PACKED_BAD;
	lane_added(&p->lane, got);
	if (!data->n && got < room)
		return PACKED_DONE;
	return got || data->n < before ? PACKED_MORE : PACKED_BAD;
}
