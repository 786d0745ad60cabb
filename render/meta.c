/* SPDX-License-Identifier: ISC */
/* The picture as JSON; see meta.h and svg.h. */
#include "meta.h"
#include "json.h"
#include "layer.h"

static void
put_colour(struct buf *b, const char *key, struct colour c)
{
	struct buf text = { 0 };

	colour_put(&text, c);
	json_str(b, key, buf_view(&text));
	buf_release(&text);
}

static void
put_colours(struct buf *b, const struct colour *colours, size_t n)
{
	struct buf text = { 0 };
	size_t i;

	json_array(b, "colors");
	for (i = 0; i < n; i++) {
		buf_clear(&text);
		colour_put(&text, colours[i]);
		json_element_str(b, buf_view(&text));
	}
	json_array_end(b);
	buf_release(&text);
}

static void
put_weights(struct buf *b, const struct picture *p)
{
	const struct tree *t = p->tree;
	size_t columns = (size_t)t->columns;
	uint64_t root[TREE_COLUMNS] = { t->self[0][TREE_ROOT] };

	if (columns > 1)
		root[1] = t->self[1][TREE_ROOT];
	json_u64(b, "columns", columns);
	json_u64(b, "scale", t->scale);
	json_u64(b, "names", p->order.n);
	json_u64(b, "frames", p->walk.n);
	json_exact(b, "total", p->whole, columns);
	json_exact(b, "sum", t->sum, columns);
	json_exact(b, "rootself", root, columns);
	json_u64(b, "samples", p->samples);
	json_u64(b, "wide", (uint64_t)p->wide);
	json_str(b, "unit", p->unit);
	json_str(b, "countname", p->countname);
	json_str(b, "nametype", str_of(p->set->nametype));
	json_double(b, "factor", p->set->factor);
}

static void
put_shape(struct buf *b, const struct picture *p)
{
	const struct settings *set = p->set;

	json_str(b, "title", picture_title(p));
	json_bool(b, "inverted", set->inverted);
	json_bool(b, "flamechart", set->flamechart);
	json_bool(b, "reverse", set->reverse);
	json_bool(b, "fluid", set->width == 0);
	json_u64(b, "width", (uint64_t)p->width);
	json_u64(b, "frameheight", (uint64_t)set->frameheight);
	json_array(b, "pad");
	json_element_u64(b, (uint64_t)p->top);
	json_element_u64(b, PICTURE_SIDE);
	json_element_u64(b, (uint64_t)p->bottom);
	json_element_u64(b, PICTURE_SIDE);
	json_array_end(b);
	json_double(b, "fontsize", set->fontsize);
	json_double(b, "fontwidth", p->fontwidth);
	json_bool(b, "measure", !set->fonttype && !(set->fontwidth > 0));
	json_double(b, "minwidth", p->minwidth);
	json_str(b, "truncate", set->truncate_right ? STR("right") : STR("middle"));
}

static void
put_diff(struct buf *b, const struct picture *p)
{
	struct colour colours[PALETTE_DIFF];

	palette_diff(colours);
	json_begin(b, "diff");
	put_colours(b, colours, PALETTE_DIFF);
	json_exact(b, "max", &p->delta.max, 1);
	if (picture_is_ratio(p)) {
		json_array(b, "ratio");
		json_element_str(b, p->ratio[0]);
		json_element_str(b, p->ratio[1]);
		json_array_end(b);
	}
	json_bool(b, "self", p->set->by_self);
	json_bool(b, "negate", p->set->negate);
	json_end(b);
}

void
meta_put(struct buf *b, const struct picture *p)
{
	json_begin(b, NULL);
	json_u64(b, "version", 1);
	put_weights(b, p);
	put_shape(b, p);
	put_colours(b, p->palette.colours, p->palette.n);
	put_colour(b, "rootcolor", LAYER_ROOT);
	put_colour(b, "stripcolor", LAYER_STRIP);
	json_str(b, "textcolor", STR("#000"));
	json_str(b, "uicolor", str_of(p->set->uicolor));
	json_str(b, "searchcolor", str_of(p->set->searchcolor));
	json_str(b, "stroke", str_of(p->set->stroke));
	if (picture_is_diff(p))
		put_diff(b, p);
	json_end(b);
}
