/* SPDX-License-Identifier: ISC */
/* Colours, and whether black text on them can be read. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* The least contrast between text and its ground (WCAG 2.1, 1.4.3). */
#define COLOUR_READABLE 4.5

struct colour {
	uint8_t r, g, b;
};

/* The contrast of black text on C by WCAG 2.1: 1 to 21. */
double colour_contrast(struct colour c);

/* C, mixed with just enough white to be well above COLOUR_READABLE. */
struct colour colour_lift(struct colour c);

/* The colour that is SHARE (0 to 1) of the way from A to B. */
struct colour colour_mix(struct colour a, struct colour b, double share);

/* Reads "#rgb" or "#rrggbb". False when TEXT is neither. */
bool colour_parse(struct str text, struct colour *c);

/* Reads "rgb(r,g,b)", each 0 to 255. */
bool colour_parse_rgb(struct str text, struct colour *c);

/* Reads either, or a name of SVG's, as "steelblue"; not all of these are known. */
bool colour_parse_any(struct str text, struct colour *c);

/* Adds "#rrggbb". */
void colour_put(struct buf *b, struct colour c);

#endif
