/* SPDX-License-Identifier: ISC */
/* Compression by zlib; inflate.h is the reverse. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "buf.h"
#include "str.h"

/* Adds IN to OUT as a zlib stream (RFC 1950), at zlib's best compression. */
void deflate_zlib(struct str in, struct buf *out);

/* Adds IN to OUT as a gzip file (RFC 1952) without name and time: equal input gives equal
 * output. */
void deflate_gzip(struct str in, struct buf *out);

#endif
