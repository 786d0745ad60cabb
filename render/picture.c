/* SPDX-License-Identifier: ISC */
/* Working out the picture; see picture.h. */
#include "picture.h"
#include "legend.h"
#include "mem.h"
#include "msg.h"
#include "stats.h"

#include <math.h>

/* Narrower boxes are not seen and cost as much as others. */
static const double NARROWEST = 0.5;

/* A monospace font is this many sizes wide; --fonttype may name any. */
static const double FONT_WIDTH = 0.602;

/* What is 100 %: --total where it is no less than the sum. */
static void
find_whole(struct picture *p)
{
	const struct tree *t = p->tree;
	const char *asked = p->set->total;
	bool rounded;
	uint64_t total;
	int c, last = p->wide;

	for (c = 0; c < t->columns; c++)
		p->whole[c] = t->sum[c];
	if (!asked)
		return;
	if (!folded_weight(str_of(asked), t->scale, &total, &rounded))
		msg_warn("--total %s is too large, ignored", asked);
	else if (total < t->sum[last])
		msg_warn(
			"--total %s is less than the sum of the weights, ignored", asked);
	else
		p->whole[last] = total;
}

static void
pick_colours(struct picture *p)
{
	const struct settings *set = p->set;
	struct palette_how how = { .palette = str_of(set->colors),
		.totals = p->totals[p->wide],
		.by_spelling = set->by_spelling,
		.reversed = set->reverse,
		.rules = set->rules,
		.map = set->map };

	palette_colours_init(&p->colours, &how, p->tree, &p->order);
}

static void
find_attrs(struct picture *p)
{
	const struct intern *names = &p->tree->names;
	const struct nameattr *attr;
	uint32_t i, id;

	for (i = 0; p->set->attrs && i < p->order.n; i++) {
		id = p->order.ids[i];
		attr = nameattr_list_find(p->set->attrs, intern_str(names, id));
		if (attr && !p->attrs)
			p->attrs = mem_zero(names->n, sizeof(struct nameattr *));
		if (attr)
			p->attrs[id] = attr;
	}
}

/* The lines of text above the boxes, each so many font sizes below the one before. */
static void
place_texts(struct picture *p)
{
	double size = p->set->fontsize, y = 1.8 * size + 5;
	size_t rows = legend_rows(p);

	p->title_y = llround(y);
	if (p->set->subtitle)
		p->subtitle_y = llround(y += 1.6 * size);
	p->info_y = llround(y += 1.5 * size);
	if (rows) {
		p->legend_y = llround(y += 1.7 * size);
		y += (double)(rows - 1) * LEGEND_ROW * size;
	}
	p->top = llround(y + size);
	p->bottom = llround(2 * size) + PICTURE_SIDE;
}

static void
place_boxes(struct picture *p)
{
	const struct settings *set = p->set;
	struct layout_weights weights = { p->widths.self, p->widths.totals };
	double whole = (double)p->widths.whole, min, inside;

	inside = (double)(p->width - 2 * PICTURE_SIDE);
	p->px = inside / whole;
	p->minwidth =
		set->minwidth_is_percent ? inside * set->minwidth / 100 : set->minwidth;
	p->minwidth = fmax(p->minwidth, NARROWEST);
	min = fmin(fmax(ceil(p->minwidth / p->px), 1), whole);
	layout_init(&p->layout, p->tree, &p->walk, &weights, (uint64_t)min);
	p->height =
		p->top + p->bottom + (p->layout.depth + 1) * (int64_t)set->frameheight;
	p->details_y = p->height - llround(0.8 * set->fontsize) - 2;
}

/* Two columns with names are a ratio: NAMES gets them. */
static bool
find_ratio(const struct tree *t, const struct folded_info *info,
	struct str names[TREE_COLUMNS])
{
	struct str text = folded_info_get(info, "ratio");

	names[0] = str_cut(&text, ',');
	names[1] = text;
	return t->columns > 1 && text.n;
}

/* Which changes are more than chance. In time order a frame is not all there is of its
 * path, and nothing can be said. */
static void
find_sure(struct picture *p)
{
	struct delta_test test = { .norms = significance_read_norm(
					   folded_info_get(p->info, "norm")),
		.confidence = p->set->confidence };
	int c;

	if (p->set->flamechart || p->set->all_changes)
		return;
	if (!test.norms.frame.n)
		test.norms.norm = SIGNIFICANCE_NONE;
	for (c = 0; c < TREE_COLUMNS; c++)
		test.samples[c] = (double)folded_info_samples(p->info, p->tree, c);
	delta_find_sure(&p->delta, &test);
}

/* What two columns come to. */
static void
compare(struct picture *p)
{
	bool is_ratio = picture_is_ratio(p);

	delta_init(&p->delta, p->tree, p->totals,
		&(struct delta_how){ p->set->by_self, p->set->negate, is_ratio });
	if (is_ratio)
		return;
	find_sure(p);
	p->vanished = widths_of_gone(p->tree, p->totals);
	p->draws_gone =
		!p->set->no_vanished && widths_add_gone(&p->widths, p->tree, p->vanished);
}

bool
picture_has_width(const struct settings *set, const struct profile *profile)
{
	const struct tree *t = &profile->tree;
	struct str ratio[TREE_COLUMNS];

	if (t->columns < 2 || find_ratio(t, &profile->info, ratio))
		return t->sum[0];
	return t->sum[1] || (t->sum[0] && !set->no_vanished);
}

void
picture_init(struct picture *p, const struct settings *set, const struct profile *profile)
{
	const struct folded_info *info = &profile->info;
	const struct tree *t = &profile->tree;
	int c;

	*p = (struct picture){ .set = set, .tree = t, .info = info };
	p->wide = find_ratio(t, info, p->ratio) ? 0 : t->columns - 1;
	p->unit = folded_info_get(info, "unit");
	if (!p->unit.n && !p->wide && t->columns > 1)
		p->unit = p->ratio[0];
	p->countname = str_of(set->countname);
	if (!p->unit.n)
		p->unit = p->countname.n ? p->countname : folded_info_unit(info);
	if (!set->countname)
		p->countname = p->unit;
	p->fontwidth = set->fontwidth > 0 ? set->fontwidth : FONT_WIDTH;
	tree_walk_init(&p->walk, t, set->flamechart ? TREE_AS_ADDED : TREE_BY_NAME);
	for (c = 0; c < t->columns; c++)
		p->totals[c] = tree_totals(t, c);
	find_whole(p);
	p->samples = folded_info_samples(info, t, p->wide);
	widths_init(&p->widths, t, p->totals[p->wide], p->wide, p->whole[p->wide]);
	if (picture_is_diff(p))
		compare(p);
	table_order_init(&p->order, t);
	pick_colours(p);
	find_attrs(p);
	p->width = set->width ? set->width : PICTURE_WIDTH;
	place_texts(p);
	place_boxes(p);
}

void
picture_release(struct picture *p)
{
	int c;

	tree_walk_release(&p->walk);
	for (c = 0; c < TREE_COLUMNS; c++)
		free(p->totals[c]);
	palette_colours_release(&p->colours);
	free(p->attrs);
	table_order_release(&p->order);
	layout_release(&p->layout);
	delta_release(&p->delta);
	widths_release(&p->widths);
}

struct str
picture_title(const struct picture *p)
{
	if (p->set->title)
		return str_of(p->set->title);
	if (p->set->flamechart)
		return STR("Flame Chart");
	return p->set->inverted ? STR("Icicle Graph") : STR("Flame Graph");
}

bool
picture_is_diff(const struct picture *p)
{
	return p->tree->columns > 1;
}

bool
picture_is_ratio(const struct picture *p)
{
	return picture_is_diff(p) && p->ratio[1].n > 0;
}

int64_t
picture_row(const struct picture *p, uint32_t depth)
{
	int64_t rows = p->set->inverted ? depth : p->layout.depth - (int64_t)depth;

	return p->top + rows * p->set->frameheight;
}
