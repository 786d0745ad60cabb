/* SPDX-License-Identifier: ISC */
/* Makes frame names independent of the build and run. */
#ifndef FRAME_STABLE_H
#define FRAME_STABLE_H

#include "buf.h"
#include "str.h"

/*
 * Adds NAME without the parts that compilers and runtimes number or choose anew in each build or
 * run: suffixes (except ".plt"), hashes, numbers of closures and of generated classes, V8's
 * compiler marks, line numbers. Module, version, offset and annotation stay, and so do addresses
 * ("0x12ab", "[libc.so.6 <2601>]"). Functions that differ only by such a number get the same name;
 * a name that would be empty is added unchanged. fg-filter(1) lists the rules.
 */
void frame_put_stable(struct buf *b, struct str name);

#endif
