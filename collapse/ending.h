/* SPDX-License-Identifier: ISC */
/*
 * Where stacks end: at an entry, which is where a program or a thread begins, or before
 * it, and why. Unwinders say it themselves; of a chain of return addresses only
 * the names of its outermost frames do.
 */
#ifndef ENDING_H
#define ENDING_H

#include <stddef.h>
#include <stdint.h>

#include "collapse.h"

/* Whether NAME, without suffixes of ours, is a function that programs or threads begin with. */
bool ending_is_entry(struct str name);

/* How the stack of the N IDS, innermost frame first, ends, going by the names of its two outermost
 * frames: COLLAPSE_ENTRY, or OTHERWISE. Stacks that end in the kernel are whole. */
enum collapse_end ending_judge(const struct collapse *c, const uint32_t *ids, size_t n,
	enum collapse_end otherwise);

/* The node of the stacks below ROOT that end so: ROOT, or a frame "[truncated]" or "[broken]"
 * below it, unless the options leave marks out. */
uint32_t ending_mark(struct collapse *c, uint32_t root, enum collapse_end end);

/* Counts WEIGHT, as the tree counts and part of its sum, of a stack that ends as S says. */
void ending_count(struct collapse *c, const struct collapse_sample *s, uint64_t weight);

/* Takes away what was counted. */
void ending_forget(struct collapse *c);

#endif
