/* SPDX-License-Identifier: ISC */
/*
 * A palette map: the colours that names had in earlier pictures, kept in a file of
 * lines "name->rgb(1,2,3)" as flamegraph.pl and inferno do. The root is the empty
 * name. The file is written anew, sorted, when names were added.
 */
#ifndef PALETTE_MAP_H
#define PALETTE_MAP_H

#include "colour.h"
#include "intern.h"

#define PALETTE_MAP_FILE "palette.map"

struct palette_map_entry {
	struct colour colour;
	bool stored; /* else the name was only asked for */
};

struct palette_map {
	const char *path; /* not owned */
	struct intern names;
	struct palette_map_entry *entries; /* by name id */
	size_t n, cap;
	bool changed;
};

/* Reads PATH, which need not exist and must outlive M. False, after a message,
 * when it cannot be read. Lines that say nothing are told and left out. */
bool palette_map_init(struct palette_map *m, const char *path);
void palette_map_release(struct palette_map *m);

/* Whether NAME is stored; *C then is its colour. */
bool palette_map_find(struct palette_map *m, struct str name, struct colour *c);

/* Stores NAME, which is not yet there. */
void palette_map_add(struct palette_map *m, struct str name, struct colour c);

/* Replaces the file by what M holds, if anything was added. False, after a message,
 * when that failed; the file then is as it was. */
bool palette_map_write(const struct palette_map *m);

#endif
