/* SPDX-License-Identifier: ISC */
/* Swatches and words; see legend.h. */
#include "legend.h"
#include "amount.h"
#include "label.h"

#include <math.h>

/* A swatch and the words after it; n is 0 for no words. */
struct item {
	struct colour colour;
	struct str text;
	bool has_swatch;
};

/* Spaces, in font sizes. */
static const double AFTER_SWATCH = 0.4, BEFORE_NEXT = 1.2, BESIDE_SCALE = 0.6;

enum { ITEMS_MAX = DELTA_STEPS + 2 + 4 };

struct legend {
	const struct picture *p;
	struct item items[ITEMS_MAX];
	size_t n;
	struct buf less, more; /* texts of items */
};

static void
add_item(struct legend *l, struct item item)
{
	l->items[l->n++] = item;
}

/* The kinds of code that the picture has, in the palette's order. */
static void
add_kinds(struct legend *l)
{
	const struct palette *palette = &l->p->palette;
	bool used[PALETTE_MAX] = { false };
	unsigned i;

	for (i = 0; i < l->p->order.n; i++)
		used[l->p->colour[l->p->order.ids[i]] / palette->shades] = true;
	for (i = 0; i < palette->families; i++)
		if (used[i])
			add_item(l,
				(struct item){ palette->colours[i * palette->shades +
						       palette->shades / 2],
					palette_meaning(palette, i), true });
}

static void
put_change(struct buf *b, const struct picture *p, bool more)
{
	buf_str(b, more ? STR("+") : STR("\xe2\x88\x92")); /* U+2212 */
	amount_put(b, p->delta.max, p->tree->scale, p->set->factor, p->countname);
}

/* What else there is in the colours of a difference. */
struct marks {
	bool is_new, is_gone, is_hushed, is_gone_by_chance;
};

static struct marks
find_marks(const struct picture *p)
{
	struct marks m = { .is_new = false };
	unsigned colour;
	uint32_t i;

	for (i = 0; i < p->walk.n; i++) {
		if (p->tree->nodes[p->walk.node[i]].name == TREE_GAP ||
			!p->widths.totals[p->walk.node[i]])
			continue;
		colour = delta_colour(&p->delta, p->walk.node[i]);
		m.is_new |= colour == DELTA_NEW;
		m.is_gone |= colour == DELTA_GONE;
		m.is_gone_by_chance |= colour == DELTA_GONE_GREY;
		m.is_hushed |= colour == DELTA_SAME &&
			delta_is_hushed(&p->delta, p->walk.node[i]);
	}
	return m;
}

/* Explains the colours beside the scale where they occur. */
static void
add_marks(struct legend *l, const struct colour *colours)
{
	struct marks m = find_marks(l->p);

	if (m.is_new)
		add_item(l, (struct item){ colours[DELTA_NEW], STR("new"), true });
	if (m.is_gone)
		add_item(l, (struct item){ colours[DELTA_GONE], STR("gone"), true });
	if (m.is_hushed)
		add_item(l,
			(struct item){
				colours[DELTA_SAME], STR("not significant"), true });
	if (m.is_gone_by_chance)
		add_item(l,
			(struct item){ colours[DELTA_GONE_GREY],
				STR("gone, not significant"), true });
}

/* The largest change either way, and the colours between. */
static void
add_scale(struct legend *l)
{
	struct colour colours[DELTA_COLOURS];
	int i;

	delta_colours(colours, l->p->set->negate);
	put_change(&l->less, l->p, l->p->set->negate);
	put_change(&l->more, l->p, !l->p->set->negate);
	if (picture_is_ratio(l->p)) {
		buf_str(&l->more, STR(" against the average for its "));
		buf_str(&l->more, l->p->ratio[1]);
	}
	add_item(l, (struct item){ .text = buf_view(&l->less) });
	for (i = 0; i < DELTA_STEPS; i++)
		add_item(l, (struct item){ .colour = colours[i], .has_swatch = true });
	add_item(l, (struct item){ .text = buf_view(&l->more) });
	if (!picture_is_ratio(l->p))
		add_marks(l, colours);
}

/* The width that an item takes, with the space after it. */
static double
item_width(const struct picture *p, const struct item *item)
{
	double em = p->set->fontsize, width = item->has_swatch ? em : 0;

	if (item->text.n)
		width += (double)label_columns(item->text) * em * p->fontwidth +
			(item->has_swatch ? AFTER_SWATCH + BEFORE_NEXT
					  : 2 * BESIDE_SCALE) *
				em;
	return width;
}

static void
write_item(struct xml *x, const struct picture *p, const struct item *item, double left)
{
	double em = p->set->fontsize;
	struct buf fill = { 0 };

	if (item->has_swatch) {
		colour_put(&fill, item->colour);
		xml_open(x, "rect");
		xml_attr_tenths(x, "x", llround(10 * left));
		xml_attr_tenths(x, "y", 10 * p->legend_y - llround(8.5 * em));
		xml_attr_tenths(x, "width", llround(10 * em));
		xml_attr_tenths(x, "height", llround(10 * em));
		xml_attr(x, "fill", buf_view(&fill));
		xml_close(x);
		buf_release(&fill);
		left += em;
	}
	if (!item->text.n)
		return;
	left += em * (item->has_swatch ? AFTER_SWATCH : BESIDE_SCALE);
	xml_open(x, "text");
	xml_attr_tenths(x, "x", llround(10 * left));
	xml_attr_int(x, "y", p->legend_y);
	xml_attr(x, "fill", str_of(p->set->uicolor));
	xml_text(x, item->text);
	xml_close(x);
}

void
legend_write(struct xml *x, const struct picture *p)
{
	struct legend l = { .p = p };
	double left, width = 0;
	size_t i;

	if (picture_is_diff(p))
		add_scale(&l);
	else if (picture_has_legend(p))
		add_kinds(&l);
	for (i = 0; i < l.n; i++)
		width += item_width(p, &l.items[i]);
	left = fmax(((double)p->width - width) / 2, PICTURE_SIDE);
	if (l.n) {
		xml_open(x, "g");
		xml_attr(x, "class", STR("fg-legend"));
		for (i = 0; i < l.n; i++) {
			write_item(x, p, &l.items[i], left);
			left += item_width(p, &l.items[i]);
		}
		xml_close(x);
	}
	buf_release(&l.less);
	buf_release(&l.more);
}
