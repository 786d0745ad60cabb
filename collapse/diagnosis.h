/* SPDX-License-Identifier: ISC */
/*
 * How good the stacks of a profile are, and the one step that helps most. It follows from where
 * the weight is that has no name, or that ends before its entry:
 *
 *	31 % of the self weight has no name, most of it in [libc.so.6] (stripped: install its
 *	debug symbols, on Debian the package libc6-dbg, or use --debuginfod)
 */
#ifndef DIAGNOSIS_H
#define DIAGNOSIS_H

#include <stdbool.h>

#include "buf.h"
#include "collapse.h"
#include "quality.h"

/* Sets *Q to the shares of whole and of named stacks of C. False, and *Q is unchanged, when its
 * formats do not say how stacks end. */
bool diagnosis_quality(const struct collapse *c, struct quality *q);

/* Whether the step for C is to record call chains. */
bool diagnosis_asks_for_chains(const struct collapse *c);

/* Adds to B what is wrong and what helps, as parts joined by "; ", which also divides them from
 * what B has; nothing when all is well. */
void diagnosis_put(struct buf *b, const struct collapse *c);

#endif
