/* SPDX-License-Identifier: ISC */
/* Folded text, or a picture that carries it, to stacks: the two have one reader. */
#ifndef FOLDED_BOXES_H
#define FOLDED_BOXES_H

#include <stdbool.h>

#include "collapse.h"
#include "input.h"

/* Pours IN, folded text or a picture by fg-svg, into C, with what its header says. In text
 * without a header empty frames are left out, as other tools write them before the first. */
bool folded_boxes_run(struct input *in, struct collapse *c);

#endif
