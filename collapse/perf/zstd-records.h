/* SPDX-License-Identifier: ISC */
/*
 * COMPRESSED and COMPRESSED2 records: pieces of one zstd stream, whose plain
 * form is records again. A record may begin in one piece and end in the next.
 */
#ifndef ZSTD_RECORDS_H
#define ZSTD_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "chunks.h"
#include "str.h"
#include "inflate.h"

struct zstd_records {
	struct inflate *u;
	struct chunks lane; /* what was unpacked and not used */
};

/* Whether this build can unpack. */
bool zstd_records_can(void);

void zstd_records_init(struct zstd_records *p, struct chunks_pool *pool);
void zstd_records_release(struct zstd_records *p);

enum zstd_records_state {
	ZSTD_RECORDS_MORE, /* use what is in the lane and come again */
	ZSTD_RECORDS_DONE, /* use what is in the lane */
	ZSTD_RECORDS_BAD   /* the stream is damaged, and all that follows lost */
};

/* Unpacks some of *DATA, which loses it; OFFSET is its place in the input. */
enum zstd_records_state zstd_records_run(
	struct zstd_records *p, struct str *data, uint64_t offset);

#endif
