/* SPDX-License-Identifier: ISC */
/* Colours, and the contrast of black text on them. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* Minimum contrast between text and background: for colours that a user chose (WCAG 2.1,
 * 1.4.3), for the built-in ones (1.4.6), and between these and a light page. */
#define COLOUR_READABLE 4.5
#define COLOUR_CLEAR	7.0
#define COLOUR_OFF_PAGE 1.5

struct colour {
	uint8_t r, g, b;
};

/* The default page colour: easier on the eyes than white. */
#define COLOUR_PAGE ((struct colour){ 252, 252, 250 })

/* The contrast of black text on C, 1 to 21 (WCAG 2.1). */
double colour_contrast(struct colour c);

/* The contrast of C with COLOUR_PAGE, 1 to 21. */
double colour_contrast_page(struct colour c);

/* Mixes C with just enough white for COLOUR_CLEAR, or black for COLOUR_OFF_PAGE. */
struct colour colour_fit(struct colour c);

/* The colour that is SHARE (0 to 1) of the way from A to B. */
struct colour colour_mix(struct colour a, struct colour b, double share);

/* Parses "#rgb" or "#rrggbb". Returns false for anything else. */
bool colour_parse(struct str text, struct colour *c);

/* Parses "rgb(r,g,b)", each 0 to 255. */
bool colour_parse_rgb(struct str text, struct colour *c);

/* Parses either, or one of the SVG names that are known, as "steelblue". */
bool colour_parse_any(struct str text, struct colour *c);

/* Adds "#rrggbb". */
void colour_put(struct buf *b, struct colour c);

#endif
