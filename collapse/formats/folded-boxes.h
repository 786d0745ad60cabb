/* SPDX-License-Identifier: ISC */
/* Reads folded text, alone or inside a picture. */
#ifndef FOLDED_BOXES_H
#define FOLDED_BOXES_H

#include <stdbool.h>

#include "collapse.h"
#include "input.h"

/* Folds IN, folded text or a picture by fg-svg, into C, with the fields of its header. In text
 * without a header, empty frames are dropped: some tools write them before the first frame. Returns
 * false, after a message, if the input was refused. */
bool folded_boxes_run(struct input *in, struct collapse *c);

#endif
