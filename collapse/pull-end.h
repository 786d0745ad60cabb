/* SPDX-License-Identifier: ISC */
/*
 * The end of a profile in JSON: what was wrong with it is told and counted.
 */
#ifndef PULL_END_H
#define PULL_END_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "pull.h"

/* Counts the values of the wrong kind that P has met as losses of C, and says so
 * when the text was damaged or ended too soon. What came before that is kept:
 * false only when nothing was folded, C having had BEFORE samples at first. */
bool pull_end(struct pull *p, struct collapse *c, uint64_t before);

#endif
