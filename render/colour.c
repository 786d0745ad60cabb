/* SPDX-License-Identifier: ISC */
/* Colours; see colour.h. */
#include "colour.h"

#include <math.h>

/* Common SVG colour names from X11 (CSS Color 3, 4.3). */
struct named {
	const char *name;
	uint32_t rgb;
};

static const struct named NAMES[] = {
	{ "aqua", 0x00ffff },
	{ "aquamarine", 0x7fffd4 },
	{ "beige", 0xf5f5dc },
	{ "black", 0x000000 },
	{ "blue", 0x0000ff },
	{ "brown", 0xa52a2a },
	{ "burlywood", 0xdeb887 },
	{ "cadetblue", 0x5f9ea0 },
	{ "chartreuse", 0x7fff00 },
	{ "chocolate", 0xd2691e },
	{ "coral", 0xff7f50 },
	{ "cornflowerblue", 0x6495ed },
	{ "crimson", 0xdc143c },
	{ "cyan", 0x00ffff },
	{ "darkorange", 0xff8c00 },
	{ "darkseagreen", 0x8fbc8f },
	{ "deeppink", 0xff1493 },
	{ "deepskyblue", 0x00bfff },
	{ "dodgerblue", 0x1e90ff },
	{ "firebrick", 0xb22222 },
	{ "forestgreen", 0x228b22 },
	{ "fuchsia", 0xff00ff },
	{ "gold", 0xffd700 },
	{ "goldenrod", 0xdaa520 },
	{ "gray", 0x808080 },
	{ "green", 0x008000 },
	{ "greenyellow", 0xadff2f },
	{ "grey", 0x808080 },
	{ "hotpink", 0xff69b4 },
	{ "indianred", 0xcd5c5c },
	{ "indigo", 0x4b0082 },
	{ "ivory", 0xfffff0 },
	{ "khaki", 0xf0e68c },
	{ "lavender", 0xe6e6fa },
	{ "lightblue", 0xadd8e6 },
	{ "lightcoral", 0xf08080 },
	{ "lightcyan", 0xe0ffff },
	{ "lightgray", 0xd3d3d3 },
	{ "lightgreen", 0x90ee90 },
	{ "lightgrey", 0xd3d3d3 },
	{ "lightpink", 0xffb6c1 },
	{ "lightsalmon", 0xffa07a },
	{ "lightskyblue", 0x87cefa },
	{ "lightsteelblue", 0xb0c4de },
	{ "lightyellow", 0xffffe0 },
	{ "lime", 0x00ff00 },
	{ "limegreen", 0x32cd32 },
	{ "magenta", 0xff00ff },
	{ "maroon", 0x800000 },
	{ "mediumpurple", 0x9370db },
	{ "mediumseagreen", 0x3cb371 },
	{ "mintcream", 0xf5fffa },
	{ "moccasin", 0xffe4b5 },
	{ "navy", 0x000080 },
	{ "olive", 0x808000 },
	{ "olivedrab", 0x6b8e23 },
	{ "orange", 0xffa500 },
	{ "orangered", 0xff4500 },
	{ "orchid", 0xda70d6 },
	{ "palegoldenrod", 0xeee8aa },
	{ "palegreen", 0x98fb98 },
	{ "paleturquoise", 0xafeeee },
	{ "palevioletred", 0xdb7093 },
	{ "peachpuff", 0xffdab9 },
	{ "peru", 0xcd853f },
	{ "pink", 0xffc0cb },
	{ "plum", 0xdda0dd },
	{ "powderblue", 0xb0e0e6 },
	{ "purple", 0x800080 },
	{ "red", 0xff0000 },
	{ "rosybrown", 0xbc8f8f },
	{ "royalblue", 0x4169e1 },
	{ "salmon", 0xfa8072 },
	{ "sandybrown", 0xf4a460 },
	{ "seagreen", 0x2e8b57 },
	{ "sienna", 0xa0522d },
	{ "silver", 0xc0c0c0 },
	{ "skyblue", 0x87ceeb },
	{ "slateblue", 0x6a5acd },
	{ "slategray", 0x708090 },
	{ "springgreen", 0x00ff7f },
	{ "steelblue", 0x4682b4 },
	{ "tan", 0xd2b48c },
	{ "teal", 0x008080 },
	{ "thistle", 0xd8bfd8 },
	{ "tomato", 0xff6347 },
	{ "turquoise", 0x40e0d0 },
	{ "violet", 0xee82ee },
	{ "wheat", 0xf5deb3 },
	{ "white", 0xffffff },
	{ "whitesmoke", 0xf5f5f5 },
	{ "yellow", 0xffff00 },
	{ "yellowgreen", 0x9acd32 },
};

/* The linear light of a channel of sRGB, 0 to 1 (IEC 61966-2-1). */
static double
linear(uint8_t channel)
{
	double v = channel / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
light_of(struct colour c)
{
	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double
colour_contrast(struct colour c)
{
	return (light_of(c) + 0.05) / 0.05;
}

double
colour_contrast_page(struct colour c)
{
	double contrast = (light_of(COLOUR_PAGE) + 0.05) / (light_of(c) + 0.05);

	return contrast < 1 ? 1 / contrast : contrast;
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
colour_fit(struct colour c)
{
	const struct colour white = { 255, 255, 255 }, black = { 0, 0, 0 };
	struct colour fit = c;
	int i;

	for (i = 1; colour_contrast(fit) < COLOUR_CLEAR; i++)
		fit = colour_mix(c, white, i / 64.0);
	c = fit;
	for (i = 1; colour_contrast_page(fit) < COLOUR_OFF_PAGE; i++)
		fit = colour_mix(c, black, i / 64.0);
	return fit;
}

static struct colour
unpack(uint32_t v)
{
	return (struct colour){ (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v };
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
	*c = unpack((uint32_t)v);
	return true;
}

bool
colour_parse_rgb(struct str text, struct colour *c)
{
	uint64_t part[3];
	struct str rest;
	int i;

	if (!str_starts(text, STR("rgb(")) || !str_ends(text, STR(")")))
		return false;
	rest = (struct str){ text.s + 4, text.n - 5 };
	for (i = 0; i < 3; i++)
		if (!str_to_u64(str_trim(str_cut(&rest, ',')), &part[i]) || part[i] > 255)
			return false;
	*c = (struct colour){ (uint8_t)part[0], (uint8_t)part[1], (uint8_t)part[2] };
	return rest.n == 0;
}

bool
colour_parse_any(struct str text, struct colour *c)
{
	size_t i;

	for (i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
		if (str_eq(str_of(NAMES[i].name), text)) {
			*c = unpack(NAMES[i].rgb);
			return true;
		}
	return colour_parse(text, c) || colour_parse_rgb(text, c);
}

void
colour_put(struct buf *b, struct colour c)
{
	buf_fmt(b, "#%02x%02x%02x", c.r, c.g, c.b);
}
