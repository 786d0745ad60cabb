/* SPDX-License-Identifier: ISC */
/* Plain bytes to compressed ones. The one door to zlib's compressor; inflate.h is the way back. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "buf.h"
#include "str.h"

/* Adds IN to OUT as a zlib stream (RFC 1950), as small as zlib makes it. */
void deflate_zlib(struct str in, struct buf *out);

/* The same as a file of gzip (RFC 1952), without name and time: equal bytes give equal files. */
void deflate_gzip(struct str in, struct buf *out);

#endif
