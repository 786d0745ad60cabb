/* SPDX-License-Identifier: ISC */
/* Compressed records; see zstd-records.h. */
#include "zstd-records.h"

bool
zstd_records_can(void)
{
	return inflate_knows(INFLATE_ZSTD);
}

void
zstd_records_init(struct zstd_records *p, struct chunks_pool *pool)
{
	*p = (struct zstd_records){ .lane = { .pool = pool, .packed = true } };
}

void
zstd_records_release(struct zstd_records *p)
{
	chunks_clear(&p->lane);
	inflate_free(p->u);
	p->u = NULL;
}

enum zstd_records_state
zstd_records_run(struct zstd_records *p, struct str *data, uint64_t offset)
{
	size_t before = data->n, room, got = 0;
	char *to = chunks_room(&p->lane, offset, &room);

	if (!p->u)
		p->u = inflate_new(INFLATE_ZSTD);
	if (inflate_run(p->u, data, to, room, &got) == INFLATE_BAD)
		return ZSTD_RECORDS_BAD;
	chunks_added(&p->lane, got);
	if (!data->n && got < room)
		return ZSTD_RECORDS_DONE;
	return got || data->n < before ? ZSTD_RECORDS_MORE : ZSTD_RECORDS_BAD;
}
