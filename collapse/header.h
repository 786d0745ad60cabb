/* SPDX-License-Identifier: ISC */
/* The header of a collapsed profile (fg-folded(5)). */
#ifndef HEADER_H
#define HEADER_H

#include "collapse.h"

/* Completes C's header after its samples: unit, samples, event, by, lost, and the quality
 * of stacks. */
void header_complete(struct collapse *c);

#endif
