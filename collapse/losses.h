/* SPDX-License-Identifier: ISC */
/* Reports the losses of a collapsed profile, as messages and as an exit status. */
#ifndef LOSSES_H
#define LOSSES_H

#include "collapse.h"

/* Reports skipped events, losses, and whether many frames have no name. Returns the exit
 * status: MSG_NO if nothing was folded, or if STRICT and a sample was lost. */
int losses_report(const struct collapse *c, bool strict);

/* Whether the last input, of FORMAT, has the times that --from and --to need; warns if
 * only some samples have. FOR_TIMES: how to get an input with times, or NULL. */
bool losses_check_times(
	const struct collapse *c, const char *format, const char *for_times);

#endif
