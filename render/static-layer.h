/* SPDX-License-Identifier: ISC */
/*
 * The static layer: the picture as it is without script. One path a colour
 * holds the boxes of that colour, so that even large pictures are few elements.
 */
#ifndef STATIC_LAYER_H
#define STATIC_LAYER_H

#include "picture.h"
#include "xml.h"

enum {
	STATIC_LAYER_PATH_MAX = 1000000, /* bytes in an attribute, for parsers' sake */
	STATIC_LAYER_LABELS_MAX = 40000, /* the widest boxes have them */
	STATIC_LAYER_LINKS_MAX = 20000,	 /* boxes with attributes of their own */
};

/* The fill of strips. */
#define STATIC_LAYER_STRIP ((struct colour){ 225, 225, 225 })

/* Writes the group of the static layer. */
void static_layer_write(struct xml *x, const struct picture *p);

#endif
