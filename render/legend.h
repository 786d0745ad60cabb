/* SPDX-License-Identifier: ISC */
/* The line that says what the colours mean. */
#ifndef LEGEND_H
#define LEGEND_H

#include "picture.h"
#include "xml.h"

/* Writes it, centred; nothing when the colours mean nothing. */
void legend_write(struct xml *x, const struct picture *p);

#endif
