/* SPDX-License-Identifier: ISC */
/* The colourings of names, as the script reads them: see svg.h. */
#ifndef COLOURINGS_H
#define COLOURINGS_H

#include "picture.h"

/* Adds an array of "#rrggbb". */
void colourings_put_list(
	struct buf *b, const char *key, const struct colour *colours, size_t n);

/* Adds the meaning of P's colours, and the other colourings of names. */
void colourings_put(struct buf *b, const struct picture *p);

#endif
