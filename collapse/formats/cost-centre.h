/* SPDX-License-Identifier: ISC */
/* The cost centres of Haskell programs: places in the source that costs are counted for. */
#ifndef COST_CENTRE_H
#define COST_CENTRE_H

#include "collapse.h"

/* The name id of the frame "Module.label", with --srcline "Module.label:file:line:columns". */
uint32_t cost_centre_frame(
	struct collapse *c, struct str module, struct str label, struct str place);

#endif
