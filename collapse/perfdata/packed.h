/* SPDX-License-Identifier: ISC */
/*
 * COMPRESSED and COMPRESSED2 records: pieces of one zstd stream, whose plain
 * form is records again. A record may begin in one piece and end in the next.
 */
#ifndef PACKED_H
#define PACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "lane.h"
#include "str.h"
#include "unpack.h"

struct packed {
	struct unpack *u;
	struct lane lane; /* what was unpacked and not used */
};

/* Whether this build can unpack. */
bool packed_can(void);

void packed_init(struct packed *p, struct lane_pool *pool);
void packed_release(struct packed *p);

enum packed_state {
	PACKED_MORE, /* use what is in the lane and come again */
	PACKED_DONE, /* use what is in the lane */
	PACKED_BAD   /* the stream is damaged, and all that follows lost */
};

/* Unpacks some of *DATA, which loses it; OFFSET is its place in the input. */
enum packed_state packed_run(struct packed *p, struct str *data, uint64_t offset);

#endif
