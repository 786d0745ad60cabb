/* SPDX-License-Identifier: ISC */
/*
 * Decompression: the only interface to zlib, zstd, liblzma and libbz2; all except zlib may be
 * missing from a build.
 */
#ifndef INFLATE_H
#define INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

enum inflate_kind { INFLATE_GZIP, INFLATE_ZLIB, INFLATE_ZSTD, INFLATE_XZ, INFLATE_BZIP2 };

struct inflate;

/* Whether this build supports KIND. */
bool inflate_knows(enum inflate_kind kind);

/* A decompressor of a stream of KIND, which inflate_knows must accept. The caller frees it. */
struct inflate *inflate_new(enum inflate_kind kind);
void inflate_free(struct inflate *u);

enum inflate_state {
	INFLATE_MORE, /* no progress without more input, or more room */
	INFLATE_END,  /* a member or frame is complete */
	INFLATE_BAD   /* the stream is damaged; inflate_why says how */
};

/* Decompresses from *IN, which is advanced, to TO, which has SIZE bytes; *GOT gets the number of
 * bytes written. If less than SIZE, all that *IN holds of the member is consumed. After INFLATE_END
 * the next call continues with the next member; INFLATE_BAD is final. */
enum inflate_state inflate_run(
	struct inflate *u, struct str *in, char *to, size_t size, size_t *got);

/* Why the stream is damaged, in a few words; NULL if it is not. Static. */
const char *inflate_why(const struct inflate *u);

/* Appends all of IN, one whole stream of KIND with all its members, to OUT, MAX bytes at most.
 * False when KIND is not supported, IN is damaged or truncated, or there is more; OUT then has the
 * part before that. */
bool inflate_all(enum inflate_kind kind, struct str in, struct buf *out, size_t max);

#endif
