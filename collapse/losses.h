/* SPDX-License-Identifier: ISC */
/* What a collapsed profile lost, as messages and an exit status. */
#ifndef LOSSES_H
#define LOSSES_H

#include "collapse.h"

/* Says which events were left out, what was lost, and whether many frames have
 * no name. Returns the exit status that follows from it: MSG_NO when nothing was
 * folded, or when STRICT and a sample was lost. */
int losses_report(const struct collapse *c, bool strict);

/* Whether the input that was read last, of FORMAT, has the times that --from and --to need;
 * warns when it has them in parts only. FOR_TIMES: how to get an input that has, or NULL. */
bool losses_check_times(
	const struct collapse *c, const char *format, const char *for_times);

#endif
