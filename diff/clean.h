/* SPDX-License-Identifier: ISC */
/* Names as folded text can hold them. */
#ifndef CLEAN_H
#define CLEAN_H

#include "tree.h"

/* Makes the names of T those that reading T's text would give: without control bytes,
 * and without a '#' at the start of a stack. Stacks that are then the same
 * are added up. */
void clean_names(struct tree *t);

#endif
