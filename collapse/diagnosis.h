/* SPDX-License-Identifier: ISC */
/*
 * How good the stacks are that were folded, and when they are poor, the one step that would
 * help most: it follows from where the weight is that has no name or no entry.
 */
#ifndef DIAGNOSIS_H
#define DIAGNOSIS_H

#include "buf.h"
#include "collapse.h"
#include "quality.h"

/* How good the stacks of C are. False when its formats do not say how stacks end. */
bool diagnosis_quality(const struct collapse *c, struct quality *q);

/* Adds to B what is wrong and what helps, parts joined by "; "; nothing when all is well. */
void diagnosis_put(struct buf *b, const struct collapse *c);

/* Whether that is to record call chains. */
bool diagnosis_asks_for_chains(const struct collapse *c);

#endif
