/* SPDX-License-Identifier: ISC */
/* The header of a collapsed profile (fg-folded(5)). */
#ifndef HEADER_H
#define HEADER_H

#include "collapse.h"

/* Adds to the header of C what follows from its samples: unit, samples, event, by, lost, and how
 * good the stacks are. */
void header_complete(struct collapse *c);

#endif
