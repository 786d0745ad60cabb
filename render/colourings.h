/* SPDX-License-Identifier: ISC */
/* What the colours of names go by, as the script has it: see svg.h. */
#ifndef COLOURINGS_H
#define COLOURINGS_H

#include "picture.h"

/* Adds an array of "#rrggbb". */
void colourings_put_list(
	struct buf *b, const char *key, const struct colour *colours, size_t n);

/* Adds what the colours of P mean, and what else names can be coloured by. */
void colourings_put(struct buf *b, const struct picture *p);

#endif
