/* SPDX-License-Identifier: ISC */
/*
 * All that is known of the picture before its first byte is written: what is
 * drawn, where, in which colour, and the facts that its texts state.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "delta.h"
#include "layout.h"
#include "palette.h"
#include "nameattr.h"
#include "profile.h"
#include "timeline.h"
#include "towers.h"
#include "tree.h"

/* Lengths are pixels. */
enum { PICTURE_WIDTH = 1200, PICTURE_SIDE = 10 };

/* So many lanes has the strip of a profile with times at most. */
enum { PICTURE_LANES = 5 };

/* No more rows than these are left out for being thin. */
enum { PICTURE_FEW_ROWS = 4 };

/* The words of a key are no longer. */
enum { PICTURE_KEY_COLUMNS = 40 };

struct hot_lines;

/* What the user asked of fg-svg; main fills it, the rest only reads it. */
struct picture_settings {
	/* NULL: not given */
	const char *title, *subtitle, *notes, *countname, *fonttype, *total;
	const char *nametype;
	const char *colors;	/* a palette's name */
	const char *background; /* a gradient's name or a colour; NULL: plain */
	const char *uicolor, *searchcolor;
	const char *stroke; /* a colour; "": none */
	long width;	    /* px; 0: not given */
	long frameheight;   /* px */
	double minwidth;    /* px, or percent of the total */
	bool minwidth_is_percent;
	double fontsize, fontwidth; /* fontwidth in font sizes; 0: not given */
	double factor;
	bool inverted, reverse, flamechart, by_spelling, by_self, negate;
	bool no_fold;		     /* towers of recursion are drawn in full */
	bool no_vanished;	     /* what has no weight after has no box */
	bool all_changes;	     /* none is grey since it may be chance */
	double confidence;	     /* of the tests of changes; 0: theirs */
	bool truncate_right;	     /* labels lose their end, not their middle */
	bool compress;		     /* the table */
	bool no_data;		     /* the picture alone, without table and script */
	struct nameattr_list *attrs; /* NULL: none */
	struct palette_rules *rules; /* NULL: none; so is the map */
	struct palette_map *map;
	const struct hot_lines *lines; /* NULL: none */
};

/* What a picture is drawn with that nobody gave options for. */
#define PICTURE_DEFAULTS                                                         \
	{                                                                        \
		.nametype = "Function:", .colors = "auto", .uicolor = "#000000", \
		.searchcolor = "#ff46d2", .stroke = "", .frameheight = 16,       \
		.minwidth = 0.5, .fontsize = 12, .factor = 1,                    \
	}

/* A swatch of the legend, words, or a swatch and the words after it. */
struct picture_key {
	struct colour colour;
	struct str text; /* n is 0 without */
	bool has_swatch;
	double x, text_x; /* the left edge, and that of the words */
	int64_t y;	  /* base line */
};

struct picture_legend {
	struct picture_key *keys;
	size_t n, cap;
	struct buf less, more; /* the ends of a scale */
};

struct picture {
	const struct picture_settings *set; /* not owned, as the next two */
	const struct tree *tree;
	const struct folded_info *info;
	const struct timeline *timeline; /* not owned; NULL without */

	struct tree_walk walk;
	uint64_t *totals[TREE_COLUMNS];
	uint64_t whole[TREE_COLUMNS]; /* what is 100 % */
	int wide;		      /* the column that gives the widths */
	/* Of a graph of one thing per another (#fg ratio=): the names of the
	 * columns; empty in a difference. */
	struct str ratio[TREE_COLUMNS];
	uint64_t samples;  /* behind the weights; 0: not known */
	uint64_t vanished; /* weight before of frames with none after */
	bool draws_gone;   /* these have boxes, as wide as they were */
	struct str unit;   /* of the weights; "samples" when not known */
	struct str countname;

	struct palette_colours colours;
	struct palette_colours other; /* for a script: by module, or else by origin */
	size_t rows;		      /* how many levels of the tree are no functions */
	uint32_t frames, names; /* how many frames of how many functions are below */
	const struct nameattr *
		*attrs; /* by name id, NULL without; NULL when none has any */
	struct table_order order;
	struct layout_widths widths;
	struct towers towers; /* that the layout has folded; empty without */
	struct layout layout; /* of nodes of the tree */
	struct delta delta;   /* of two columns */

	struct picture_legend
		legend; /* what the colours mean; empty when they mean nothing */

	int64_t width, height;
	int64_t title_y, subtitle_y, info_y, details_y; /* base lines; 0: none */
	uint32_t lanes; /* of the strip (strip.h), and their height */
	int64_t strip_y, lane_high;
	int64_t top, bottom; /* free of boxes */
	double px;	     /* a unit of weight */
	double minwidth;     /* of what the static layer shows */
	double fontwidth;
};

/* Whether PROFILE has a weight that gives boxes a width: in its last column, or with what is gone
 * in either; of a ratio in the first. */
bool picture_has_width(const struct picture_settings *set, const struct profile *profile);

/* Works out the picture of PROFILE, of which picture_has_width holds, and of what TIMELINE, NULL
 * for none, has split off it. The arguments must outlive P. The caller releases P. */
void picture_init(struct picture *p, const struct picture_settings *set,
	const struct profile *profile, const struct timeline *timeline);
void picture_release(struct picture *p);

/* The title: what was asked for, the command of a profile, or the name of the kind of graph. */
struct str picture_title(const struct picture *p);

/* Whether there are two columns: a difference or a ratio. */
bool picture_is_diff(const struct picture *p);

/* Whether the columns are two things, of which the first is shown per the
 * second, and not a difference. */
bool picture_is_ratio(const struct picture *p);

/* A box as it is drawn, in tenths of pixels; rows are counted from above. */
struct picture_box {
	int64_t x, y, w, h, row;
};
struct picture_box picture_place(const struct picture *p, const struct layout_box *box);

#endif
