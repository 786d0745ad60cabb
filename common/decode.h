/* SPDX-License-Identifier: ISC */
/*
 * A chain of byte sources below struct input: a descriptor or a run of memory
 * at the bottom, decoders (gzip, zstd, UTF-16) stacked on it as their marks are
 * seen. Only input.c uses it.
 */
#ifndef DECODE_H
#define DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "str.h"

struct decode;

/* A source of the bytes of FD, which it closes, or of BYTES when FD is -1. NAME is for messages and
 * must outlive the source. */
struct decode *decode_new(const char *name, int fd, struct str bytes);

/* Frees the whole chain. */
void decode_free(struct decode *d);

enum { DECODE_LEAST = 4 };

/* Puts up to SIZE bytes, DECODE_LEAST at least, at TO and returns how many; 0 at
 * the end or after an error, which has been printed and shows in decode_failed. */
size_t decode_read(struct decode *d, char *to, size_t size);

bool decode_failed(const struct decode *d);

/* Looks at SEEN, the first bytes that *D gave (up to some hundred thousand).
 * When they begin an encoding that is known, *D becomes a decoder on top of
 * the old source, with SEEN taken back as its first input, and true is
 * returned: read again from the start. Encodings that are known but cannot be
 * read are reported and make the source fail. */
bool decode_push(struct decode **d, struct str seen);

#endif
