/* SPDX-License-Identifier: ISC */
/*
 * Where files may be that have moved since they were compiled or run. The path /build/src/spin.c
 * is looked for
 *
 *	as --map changes it		/build=/new	-> /new/src/spin.c
 *	below each folder of --source	DIR/build/src/spin.c, DIR/src/spin.c, DIR/spin.c
 *	as it is			/build/src/spin.c, if whoever names it may name any file
 *
 * Nothing is looked for above what the user named: a path with "..", or with a zero byte, counts
 * from behind it, and only below folders.
 */
#ifndef FOLDERS_H
#define FOLDERS_H

#include <stdbool.h>

#include "buf.h"
#include "opt.h"
#include "str.h"

struct folders {
	const struct opt_list *folders; /* of --source; not owned, as the next; or NULL */
	const struct opt_list *maps;	/* of --map: "OLD=NEW" */
	bool as_is;			/* an absolute path is tried as it is, too */
};

/* A path where a file may be. */
struct folders_path {
	struct buf path;
	bool below; /* the user named the first TOP bytes of it: the folder it has to be below;
		     * none: the current one. Otherwise the path as it is */
	size_t top;
};

/* Whether AT is where the file is. */
typedef bool folders_is(void *with, struct folders_path *at);

/* Calls IS with each path that PATH may be at now, until one is it. False when none is. */
bool folders_try(const struct folders *f, struct str path, folders_is *is, void *with);

#endif
