/* SPDX-License-Identifier: ISC */
/*
 * The end of a profile in JSON: what was wrong with it is told and counted.
 */
#ifndef PULL_END_H
#define PULL_END_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "json-read.h"

/* Says when the text of P was damaged or ended too soon, which is a loss of C.
 * What came before that is kept: false only when nothing was folded, C having had
 * BEFORE samples at first. */
bool pull_end(const struct json_reader *p, struct collapse *c, uint64_t before);

/* The same, and the values of the wrong kind that P has met are losses, too: for
 * formats that need all that they ask for. */
bool pull_end_all(const struct json_reader *p, struct collapse *c, uint64_t before);

#endif
