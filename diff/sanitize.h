/* SPDX-License-Identifier: ISC */
/* Names as folded text can hold them. */
#ifndef SANITIZE_H
#define SANITIZE_H

#include "tree.h"

/* Makes the names of T those that reading T's text would give: without control bytes,
 * and without a '#' at the start of a stack. Stacks that are then the same
 * are added up. */
void sanitize_names(struct tree *t);

#endif
