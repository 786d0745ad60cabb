/* SPDX-License-Identifier: ISC */
/* Cost centres of Haskell programs: places in the source to which costs are attributed. */
#ifndef COST_CENTRE_H
#define COST_CENTRE_H

#include "collapse.h"

/* Returns the name id of the frame "Module.label", with --srcline "Module.label:file:line:columns".
 * Without MODULE and LABEL it is an unnamed frame. */
uint32_t cost_centre_frame(
	struct collapse *c, struct str module, struct str label, struct str place);

#endif
