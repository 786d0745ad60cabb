/* SPDX-License-Identifier: ISC */
/* Plain bytes to compressed ones; the other way is unpack. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "buf.h"

/* Appends IN as a zlib stream (RFC 1950), as small as zlib makes it, to OUT. */
void deflate_zlib(struct str in, struct buf *out);

#endif
