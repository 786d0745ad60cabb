/* SPDX-License-Identifier: ISC */
/* The background of a picture; see background.h. */
#include "background.h"
#include "colour.h"

/* The --bgcolors of FlameGraph and inferno: gradients from the top down. */
struct gradient {
	struct str name, id;
	struct str from, to;
};

#define TEXT(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

static const struct gradient GRADIENTS[] = {
	{ TEXT("yellow"), TEXT("fg-yellow"), TEXT("#eeeeee"), TEXT("#eeeeb0") },
	{ TEXT("blue"), TEXT("fg-blue"), TEXT("#eeeeee"), TEXT("#e0e0ff") },
	{ TEXT("green"), TEXT("fg-green"), TEXT("#eef2ee"), TEXT("#e0ffe0") },
	{ TEXT("grey"), TEXT("fg-grey"), TEXT("#f8f8f8"), TEXT("#e8e8e8") },
	{ TEXT("gray"), TEXT("fg-grey"), TEXT("#f8f8f8"), TEXT("#e8e8e8") },
};

#define PLAIN STR("#fcfcfa") /* easier on the eyes than white */

static const struct gradient *
find_gradient(struct str name)
{
	size_t i;

	for (i = 0; i < sizeof GRADIENTS / sizeof GRADIENTS[0]; i++)
		if (str_eq(GRADIENTS[i].name, name))
			return &GRADIENTS[i];
	return NULL;
}

bool
background_is_known(struct str name)
{
	struct colour c;

	return find_gradient(name) || colour_parse(name, &c);
}

static void
write_stop(struct xml *x, struct str offset, struct str colour)
{
	xml_open(x, "stop");
	xml_attr(x, "offset", offset);
	xml_attr(x, "stop-color", colour);
	xml_close(x);
}

/* A gradient must have an id. Pictures in one page may share it: it is always the same. */
static void
write_gradient(struct xml *x, const struct gradient *g)
{
	xml_open(x, "linearGradient");
	xml_attr(x, "id", g->id);
	xml_attr(x, "x2", STR("0"));
	xml_attr(x, "y2", STR("1"));
	write_stop(x, STR("5%"), g->from);
	write_stop(x, STR("95%"), g->to);
	xml_close(x);
}

void
background_write(struct xml *x, const char *name)
{
	struct str background = str_of(name);
	const struct gradient *g = find_gradient(background);
	struct buf fill = { 0 };

	if (g) {
		write_gradient(x, g);
		buf_str(&fill, STR("url(#"));
		buf_str(&fill, g->id);
		buf_char(&fill, ')');
	} else {
		buf_str(&fill, background.n ? background : PLAIN);
	}
	xml_open(x, "rect");
	xml_attr(x, "class", STR("fg-bg"));
	xml_attr(x, "width", STR("100%"));
	xml_attr(x, "height", STR("100%"));
	xml_attr(x, "fill", buf_view(&fill));
	xml_close(x);
	buf_release(&fill);
}
