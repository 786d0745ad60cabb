/* SPDX-License-Identifier: ISC */
/*
 * Compressed bytes to plain ones. The one door to zlib, zstd and liblzma; the
 * last two may be missing from a build.
 */
#ifndef UNPACK_H
#define UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

enum unpack_kind { UNPACK_GZIP, UNPACK_ZLIB, UNPACK_ZSTD, UNPACK_XZ };

struct unpack;

/* Whether this build can read KIND. */
bool unpack_knows(enum unpack_kind kind);

/* A decompressor of a stream of KIND, which unpack_knows. The caller frees it. */
struct unpack *unpack_new(enum unpack_kind kind);
void unpack_free(struct unpack *u);

enum unpack_state {
	UNPACK_MORE, /* gave what it could: more input, or more room, is needed */
	UNPACK_END,  /* a member or frame of the stream is whole */
	UNPACK_BAD   /* the stream is damaged; unpack_why says how */
};

/* Decompresses from *IN, which loses what was used, to TO, which has SIZE
 * bytes; *GOT says how many were written. When those are fewer than SIZE, all
 * that *IN holds of the member is used and given. After UNPACK_END the next call
 * goes on with the next member, after UNPACK_BAD it is that again. */
enum unpack_state unpack_run(
	struct unpack *u, struct str *in, char *to, size_t size, size_t *got);

/* Why the stream is damaged, in a few words, NULL while it is not. Static. */
const char *unpack_why(const struct unpack *u);

/* Appends all of IN, one whole stream of KIND with all of its members, to OUT,
 * MAX bytes at most. False when KIND is not known here, IN is damaged or cut, or
 * there is more; OUT then has what came before that. */
bool unpack_all(enum unpack_kind kind, struct str in, struct buf *out, size_t max);

#endif
