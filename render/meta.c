/* SPDX-License-Identifier: ISC */
/* The picture as JSON; see meta.h and svg.h. */
#include "meta.h"
#include "json.h"
#include "static-layer.h"
#include "stats.h"

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
put_texts(struct buf *b, const char *key, const struct str texts[TREE_COLUMNS])
{
	int i;

	json_array(b, key);
	for (i = 0; i < TREE_COLUMNS; i++)
		json_element_str(b, texts[i]);
	json_array_end(b);
}

static void
put_counts(struct buf *b, const char *key, const double values[TREE_COLUMNS])
{
	int i;

	json_array(b, key);
	for (i = 0; i < TREE_COLUMNS; i++)
		json_element_u64(b, stats_count(values[i]));
	json_array_end(b);
}

/* What a script needs to test changes, and to draw what is new and gone. */
static void
put_changes(struct buf *b, const struct picture *p, const struct colour *colours)
{
	const struct delta *d = &p->delta;
	const struct str names[] = { folded_info_get(p->info, "name-before"),
		folded_info_get(p->info, "name") };

	put_colour(b, "newcolor", colours[DELTA_NEW]);
	put_colour(b, "gonecolor", colours[DELTA_GONE]);
	put_colour(b, "gonegrey", colours[DELTA_GONE_GREY]);
	json_bool(b, "gone", p->draws_gone);
	json_exact(b, "vanished", &p->vanished, 1);
	put_texts(b, "names", names);
	json_str(b, "norm", folded_info_get(p->info, "norm"));
	json_double(b, "z", d->z);
	put_counts(b, "samples", d->samples);
	put_counts(b, "of", d->of);
	json_bool(b, "ofadds", d->of_adds);
}

static void
put_diff(struct buf *b, const struct picture *p)
{
	struct colour colours[DELTA_COLOURS];

	delta_colours(colours, p->set->negate);
	json_begin(b, "diff");
	put_colours(b, colours, DELTA_STEPS);
	json_exact(b, "max", &p->delta.max, 1);
	if (picture_is_ratio(p))
		put_texts(b, "ratio", p->ratio);
	else
		put_changes(b, p, colours);
	json_bool(b, "self", p->set->by_self);
	json_bool(b, "negate", p->set->negate);
	json_end(b);
}

static void
put_attr(struct buf *b, uint32_t line, const struct nameattr *attr)
{
	json_element_array(b);
	json_element_u64(b, line);
	json_element_begin(b);
	if (attr->title.n)
		json_str(b, "title", attr->title);
	if (attr->href.n)
		json_str(b, "href", attr->href);
	if (attr->href.n)
		json_str(b, "target", attr->target.n ? attr->target : STR("_top"));
	json_end(b);
	json_array_end(b);
}

static void
put_attrs(struct buf *b, const struct picture *p)
{
	const struct nameattr *attr;
	uint32_t i;

	json_array(b, "attrs");
	for (i = 0; i < p->order.n; i++) {
		attr = p->attrs[p->order.ids[i]];
		if (attr && (attr->title.n || attr->href.n))
			put_attr(b, i, attr);
	}
	json_array_end(b);
}

void
meta_put(struct buf *b, const struct picture *p)
{
	json_begin(b, NULL);
	json_u64(b, "version", 1);
	put_weights(b, p);
	put_shape(b, p);
	put_colours(b, p->paint.colours, p->paint.n);
	put_colour(b, "rootcolor", p->paint.root);
	put_colour(b, "stripcolor", STATIC_LAYER_STRIP);
	if (p->attrs)
		put_attrs(b, p);
	json_str(b, "textcolor", STR("#000"));
	json_str(b, "uicolor", str_of(p->set->uicolor));
	json_str(b, "searchcolor", str_of(p->set->searchcolor));
	json_str(b, "stroke", str_of(p->set->stroke));
	if (picture_is_diff(p))
		put_diff(b, p);
	json_end(b);
}
