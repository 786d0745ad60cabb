/* SPDX-License-Identifier: ISC */
/* Names as folded text can hold them. */
#ifndef SANITIZE_H
#define SANITIZE_H

#include "tree.h"

/* Changes the names of T as writing and reading its text would: changes control bytes and a '#' at
 * the start of a stack. Stacks that become equal are added up. */
void sanitize_names(struct tree *t);

#endif
