/* SPDX-License-Identifier: ISC */
/* Colours; see colour.h. */
#include "colour.h"

#include <math.h>

/* Saturated red and blue are harder to read on than their contrast says. */
static const double LIFTED = 5.5;

/* The light that a channel of sRGB gives, 0 to 1 (IEC 61966-2-1). */
static double
linear(uint8_t channel)
{
	double v = channel / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double
colour_contrast(struct colour c)
{
	double light = 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);

	return (light + 0.05) / 0.05;
}

static uint8_t
mix(uint8_t a, uint8_t b, double share)
{
	return (uint8_t)(a + (b - a) * share + 0.5);
}

struct colour
colour_mix(struct colour a, struct colour b, double share)
{
	return (struct colour){ mix(a.r, b.r, share), mix(a.g, b.g, share),
		mix(a.b, b.b, share) };
}

struct colour
colour_lift(struct colour c)
{
	const struct colour white = { 255, 255, 255 };
	struct colour lifted = c;
	int i;

	for (i = 1; colour_contrast(lifted) < LIFTED; i++)
		lifted = colour_mix(c, white, i / 64.0);
	return lifted;
}

bool
colour_parse(struct str text, struct colour *c)
{
	uint64_t v;

	if (text.n < 2 || text.s[0] != '#' || !str_hex_to_u64(str_from(text, 1), &v))
		return false;
	if (text.n == 4)
		v = (v & 0xf00) * 0x1100 | (v & 0xf0) * 0x110 | (v & 0xf) * 0x11;
	else if (text.n != 7)
		return false;
	*c = (struct colour){ (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v };
	return true;
}

void
colour_put(struct buf *b, struct colour c)
{
	buf_fmt(b, "#%02x%02x%02x", c.r, c.g, c.b);
}
