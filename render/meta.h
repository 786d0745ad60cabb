/* SPDX-License-Identifier: ISC */
/* What the script must know of the picture; svg.h lists it. */
#ifndef META_H
#define META_H

#include "picture.h"

/* Adds the JSON object. */
void meta_put(struct buf *b, const struct picture *p);

#endif
