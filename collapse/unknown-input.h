/* SPDX-License-Identifier: ISC */
/* What an input is that no format wants. */
#ifndef UNKNOWN_INPUT_H
#define UNKNOWN_INPUT_H

#include "buf.h"
#include "str.h"

/* Adds to B what an input that begins with HEAD seems to be, and what to do, as the
 * rest of a message: "is a callgrind profile, which fg-collapse cannot read; ...". */
void unknown_input_put(struct buf *b, struct str head);

#endif
