/* SPDX-License-Identifier: ISC */
/* What the user asked of fg-svg; main fills it, the rest only reads it. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>

struct nameattr_list;
struct palette_map;
struct palette_rules;

struct settings {
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
	bool no_vanished;	     /* what has no weight after has no box */
	bool all_changes;	     /* none is grey since it may be chance */
	double confidence;	     /* of the tests of changes */
	bool truncate_right;	     /* labels lose their end, not their middle */
	bool compress;		     /* the table */
	bool no_data;		     /* the picture alone, without table and script */
	struct nameattr_list *attrs; /* NULL: none */
	struct palette_rules *rules; /* NULL: none; so is the map */
	struct palette_map *map;
};

#endif
