/* SPDX-License-Identifier: ISC */
/* zlib, compressing; see deflate.h. */
#include "deflate.h"
#include "msg.h"

#include <limits.h>
#define ZLIB_CONST
#include <zlib.h>

/* Arguments of deflateInit2: the largest window, 16 more for the gzip header; zlib's usual
 * memory. */
enum { WINDOW = 15, WITH_GZIP = 16, MEMORY = 8 };

/* Feeds Z the next part of *IN, with room in OUT. Returns deflate's result. */
static int
step(z_stream *z, struct str *in, struct buf *out)
{
	enum { ROOM = 256 * 1024 };
	unsigned give = in->n < UINT_MAX ? (unsigned)in->n : UINT_MAX;
	int status;

	z->next_in = (const Bytef *)(give ? in->s : "");
	z->avail_in = give;
	z->next_out = (Bytef *)buf_room(out, ROOM);
	z->avail_out = ROOM;
	status = deflate(z, give == in->n ? Z_FINISH : Z_NO_FLUSH);
	*in = str_from(*in, give - z->avail_in);
	out->n += ROOM - z->avail_out;
	return status;
}

static void
deflate_all(struct str in, struct buf *out, int level, int window)
{
	z_stream z = { .next_in = NULL };

	if (deflateInit2(&z, level, Z_DEFLATED, window, MEMORY, Z_DEFAULT_STRATEGY) !=
		Z_OK)
		msg_die("out of memory for zlib");
	while (step(&z, &in, out) != Z_STREAM_END)
		;
	deflateEnd(&z);
}

void
deflate_zlib(struct str in, struct buf *out)
{
	deflate_all(in, out, Z_BEST_COMPRESSION, WINDOW);
}

void
deflate_gzip(struct str in, struct buf *out)
{
	deflate_all(in, out, Z_DEFAULT_COMPRESSION, WINDOW + WITH_GZIP);
}
