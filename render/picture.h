/* SPDX-License-Identifier: ISC */
/*
 * The picture before its first byte is written: boxes, places, colours, and the facts that its
 * texts state.
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

/* Pixels. */
enum { PICTURE_WIDTH = 1200, PICTURE_SIDE = 10 };

/* The most lanes in the strip of a profile with times. */
enum { PICTURE_LANES = 5 };

/* Thin rows are left out if there are more than this. */
enum { PICTURE_FEW_ROWS = 4 };

/* The longest words of a key. */
enum { PICTURE_KEY_COLUMNS = 40 };

struct hot_lines;

/* The options of fg-svg; main fills it, all others only read it. */
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
	bool no_fold;		     /* draw deep recursion in full */
	bool no_vanished;	     /* no boxes for removed frames */
	bool all_changes;	     /* none is grey for being chance */
	double confidence;	     /* of the tests of changes; 0: the default */
	bool truncate_right;	     /* cut the end of labels, not the middle */
	bool compress;		     /* compress the table */
	bool no_data;		     /* only the picture, without table and script */
	struct nameattr_list *attrs; /* NULL: none */
	struct palette_rules *rules; /* NULL: none; also the map */
	struct palette_map *map;
	const struct hot_lines *lines; /* NULL: none */
};

/* The settings of a picture without options. */
#define PICTURE_DEFAULTS                                                         \
	{                                                                        \
		.nametype = "Function:", .colors = "auto", .uicolor = "#000000", \
		.searchcolor = "#ff46d2", .stroke = "", .frameheight = 16,       \
		.minwidth = 0.5, .fontsize = 12, .factor = 1,                    \
	}

/* A swatch of the legend, a text, or a swatch followed by a text. */
struct picture_key {
	struct colour colour;
	struct str text; /* n is 0 without */
	bool has_swatch;
	double x, text_x; /* the left edge, and that of the text */
	int64_t y;	  /* base line */
};

struct picture_legend {
	struct picture_key *keys;
	size_t n, cap;
	struct buf less, more; /* the ends of a scale */
};

struct picture {
	const struct picture_settings *set; /* not owned, like the next two */
	const struct tree *tree;
	const struct folded_info *info;
	const struct timeline *timeline; /* not owned; NULL without */

	struct tree_walk walk;
	uint64_t *totals[TREE_COLUMNS];
	uint64_t whole[TREE_COLUMNS]; /* 100 % */
	int wide;		      /* the column that determines widths */
	/* The names of the columns of a ratio (#fg ratio=); empty in a difference. */
	struct str ratio[TREE_COLUMNS];
	uint64_t samples;  /* behind the weights; 0: unknown */
	uint64_t vanished; /* weight before of removed frames */
	bool draws_gone;   /* these have boxes of their previous width */
	struct str unit;   /* of the weights; "samples" if unknown */
	struct str countname;

	struct palette_colours colours;
	struct palette_colours
		other; /* the alternative colouring for the script: by module or else by origin */
	size_t rows;		/* levels of the tree that are not functions */
	uint32_t frames, names; /* counts of function frames, and of distinct functions */
	const struct nameattr *
		*attrs; /* by name id, NULL without any; NULL if no name has some */
	struct table_order order;
	struct layout_widths widths;
	struct towers towers; /* folded recursion in the layout; empty if not folded */
	struct layout layout; /* of nodes of the tree */
	struct delta delta;   /* of two columns */

	struct picture_legend legend; /* the meaning of the colours; empty without */

	int64_t width, height;
	int64_t title_y, subtitle_y, info_y, details_y; /* base lines; 0: none */
	uint32_t lanes; /* of the strip (strip.h), and their height */
	int64_t strip_y, lane_high;
	int64_t top, bottom; /* free of boxes */
	double px;	     /* pixels per unit of weight */
	double minwidth;     /* the narrowest box of the static layer */
	double fontwidth;
};

/* Whether PROFILE has a weight that gives boxes a width: in the last column, in either if
 * removed frames are shown, or in the first of a ratio. */
bool picture_has_width(const struct picture_settings *set, const struct profile *profile);

/* Computes the picture of PROFILE, which satisfies picture_has_width, and of TIMELINE, split
 * off it, or NULL. The arguments must outlive P. The caller releases P. */
void picture_init(struct picture *p, const struct picture_settings *set,
	const struct profile *profile, const struct timeline *timeline);
void picture_release(struct picture *p);

/* The title: the user's, the command of a profile, or the name of the kind of graph. */
struct str picture_title(const struct picture *p);

/* Whether there are two columns: a difference or a ratio. */
bool picture_is_diff(const struct picture *p);

/* Whether the picture shows a ratio, the first column per the second, not a difference. */
bool picture_is_ratio(const struct picture *p);

/* A box as drawn, in tenths of pixels; rows are counted from the top. */
struct picture_box {
	int64_t x, y, w, h, row;
};
struct picture_box picture_place(const struct picture *p, const struct layout_box *box);

#endif
