/* SPDX-License-Identifier: ISC */
/*
 * The quality of a profile's stacks, and the step that improves it most, judged by the
 * weight of unnamed frames and of stacks that end before their entry:
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

/* Sets *Q to the shares of complete and of named stacks in C. Returns false, with *Q
 * unchanged, if the formats do not know how stacks end. */
bool diagnosis_quality(const struct collapse *c, struct quality *q);

/* Whether the advice for C is to record call chains. */
bool diagnosis_asks_for_chains(const struct collapse *c);

/* Adds problems and advice to B, as parts separated by "; ", also from earlier text in B;
 * nothing if there are no problems. */
void diagnosis_put(struct buf *b, const struct collapse *c);

#endif
