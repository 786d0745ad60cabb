/* SPDX-License-Identifier: ISC */
/* The strip of threads over time; see strip.h. */
#include "strip.h"
#include "folded.h"
#include "label.h"
#include "mem.h"
#include "stats.h"

#include <inttypes.h>
#include <math.h>

enum { LANES = PICTURE_LANES, COLUMN = 8, LABEL_COLUMNS = 22 };

struct lane {
	double sum, scale; /* its weight; the weight of its full height */
	uint32_t tracks;   /* how many tracks share it */
	uint32_t track;	   /* the first of them */
};

struct strip {
	const struct picture *p;
	const struct timeline *tl;
	double *starts;	       /* of each time, s; negative: unknown */
	double from, to, step; /* s */
	struct lane lanes[LANES];
	uint32_t n_lanes;
	uint32_t *lane; /* by track */
	uint32_t columns, kinds;
	struct colour *colours; /* of the kinds */
	uint32_t *kind;		/* by colour of a name */
	double *sums;		/* by lane, column and kind */
	double x, width;	/* of the columns, px */
	int64_t y, high;	/* of the first lane, px */
};

/* The seconds in TIME, "000012.340s"; negative if it is invalid. */
static double
read_seconds(struct str time)
{
	uint64_t ns;

	return folded_time(time, &ns) ? (double)ns / 1e9 : -1;
}

/* Finds the length of a time step: the shortest distance between two times. */
static void
find_axis(struct strip *s)
{
	const struct timeline *tl = s->tl;
	double last = -1, gap;
	uint32_t i;

	s->starts = mem_zero(tl->n_times, sizeof *s->starts);
	for (i = 0; i < tl->n_times; i++) {
		s->starts[i] = read_seconds(tl->times[i]);
		if (s->starts[i] < 0)
			continue;
		gap = s->starts[i] - last;
		if (last < 0)
			s->from = s->starts[i];
		else if (gap > 0 && (!(s->step > 0) || gap < s->step))
			s->step = gap;
		last = fmax(last, s->starts[i]);
	}
	if (!(s->step > 0))
		s->step = 1;
	s->to = fmax(last, s->from) + s->step;
}

/* Gives the heaviest tracks a lane each; the others share the last. */
static void
find_lanes(struct strip *s)
{
	const struct timeline *tl = s->tl;
	double *sums = mem_zero(tl->n_tracks, sizeof *sums);
	uint32_t i, l, best, own;
	size_t k;

	for (k = 0; k < tl->n; k++)
		sums[tl->cells[k].track] += (double)tl->cells[k].weight;
	s->n_lanes = s->p->lanes;
	own = tl->n_tracks > LANES ? LANES - 1 : s->n_lanes;
	s->lane = mem_zero(tl->n_tracks, sizeof *s->lane);
	for (i = 0; i < tl->n_tracks; i++)
		s->lane[i] = LANES - 1;
	for (l = 0; l < own; l++) {
		for (best = i = 0; i < tl->n_tracks; i++)
			if (sums[i] > sums[best])
				best = i;
		s->lanes[l] = (struct lane){ sums[best], 0, 1, best };
		s->lane[best] = l;
		sums[best] = -1;
	}
	if (own < s->n_lanes)
		s->lanes[own].tracks = tl->n_tracks - own;
	free(sums);
}

static double
difference(struct colour a, struct colour b)
{
	double r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;

	return r * r + g * g + blue * blue;
}

/* The colours of the legend are kinds of code; shades go to the nearest. */
static void
find_kinds(struct strip *s)
{
	const struct palette_colours *c = &s->p->colours;
	const struct picture_legend *l = &s->p->legend;
	uint32_t i, k;
	size_t key;

	s->colours = mem_zero(l->n + 1, sizeof *s->colours);
	s->colours[0] = c->n ? c->items[0] : c->root;
	for (key = 0; key < l->n; key++)
		if (l->keys[key].has_swatch)
			s->colours[s->kinds++] = l->keys[key].colour;
	if (!s->kinds)
		s->kinds = 1;
	s->kind = mem_zero((size_t)c->n + 1, sizeof *s->kind);
	for (i = 0; i < c->n; i++)
		for (k = 1; k < s->kinds; k++)
			if (difference(c->items[i], s->colours[k]) <
				difference(c->items[i], s->colours[s->kind[i]]))
				s->kind[i] = k;
}

static double *
sum_at(struct strip *s, uint32_t lane, uint32_t column, uint32_t kind)
{
	return &s->sums[((size_t)lane * s->columns + column) * s->kinds + kind];
}

static void
add_cells(struct strip *s)
{
	const struct timeline *tl = s->tl;
	const struct timeline_cell *cell = tl->cells, *end = cell + tl->n;
	const struct tree *t = s->p->tree;
	uint32_t column, kind;
	double start, at;

	s->sums = mem_zero((size_t)s->n_lanes * s->columns * s->kinds, sizeof *s->sums);
	for (; cell < end; cell++) {
		start = s->starts[cell->time];
		if (start < 0)
			continue;
		at = (start - s->from) / (s->to - s->from) * s->columns + 1e-6;
		column = at < s->columns ? (uint32_t)at : s->columns - 1;
		kind = cell->node == TREE_ROOT
			? 0
			: s->kind[s->p->colours.of[t->nodes[cell->node].name]];
		*sum_at(s, s->lane[cell->track], column, kind) += (double)cell->weight;
	}
}

/* Lanes of one track share a scale; a lane of several has its own. */
static void
find_scales(struct strip *s)
{
	double most[LANES] = { 0 }, single = 0, sum;
	uint32_t l, c, k;

	for (l = 0; l < s->n_lanes; l++) {
		for (c = 0; c < s->columns; c++) {
			for (sum = k = 0; k < s->kinds; k++)
				sum += *sum_at(s, l, c, k);
			most[l] = fmax(most[l], sum);
		}
		if (s->lanes[l].tracks < 2)
			single = fmax(single, most[l]);
	}
	for (l = 0; l < s->n_lanes; l++)
		s->lanes[l].scale = s->lanes[l].tracks < 2 ? single : most[l];
}

/* Adds the part of column C in the lane L that is of KIND. */
static void
put_column(struct buf *b, struct strip *s, uint32_t l, uint32_t c, uint32_t kind)
{
	double below = 0, inside = (double)s->high - 2, high;
	int64_t foot = s->y + (l + 1) * s->high - 1;
	uint32_t k;

	for (k = 0; k < kind; k++)
		below += *sum_at(s, l, c, k);
	high = inside * *sum_at(s, l, c, kind) / s->lanes[l].scale;
	if (!(high >= 0.5))
		return;
	foot -= llround(inside * below / s->lanes[l].scale);
	buf_fmt(b, "M%u %" PRId64 "v-%.0f", (unsigned)c, foot, high);
}

/* Columns are lines of width 1, stretched, which takes half the bytes of rectangles. */
static void
open_columns(struct xml *x, const struct strip *s)
{
	struct buf b = { 0 };

	xml_open(x, "g");
	buf_fmt(&b, "matrix(%.3f 0 0 1 ", s->width / s->columns);
	xml_put_tenths(&b, llround(10 * (s->x + s->width / s->columns / 2)));
	buf_str(&b, STR(" 0)"));
	xml_attr(x, "transform", buf_view(&b));
	xml_attr_tenths(x, "stroke-width", s->width / s->columns < 4 ? 10 : 9);
	buf_release(&b);
}

static void
write_columns(struct xml *x, struct strip *s)
{
	struct buf d = { 0 }, fill = { 0 };
	uint32_t kind, l, c;

	for (kind = 0; kind < s->kinds; kind++) {
		buf_clear(&d);
		buf_clear(&fill);
		for (l = 0; l < s->n_lanes; l++)
			for (c = 0; c < s->columns; c++)
				put_column(&d, s, l, c, kind);
		if (!d.n)
			continue;
		colour_put(&fill, s->colours[kind]);
		xml_open(x, "path");
		xml_attr(x, "stroke", buf_view(&fill));
		xml_attr(x, "d", buf_view(&d));
		xml_close(x);
	}
	buf_release(&d);
	buf_release(&fill);
}

static void
write_word(struct xml *x, const struct strip *s, double at, int64_t y, struct str word)
{
	xml_open(x, "text");
	xml_attr_tenths(x, "x", llround(10 * at));
	xml_attr_int(x, "y", y);
	xml_attr(x, "fill", str_of(s->p->set->uicolor));
	xml_text(x, word);
	xml_close(x);
}

/* Writes the values of a track, which end with ';' each. */
static void
put_track(struct buf *b, struct str track, size_t columns)
{
	struct buf text = { 0 };

	while (track.n) {
		buf_str(&text, text.n ? STR(" ") : STR(""));
		buf_str(&text, str_cut(&track, ';'));
	}
	label_fit(b, text.n ? buf_view(&text) : STR("all"), columns);
	buf_release(&text);
}

static void
write_names(struct xml *x, const struct strip *s)
{
	double size = s->p->set->fontsize, room = s->x - PICTURE_SIDE - 6;
	size_t columns = (size_t)stats_floor(room / (size * s->p->fontwidth));
	struct buf b = { 0 };
	uint32_t l;

	for (l = 0; l < s->n_lanes; l++) {
		buf_clear(&b);
		if (s->lanes[l].tracks > 1)
			buf_fmt(&b, "%u more", (unsigned)s->lanes[l].tracks);
		else
			put_track(&b, s->tl->tracks[s->lanes[l].track], columns);
		write_word(x, s, PICTURE_SIDE,
			s->y + llround((l + 0.5) * (double)s->high + 0.35 * size),
			buf_view(&b));
	}
	buf_release(&b);
}

/* The shortest of 1, 2, 5, 10, .. s that is at least SECONDS. */
static double
nice_step(double seconds)
{
	double ten = pow(10, floor(log10(seconds)));

	return ten *
		(seconds <= ten			     ? 1
				: seconds <= 2 * ten ? 2
				: seconds <= 5 * ten ? 5
						     : 10);
}

static void
write_ruler(struct xml *x, const struct strip *s)
{
	double size = s->p->set->fontsize, letter = size * s->p->fontwidth;
	double span = s->to - s->from, step = nice_step(span * 9 * letter / s->width), t,
	       at;
	double unit = step >= 0.1 ? 1 : step >= 1e-4 ? 1e-3 : 1e-6;
	const char *name = step >= 0.1 ? "s" : step >= 1e-4 ? "ms" : "us";
	int64_t foot = s->y + s->n_lanes * s->high;
	struct buf b = { 0 };
	int i;

	/* starts too large to be told apart */
	for (i = 0; span > 0 && i < 100; i++) {
		t = (ceil(s->from / step - 1e-6) + i) * step;
		at = s->x + (t - s->from) / span * s->width;
		if (at + 8 * letter > s->x + s->width)
			break;
		buf_clear(&b);
		buf_fmt(&b, "%.*f %s", step < unit ? 1 : 0, t / unit, name);
		write_word(x, s, at, foot + llround(size), buf_view(&b));
	}
	buf_release(&b);
}

void
strip_write(struct xml *x, const struct picture *p)
{
	struct strip s = { .p = p, .tl = p->timeline };
	double letter = p->set->fontsize * p->fontwidth;
	double inside = (double)(p->width - 2 * PICTURE_SIDE), span;

	if (!s.tl)
		return;
	find_axis(&s);
	find_lanes(&s);
	find_kinds(&s);
	s.x = PICTURE_SIDE + fmin(LABEL_COLUMNS * letter, inside / 4);
	s.width = inside + PICTURE_SIDE - s.x;
	s.y = p->strip_y;
	s.high = p->lane_high;
	span = (s.to - s.from) / s.step;
	s.columns = (uint32_t)fmax(fmin(span + 0.5, s.width / COLUMN), 1);
	add_cells(&s);
	find_scales(&s);
	xml_open(x, "g");
	xml_attr(x, "class", STR("fg-still"));
	open_columns(x, &s);
	write_columns(x, &s);
	xml_close(x);
	write_names(x, &s);
	write_ruler(x, &s);
	xml_close(x);
	free(s.starts);
	free(s.lane);
	free(s.colours);
	free(s.kind);
	free(s.sums);
}
