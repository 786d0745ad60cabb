/* SPDX-License-Identifier: ISC */
/* The header and messages of a collapsed profile, and for poor stacks the one step that
 * helps most. */
#ifndef LOSSES_H
#define LOSSES_H

#include "collapse.h"

/* Counts that the input that is read is damaged, which was told, or is CUT off, which is
 * told here. What came before is kept: false when that is nothing since C had BEFORE
 * samples. */
bool losses_damage(struct collapse *c, uint64_t before, bool cut);

/* Puts unit, samples, event, by and lost into the header of C. */
void losses_header(struct collapse *c);

/* Says which events were left out, what was lost, and whether many frames have
 * no name. Returns the exit status that follows from it: MSG_NO when nothing was
 * folded, or when STRICT and a sample was lost. */
int losses_report(const struct collapse *c, bool strict);

/* Whether the input that was read last, of FORMAT, has the times that --from and --to need;
 * warns when it has them in parts only. FOR_TIMES: how to get an input that has, or NULL. */
bool losses_check_times(
	const struct collapse *c, const char *format, const char *for_times);

#endif
