/* SPDX-License-Identifier: ISC */
/*
 * The source files behind places in frames ("work:/build/src/spin.c:18"), each read once. A
 * path is looked for where folders.h says, then
 *
 *	in debuginfod's cache		~/.cache/debuginfod_client/ID/source-HASH-#build#src#spin.c
 *	with --debuginfod on servers	by the build ids of the programs in the header: a place does
 *					not say which of them it is in
 *
 * Only regular files whose names are those of sources are opened, and as it is only a path from the
 * debug information of a program: folded text may come from anybody, and what is read ends in
 * reports and pictures.
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
	struct str found;  /* the path that was opened; empty: none */
	uint64_t changed;  /* when it was written last, seconds since 1970 */
	struct str *lines; /* [0] is the first; NULL: not found */
	size_t n;
};

struct sources {
	struct folders where;		/* as_is: paths come from debug information */
	bool cached;			/* debuginfod's cache is looked at */
	struct debuginfod *servers;	/* or NULL; not owned, as the next */
	const struct folded_info *info; /* of the stacks; needed with servers */
	size_t program;			/* of them, that the last source came of */
	bool told;			/* that it has none with a build id */
	struct intern paths;		/* as frames have them; a source each */
	struct source *sources;
	size_t cap;
	struct arena arena;
};

/* Whether the name of the file PATH is one of a source. */
bool sources_is_name(struct str path);

/* The source of PATH. Owned by S; borrowed until the next call. */
const struct source *sources_find(struct sources *s, struct str path);

/* Line NUMBER of SOURCE; empty when there is no such line. */
struct str sources_line(const struct source *source, uint64_t number);

void sources_release(struct sources *s);

#endif
