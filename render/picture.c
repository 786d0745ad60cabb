/* SPDX-License-Identifier: ISC */
/* Computes the picture; see picture.h. */
#include "picture.h"
#include "colour.h"
#include "heading.h"
#include "label.h"
#include "mem.h"
#include "msg.h"
#include "palette.h"
#include "stats.h"
#include "table.h"
#include "units.h"

#include <math.h>

/* Heights of a lane of the strip, px: of several, of the only one. */
enum { LANE_HIGH = 16, LANE_ALONE_HIGH = 28 };

/* Narrower boxes are invisible and cost as much as others. */
static const double NARROWEST = 0.5;

/* Outermost rows whose boxes are all narrower than this, in px, are left out if there are more
 * than a few: a needle of deep stacks would make the picture high and empty. */
static const double WIDE_ENOUGH = 4;

/* Tenths of pixels: boxes at least this wide snap to whole pixels, for sharp edges; and the gap
 * between boxes. */
enum { SNAP = 20, GAP = 10 };

/* The width of a monospace font in font sizes; --fonttype may name any font. */
static const double FONT_WIDTH = 0.602;

/* Distances in the legend, in font sizes. */
static const double LEGEND_ROW = 1.5, AFTER_SWATCH = 0.4, BEFORE_NEXT = 1.2,
		    BESIDE_SCALE = 0.6;

/* Sets the weight of 100 %: --total, unless it is below the sum. */
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
		msg_warn("ignoring --total %s: it is too large", asked);
	else if (total < t->sum[last])
		msg_warn("ignoring --total %s: it is less than the sum of the weights",
			asked);
	else
		p->whole[last] = total;
}

/* The levels of times and threads in the tree: none if it has a timeline. */
static size_t
count_rows(const struct picture *p)
{
	struct dimensions by = { .n = 0 };
	size_t n;

	if (p->timeline)
		return p->timeline->rows;
	(void)dimensions_read(&by, folded_info_get(p->info, "by"));
	n = by.n;
	dimensions_release(&by);
	return n;
}

/* Counts the frames of functions, and the functions. */
static void
count_functions(struct picture *p)
{
	bool *met = mem_zero(p->tree->names.n + 1, sizeof *met);
	uint32_t i, name;

	for (i = 0; i < p->walk.n; i++) {
		name = p->tree->nodes[p->walk.node[i]].name;
		if (p->walk.depth[i] <= p->rows || name == TREE_GAP)
			continue;
		p->frames++;
		p->names += !met[name];
		met[name] = true;
	}
	free(met);
}

static void
pick_colours(struct picture *p)
{
	const struct picture_settings *set = p->set;
	struct palette_how how = { .palette = str_of(set->colors),
		.totals = p->totals[p->wide],
		.by_spelling = set->by_spelling,
		.reversed = set->reverse,
		.rows = p->rows,
		.rules = set->rules,
		.map = set->map };

	palette_colours_init(&p->colours, &how, p->tree, &p->order);
	how.palette = p->colours.by == PALETTE_BY_MODULE ? STR("auto") : STR("module");
	how.rules = NULL;
	how.map = NULL;
	if (!set->no_data)
		palette_colours_init(&p->other, &how, p->tree, &p->order);
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

/* The legend. */

static void
add_key(struct picture *p, struct picture_key key)
{
	struct picture_legend *l = &p->legend;

	l->keys = mem_grow(l->keys, &l->cap, l->n + 1, sizeof *l->keys);
	l->keys[l->n++] = key;
}

static void
add_swatch(struct picture *p, struct colour colour, struct str text)
{
	add_key(p,
		(struct picture_key){
			.colour = colour, .text = text, .has_swatch = true });
}

/* Adds the keys of the colours of names. */
static void
add_meanings(struct picture *p)
{
	const struct palette_colours *colours = &p->colours;
	size_t i;

	for (i = 0; i < colours->meanings_n; i++)
		add_swatch(p, colours->meanings[i].colour, colours->meanings[i].text);
}

static void
put_change(struct buf *b, const struct picture *p, bool more)
{
	buf_str(b, more ? STR("+") : STR("\xe2\x88\x92")); /* U+2212 */
	units_put(b, p->delta.max, p->tree->scale, p->set->factor, p->countname);
}

/* The special colours that a difference contains. */
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

/* Explains those colours beside the scale. */
static void
add_marks(struct picture *p, const struct colour *colours)
{
	struct marks m = find_marks(p);

	if (m.is_new)
		add_swatch(p, colours[DELTA_NEW], STR("new"));
	if (m.is_gone)
		add_swatch(p, colours[DELTA_GONE], STR("removed"));
	if (m.is_hushed)
		add_swatch(p, colours[DELTA_SAME], STR("not significant"));
	if (m.is_gone_by_chance)
		add_swatch(p, colours[DELTA_GONE_GREY], STR("removed, not significant"));
}

/* Adds the scale: the largest change either way, and the colours between. */
static void
add_scale(struct picture *p)
{
	struct picture_legend *l = &p->legend;
	struct colour colours[DELTA_COLOURS];
	int i;

	delta_colours(colours, p->set->negate);
	put_change(&l->less, p, p->set->negate);
	put_change(&l->more, p, !p->set->negate);
	if (picture_is_ratio(p)) {
		buf_str(&l->more, STR(" against the average for its "));
		buf_str(&l->more, p->ratio[1]);
	}
	add_key(p, (struct picture_key){ .text = buf_view(&l->less) });
	for (i = 0; i < DELTA_STEPS; i++)
		add_swatch(p, colours[i], STR(""));
	add_key(p, (struct picture_key){ .text = buf_view(&l->more) });
	if (!picture_is_ratio(p))
		add_marks(p, colours);
}

/* The width of a key, including the space after it. */
static double
key_width(const struct picture *p, const struct picture_key *key)
{
	double em = p->set->fontsize, width = key->has_swatch ? em : 0;
	double columns = fmin((double)label_columns(key->text), PICTURE_KEY_COLUMNS);

	if (key->text.n)
		width += columns * em * p->fontwidth +
			(key->has_swatch ? AFTER_SWATCH + BEFORE_NEXT
					 : 2 * BESIDE_SCALE) *
				em;
	return width;
}

/* How many keys from FIRST on fit into a row, at least one; *WIDTH gets their width. */
static size_t
row_length(const struct picture *p, size_t first, double *width)
{
	double inside = (double)(p->width - 2 * PICTURE_SIDE), next;
	size_t i;

	*width = 0;
	for (i = first; i < p->legend.n; i++) {
		next = key_width(p, &p->legend.keys[i]);
		if (i > first && *width + next > inside)
			break;
		*width += next;
	}
	return i - first;
}

/* Places keys from FIRST on in a row on the base line Y, centred. Returns their number. */
static size_t
place_row(struct picture *p, size_t first, int64_t y)
{
	double em = p->set->fontsize, width, x;
	size_t n = row_length(p, first, &width);
	struct picture_key *key = p->legend.keys + first, *end = key + n;

	x = fmax(((double)p->width - width) / 2, PICTURE_SIDE);
	for (; key < end; key++) {
		key->x = x;
		key->y = y;
		key->text_x = x + (key->has_swatch ? em : 0);
		key->text_x += em * (key->has_swatch ? AFTER_SWATCH : BESIDE_SCALE);
		x += key_width(p, key);
	}
	return n;
}

/* Places the keys in rows, the first on the base line Y. Returns the number of rows. */
static size_t
place_keys(struct picture *p, int64_t y)
{
	double height = LEGEND_ROW * p->set->fontsize;
	size_t first = 0, rows = 0;

	while (first < p->legend.n)
		first += place_row(p, first, y + llround((double)rows++ * height));
	return rows;
}

/* Makes room for the strip and its ruler. */
static void
place_lanes(struct picture *p)
{
	uint32_t tracks = p->timeline->n_tracks;

	p->lanes = tracks < PICTURE_LANES ? tracks : PICTURE_LANES;
	p->lane_high = tracks > 1 ? LANE_HIGH : LANE_ALONE_HIGH;
	p->top += p->lanes * p->lane_high + llround(1.8 * p->set->fontsize);
}

/* Places the lines of text above the boxes, at distances in font sizes. */
static void
place_texts(struct picture *p)
{
	double size = p->set->fontsize, y = 1.8 * size + 5;
	size_t rows;

	p->title_y = llround(y);
	if (p->set->subtitle)
		p->subtitle_y = llround(y += 1.6 * size);
	p->info_y = llround(y += 1.5 * size);
	if (p->legend.n) {
		rows = place_keys(p, llround(y += 1.7 * size));
		y += (double)(rows - 1) * LEGEND_ROW * size;
	}
	p->strip_y = p->top = llround(y + size);
	if (p->timeline)
		place_lanes(p);
	p->bottom = llround(2 * size) + PICTURE_SIDE;
}

/* Lays out the boxes, none narrower than MIN. Folds deep recursion that is WIDE, if there is
 * one profile. */
static void
lay_out(struct picture *p, uint64_t min, uint64_t wide)
{
	bool is_one = !picture_is_diff(p) && !p->set->flamechart && !p->set->no_fold;
	struct layout_widths widths = p->widths;
	struct layout_box *box;
	size_t i;

	if (!is_one ||
		!towers_init(&p->towers, p->tree, p->totals[0],
			&(struct towers_how){ wide, p->rows })) {
		layout_init(&p->layout, p->tree, &p->walk, &p->widths, min);
		return;
	}
	widths.self = p->towers.tree.self[0];
	widths.totals = p->towers.totals;
	layout_init(&p->layout, &p->towers.tree, &p->towers.walk, &widths, min);
	for (i = 0; i < p->layout.n; i++) {
		box = &p->layout.boxes[i];
		if (box->node != LAYOUT_STRIP)
			box->node = p->towers.first[box->node];
	}
}

static void
place_boxes(struct picture *p)
{
	const struct picture_settings *set = p->set;
	double whole = (double)p->widths.whole, min, inside;
	uint64_t wide;

	inside = (double)(p->width - 2 * PICTURE_SIDE);
	p->px = inside / whole;
	p->minwidth =
		set->minwidth_is_percent ? inside * set->minwidth / 100 : set->minwidth;
	p->minwidth = fmax(p->minwidth, NARROWEST);
	min = fmin(fmax(ceil(p->minwidth / p->px), 1), whole);
	wide = stats_floor(fmin(ceil(WIDE_ENOUGH / p->px), whole));
	lay_out(p, stats_floor(min), wide);
	layout_cut(&p->layout, wide, PICTURE_FEW_ROWS);
	p->height =
		p->top + p->bottom + (p->layout.depth + 1) * (int64_t)set->frameheight;
	p->details_y = p->height - llround(0.8 * set->fontsize) - 2;
}

/* Whether two columns are a ratio, because they have names, which NAMES gets. */
static bool
find_ratio(const struct tree *t, const struct folded_info *info,
	struct str names[TREE_COLUMNS])
{
	struct str text = folded_info_get(info, "ratio");

	names[0] = str_cut(&text, ',');
	names[1] = text;
	return t->columns > 1 && text.n;
}

/* Finds the changes that are more than chance. In time order a path has several frames, so
 * nothing can be tested. */
static void
find_sure(struct picture *p)
{
	if (!p->set->flamechart && !p->set->all_changes)
		delta_find_sure(&p->delta, p->info, p->set->confidence);
}

/* Computes the difference or ratio of two columns. */
static void
compare(struct picture *p)
{
	bool is_ratio = picture_is_ratio(p);

	delta_init(&p->delta, p->tree, p->totals,
		&(struct delta_how){
			p->set->by_self, p->set->negate, is_ratio, p->rows });
	if (is_ratio)
		return;
	find_sure(p);
	p->vanished = layout_weight_of_gone(p->tree, p->totals);
	p->draws_gone = !p->set->no_vanished &&
		layout_widths_add_gone(&p->widths, p->tree, p->vanished);
}

bool
picture_has_width(const struct picture_settings *set, const struct profile *profile)
{
	const struct tree *t = &profile->tree;
	struct str ratio[TREE_COLUMNS];

	if (t->columns < 2 || find_ratio(t, &profile->info, ratio))
		return t->sum[0];
	return t->sum[1] || (t->sum[0] && !set->no_vanished);
}

void
picture_init(struct picture *p, const struct picture_settings *set,
	const struct profile *profile, const struct timeline *timeline)
{
	const struct folded_info *info = &profile->info;
	const struct tree *t = &profile->tree;
	int c;

	*p = (struct picture){
		.set = set, .tree = t, .info = info, .timeline = timeline
	};
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
	p->rows = count_rows(p);
	count_functions(p);
	p->samples = folded_info_samples(info, t, p->wide);
	layout_widths_init(&p->widths, t, p->totals[p->wide], p->wide, p->whole[p->wide]);
	if (picture_is_diff(p))
		compare(p);
	table_order_init(&p->order, t);
	pick_colours(p);
	find_attrs(p);
	if (picture_is_diff(p))
		add_scale(p);
	else
		add_meanings(p);
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
	palette_colours_release(&p->other);
	free(p->attrs);
	free(p->legend.keys);
	buf_release(&p->legend.less);
	buf_release(&p->legend.more);
	table_order_release(&p->order);
	towers_release(&p->towers);
	layout_release(&p->layout);
	delta_release(&p->delta);
	layout_widths_release(&p->widths);
}

struct str
picture_title(const struct picture *p)
{
	struct str command = heading_field(p->info, "command");

	if (p->set->title)
		return str_of(p->set->title);
	if (command.n && !picture_is_diff(p))
		return command;
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

/* Pixels from the upper edge to the boxes of row DEPTH (0: the root). */
static int64_t
row_y(const struct picture *p, uint32_t depth)
{
	int64_t rows = p->set->inverted ? depth : p->layout.depth - (int64_t)depth;

	return p->top + rows * p->set->frameheight;
}

struct picture_box
picture_place(const struct picture *p, const struct layout_box *box)
{
	double left = PICTURE_SIDE + (double)box->x * p->px;
	double right = left + (double)box->w * p->px;
	int64_t y = row_y(p, box->depth);
	struct picture_box at = { .y = 10 * y,
		.h = 10 * (int64_t)p->set->frameheight - GAP,
		.row = (y - p->top) / p->set->frameheight };

	if (10 * (right - left) >= SNAP) {
		at.x = 10 * llround(left);
		at.w = 10 * llround(right) - at.x - GAP;
	} else {
		at.x = llround(10 * left);
		at.w = llround(10 * right) - at.x;
		at.w -= at.w / 4;
	}
	return at;
}
