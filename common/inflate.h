/* SPDX-License-Identifier: ISC */
/*
 * Compressed bytes to plain ones. The one door to zlib, zstd, liblzma and libbz2; all
 * but zlib may be missing from a build.
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

/* Whether this build can read KIND. */
bool inflate_knows(enum inflate_kind kind);

/* A decompressor of a stream of KIND, which inflate_knows. The caller frees it. */
struct inflate *inflate_new(enum inflate_kind kind);
void inflate_free(struct inflate *u);

enum inflate_state {
	INFLATE_MORE, /* gave what it could: more input, or more room, is needed */
	INFLATE_END,  /* a member or frame of the stream is whole */
	INFLATE_BAD   /* the stream is damaged; inflate_why says how */
};

/* Decompresses from *IN, which loses what was used, to TO, which has SIZE
 * bytes; *GOT says how many were written. When those are fewer than SIZE, all
 * that *IN holds of the member is used and given. After INFLATE_END the next call
 * goes on with the next member, after INFLATE_BAD it is that again. */
enum inflate_state inflate_run(
	struct inflate *u, struct str *in, char *to, size_t size, size_t *got);

/* Why the stream is damaged, in a few words, NULL while it is not. Static. */
const char *inflate_why(const struct inflate *u);

/* Appends all of IN, one whole stream of KIND with all of its members, to OUT,
 * MAX bytes at most. False when KIND is not known here, IN is damaged or cut, or
 * there is more; OUT then has what came before that. */
bool inflate_all(enum inflate_kind kind, struct str in, struct buf *out, size_t max);

#endif
