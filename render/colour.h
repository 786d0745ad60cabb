/* SPDX-License-Identifier: ISC */
/* Colours, and whether black text on them can be read. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* The least contrast between text and its ground (WCAG 2.1, 1.4.3), for colours that a user
 * chose; what our own have (1.4.6); and between these and a light page. */
#define COLOUR_READABLE 4.5
#define COLOUR_CLEAR	7.0
#define COLOUR_OFF_PAGE 1.5

struct colour {
	uint8_t r, g, b;
};

/* The page where it has no colour of its own: rest for the eyes, as white is for paper. */
#define COLOUR_PAGE ((struct colour){ 252, 252, 250 })

/* The contrast of black text on C by WCAG 2.1: 1 to 21. */
double colour_contrast(struct colour c);

/* The contrast of C with the page where it has no colour of its own: 1 to 21. */
double colour_contrast_page(struct colour c);

/* C, mixed with just enough white for COLOUR_CLEAR, or black for COLOUR_OFF_PAGE. */
struct colour colour_fit(struct colour c);

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
