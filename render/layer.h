/* SPDX-License-Identifier: ISC */
/*
 * The static layer: the picture as it is without script. One path a colour
 * holds the boxes of that colour, so that even large pictures are few elements.
 */
#ifndef LAYER_H
#define LAYER_H

#include "picture.h"
#include "xml.h"

enum {
	LAYER_PATH_MAX = 1000000, /* bytes in an attribute, for parsers' sake */
	LAYER_LABELS_MAX = 40000, /* the widest boxes have them */
	LAYER_LINKS_MAX = 20000,  /* boxes with attributes of their own */
};

/* The fill of strips. */
#define LAYER_STRIP ((struct colour){ 225, 225, 225 })

/* Writes the group of the static layer. */
void layer_write(struct xml *x, const struct picture *p);

#endif
