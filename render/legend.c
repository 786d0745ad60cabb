/* SPDX-License-Identifier: ISC */
/* Swatches and words; see legend.h. */
#include "legend.h"
#include "units.h"
#include "label.h"
#include "mem.h"

#include <math.h>

/* A swatch and the words after it; n is 0 for no words. */
struct item {
	struct colour colour;
	struct str text;
	bool has_swatch;
};

enum { TEXT_MOST = 40 }; /* columns */

/* Spaces, in font sizes. */
static const double AFTER_SWATCH = 0.4, BEFORE_NEXT = 1.2, BESIDE_SCALE = 0.6;

struct legend {
	const struct picture *p;
	struct item *items;
	size_t n, cap;
	struct buf less, more; /* texts of items */
};

static void
add_item(struct legend *l, struct item item)
{
	l->items = mem_grow(l->items, &l->cap, l->n + 1, sizeof *l->items);
	l->items[l->n++] = item;
}

/* What the colours of names mean. */
static void
add_meanings(struct legend *l)
{
	const struct palette_colours *colours = &l->p->colours;
	size_t i;

	for (i = 0; i < colours->meanings_n; i++)
		add_item(l,
			(struct item){ colours->meanings[i].colour,
				colours->meanings[i].text, true });
}

static void
put_change(struct buf *b, const struct picture *p, bool more)
{
	buf_str(b, more ? STR("+") : STR("\xe2\x88\x92")); /* U+2212 */
	units_put(b, p->delta.max, p->tree->scale, p->set->factor, p->countname);
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
	double columns = fmin((double)label_columns(item->text), TEXT_MOST);

	if (item->text.n)
		width += columns * em * p->fontwidth +
			(item->has_swatch ? AFTER_SWATCH + BEFORE_NEXT
					  : 2 * BESIDE_SCALE) *
				em;
	return width;
}

/* Where an item begins: its left edge and its base line. */
struct place {
	double x;
	int64_t y;
};

static void
write_item(struct xml *x, const struct picture *p, const struct item *item,
	const struct place *at)
{
	double em = p->set->fontsize, left = at->x;
	struct buf fill = { 0 }, label = { 0 };

	if (item->has_swatch) {
		colour_put(&fill, item->colour);
		xml_open(x, "rect");
		xml_attr_tenths(x, "x", llround(10 * left));
		xml_attr_tenths(x, "y", 10 * at->y - llround(8.5 * em));
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
	xml_attr_int(x, "y", at->y);
	xml_attr(x, "fill", str_of(p->set->uicolor));
	label_fit(&label, item->text, TEXT_MOST);
	xml_text(x, buf_view(&label));
	xml_close(x);
	buf_release(&label);
}

static void
legend_init(struct legend *l, const struct picture *p)
{
	*l = (struct legend){ .p = p };
	if (picture_is_diff(p))
		add_scale(l);
	else
		add_meanings(l);
}

static void
legend_release(struct legend *l)
{
	free(l->items);
	buf_release(&l->less);
	buf_release(&l->more);
}

/* How many items from FIRST on fit into a row, one at least; *WIDTH is theirs. */
static size_t
row_length(const struct legend *l, size_t first, double *width)
{
	double inside = (double)(l->p->width - 2 * PICTURE_SIDE), next;
	size_t i;

	*width = 0;
	for (i = first; i < l->n; i++) {
		next = item_width(l->p, &l->items[i]);
		if (i > first && *width + next > inside)
			break;
		*width += next;
	}
	return i - first;
}

size_t
legend_rows(const struct picture *p)
{
	struct legend l;
	size_t first, rows = 0;
	double width;

	legend_init(&l, p);
	for (first = 0; first < l.n; first += row_length(&l, first, &width))
		rows++;
	legend_release(&l);
	return rows;
}

static void
write_row(struct xml *x, const struct legend *l, size_t first, struct place at)
{
	double width;
	size_t n = row_length(l, first, &width), i;

	at.x = fmax(((double)l->p->width - width) / 2, PICTURE_SIDE);
	for (i = first; i < first + n; i++) {
		write_item(x, l->p, &l->items[i], &at);
		at.x += item_width(l->p, &l->items[i]);
	}
}

void
legend_write(struct xml *x, const struct picture *p)
{
	double height = LEGEND_ROW * p->set->fontsize, width;
	size_t first, row = 0;
	struct legend l;

	legend_init(&l, p);
	if (l.n) {
		xml_open(x, "g");
		xml_attr(x, "class", STR("fg-legend"));
		for (first = 0; first < l.n; first += row_length(&l, first, &width))
			write_row(x, &l, first,
				(struct place){ 0,
					p->legend_y + llround((double)row++ * height) });
		xml_close(x);
	}
	legend_release(&l);
}
