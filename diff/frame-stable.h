/* SPDX-License-Identifier: ISC */
/* Names of frames without what differs between two builds or runs of one source. */
#ifndef FRAME_STABLE_H
#define FRAME_STABLE_H

#include "buf.h"
#include "str.h"

/*
 * Adds NAME without what compilers and runtimes number or choose anew in each build or run:
 * suffixes but ".plt", hashes, numbers of closures and of generated classes, marks of V8's
 * compilers, lines of files. Module, version, offset and annotation stay, and addresses ("0x12ab",
 * "[libc.so.6 <2601>]"). Functions that only such a number tells apart get one name; a name that
 * would be empty is added as it is. The rules are those of fg-filter(1).
 */
void frame_put_stable(struct buf *b, struct str name);

#endif
