/* SPDX-License-Identifier: ISC */
/*
 * --base: stacks begin at one of some frames, and those without it are left out.
 * Of several such frames in a stack the one nearest to the root counts.
 */
#ifndef ROOT_AT_H
#define ROOT_AT_H

#include "opt.h"
#include "profile.h"

/* A folded_keep; LIST, a struct opt_list, has the names of the frames, with the
 * annotation at their end or without. */
bool root_at_keep(void *list, struct str *stack, bool turned);

/* Tells of what was left out of P, and makes its header say of how many samples the rest is, and
 * of which frames. */
void root_at_report(const struct opt_list *list, struct profile *p);

#endif
