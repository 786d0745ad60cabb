/* SPDX-License-Identifier: ISC */
/*
 * Boxes as paths, names as texts; see static-layer.h. Lengths are tenths of pixels.
 *
 * A box is a thick line, and a path goes from one to the next in steps of a
 * tenth of a pixel across and a row down, which a transformation makes pixels:
 * "m137-2h13" is half of what a rectangle at its place takes. Only boxes with an
 * outline are rectangles in pixels.
 */
#include "static-layer.h"
#include "frame.h"
#include "label.h"
#include "mem.h"

#include <math.h>

enum {
	SNAP = 20,  /* boxes this wide lie on whole pixels, which keeps edges sharp */
	GAP = 10,   /* between boxes */
	INSET = 30, /* of a label, on either side */
};

/* The last paths: behind those of the palette's colours, or the difference's. */
enum { PATH_STRIP = 1, PATH_ROOT };

/* The boxes of a colour. */
struct path {
	struct colour fill;
	struct buf d;	/* not yet written */
	int64_t x, row; /* where it has come to */
};

struct layer {
	struct xml *x;
	const struct picture *p;
	struct path *paths;
	size_t n;
};

/* A box as it is drawn; rows are counted from above. */
struct place {
	int64_t x, y, w, h, row;
};

static struct place
place_box(const struct picture *p, const struct layout_box *box)
{
	double left = PICTURE_SIDE + (double)box->x * p->px;
	double right = left + (double)box->w * p->px;
	int64_t y = picture_row(p, box->depth);
	struct place at = { .y = 10 * y,
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

static struct layout_box
root_box(const struct picture *p)
{
	return (struct layout_box){ .w = p->widths.whole, .node = TREE_ROOT };
}

/* The path that the box of NODE is part of. */
static struct path *
pick_path(const struct layer *l, uint32_t node)
{
	const struct picture *p = l->p;

	if (node == LAYOUT_STRIP)
		return &l->paths[l->n - PATH_STRIP];
	if (picture_is_diff(p))
		return &l->paths[delta_colour(&p->delta, node)];
	if (node == TREE_ROOT)
		return &l->paths[l->n - PATH_ROOT];
	return &l->paths[p->colours.of[p->tree->nodes[node].name]];
}

static bool
has_outline(const struct picture *p)
{
	return p->set->stroke[0] != 0;
}

static void
write_path(struct layer *l, struct path *path)
{
	struct buf *d = &path->d, fill = { 0 };

	if (!d->n)
		return;
	colour_put(&fill, path->fill);
	xml_open(l->x, "path");
	xml_attr(l->x, has_outline(l->p) ? "fill" : "stroke", buf_view(&fill));
	xml_attr(l->x, "d", buf_view(d));
	xml_close(l->x);
	buf_clear(d);
	buf_release(&fill);
}

static void
put_command(struct buf *b, char command, int64_t tenths)
{
	buf_char(b, command);
	xml_put_tenths(b, tenths);
}

static void
put_rectangle(struct buf *d, const struct place *at)
{
	put_command(d, 'M', at->x);
	put_command(d, ' ', at->y);
	put_command(d, 'h', at->w);
	put_command(d, 'v', at->h);
	put_command(d, 'h', -at->w);
	buf_char(d, 'z');
}

/* Adds VALUE, with SEPARATOR before it where it is not told by the minus. */
static void
put_whole(struct buf *b, char separator, int64_t value)
{
	if (separator != ' ' || value >= 0)
		buf_char(b, separator);
	if (value < 0)
		buf_char(b, '-');
	buf_u64(b, (uint64_t)(value < 0 ? -value : value));
}

static void
put_line(struct path *path, const struct place *at)
{
	bool first = path->d.n == 0;

	put_whole(&path->d, first ? 'M' : 'm', first ? at->x : at->x - path->x);
	put_whole(&path->d, ' ', first ? at->row : at->row - path->row);
	put_whole(&path->d, 'h', at->w);
	path->x = at->x + at->w;
	path->row = at->row;
}

static void
add_box(struct layer *l, const struct layout_box *box)
{
	struct path *path = pick_path(l, box->node);
	struct place at = place_box(l->p, box);

	if (has_outline(l->p))
		put_rectangle(&path->d, &at);
	else
		put_line(path, &at);
	/* room for one more box, at its longest */
	if (path->d.n > STATIC_LAYER_PATH_MAX - 120)
		write_path(l, path);
}

/* What is given to the name of BOX; NULL when nothing is. */
static const struct nameattr *
given_to(const struct picture *p, const struct layout_box *box)
{
	if (!p->attrs || box->node == LAYOUT_STRIP)
		return NULL;
	return p->attrs[p->tree->nodes[box->node].name];
}

static void
put_pairs(struct xml *x, const struct nameattr_pairs *pairs, bool first)
{
	size_t i;

	for (i = 0; i < pairs->n; i++)
		/* an id is for one element */
		if (first || !str_eq(str_of(pairs->items[i].name), STR("id")))
			xml_attr(x, pairs->items[i].name, pairs->items[i].value);
}

static void
write_rectangle(struct layer *l, const struct layout_box *box)
{
	struct place at = place_box(l->p, box);
	struct buf fill = { 0 };

	xml_open(l->x, "rect");
	xml_attr_tenths(l->x, "x", at.x);
	xml_attr_tenths(l->x, "y", at.y);
	xml_attr_tenths(l->x, "width", at.w);
	xml_attr_tenths(l->x, "height", at.h);
	colour_put(&fill, pick_path(l, box->node)->fill);
	xml_attr(l->x, "fill", buf_view(&fill));
	if (has_outline(l->p))
		xml_attr(l->x, "stroke", str_of(l->p->set->stroke));
	xml_close(l->x);
	buf_release(&fill);
}

/* A box that is an element of its own; the FIRST of its name has its id. */
static void
write_link(struct layer *l, const struct layout_box *box, const struct nameattr *attr,
	bool first)
{
	xml_open(l->x, "g");
	put_pairs(l->x, &attr->box, first);
	if (attr->href.n) {
		xml_open(l->x, "a");
		xml_attr(l->x, "xlink:href", attr->href);
		xml_attr(l->x, "target", attr->target.n ? attr->target : STR("_top"));
		put_pairs(l->x, &attr->link, first);
	}
	if (attr->title.n) {
		xml_open(l->x, "title");
		xml_text(l->x, attr->title);
		xml_close(l->x);
	}
	write_rectangle(l, box);
	if (attr->href.n)
		xml_close(l->x);
	xml_close(l->x);
}

static void
write_links(struct layer *l)
{
	const struct picture *p = l->p;
	bool *seen = mem_zero(p->tree->names.n, sizeof *seen);
	const struct nameattr *attr;
	size_t i, n = 0;
	uint32_t name;

	for (i = 0; p->attrs && i < p->layout.n && n < STATIC_LAYER_LINKS_MAX; i++) {
		attr = given_to(p, &p->layout.boxes[i]);
		if (!attr)
			continue;
		name = p->tree->nodes[p->layout.boxes[i].node].name;
		write_link(l, &p->layout.boxes[i], attr, !seen[name]);
		seen[name] = true;
		n++;
	}
	free(seen);
}

/* Adds all other boxes to the paths. */
static void
add_boxes(struct layer *l)
{
	const struct picture *p = l->p;
	struct layout_box root = root_box(p);
	size_t i, n = 0;

	add_box(l, &root);
	for (i = 0; i < p->layout.n; i++)
		if (!given_to(p, &p->layout.boxes[i]) || n++ >= STATIC_LAYER_LINKS_MAX)
			add_box(l, &p->layout.boxes[i]);
}

/* How many columns of text fit into a box W wide. */
static size_t
columns_in(const struct picture *p, int64_t w)
{
	double columns = (double)(w - 2 * INSET) / (10 * p->set->fontsize * p->fontwidth);

	return columns < 0 ? 0 : (size_t)columns;
}

static void
add_label(struct layer *l, const struct layout_box *box, size_t min)
{
	const struct picture *p = l->p;
	struct place at = place_box(p, box);
	size_t columns = columns_in(p, at.w);
	struct str name = STR("all");
	struct buf label = { 0 };

	if (columns < min || box->node == LAYOUT_STRIP)
		return;
	if (box->node != TREE_ROOT)
		name = intern_str(&p->tree->names, p->tree->nodes[box->node].name);
	if (p->set->truncate_right)
		label_fit_right(&label, frame_bare(name), columns);
	else
		label_fit(&label, frame_bare(name), columns);
	if (label.n) {
		xml_open(l->x, "text");
		xml_attr_tenths(l->x, "x", at.x + INSET);
		xml_attr_tenths(
			l->x, "y", at.y + at.h / 2 + llround(3.5 * p->set->fontsize));
		xml_text(l->x, buf_view(&label));
		xml_close(l->x);
	}
	buf_release(&label);
}

/* The fewest columns a box must have for a label, so that STATIC_LAYER_LABELS_MAX is
 * kept. */
static size_t
least_columns(const struct picture *p)
{
	size_t min = LABEL_MIN / 2, i, n;

	do {
		min *= 2;
		min = min < LABEL_MIN ? LABEL_MIN : min;
		for (n = i = 0; i < p->layout.n; i++)
			n += columns_in(p, place_box(p, &p->layout.boxes[i]).w) >= min;
	} while (n > STATIC_LAYER_LABELS_MAX);
	return min;
}

static void
write_labels(struct layer *l)
{
	const struct picture *p = l->p;
	struct layout_box root = root_box(p);
	size_t i, min = least_columns(p);

	/* letters would run into the rows above and below */
	if ((double)p->set->frameheight < 0.8 * p->set->fontsize)
		return;
	add_label(l, &root, LABEL_MIN);
	for (i = 0; i < p->layout.n; i++)
		add_label(l, &p->layout.boxes[i], min);
}

static void
choose_fills(struct layer *l)
{
	struct colour diff[DELTA_COLOURS];
	bool is_diff = picture_is_diff(l->p);
	const struct colour *fills = is_diff ? diff : l->p->colours.items;
	size_t i, n = is_diff ? DELTA_COLOURS : l->p->colours.n;

	delta_colours(diff, l->p->set->negate);
	l->n = n + PATH_ROOT;
	l->paths = mem_zero(l->n, sizeof *l->paths);
	l->paths[l->n - PATH_ROOT].fill = l->p->colours.root;
	l->paths[l->n - PATH_STRIP].fill = STATIC_LAYER_STRIP;
	for (i = 0; i < n; i++)
		l->paths[i].fill = fills[i];
}

/* The group of the paths. The middle of a row's boxes is half their height
 * below the row's edge. */
static void
open_paths(struct layer *l)
{
	const struct picture *p = l->p;
	long height = p->set->frameheight;
	struct buf b = { 0 };

	xml_open(l->x, "g");
	if (has_outline(p)) {
		xml_attr(l->x, "stroke", str_of(p->set->stroke));
		return;
	}
	buf_fmt(&b, "%.6g", (double)(height - 1) / (double)height);
	xml_attr(l->x, "stroke-width", buf_view(&b));
	buf_clear(&b);
	buf_fmt(&b, "matrix(.1 0 0 %ld 0 ", height);
	xml_put_tenths(&b, 10 * p->top + 5 * (height - 1));
	buf_char(&b, ')');
	xml_attr(l->x, "transform", buf_view(&b));
	buf_release(&b);
}

void
static_layer_write(struct xml *x, const struct picture *p)
{
	struct layer l = { .x = x, .p = p };
	size_t i;

	choose_fills(&l);
	xml_open(x, "g");
	xml_attr(x, "class", STR("fg-static"));
	open_paths(&l);
	add_boxes(&l);
	for (i = 0; i < l.n; i++) {
		write_path(&l, &l.paths[i]);
		buf_release(&l.paths[i].d);
	}
	xml_close(x);
	write_links(&l);
	free(l.paths);
	write_labels(&l);
	xml_close(x);
}
