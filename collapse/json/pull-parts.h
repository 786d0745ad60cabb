/* SPDX-License-Identifier: ISC */
/* What pull.c and pull-number.c share. */
#ifndef PULL_PARTS_H
#define PULL_PARTS_H

#include "pull.h"

/* Reads on, keeping what stands from *KEEP (or, with NULL, from the current
 * place) on. False at the end of the input. */
bool pull_fill(struct pull *p, const char **keep);

/* The text ends where more of it was needed. */
void pull_cut(struct pull *p);

/* Goes to the next value. False when there is none to take. */
bool pull_expect(struct pull *p);

/* Whether the next value is of KIND; one of another is passed over and counted. */
bool pull_is(struct pull *p, enum pull_kind kind);

/* Takes a number for nothing. */
void pull_skip_number(struct pull *p);

#endif
