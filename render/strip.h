/* SPDX-License-Identifier: ISC */
/*
 * The strip above the boxes of a profile with times: when each thread ran. The heaviest threads
 * have a lane each, and the others share the last; a column is as high as the weight of
 * its time, in the colours of the code that ran. The script replaces it (viewer/strip.js).
 */
#ifndef STRIP_H
#define STRIP_H

#include "picture.h"
#include "xml.h"

/* Writes the strip of P, if it has one, as <g class="fg-still">. */
void strip_write(struct xml *x, const struct picture *p);

#endif
