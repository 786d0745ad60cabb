/* SPDX-License-Identifier: ISC */
/* The lines that say what the colours mean. */
#ifndef LEGEND_H
#define LEGEND_H

#include "picture.h"
#include "xml.h"

/* From one line to the next, in font sizes. */
#define LEGEND_ROW 1.5

/* How many lines there are; only the places of P may not
 * be known yet. */
size_t legend_rows(const struct picture *p);

/* Writes them, centred; nothing when the colours mean nothing. */
void legend_write(struct xml *x, const struct picture *p);

#endif
