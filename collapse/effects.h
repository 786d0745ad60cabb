/* SPDX-License-Identifier: ISC */
/* Options that a format has no use for: nobody is left to think that one had an effect. */
#ifndef EFFECTS_H
#define EFFECTS_H

#include "collapse.h"

/* Warns of the options of OPTIONS that have no effect on the input NAME, of FORMAT. False, after
 * an error, when they ask for weights that no input of FORMAT has. */
bool effects_check(const struct collapse_format *format,
	const struct collapse_options *options, const char *name);

#endif
