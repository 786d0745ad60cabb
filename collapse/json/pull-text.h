/* SPDX-License-Identifier: ISC */
/*
 * A text of JSON that outlives the next call of its reader.
 */
#ifndef PULL_TEXT_H
#define PULL_TEXT_H

#include "buf.h"
#include "pull.h"

/* Takes a string in place of what TO held; null is an empty one, and so is what is
 * of another kind, which counts as wrong. */
void pull_text(struct pull *p, struct buf *to);

#endif
