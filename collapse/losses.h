/* SPDX-License-Identifier: ISC */
/* What is said of a collapsed profile beside the stacks: header and messages. */
#ifndef LOSSES_H
#define LOSSES_H

#include "collapse.h"

/* Puts unit, samples, event and lost into the header of C. */
void losses_header(struct collapse *c);

/* Says which events were left out, what was lost, and whether many frames have
 * no name. Returns the exit status that follows from it: MSG_NO when nothing was
 * folded, or when STRICT and a sample was lost. */
int losses_report(const struct collapse *c, bool strict);

#endif
