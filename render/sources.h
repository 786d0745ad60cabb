/* SPDX-License-Identifier: ISC */
/*
 * The source files of places in frames ("work:/build/src/spin.c:18"), each read once. A path is
 * searched for as in folders.h, then
 *
 *	in debuginfod's cache		~/.cache/debuginfod_client/ID/source-HASH-#build#src#spin.c
 *	with --debuginfod on servers	by the build ids of the programs in the header, as a place
 *					does not name its program
 *
 * Folded text is untrusted, and sources end up in reports and pictures: only regular files with
 * names of sources are opened, and unchanged paths only if they come from the debug information
 * of a program.
 */
#ifndef SOURCES_H
#define SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "debuginfod.h"
#include "folded.h"
#include "folders.h"
#include "intern.h"
#include "str.h"

struct source {
	struct str found;  /* the opened path; empty: none */
	uint64_t changed;  /* time of its last change, seconds since 1970 */
	struct str *lines; /* [0] is the first; NULL: not found */
	size_t n;
};

struct sources {
	struct folders where;		/* as_is: paths come from debug information */
	bool cached;			/* search debuginfod's cache */
	struct debuginfod *servers;	/* or NULL; not owned, like the next */
	const struct folded_info *info; /* of the stacks; needed with servers */
	size_t program;			/* the program of the last source */
	bool told;			/* the lack of build ids was reported */
	struct intern paths;		/* paths from frames, a source each */
	struct source *sources;
	size_t cap;
	struct arena arena;
};

/* Whether the file at PATH has the name of a source. */
bool sources_is_name(struct str path);

/* The source of PATH. Owned by S; borrowed until the next call. */
const struct source *sources_find(struct sources *s, struct str path);

/* Line NUMBER of SOURCE; empty if there is no such line. */
struct str sources_line(const struct source *source, uint64_t number);

void sources_release(struct sources *s);

#endif
