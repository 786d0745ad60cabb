/* SPDX-License-Identifier: ISC */
/*
 * Writes the document: the picture without script, then the data of the script; see svg.h.
 * Lengths in the static layer are tenths of pixels.
 *
 * All boxes of a colour share a path, so that even large pictures have few elements. A box is a
 * thick line. A path moves from box to box in steps of a tenth of a pixel across and a row
 * down, which a transformation scales to pixels: "m137-2h13" is half as long as a rectangle.
 * Only boxes with an outline are rectangles, in pixels.
 */
#include "svg.h"
#include "strip.h"
#include "background.h"
#include "captions.h"
#include "colour.h"
#include "colourings.h"
#include "delta.h"
#include "frame.h"
#include "hot-lines.h"
#include "json.h"
#include "label.h"
#include "layout.h"
#include "mem.h"
#include "msg.h"
#include "nameattr.h"
#include "table.h"
#include "towers.h"
#include "units.h"
#include "xml.h"

#include <inttypes.h>
#include <math.h>

/* Files of this folder that the build turns into arrays (see the Makefile). */
extern const unsigned char embed_viewer_js[], embed_flame_css[];
extern const size_t embed_viewer_js_size, embed_flame_css_size;

/* --fonttype replaces these. A monospace font of any system makes the fit of names arithmetic. */
#define FONTS "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"

/* The fill of strips. */
#define STRIP_COLOUR ((struct colour){ 114, 117, 124 })

enum {
	INSET = 30,		   /* of a label, on either side */
	PATH_BYTES_MOST = 1000000, /* in an attribute; parsers have limits */
	LABELS_MOST = 40000,	   /* given to the widest boxes */
	CUT_COLUMNS = 6,	   /* narrower labels show names only uncut */
	MIDDLE_COLUMNS = 10, /* narrower labels are cut at the end, not in the middle */
	LINKS_MOST = 20000,  /* boxes with attributes */
};

/* The last paths, after the colours of the palette or the difference. */
enum { PATH_STRIP = 1, PATH_ROOT };

/* The boxes of a colour. */
struct path {
	struct colour fill;
	struct buf d;	/* not yet written */
	int64_t x, row; /* its current position */
};

struct layer {
	struct xml *x;
	const struct picture *p;
	struct path *paths;
	size_t n;
};

static struct layout_box
root_box(const struct picture *p)
{
	return (struct layout_box){ .w = p->widths.whole, .node = TREE_ROOT };
}

/* The path of NODE's box. */
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
put_rectangle(struct buf *d, const struct picture_box *at)
{
	put_command(d, 'M', at->x);
	put_command(d, ' ', at->y);
	put_command(d, 'h', at->w);
	put_command(d, 'v', at->h);
	put_command(d, 'h', -at->w);
	buf_char(d, 'z');
}

/* Adds VALUE, after SEPARATOR unless a minus separates it. */
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
put_line(struct path *path, const struct picture_box *at)
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
	struct picture_box at = picture_place(l->p, box);

	if (has_outline(l->p))
		put_rectangle(&path->d, &at);
	else
		put_line(path, &at);
	/* room for the longest box */
	if (path->d.n > PATH_BYTES_MOST - 120)
		write_path(l, path);
}

/* The --nameattr of BOX's name, or NULL. */
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
		/* an id must be unique */
		if (first || !str_eq(str_of(pairs->items[i].name), STR("id")))
			xml_attr(x, pairs->items[i].name, pairs->items[i].value);
}

static void
write_element(struct xml *x, const char *tag, struct str text)
{
	xml_open(x, tag);
	xml_text(x, text);
	xml_close(x);
}

static void
open_rectangle(struct xml *x, const struct picture_box *at, struct colour fill)
{
	struct buf b = { 0 };

	xml_open(x, "rect");
	xml_attr_tenths(x, "x", at->x);
	xml_attr_tenths(x, "y", at->y);
	xml_attr_tenths(x, "width", at->w);
	xml_attr_tenths(x, "height", at->h);
	colour_put(&b, fill);
	xml_attr(x, "fill", buf_view(&b));
	buf_release(&b);
}

static void
write_rectangle(struct layer *l, const struct layout_box *box)
{
	struct picture_box at = picture_place(l->p, box);

	open_rectangle(l->x, &at, pick_path(l, box->node)->fill);
	if (has_outline(l->p))
		xml_attr(l->x, "stroke", str_of(l->p->set->stroke));
	xml_close(l->x);
}

/* Writes a box as an element; the FIRST of its name gets the id. */
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
	if (attr->title.n)
		write_element(l->x, "title", attr->title);
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

	for (i = 0; p->attrs && i < p->layout.n && n < LINKS_MOST; i++) {
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

/* Adds the other boxes to the paths. */
static void
add_boxes(struct layer *l)
{
	const struct picture *p = l->p;
	struct layout_box root = root_box(p);
	size_t i, n = 0;

	add_box(l, &root);
	for (i = 0; i < p->layout.n; i++)
		if (!given_to(p, &p->layout.boxes[i]) || n++ >= LINKS_MOST)
			add_box(l, &p->layout.boxes[i]);
}

/* How many columns of text fit into a box of width W. */
static size_t
columns_in(const struct picture *p, int64_t w)
{
	double columns = (double)(w - 2 * INSET) / (10 * p->set->fontsize * p->fontwidth);

	return columns < 0 ? 0 : (size_t)columns;
}

/* Adds the number of recursive calls folded into the box of NODE, " x127". */
static void
put_levels(struct buf *b, const struct picture *p, uint32_t node)
{
	if (p->towers.levels && p->towers.levels[node])
		buf_fmt(b, " \xc3\x97%" PRIu32, p->towers.levels[node]);
}

static void
add_label(struct layer *l, const struct layout_box *box, size_t min)
{
	const struct picture *p = l->p;
	struct picture_box at = picture_place(p, box);
	size_t columns = columns_in(p, at.w);
	struct str name = STR("all");
	struct buf label = { 0 }, levels = { 0 };

	if (columns < min || box->node == LAYOUT_STRIP)
		return;
	if (box->node != TREE_ROOT)
		name = intern_str(&p->tree->names, p->tree->nodes[box->node].name);
	name = frame_bare(name);
	put_levels(&levels, p, box->node);
	if (label_columns(buf_view(&levels)) + 2 > columns)
		buf_clear(&levels);
	columns -= label_columns(buf_view(&levels));
	if (columns < CUT_COLUMNS && label_columns(name) > columns)
		return;
	label_fit_name(&label, name, columns,
		p->set->truncate_right || columns < MIDDLE_COLUMNS);
	if (label.n) {
		buf_str(&label, buf_view(&levels));
		xml_open(l->x, "text");
		xml_attr_tenths(l->x, "x", at.x + INSET);
		xml_attr_tenths(
			l->x, "y", at.y + at.h / 2 + llround(3.5 * p->set->fontsize));
		xml_text(l->x, buf_view(&label));
		xml_close(l->x);
	}
	buf_release(&levels);
	buf_release(&label);
}

/* The least columns of a box with a label that keep to LABELS_MOST. */
static size_t
least_columns(const struct picture *p)
{
	size_t min = LABEL_MIN / 2, i, n;

	do {
		min *= 2;
		min = min < LABEL_MIN ? LABEL_MIN : min;
		for (n = i = 0; i < p->layout.n; i++)
			n += columns_in(p, picture_place(p, &p->layout.boxes[i]).w) >=
				min;
	} while (n > LABELS_MOST);
	return min;
}

static void
write_labels(struct layer *l)
{
	const struct picture *p = l->p;
	struct layout_box root = root_box(p);
	size_t i, min = least_columns(p);

	/* letters would overlap the rows above and below */
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
	l->paths[l->n - PATH_STRIP].fill = STRIP_COLOUR;
	for (i = 0; i < n; i++)
		l->paths[i].fill = fills[i];
}

/* Opens the group of the paths. The middle of a row's boxes is half their height below the
 * row's edge. */
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

/* The width of the message. */
enum { THIN_ROWS_COLUMNS = 36 };

/* Writes how many rows are left out. */
static void
write_thin_rows(struct xml *x, const struct picture *p)
{
	uint32_t n = p->layout.rows - p->layout.depth;
	bool has_verdict = folded_info_get(p->info, "verdict").n > 0;
	struct buf b = { 0 };

	if (n <= PICTURE_FEW_ROWS)
		return;
	units_put_count(&b, n);
	buf_str(&b, STR(" thinner rows are left out"));
	xml_open(x, "text");
	xml_attr(x, "class", STR("fg-thinner"));
	/* the lower left corner shows fg-diff's verdict */
	xml_attr_int(x, "x", has_verdict ? p->width - PICTURE_SIDE : PICTURE_SIDE);
	xml_attr_int(x, "y", p->details_y);
	if (has_verdict)
		xml_attr(x, "text-anchor", STR("end"));
	xml_attr(x, "fill", str_of(p->set->uicolor));
	xml_text(x, buf_view(&b));
	xml_close(x);
	buf_release(&b);
}

static void
write_static_layer(struct xml *x, const struct picture *p)
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
	write_thin_rows(x, p);
	xml_close(x);
}

/* The script's data, as JSON; described in svg.h. */

static void
put_colour(struct buf *b, const char *key, struct colour c)
{
	struct buf text = { 0 };

	colour_put(&text, c);
	json_str(b, key, buf_view(&text));
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
	json_shown(b, "unit", p->unit);
	json_shown(b, "countname", p->countname);
	json_shown(b, "nametype", str_of(p->set->nametype));
	json_double(b, "factor", p->set->factor);
}

static void
put_shape(struct buf *b, const struct picture *p)
{
	const struct picture_settings *set = p->set;
	struct buf facts = { 0 };

	json_shown(b, "title", picture_title(p));
	captions_put_line(&facts, p);
	json_shown(b, "facts", buf_view(&facts));
	buf_release(&facts);
	json_bool(b, "inverted", set->inverted);
	json_bool(b, "flamechart", set->flamechart);
	json_bool(b, "reverse", set->reverse);
	/* which recursion to fold, in the script's degrees */
	json_u64(b, "fold", p->towers.totals ? 3 : 0);
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
		json_element_shown(b, texts[i]);
	json_array_end(b);
}

/* Adds the functions whose total, or self weight, changed: for each the line of its name, and
 * the dispersion. */
static void
put_functions(struct buf *b, const char *key, const struct picture *p, bool is_self)
{
	const struct tested *k = &p->delta.tested;
	uint32_t line;
	size_t metric;

	json_array(b, key);
	for (line = 0; line < p->order.n; line++) {
		metric = p->order.ids[line];
		if (is_self)
			metric = metric_self(&k->metrics, p->order.ids[line]);
		if (!tested_is_change(k, metric))
			continue;
		json_element_u64(b, line);
		json_element_double(b, k->of[metric].phi);
	}
	json_array_end(b);
}

static void
put_doubles(struct buf *b, const char *key, const double values[TREE_COLUMNS])
{
	int i;

	json_array(b, key);
	for (i = 0; i < TREE_COLUMNS; i++)
		json_element_double(b, values[i]);
	json_array_end(b);
}

/* Adds the data with which a script tests merged frames. */
static void
put_tests(struct buf *b, const struct picture *p)
{
	const struct delta *d = &p->delta;

	json_double(b, "t", d->t);
	if (!(d->t > 0))
		return;
	put_doubles(b, "samples", d->tested.samples);
	put_doubles(b, "size", d->tested.design.size);
	put_functions(b, "totals", p, false);
	put_functions(b, "selves", p, true);
}

/* Adds the data with which a script tests changes, and draws new and removed frames. */
static void
put_changes(struct buf *b, const struct picture *p, const struct colour *colours)
{
	const struct str names[] = { folded_info_get(p->info, "name-before"),
		folded_info_get(p->info, "name") };

	put_colour(b, "newcolor", colours[DELTA_NEW]);
	put_colour(b, "gonecolor", colours[DELTA_GONE]);
	put_colour(b, "gonegrey", colours[DELTA_GONE_GREY]);
	json_bool(b, "gone", p->draws_gone);
	json_exact(b, "vanished", &p->vanished, 1);
	put_texts(b, "names", names);
	json_shown(b, "norm", folded_info_get(p->info, "norm"));
	json_shown(b, "verdict", folded_info_get(p->info, "verdict"));
	put_tests(b, p);
}

static void
put_diff(struct buf *b, const struct picture *p)
{
	struct colour colours[DELTA_COLOURS];

	delta_colours(colours, p->set->negate);
	json_begin(b, "diff");
	colourings_put_list(b, "colors", colours, DELTA_STEPS);
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

/* Adds the data with which a script shows the times of a profile. */
static void
put_timeline(struct buf *b)
{
	struct colour colours[DELTA_COLOURS];

	json_begin(b, "change");
	delta_colours(colours, false);
	colourings_put_list(b, "colors", colours, DELTA_STEPS);
	json_end(b);
}

static void
put_meta(struct buf *b, const struct picture *p)
{
	json_begin(b, NULL);
	json_u64(b, "version", 1);
	put_weights(b, p);
	put_shape(b, p);
	colourings_put_list(b, "colors", p->colours.items, p->colours.n);
	put_colour(b, "rootcolor", p->colours.root);
	put_colour(b, "stripcolor", STRIP_COLOUR);
	colourings_put(b, p);
	if (p->attrs)
		put_attrs(b, p);
	if (p->timeline)
		put_timeline(b);
	if (p->set->lines)
		hot_lines_put(b, p->set->lines);
	if (folded_info_get(p->info, "by").n)
		json_str(b, "by", folded_info_get(p->info, "by"));
	if (p->rows)
		json_u64(b, "rows", p->rows);
	json_str(b, "textcolor", STR("#000"));
	json_str(b, "uicolor", str_of(p->set->uicolor));
	json_str(b, "searchcolor", str_of(p->set->searchcolor));
	json_str(b, "stroke", str_of(p->set->stroke));
	if (picture_is_diff(p))
		put_diff(b, p);
	json_end(b);
}

static void
open_root(struct xml *x, const struct picture *p)
{
	struct buf b = { 0 };

	xml_open(x, "svg");
	xml_attr(x, "xmlns", STR("http://www.w3.org/2000/svg"));
	if (p->attrs)
		xml_attr(x, "xmlns:xlink", STR("http://www.w3.org/1999/xlink"));
	xml_attr(x, "class", p->set->no_data ? STR(SVG_DATA_LEFT_OUT) : STR("fg"));
	xml_attr_int(x, "width", p->width);
	xml_attr_int(x, "height", p->height);
	buf_str(&b, STR("0 0 "));
	xml_put_tenths(&b, 10 * p->width);
	buf_char(&b, ' ');
	xml_put_tenths(&b, 10 * p->height);
	xml_attr(x, "viewBox", buf_view(&b));
	xml_attr(x, "role", STR("img"));
	xml_attr(x, "aria-label", picture_title(p));
	xml_attr(x, "font-family", str_of(p->set->fonttype ? p->set->fonttype : FONTS));
	xml_attr_tenths(x, "font-size", llround(10 * p->set->fontsize));
	buf_release(&b);
}

static void
write_head(struct xml *x, const struct picture *p)
{
	struct buf b = { 0 };

	write_element(x, "title", picture_title(p));
	captions_put_description(&b, p);
	write_element(x, "desc", buf_view(&b));
	buf_release(&b);
	if (p->set->notes) {
		buf_str(&b, STR("NOTES: "));
		buf_str(&b, str_of(p->set->notes));
		xml_comment(x, buf_view(&b));
		buf_release(&b);
	}
}

/* Writes an element of code. */
static void
write_code(struct xml *x, const char *tag, const unsigned char *code, size_t size)
{
	xml_open(x, tag);
	xml_cdata(x, (struct str){ (const char *)code, size });
	xml_close(x);
}

/* A centred line of text. */
struct line {
	const char *class;
	int64_t y; /* base line; 0: no line */
	double size;
	struct str text; /* cut if too wide */
};

static void
write_line(struct xml *x, const struct picture *p, struct line line)
{
	double inside = (double)(p->width - 2 * PICTURE_SIDE);
	struct buf label = { 0 };

	if (!line.y)
		return;
	label_fit(&label, line.text,
		(size_t)fmax(inside / (line.size * p->fontwidth), LABEL_MIN));
	xml_open(x, "text");
	xml_attr(x, "class", str_of(line.class));
	xml_attr_tenths(x, "x", 5 * p->width);
	xml_attr_int(x, "y", line.y);
	xml_attr(x, "text-anchor", STR("middle"));
	xml_attr_tenths(x, "font-size", llround(10 * line.size));
	xml_attr(x, "fill", str_of(p->set->uicolor));
	xml_text(x, buf_view(&label));
	xml_close(x);
	buf_release(&label);
}

static void
write_key(struct xml *x, const struct picture *p, const struct picture_key *key)
{
	struct buf label = { 0 };
	int64_t em = llround(10 * p->set->fontsize);
	struct picture_box at = { .x = llround(10 * key->x), .w = em, .h = em };

	if (key->has_swatch) {
		at.y = 10 * key->y - llround(8.5 * p->set->fontsize);
		open_rectangle(x, &at, key->colour);
		xml_close(x);
	}
	if (!key->text.n)
		return;
	xml_open(x, "text");
	xml_attr_tenths(x, "x", llround(10 * key->text_x));
	xml_attr_int(x, "y", key->y);
	xml_attr(x, "fill", str_of(p->set->uicolor));
	label_fit(&label, key->text, PICTURE_KEY_COLUMNS);
	xml_text(x, buf_view(&label));
	xml_close(x);
	buf_release(&label);
}

static void
write_legend(struct xml *x, const struct picture *p)
{
	size_t i;

	if (!p->legend.n)
		return;
	xml_open(x, "g");
	xml_attr(x, "class", STR("fg-legend"));
	for (i = 0; i < p->legend.n; i++)
		write_key(x, p, &p->legend.keys[i]);
	xml_close(x);
}

static void
write_texts(struct xml *x, const struct picture *p)
{
	double size = p->set->fontsize;
	struct buf facts = { 0 };
	size_t i;

	captions_put_line(&facts, p);
	const struct line lines[] = {
		{ "fg-title", p->title_y, size + 5, picture_title(p) },
		{ "fg-subtitle", p->subtitle_y, size, str_of(p->set->subtitle) },
		{ captions_are_poor(p) ? "fg-info fg-poor" : "fg-info", p->info_y, size,
			buf_view(&facts) },
	};

	for (i = 0; i < sizeof lines / sizeof lines[0]; i++)
		write_line(x, p, lines[i]);
	buf_release(&facts);
	write_legend(x, p);
}

/* Writes the line below the boxes: without script, fg-diff's verdict. */
static void
write_details(struct xml *x, const struct picture *p)
{
	struct str verdict = folded_info_get(p->info, "verdict");
	struct buf b = { 0 };
	size_t columns;

	xml_open(x, "text");
	xml_attr(x, "class", STR("fg-details"));
	xml_attr_int(x, "x", PICTURE_SIDE);
	xml_attr_int(x, "y", p->details_y);
	xml_attr(x, "fill", str_of(p->set->uicolor));
	columns = columns_in(p, 10 * (p->width - 2 * PICTURE_SIDE));
	if (columns > THIN_ROWS_COLUMNS)
		label_fit_right(&b, verdict, columns - THIN_ROWS_COLUMNS);
	if (b.n) {
		xml_open(x, "tspan");
		xml_text(x, buf_view(&b));
		xml_close(x);
	}
	xml_close(x);
	buf_release(&b);
}

/* Writes an element of data, which browsers do not run. */
static void
write_data(struct xml *x, const char *class, const char *type, struct str data)
{
	xml_open(x, "script");
	xml_attr(x, "type", str_of(type));
	xml_attr(x, "class", str_of(class));
	xml_cdata(x, data);
	xml_close(x);
}

static void
write_chunks(struct xml *x, const char *class, struct str data)
{
	while (data.n)
		write_data(x, class, "text/plain", table_chunk(&data));
}

/* Writes the input's header, and the format of the table that follows. */
static void
put_header(struct buf *b, const struct picture *p)
{
	struct folded_info info = { 0 };

	folded_info_merge(&info, p->info);
	folded_info_set_u64(&info, "scale", p->tree->scale);
	if (p->set->reverse)
		folded_info_set(&info, "reversed", STR("1"));
	folded_put_header(b, &info, folded_sums_of(p->tree));
	if (info.n_tests || info.n_programs)
		buf_char(b, '\n');
	folded_put_notes(b, &info);
	folded_info_release(&info);
}

/* Writes TEXT, the parts of the table separated by empty lines, compressed. Returns false when
 * it is too long. */
static bool
write_packed(struct xml *x, struct str text)
{
	struct buf packed = { 0 };
	bool good = table_pack(&packed, text);

	if (!good)
		msg_warn("the data is too large for --compress: writing it uncompressed");
	write_chunks(x, "fg-packed", buf_view(&packed));
	buf_release(&packed);
	return good;
}

static void
write_frames(struct xml *x, const struct picture *p)
{
	struct buf b = { 0 };
	size_t names, frames;

	table_put_names(&b, p->tree, &p->order, p->colours.of);
	names = b.n;
	buf_char(&b, '\n');
	table_put_frames(&b, p->tree, &p->walk, &p->order);
	frames = b.n;
	if (p->timeline) {
		buf_str(&b, STR("\n\n"));
		timeline_put(&b, p->timeline, p->tree, &p->walk);
	}
	if (!p->set->compress || !write_packed(x, buf_view(&b))) {
		write_chunks(x, "fg-names", str_head(buf_view(&b), names));
		write_chunks(x, "fg-frames",
			(struct str){ b.s + names + 1, frames - names - 1 });
		write_chunks(x, "fg-times", str_from(buf_view(&b), frames + 2));
	}
	buf_release(&b);
}

/* Writes the frames that changed by more than chance, each as the steps from the one before. */
static void
put_marks(struct buf *b, const struct picture *p)
{
	const bool *sure = p->delta.sure;
	uint32_t i, last = 0;

	if (!sure)
		return;
	if (sure[TREE_ROOT])
		table_put_number(b, 0);
	for (i = 0; i < p->walk.n; i++) {
		if (!sure[p->walk.node[i]])
			continue;
		table_put_number(b, i + 1 - last);
		last = i + 1;
	}
}

static void
write_table(struct xml *x, const struct picture *p)
{
	struct buf b = { 0 };

	put_header(&b, p);
	write_data(x, "fg-header", "text/plain", buf_view(&b));
	buf_clear(&b);
	put_meta(&b, p);
	write_data(x, "fg-meta", "application/json", buf_view(&b));
	buf_clear(&b);
	put_marks(&b, p);
	write_chunks(x, "fg-marks", buf_view(&b));
	buf_release(&b);
	write_frames(x, p);
}

void
svg_write(struct output *out, const struct picture *p)
{
	bool live = !p->set->no_data;
	struct xml x;

	xml_init(&x, out);
	open_root(&x, p);
	write_head(&x, p);
	if (live)
		write_code(&x, "style", embed_flame_css, embed_flame_css_size);
	background_write(&x, p->set->background);
	write_texts(&x, p);
	strip_write(&x, p);
	write_static_layer(&x, p);
	if (live || folded_info_get(p->info, "verdict").n)
		write_details(&x, p);
	if (live) {
		write_table(&x, p);
		write_code(&x, "script", embed_viewer_js, embed_viewer_js_size);
	}
	xml_release(&x);
}
